# case: default-weight-of-a-metric-of-ones-own
import torch
from torch import Tensor
from torchmetrics import Metric


class RunningMean(Metric):
    def __init__(self) -> None:
        super().__init__()
        self.add_state("total", default=torch.tensor(0.0), dist_reduce_fx="sum")
        self.add_state("weight", default=torch.tensor(0.0), dist_reduce_fx="sum")

    def _checked(self, x, weight=None):
        if not isinstance(x, Tensor):
            x = torch.as_tensor(x, dtype=self.dtype, device=self.device)
        if weight is not None and not isinstance(weight, Tensor):
            weight = torch.as_tensor(weight, dtype=self.dtype, device=self.device)
        nans = torch.isnan(x)
        if nans.any():  # sync: SYN301
            raise RuntimeError("not a number")
        if weight is None:
            weight = torch.ones_like(x)
        return x.to(self.dtype), weight.to(self.dtype)

    def update(self, value, weight=1.0):
        if not isinstance(value, torch.Tensor):
            value = torch.as_tensor(value, dtype=self.dtype, device=self.device)  # sync: SYN401
        if not isinstance(weight, torch.Tensor):
            weight = torch.as_tensor(weight, dtype=self.dtype, device=self.device)  # sync: SYN401
        weight = torch.broadcast_to(weight, value.shape)
        value, weight = self._checked(value, weight)
        self.total += (value * weight).sum()
        self.weight += weight.sum()


# case: default-weight-of-a-metric-that-a-function-makes
import torch
from torchmetrics.aggregation import MeanMetric


def mean_metric(name: str):
    class Named(MeanMetric):
        def update(self, value, weight=1.0):
            if not isinstance(value, torch.Tensor):
                value = torch.as_tensor(value, dtype=self.dtype, device=self.device)  # sync: SYN401
            if weight is not None and not isinstance(weight, torch.Tensor):
                weight = torch.as_tensor(weight, dtype=self.dtype, device=self.device)  # sync: SYN401
            self.mean_value += (value * weight).sum()

    Named.__name__ = name
    return Named


# case: what-a-helper-is-given-is-a-tensor-by-then
import torch
from torchmetrics import MeanMetric


def without_checks(base):
    class Unchecked(base):
        def _cast_and_nan_check_input(self, x, weight=None):
            if not isinstance(x, torch.Tensor):
                x = torch.as_tensor(x, dtype=self.dtype, device=self.device)
            return x, torch.ones_like(x) if weight is None else weight

    return Unchecked


# case: what-is-no-tensor-beside-one-is-a-number
import torch


def scaled(x, factor):
    if not torch.is_tensor(factor):
        factor = torch.tensor(factor, device=x.device, dtype=x.dtype)  # sync: SYN401
    return x.mul(factor)


# case: what-is-no-tensor-is-made-one-on-the-host
import torch


def scaled(factor):
    if not torch.is_tensor(factor):
        factor = torch.tensor(factor)
    return factor * 2


# case: plain-attribute-of-a-module-moved-in-every-call
import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Blur(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.kernel = torch.ones(channels, 1, 3, 3) / 9.0
        self.channels = channels

    def forward(self, x: Tensor) -> Tensor:
        return F.conv2d(x, self.kernel.to(x.device), groups=self.channels)  # sync: SYN402


# case: plain-attribute-made-a-tensor-elsewhere-in-every-call
import torch
from torch import nn


def gaussian(size: int, sigma: float):
    positions = torch.arange(size) - size // 2
    weights = torch.exp(-(positions**2) / (2 * sigma**2))
    return weights / weights.sum()


class Smooth(nn.Module):
    def __init__(self, size: int = 11, sigma: float = 1.5) -> None:
        super().__init__()
        self.kernel = gaussian(size, sigma)

    def forward(self, pred, target):
        kernel = torch.as_tensor(self.kernel, device=pred.device)  # sync: SYN402
        return (pred - target).mul(kernel).mean()


# case: list-of-plain-tensors-moved-in-every-call
import torch
from torch import nn


class Anchors(nn.Module):
    def __init__(self, sizes, ratios) -> None:
        super().__init__()
        self.cell_anchors = [self.base(size, ratios) for size in sizes]

    def base(self, size, ratios, dtype=torch.float32, device=torch.device("cpu")):
        ratios = torch.as_tensor(ratios, dtype=dtype, device=device)
        heights = torch.sqrt(ratios) * size
        return torch.stack([-heights, heights], dim=1) / 2

    def forward(self, features):
        cells = [c.to(features[0]) for c in self.cell_anchors]  # sync: SYN402
        return [f.sum() + c.sum() for f, c in zip(features, cells)]


# case: schedule-kept-on-the-host-moved-in-every-step
import torch


class Scheduler:
    def __init__(self, steps: int = 1000) -> None:
        self.betas = torch.linspace(1e-4, 2e-2, steps, dtype=torch.float32)
        self.alphas = 1.0 - self.betas
        self.alphas_cumprod = torch.cumprod(self.alphas, dim=0)

    def add_noise(self, original: torch.Tensor, noise: torch.Tensor, timesteps: torch.Tensor):
        alphas_cumprod = self.alphas_cumprod.to(device=original.device, dtype=original.dtype)  # sync: SYN402
        root = alphas_cumprod[timesteps] ** 0.5
        return root * original + (1 - root) * noise


# case: host-tensor-under-a-key-moved-in-every-call
import torch


def material(device):
    params = {"roughness": torch.tensor([0.5]), "albedo": torch.ones(3)}
    return params["roughness"].to(device), params["albedo"].to(device)  # sync: SYN402, SYN402


# case: constant-of-the-module-moved-in-every-call
import torch

LUMA = torch.tensor([0.299, 0.587, 0.114])


def gray(image: torch.Tensor) -> torch.Tensor:
    weights = LUMA.to(image.device)  # sync: SYN402
    return (image * weights.view(1, 3, 1, 1)).sum(1)


# case: buffer-moved-in-every-call-may-be-elsewhere
import torch
from torch import Tensor, nn


class Blur(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        kernel = torch.ones(1, 1, 3, 3)
        self.register_buffer("kernel", kernel)
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.kernel.to(x.device) + self.bias.to(x.device)  # sync: SYN402


# case: plain-attribute-that-is-moved-for-good
import torch
from torch import Tensor, nn


class Blur(nn.Module):
    def __init__(self, device) -> None:
        super().__init__()
        self.kernel = torch.ones(1, 1, 3, 3).to(device)  # cold: SYN402

    def forward(self, x: Tensor) -> Tensor:
        return x * self.kernel.to(x.device)


# case: device-from-a-setting-that-is-not-at-hand
import torch
from settings import env


def loss(parts: list[torch.Tensor]) -> torch.Tensor:
    total = torch.tensor(0.0, device=env.DEVICE)  # sync: SYN401
    for part in parts:
        total = total + part
    return total


# case: device-imported-from-a-module-that-is-not-at-hand
import torch
from settings import DEVICE


def forward(parts: list[torch.Tensor]) -> torch.Tensor:
    limit = torch.tensor([0.0, 1.0]).to(DEVICE)  # sync: SYN402
    total = torch.tensor(0.0, device=DEVICE)  # sync: SYN401
    return total + limit.sum() + sum(parts)


# case: device-of-a-setting-that-says-cpu
import torch

DEVICE = "cpu"


def loss(parts: list[torch.Tensor]) -> torch.Tensor:
    return torch.tensor(0.0, device=DEVICE) + sum(parts)


# case: number-written-through-positions
import torch


def subgraph(subset: torch.Tensor, nodes: int) -> torch.Tensor:
    node_mask = torch.zeros(nodes, dtype=torch.bool, device=subset.device)
    node_mask[subset] = 1  # sync: SYN404
    return node_mask


# case: number-written-through-a-mask-of-the-same-shape
import torch


def cleared(x: torch.Tensor, keep: torch.BoolTensor) -> torch.Tensor:
    x[keep] = 0
    x[x < 0] = 0.0
    return x


# case: number-written-through-indices-that-an-operation-gives
import torch


def top(scores: torch.Tensor, k: int) -> torch.Tensor:
    mask = torch.zeros_like(scores, dtype=torch.bool)
    idx = scores.topk(k).indices
    mask[idx] = True  # sync: SYN404
    order = scores.argsort()
    mask[order[:k]] = True  # sync: SYN404
    return mask


# case: number-of-a-loop-written-at-nodes
import torch


def clusters(edges: torch.Tensor, nodes: int) -> torch.Tensor:
    row, col = edges
    cluster = torch.zeros(nodes, dtype=torch.long, device=edges.device)
    for i in range(nodes):
        source = row[col == i]  # sync: SYN103
        cluster[source] = i  # sync: SYN404
    return cluster


# case: number-written-to-an-element-of-a-matrix-made-for-it
import torch


def homography(points: torch.Tensor) -> torch.Tensor:
    eye = torch.eye(3, device=points.device)
    eye[0, 0] = 1.0  # sync: SYN404
    eye[0] = 1.0
    return eye @ points


# case: device-value-written-into-an-element-of-a-host-tensor
import torch


def confusion(pred: torch.Tensor, target: torch.Tensor, classes: int):
    counts = torch.zeros(classes)
    for i in range(classes):
        tp = ((pred == i) & (target == i)).sum()
        counts[i] = tp.long()  # sync: SYN204
    return counts


# case: host-permutation-as-an-index-of-something-used-as-a-tensor
import torch


def shuffled(x):
    order = torch.randperm(x.size(0))
    return x[order]  # sync: SYN403


# case: array-as-an-index-of-something-used-as-a-tensor
import numpy as np
import torch


def subsampled(x, step: int):
    chosen = np.arange(0, x.size(1), step)
    picked = x[:, chosen]  # sync: SYN403
    return torch.relu(picked)


# case: list-as-an-index-of-something-used-as-a-tensor
import torch


def reordered(image):
    flipped = image[:, [2, 1, 0]]  # sync: SYN403
    return flipped.unsqueeze(0)


# case: list-as-an-index-of-an-array
import numpy as np
import torch


def reordered(image):
    image = np.asarray(image)
    return torch.from_numpy(image[:, [2, 1, 0]])


# case: number-written-to-an-element-of-what-numpy-made
import numpy as np
import torch


def schedule(steps: int, device) -> torch.Tensor:
    sigmas = np.linspace(1.0, 0.0, steps)
    sigmas = np.concatenate([sigmas, [0.0]]).astype(np.float32)
    moved = torch.from_numpy(sigmas).to(device)  # sync: SYN402
    following = moved.roll(-1)
    following[-1] = 0.0  # sync: SYN404
    grid = torch.as_tensor(np.zeros((4, 4)), device=device)  # sync: SYN401
    grid[-1] = 0.0
    return following + grid


# case: number-written-to-an-element-at-two-positions
import torch


def masked(x: torch.Tensor) -> torch.Tensor:
    x[0, 0] = 1.0  # sync: SYN404
    x[0] = 1.0
    x[0, :] = 1.0
    return x


# case: number-written-through-a-mask-that-is-called-indices
import torch
from elsewhere import mask_indices_of


def hidden(x: torch.Tensor) -> torch.Tensor:
    mask_channel_indices = torch.from_numpy(mask_indices_of(x.shape)).to(x.device)  # sync: SYN402
    x[mask_channel_indices] = 0
    return x


# case: entry-of-a-namespace-that-another-module-moves-for-good
# file: tables.py
from types import SimpleNamespace

import torch

levels = SimpleNamespace(low=torch.tensor([0.0, 0.5, 1.0]), high=torch.tensor([2.0, 3.0, 4.0]))


def look_up(index: torch.Tensor) -> torch.Tensor:
    return levels.low.to(index.device)[index] + levels.high.to(index.device)[index]  # sync: SYN402


# file: layers.py
import torch
from tables import levels, look_up
from torch import nn


class Packed(nn.Linear):
    def after_loading(self) -> None:
        levels.low = levels.low.to(self.weight.device)

    def forward(self, index: torch.Tensor) -> torch.Tensor:
        return look_up(index.long())


# case: entry-of-a-namespace-of-its-own-moved-by-a-function
from types import SimpleNamespace

import torch

levels = SimpleNamespace(low=torch.tensor([0.0, 0.5, 1.0]))


def low_of(index: torch.Tensor) -> torch.Tensor:
    levels = SimpleNamespace(low=torch.zeros(3))
    levels.low = levels.low.to(index.device)  # sync: SYN402
    return levels.low[index]


def look_up(index: torch.Tensor) -> torch.Tensor:
    return levels.low.to(index.device)[index]  # sync: SYN402
