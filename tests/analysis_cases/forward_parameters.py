# case: sides-of-an-image-are-numbers
import math

import torch.nn.functional as F
from torch import Tensor, nn


class WindowMixer(nn.Module):
    def forward(self, tokens, H, W):
        rows = math.ceil(H / 7) * 7
        grid = tokens.transpose(1, 2).reshape(tokens.shape[0], -1, H, W)
        grid = F.pad(grid, (0, W % 7, 0, rows - H))
        return grid[:, :, :H, :W]


class Merge(nn.Module):
    def forward(self, tokens, h_in, w_in):
        if h_in % 2 or w_in % 2:
            tokens = tokens + 1
        return tokens


# case: one-letter-alone-may-be-a-hidden-state
from torch import nn


class Cell(nn.Module):
    def forward(self, x, h):
        if h.sum() > 0:  # sync: SYN301
            x = x + 1
        return float(h)  # sync: SYN203


# case: flags-of-forward-are-no-tensors
from torch import nn


class Head(nn.Module):
    def forward(self, x, train, return_scores, use_mask):
        if train and not return_scores:
            return x
        return x if use_mask else -x


# case: what-is-only-asked-whether-it-is-true-is-a-flag
from torch import nn


class Head(nn.Module):
    def forward(self, x, soft):
        if soft:
            return x.softmax(-1)
        return x.argmax(-1)


# case: a-tensor-by-its-use-is-one-whatever-its-name
from torch import nn


class Sampler(nn.Module):
    def forward(self, x, num_steps, train):
        if train.masked_fill(x, 0).any():  # sync: SYN301
            x = x + 1
        return x * num_steps.detach().item()  # sync: SYN201


# case: data-about-the-data-is-not-on-the-device
from torch import nn


class Depther(nn.Module):
    def forward(self, image, image_metas, feature_shape):
        first = image_metas[0]["original_shape"]
        assert all(meta["original_shape"] == first for meta in image_metas)
        if image_metas[0]["flip"]:
            image = image.flip(dims=(3,))
        if feature_shape[0] > 32:
            image = image[:, :, ::2]
        return image


# case: a-slice-bound-of-forward-is-a-number
from torch import nn


class Crop(nn.Module):
    def forward(self, x, rows, columns):
        if rows > columns:
            x = x.transpose(-1, -2)
        return x[..., :rows, :columns]


# case: what-is-indexed-like-a-tensor-is-one-whatever-its-name
from torch import nn


class Deform(nn.Module):
    def forward(self, x, hw_shapes):
        areas = hw_shapes[:, 0] * hw_shapes[:, 1]
        return x[areas.sum().item() :]  # sync: SYN201


# case: an-epoch-is-a-number
import torch
from torch import nn


class Warmup:
    def __init__(self, optimizer, warmup):
        self.optimizer = optimizer
        self.warmup = warmup

    def step(self, epoch, lr=0.1):
        if epoch <= self.warmup:
            lr = lr * epoch / self.warmup
        for group in self.optimizer.param_groups:
            group["lr"] = lr


class Annealed(nn.Module):
    def forward(self, x, epoch, total_steps):
        return x if epoch < total_steps else torch.tanh(x)


# case: momentum-of-batch-normalization-that-nobody-set
from torch import nn


class Split(nn.BatchNorm2d):
    def forward(self, x):
        return super().forward(x)


class Cumulative(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm2d(8, momentum=None)

    def forward(self, x):
        return self.norm(x)  # sync: SYN509


# case: one-of-several-modules-may-be-another
from torch import nn


class Block(nn.Module):
    def __init__(self, distributed):
        super().__init__()
        self.norm = nn.SyncBatchNorm(8) if distributed else nn.GroupNorm(2, 8)

    def forward(self, x):
        return self.norm(x)


# case: workers-in-options-of-which-nothing-is-known
from torch.utils.data import DataLoader


def loader(dataset, options=None):
    if options is None:
        options = dict(num_workers=3, pin_memory=True)
    return DataLoader(dataset, batch_size=8, **options)


def configured(dataset, **options):
    return DataLoader(dataset, shuffle=True, **options)


def train(dataset, model):
    for batch in DataLoader(dataset, batch_size=8):  # cold: SYN702
        model(batch).backward()


# case: tensors-in-memory-need-no-workers
from torch.utils.data import DataLoader, TensorDataset


def refine(features, labels, model):
    for batch in DataLoader(TensorDataset(features, labels), batch_size=256):
        model(batch)


# case: objects-exchanged-over-the-host
import torch
import torch.distributed as dist


def share(container, group):
    for _ in range(3):
        dist.broadcast_object_list(container, src=0, group=group, device=torch.device("cpu"))
        dist.broadcast_object_list(container, src=0)  # sync: SYN604


# case: numbers-through-masks-are-filled-in
import torch
from torch import Tensor


def masked(x: Tensor, labels: Tensor, ignored: int) -> Tensor:
    outside = (labels < 0) | (labels >= x.shape[-1])
    labels[outside] = 0
    labels[~outside] = ignored
    x[outside.unsqueeze(-1)] = 0.0
    x[:, outside] = -1
    x[..., outside, :] = True
    x[0, outside] = 0
    return x


# case: numbers-through-masks-beside-other-tensors
from torch import Tensor


def masked(x: Tensor, labels: Tensor, rows: Tensor) -> Tensor:
    outside = labels < 0
    x[outside, rows] = 0  # sync: SYN104
    x[outside] = x.mean()  # sync: SYN104
    return x


# case: numbers-into-slices-are-filled-in
import numpy as np
import torch
from torch import Tensor


def mark(x: Tensor, seed: int) -> Tensor:
    random = np.random.RandomState(seed)
    x[:, 3] = 0
    x[..., 1:4] = 1
    x[:, random.randint(8)] = 1
    x[:, np.random.default_rng(seed).integers(0, 8)] = 1
    x[:, random.randint(0, 8, size=3)] = 1  # sync: SYN403
    return x


# case: ranks-of-a-mesh-are-on-the-host
from torch.distributed.device_mesh import DeviceMesh


def ranks(mesh: DeviceMesh, dtensor) -> list[int]:
    inner = dtensor.device_mesh.mesh
    return mesh.mesh.flatten().tolist() + inner.tolist()


# case: counters-of-optimizers-are-on-the-host
from typing import List

from torch import Tensor


def _single(params: List[Tensor], grads: List[Tensor], state_steps: List[Tensor], lr: float) -> None:
    for i, param in enumerate(params):
        step = state_steps[i]
        step += 1
        if step == 1:
            continue
        param.add_(grads[i], alpha=-lr / state_steps[i].item())


# case: called-a-tensor-of-the-host
from torch import Tensor


def segments(x: Tensor, offsets_cpu: Tensor) -> list[Tensor]:
    bounds = offsets_cpu.tolist()
    return [x[start:end] for start, end in zip(bounds[:-1], bounds[1:])]


# case: numbers-of-a-graph-without-breaks
import torch
from torch import Tensor


@torch.compile(fullgraph=True)
def update(p: Tensor, grad: Tensor, lr: Tensor) -> None:
    p.add_(grad, alpha=-lr)


def update_eagerly(p: Tensor, grad: Tensor, lr: Tensor) -> None:
    p.add_(grad, alpha=-lr)  # sync: SYN209


# case: branches-for-other-devices
from torch import Tensor


def boxes(prediction: Tensor) -> Tensor:
    device = prediction.device
    mps = "mps" in device.type
    if mps:
        prediction = prediction.cpu()
    if "cuda" in device.type:
        prediction = prediction.cpu()  # sync: SYN204
    return prediction


# case: sizes-are-no-tensors
import torch


def check_shape(tensor, expected):
    for size, wanted in zip(tensor.shape, expected):
        if isinstance(wanted, torch.Tensor):
            assert torch.equal(torch.as_tensor(size), wanted)
        elif isinstance(size, torch.Tensor):
            assert torch.equal(size, torch.as_tensor(wanted))


def run(x=None):
    check_shape(x, [None, 3])


# case: numbers-of-a-batch-are-told-by-their-keys
from torch import nn


class Criterion(nn.Module):
    def forward(self, model, sample, update_num):
        loss = model(sample["tokens"])
        weight = min(1.0, update_num / 1000)
        if sample["num_tokens"] > 0 and update_num > 10:
            loss = loss * weight / sample["num_tokens"]
        return loss, sample["target"].sum().item()  # sync: SYN201


# case: what-came-to-the-host-stays-there
import torch
from torch import Tensor


def drawn(x: Tensor) -> Tensor:
    if torch.rand(1) < 0.5:
        x = -x
    later = x.to("cpu", non_blocking=True)
    if later.sum() > 0:
        x = x + torch.rand(1).item()
    return x


# case: indices-made-on-the-device
import torch
from torch import Tensor


def shuffled(x: Tensor, counts: Tensor) -> Tensor:
    rows = torch.arange(x.shape[0], device=x.device)
    x[rows] = x[torch.randperm(x.shape[0], device=x.device)]
    x = x.repeat_interleave(counts, output_size=64)
    return x[torch.randperm(64)]  # sync: SYN403


# case: parameter-that-is-asked-which-number-it-is
import torch
from torch import Tensor, nn


class Loss(nn.Module):
    def forward(self, outputs, optimizer_index, threshold):
        if optimizer_index == 0:
            return outputs.mean()
        if optimizer_index == 1 and threshold > 0:  # sync: SYN301
            return outputs.sum()
        return None


# case: tensor-that-is-asked-which-number-it-is
import torch
from torch import Tensor, nn


class Loss(nn.Module):
    def forward(self, outputs, weight):
        if weight == 0:  # sync: SYN301
            return outputs.mean()
        return (outputs * weight.clamp(min=0)).sum()


# case: divisor-that-must-not-be-zero
from torch import Tensor, nn


class Loss(nn.Module):
    def forward(self, losses, divisor):
        if divisor != 0:  # sync: SYN301
            return losses.sum() / divisor
        return losses.sum()


# case: what-holds-other-things-than-tensors-do-holds-tensors
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, data):
        counts = torch.bincount(data["atoms"].group)  # sync: SYN107
        if data["atoms"].chosen.sum() == 0:  # sync: SYN301
            return counts
        if data.name.startswith("a") or data.title == "b":
            return counts + 1
        return self.lin(torch.nonzero(data.positions))  # sync: SYN101

    def count(self, data):
        return data.kind.count("a") + len(data.names)


def counted(graph):
    return torch.bincount(graph.group)


# case: parts-of-samples-are-where-the-loader-left-them
import torch
from torch import nn


def train(model: nn.Module, train_loader, device: torch.device) -> None:
    optimizer = torch.optim.SGD(model.parameters())
    for data in train_loader:
        optimizer.zero_grad()
        wanted = torch.cat([graph.y for graph in data]).to(device)  # sync: SYN402
        there = torch.cat([one.detach() for one in model(data)]).to(device)
        loss = nn.functional.mse_loss(there, wanted)
        loss.backward()
        optimizer.step()


# case: a-stack-of-copies-of-what-a-constructor-is-given
import copy

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.mixing = nn.Linear(width, width)

    def forward(self, x: torch.Tensor, shapes=None) -> torch.Tensor:
        assert shapes.prod(1).sum() == x.shape[1]  # sync: SYN302
        return self.mixing(x)


def copies(layer: nn.Module, count: int) -> nn.ModuleList:
    return nn.ModuleList([copy.deepcopy(layer) for _ in range(count)])


class Decoder(nn.Module):
    def __init__(self, layer, count: int) -> None:
        super().__init__()
        self.layers = copies(layer, count)

    def forward(self, x: torch.Tensor, shapes=None) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x, shapes=shapes)
        return x


class Net(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.decoder = Decoder(Layer(width), 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.decoder(x, shapes=torch.ones(1, 2, device=x.device))


def train(batches, optimizer: torch.optim.Optimizer) -> None:
    net = Net(8).cuda()
    for batch in batches:
        loss = net(batch.cuda()).sum()  # sync: SYN402
        loss.backward()
        optimizer.step()
