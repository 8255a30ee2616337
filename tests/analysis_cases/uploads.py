# case: tensor-from-a-number
import torch


def scale(device: torch.device) -> torch.Tensor:
    return torch.tensor(1.0, device=device)  # sync: SYN401


# case: tensor-from-a-list-beside-a-tensor
import torch
from torch import Tensor


def levels(x: Tensor) -> Tensor:
    return x * torch.tensor([0.1, 0.2], device=x.device, dtype=x.dtype)  # sync: SYN401


# case: tensor-from-a-list-comprehension
import torch
from torch import Tensor


def lengths(rows: list[Tensor]) -> Tensor:
    return torch.tensor([len(row) for row in rows], device=rows[0].device)  # sync: SYN401


# case: tensor-from-an-array
import numpy as np
import torch


def upload(array: np.ndarray) -> torch.Tensor:
    return torch.as_tensor(array, device="cuda")  # sync: SYN401


# case: new-tensor-from-a-number
from torch import Tensor


def margin(x: Tensor) -> Tensor:
    return x - x.new_tensor(0.2)  # sync: SYN401


# case: device-scalars-made-on-the-device
import torch
from torch import Tensor


def margin(x: Tensor, value: float) -> Tensor:
    a = torch.full((), value, device=x.device)
    b = torch.scalar_tensor(value, device=x.device)
    return x - a - b - x.new_full((), value) - torch.zeros((), device=x.device)


# case: tensor-from-a-number-on-the-host
import torch


def margin(value: float) -> torch.Tensor:
    return torch.tensor(value) + torch.tensor(value, device="cpu") + torch.as_tensor([value])


# case: tensor-from-a-device-tensor
import torch
from torch import Tensor


def same(x: Tensor) -> Tensor:
    return torch.as_tensor(x, device=x.device)


# case: argument-that-is-already-a-tensor
import torch
from torch import Tensor


def update(value: Tensor | float, device: torch.device) -> Tensor:
    if not isinstance(value, Tensor):
        value = torch.as_tensor(value, device=device)  # sync: SYN401
    return value * 2


# case: array-uploaded
import numpy as np
import torch


def upload(sigmas: np.ndarray, device: torch.device) -> torch.Tensor:
    return torch.from_numpy(sigmas).to(device)  # sync: SYN402


# case: literal-uploaded
import torch


def upload(numbers: list[float]) -> torch.Tensor:
    return torch.tensor(numbers).cuda()  # sync: SYN402


# case: factory-result-uploaded
import torch
from torch import Tensor


def noise(x: Tensor) -> Tensor:
    offset = torch.randn(x.shape).to(x.device)  # sync: SYN402
    return x + offset


# case: factory-result-made-on-the-device
import torch
from torch import Tensor


def noise(x: Tensor) -> Tensor:
    return x + torch.randn(x.shape, device=x.device) + torch.randn(x.shape, device="cuda").to(x.device)


# case: attribute-uploaded-in-every-step
import torch
from torch import Tensor


class Boxes:
    def __init__(self, n: int) -> None:
        self.default = torch.rand(n, 4)

    def decode(self, x: Tensor) -> Tensor:
        return x + self.default.to(x.device)  # sync: SYN402


# case: batch-of-an-unpinned-loader
import torch
from torch.utils.data import DataLoader, Dataset


def train(model: torch.nn.Module, dataset: Dataset, device: torch.device) -> None:
    loader = DataLoader(dataset, batch_size=8, num_workers=2)
    for x, y in loader:
        x = x.to(device)  # sync: SYN402
        y = y.to(device)  # sync: SYN402
        model(x).sub(y).sum().backward()


# case: batch-of-a-pinned-loader
import torch
from torch.utils.data import DataLoader, Dataset


def train(model: torch.nn.Module, dataset: Dataset, device: torch.device) -> None:
    loader = DataLoader(dataset, batch_size=8, num_workers=2, pin_memory=True)
    for x, y in loader:
        x = x.to(device, non_blocking=True)
        y = y.to(device, non_blocking=True)
        model(x).sub(y).sum().backward()


# case: pinned-tensor-uploaded-with-a-wait
import torch


def upload(numbers: list[float], device: torch.device) -> torch.Tensor:
    return torch.tensor(numbers).pin_memory().to(device)  # sync: SYN701


# case: unpinned-tensor-uploaded-without-blocking
import torch


def upload(numbers: list[float], device: torch.device) -> torch.Tensor:
    return torch.tensor(numbers).to(device, non_blocking=True)  # sync: SYN406


# case: parameter-of-unknown-device-is-not-uploaded
import torch
from torch import Tensor


def move(x: Tensor, device: torch.device) -> Tensor:
    return x.to(device) + x.cuda()


# case: module-moved-to-the-device
import torch
import torch.nn as nn


def build(device: torch.device) -> nn.Module:
    return nn.Sequential(nn.Linear(4, 4), nn.ReLU()).to(device)


# case: copy-from-the-host
import torch
from torch import Tensor


def fill(x: Tensor, rows: list[float]) -> Tensor:
    x.copy_(torch.tensor(rows))  # sync: SYN402
    return x


# case: copy-from-the-device
from torch import Tensor


def fill(x: Tensor, y: Tensor) -> Tensor:
    return x.copy_(y * 2)


# case: checkpoint-loaded-onto-the-device
import torch


def expert(path: str) -> tuple:
    first = torch.load(path, map_location="cpu")
    return first, torch.load(path, map_location="cuda")  # sync: SYN402


# case: tensors-in-what-is-loaded-onto-the-host
import torch


class Index:
    def __init__(self, path: str) -> None:
        self.rows, self.lengths = torch.load(path, map_location="cpu")

    def lengths_of(self, at: int) -> list[int]:
        return self.lengths[at:].tolist()

    def on_the_device(self) -> torch.Tensor:
        return self.rows.cuda()  # sync: SYN402


# case: host-scalar-as-a-branch-of-where
import torch
from torch import Tensor


def floor(x: Tensor) -> Tensor:
    return torch.where(x > 0, x, torch.tensor(0.0))  # sync: SYN405


# case: number-as-a-branch-of-where
import torch
from torch import Tensor


def floor(x: Tensor) -> Tensor:
    return torch.where(x > 0, x, 0.0) + torch.where(x > 0, 1.0, torch.zeros((), device=x.device))


# case: index-built-on-the-host-and-uploaded
import torch
from torch import Tensor


def relative(x: Tensor) -> Tensor:
    offsets = torch.arange(x.size(1))
    index = (offsets[:, None] - offsets[None, :]).clamp(min=0)
    return x[:, index.to(x.device)]  # sync: SYN402


# case: choice-between-tensors-of-which-one-on-the-cpu-has-dimensions
import torch
from torch import Tensor


def chosen(failed: Tensor, model: Tensor) -> Tensor:
    model = torch.where(failed, torch.tensor(0.0), model)  # sync: SYN405
    return torch.where(failed, torch.eye(3, device="cpu"), model)


# case: empty-and-filled-lists-uploaded
import torch
from torch import Tensor


def start(x: Tensor) -> tuple[Tensor, Tensor]:
    keys = torch.tensor([], dtype=x.dtype, device=x.device)
    names: list[int] = []
    for row in range(len(x)):
        names.append(row)
    return keys, torch.tensor(names, device=x.device)  # sync: SYN401


# case: number-or-tensor-made-a-tensor
import torch
from torch import Tensor


def weighted(x: Tensor, weight: float | list[float] | Tensor, bias: float | Tensor) -> Tensor:
    w = torch.as_tensor(weight, device=x.device)  # sync: SYN401
    b = torch.tensor(bias, device=x.device)  # sync: SYN401
    return x * w + b


# case: tensors-without-elements
import torch
from torch import Tensor


def empty(x: Tensor) -> list[Tensor]:
    return [
        torch.zeros(3, 0).to(x),
        torch.tensor([]).to(x),
        torch.empty(0, device="cpu").to(x.device),
        torch.Tensor().to(x.device),
    ]


# case: tokens-of-a-tokenizer
import torch
from transformers import PreTrainedTokenizerBase


def encoded(tokenizer, processor: PreTrainedTokenizerBase, text: str, device: torch.device):
    ids = tokenizer.encode(text, return_tensors="pt").to(device)  # sync: SYN402
    inputs = tokenizer(text, return_tensors="pt")
    if torch.equal(inputs.input_ids, inputs["attention_mask"]):
        return ids
    whole = processor(text=text, return_tensors="pt").to(device)  # sync: SYN402
    parts = {key: value.to(device) for key, value in inputs.items()}  # sync: SYN402
    return parts, whole.input_ids.sum().item()  # sync: SYN201


# case: tokens-that-are-arrays
import torch


def encoded(tokenizer, text: str, device: torch.device):
    return tokenizer(text, return_tensors="np").to(device)


# case: lengths-of-what-was-padded
import torch
from torch.nn.utils import rnn
from torch.nn.utils.rnn import PackedSequence


def unpacked(packed: PackedSequence):
    x, lengths = rnn.pad_packed_sequence(packed, batch_first=True)
    data, sizes, order, _ = packed
    if data.sum() > 0:  # sync: SYN301
        return int(sizes[0]), packed.batch_sizes.tolist(), order
    return x, lengths.to(x.device)  # sync: SYN402


# case: iterator-of-a-loader-by-its-method
import torch
from torch.utils.data import DataLoader


def moved(dataset, device: torch.device):
    loader = DataLoader(dataset, batch_size=4, num_workers=1)
    batches = loader.__iter__()
    return batches.__next__()[0].to(device), next(batches)[0].to(device)  # sync: SYN402


# case: saved-among-other-things
import torch
from torch import nn


def saved(net: nn.Module, path: str) -> None:
    optimizer = torch.optim.Adam(net.parameters())
    torch.save({"net": net.state_dict(), "config": {"lr": 0.1}}, path)  # once: SYN204
    torch.save({"config": {"lr": 0.1}, "optimizer": optimizer.state_dict()}, path)  # once: SYN204
    torch.save({"config": {"lr": 0.1}}, path)


# case: values-of-a-dictionary-put-into-their-places
from typing import Any

import torch
from torch import Tensor


def clipped(boxes: Tensor, shape) -> Tensor:
    height, width = shape[:2]
    boxes[..., 0].clamp_(0, width)
    return boxes


def moved(batch: dict[str, Any]) -> dict[str, Any]:
    for key, value in batch.items():
        if isinstance(value, Tensor):
            batch[key] = value.to("cuda", non_blocking=True)
    return batch


def run(batch: dict[str, Any]) -> Tensor:
    batch = moved(batch)
    return clipped(batch["boxes"], batch["shape"])


# case: module-of-a-device
import torch


def waited() -> None:
    torch.get_device_module("cuda").synchronize()  # sync: SYN601


# case: nothing-or-something
import torch
from torch import Tensor


def matched(x: Tensor, rows: list[int]) -> Tensor:
    index = torch.tensor([]) if not rows else torch.tensor(rows)
    return x[index.long()] + index.to(x.device)  # sync: SYN402, SYN403


# case: asynchronous-copy-into-memory-that-is-not-pinned
import torch
from torch import Tensor


def offloaded(x: Tensor, pins: bool) -> tuple[Tensor, Tensor, Tensor]:
    pageable = torch.empty_like(x, device="cpu", pin_memory=False)
    pageable.copy_(x, non_blocking=True)  # sync: SYN204
    pinned = torch.empty(3, pin_memory=True)
    pinned.copy_(x, non_blocking=True)
    either = torch.empty(3, pin_memory=pins)
    either.copy_(x, non_blocking=True)
    return pageable, pinned, either


# case: lists-of-tensors-in-a-dictionary-made-a-tensor
import torch
from torch import Tensor


def scores(x: Tensor) -> tuple[Tensor, Tensor]:
    found = {"scores": []}
    every = []
    for row in x:
        found["scores"].append(row.sum())
        every.append(row.sum())
    return torch.tensor(found["scores"]), torch.Tensor(every)  # sync: SYN209


# case: empty-dictionary-that-is-filled-as-its-annotation-says
import torch
from torch import Tensor


def by_size(x: Tensor, sizes: list[tuple[int, int]]) -> Tensor:
    found: dict[tuple[int, int], list[int]] = {}
    for index, size in enumerate(sizes):
        found.setdefault(size, []).append(index)
    for size, indices in found.items():
        x.index_add_(0, torch.as_tensor(indices, device=x.device), x)  # sync: SYN401
    return x


# case: device-is-no-string
import torch
from torch import Tensor


def staged(x: Tensor, device: str = "cuda") -> Tensor:
    uses_cuda = device == "cuda"
    staging = torch.empty(3, pin_memory=uses_cuda)
    staging.normal_()
    found = torch.empty(3, device=device)
    found.copy_(staging, non_blocking=uses_cuda)  # sync: SYN402
    return found


def train(x: Tensor, index: int) -> Tensor:
    return staged(x, torch.device("cuda", index))


# case: made-on-the-host-and-given-the-type-of-another
import torch
from torch import Tensor


def normalized(x: Tensor, width: int) -> Tensor:
    ones = torch.ones(width).type(x.type())  # sync: SYN402
    kind = x.type()
    zeros = torch.zeros(width).type(kind)  # sync: SYN402
    halves = x.type(torch.float16).type(kind)
    print(f"of the type {x.type()}")
    return ones * halves + zeros


# case: unknown-data-made-a-tensor-on-a-device
import torch
from torch import Tensor


def levels(y: Tensor, items, first=None) -> list[Tensor]:
    start = y if first is None else torch.as_tensor(first, device=y.device)  # sync: SYN401
    made = [torch.as_tensor(item["scale"], device=y.device) for item in items]  # sync: SYN401
    kept = [torch.as_tensor(items), torch.as_tensor(y, device=y.device), torch.as_tensor(first, device="cpu")]
    return [start, *made, *kept]


# case: list-of-host-tensors-made-a-tensor-on-a-device
import torch


def sizes(rows: list, device: torch.device) -> torch.Tensor:
    lengths = [torch.tensor(len(row)) for row in rows]
    return torch.tensor(lengths, device=device) + torch.tensor(lengths).sum()  # sync: SYN401


# case: batch-that-may-be-a-dictionary-is-moved-part-by-part
import torch
from torch.utils.data import DataLoader


def cast(data, device):
    if isinstance(data, dict):
        return {key: cast(value, device) for key, value in data.items()}
    if isinstance(data, torch.Tensor):
        return data.to(device)  # sync: SYN402
    return data


def run(dataset, model, device: torch.device) -> None:
    for data in DataLoader(dataset, num_workers=2):
        model(cast(data, device), data["x"].sum().item())


# case: what-a-module-holds-goes-to-where-something-else-is
import torch
from torch import Tensor, nn


class Weighted(nn.Module):
    def __init__(self, counts: list[float]) -> None:
        super().__init__()
        self.register_buffer("share", 1.0 / torch.tensor(counts))
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, scores: Tensor) -> Tensor:
        moved = scores * self.share.to(scores)  # sync: SYN402
        moved += torch.as_tensor(self.share, device=scores.device)  # sync: SYN402
        return moved + scores.to(self.share.device)

    def beside_its_own(self) -> Tensor:
        return self.share.to(self.scale.device) * self.scale

    def as_it_is(self, scores: Tensor) -> Tensor:
        total = (scores * self.share).to(scores.device)
        return total.copy_(self.share) + self.share.to(torch.float16)


def follow(average: nn.Module, model: nn.Module) -> None:
    for held, new in zip(average.parameters(), model.parameters(), strict=True):
        held.detach().copy_(new.detach())
        held.detach().copy_(new.detach().to(held.device))  # sync: SYN402


# case: items-of-a-batch-that-move-themselves
import torch
from torch.utils.data import DataLoader


def train(dataset, net, optimizer: torch.optim.SGD) -> None:
    for views, _ in DataLoader(dataset, num_workers=4):
        views[0] = views[0].cuda()  # sync: SYN402
        loss = net(views[0]).mean()
        loss.backward()
        optimizer.step()


# case: object-that-moves-what-its-constructor-made
import torch


class Storage:
    def __init__(self, size: int) -> None:
        self.seen = torch.zeros(size, 4)
        self.kept = torch.zeros(size)
        self.at = 0

    def to(self, device: torch.device) -> None:
        self.seen = self.seen.to(device)  # once: SYN402

    def insert(self, seen: torch.Tensor, kept: torch.Tensor, masks: list[float]) -> None:
        self.seen[self.at].copy_(seen)
        self.seen[self.at, 0].copy_(torch.tensor(masks))  # sync: SYN402
        self.kept[self.at].copy_(kept)  # sync: SYN204


def train(net: torch.nn.Module, optimizer: torch.optim.SGD, loader) -> None:
    device = torch.device("cuda")
    storage = Storage(8)
    storage.to(device)
    for _ in range(100_000):
        seen = torch.rand(4, device=device)
        loss = net(seen).mean()
        loss.backward()
        optimizer.step()
        storage.insert(seen, loss, [1.0, 2.0])


train(*given())


# case: positions-that-samplers-give
import torch
from torch.utils.data import SequentialSampler
from torch.utils.data.sampler import BatchSampler, SubsetRandomSampler


def fed(observed: torch.Tensor, size: int, small: int):
    for chosen in BatchSampler(SubsetRandomSampler(range(size)), small, drop_last=True):
        yield observed.view(-1, 4)[chosen]  # sync: SYN403


def one_by_one(observed: torch.Tensor, size: int):
    for chosen in SequentialSampler(range(size)):
        yield observed[chosen]


# case: unpinned-upload-through-a-variable
import torch


def upload(numbers: list[int], device: torch.device) -> torch.Tensor:
    host = torch.tensor(numbers, dtype=torch.int32)
    staged = torch.tensor(numbers, dtype=torch.int32, pin_memory=True)
    return host.to(device, non_blocking=True) + staged.to(device, non_blocking=True)  # sync: SYN406


# case: unpinned-upload-of-a-field
import torch


class Runner:
    def __init__(self, device: torch.device) -> None:
        self.lengths = torch.zeros(64, dtype=torch.int32)
        self.pinned = torch.zeros(64, dtype=torch.int32, pin_memory=True)
        self.there = torch.zeros(64, dtype=torch.int32, device=device)
        self.device = device

    def execute_model(self, n: int) -> torch.Tensor:
        self.there[:n].copy_(self.lengths[:n], non_blocking=True)  # sync: SYN406
        self.there[:n].copy_(self.pinned[:n], non_blocking=True)
        return self.lengths[:n].to(self.device, non_blocking=True)  # sync: SYN406


# case: unpinned-upload-of-a-buffer-that-is-filled-from-numpy
import numpy as np
import torch


class Buffer:
    def __init__(self, size: int, device: torch.device) -> None:
        self.cpu = torch.zeros(size, dtype=torch.int32, device="cpu")
        self.np = self.cpu.numpy()
        self.gpu = torch.zeros_like(self.cpu, device=device)

    def copy_to_gpu(self, n: int) -> torch.Tensor:
        return self.gpu[:n].copy_(self.cpu[:n], non_blocking=True)  # sync: SYN406


class PinnedBuffer:
    def __init__(self, size: int, device: torch.device, pin_memory: bool) -> None:
        self.cpu = torch.zeros(size, dtype=torch.int32, device="cpu", pin_memory=pin_memory)
        self.np = self.cpu.numpy()
        self.gpu = torch.zeros_like(self.cpu, device=device)

    def copy_to_gpu(self, n: int) -> torch.Tensor:
        return self.gpu[:n].copy_(self.cpu[:n], non_blocking=True)


class Runner:
    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.table = np.zeros((64, 128), dtype=np.int32)
        self.buffer = Buffer(64, device)
        self.pinned = PinnedBuffer(64, device, pin_memory=True)

    def execute_model(self, numbers: list[int]) -> torch.Tensor:
        n = len(numbers)
        self.buffer.np[:n] = np.asarray(numbers)
        self.pinned.np[:n] = numbers
        rows = torch.from_numpy(self.table[:n])
        there = rows.to(self.device, non_blocking=True)  # sync: SYN406
        there += rows.pin_memory().to(self.device, non_blocking=True)
        own = torch.empty(n, dtype=torch.int32)
        own.numpy()[:] = numbers
        there += own.to(self.device, non_blocking=True)  # sync: SYN406
        staged = torch.empty(n, dtype=torch.int32, pin_memory=True)
        staged.numpy()[:] = numbers
        there += staged.to(self.device, non_blocking=True)
        return there + self.buffer.copy_to_gpu(n) + self.pinned.copy_to_gpu(n)


# case: a-tensor-that-is-asked-whether-it-is-pinned-is-on-the-host
import torch
from torch import Tensor


def upload(rows: Tensor, device: torch.device, pins: bool) -> Tensor:
    if pins and not rows.is_pinned():
        staged = torch.empty(rows.shape, dtype=rows.dtype, pin_memory=True)
        rows = staged.copy_(rows)
    return rows.to(device, non_blocking=True)


def fetched(rows: Tensor, pins: bool) -> Tensor:
    staged = torch.empty(rows.shape, dtype=rows.dtype, pin_memory=pins)
    return staged.copy_(rows) if staged.is_pinned() else rows  # sync: SYN204


def warned(rows: Tensor, device: torch.device) -> Tensor:
    if not rows.is_pinned():
        print("slow")
        return rows.to(device, non_blocking=True)  # sync: SYN406
    return rows.to(device, non_blocking=True)


# case: a-batch-that-is-one-tensor
import torch
from torch.utils.data import DataLoader, IterableDataset


class Parts(IterableDataset):
    def __iter__(self):
        for _ in range(64):
            yield torch.randn(16)


def train(net: torch.nn.Module, optimizer: torch.optim.SGD) -> None:
    for x in DataLoader(Parts(), batch_size=8, num_workers=2):
        x = x.cuda()  # sync: SYN402
        loss = net(x).sum()
        loss.backward()
        optimizer.step()
    for x in DataLoader(Parts(), batch_size=8, num_workers=2, pin_memory=True):
        loss = net(x.cuda(non_blocking=True)).sum()
        loss.backward()
        optimizer.step()


train(*given())


# case: lightning-has-brought-its-batches-to-the-device-of-the-module
import pytorch_lightning
import torch


class Reader(pytorch_lightning.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.part = torch.nn.Linear(3, 3)

    def images_in(self, batch):
        x = batch["image"]
        return x[..., None].permute(0, 3, 1, 2)

    def pictures(self, batch):
        x = self.images_in(batch)
        x = x.to(self.device)
        words = batch["words"].to(self.device)
        noise = torch.rand(3).to(self.device)  # sync: SYN402
        return self.part(x + noise), words

    def training_step(self, batch, number):
        return self.pictures(batch)[0].sum()


class Other(torch.nn.Module):
    def __init__(self, device: str) -> None:
        super().__init__()
        self.device, self.part = device, torch.nn.Linear(3, 3)

    def images_in(self, batch):
        x = batch["image"]
        return x[..., None].permute(0, 3, 1, 2)

    def pictures(self, batch):
        x = self.images_in(batch)
        x = x.to(self.device)  # sync: SYN402
        words = batch["words"].to(self.device)  # sync: SYN402
        return self.part(x), words


# case: what-is-indexed-by-what-comes-down-for-that-is-on-the-host
import torch


class Bank:
    def __init__(self, features, names) -> None:
        self.features = features
        self.names = names

    def rows(self, ids: torch.Tensor) -> torch.Tensor:
        return self.features[ids.cpu()].to(ids.device)  # sync: SYN204, SYN402

    def total(self, ids: torch.Tensor) -> float:
        return self.features[ids.cpu()].sum().item()  # sync: SYN204

    def rows_there(self, ids: torch.Tensor) -> torch.Tensor:
        return self.features[ids].to(ids.device)

    def chosen(self, store: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        return store[ids.cpu()].to(ids.device)  # sync: SYN204, SYN402

    def of_table(self, ids: torch.Tensor) -> torch.Tensor:
        table = torch.ones(8, device="cuda")
        return table[ids.long().cpu()]  # sync: SYN204, SYN403


# case: what-is-brought-back-under-the-test-under-which-it-was-brought-to-the-host-was-on-the-device
import torch


class Head(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scores = torch.nn.Linear(4, 1)

    def forward(self, x: torch.Tensor, boxes: torch.Tensor) -> torch.Tensor:
        try:
            return self.assigned(boxes, self.scores(x))
        except RuntimeError:
            return self.assigned(boxes, self.scores(x), "cpu")

    @torch.no_grad()
    def assigned(self, boxes, scores, where="gpu"):
        if where == "cpu":
            boxes = boxes.cpu().float()
            scores = scores.cpu()
        chosen = scores[:, 0] > 0
        kept = boxes[:, :4][chosen]  # sync: SYN103
        if where == "cpu":
            kept = kept.cuda()
        return kept


# case: an-item-that-has-been-tested-for-a-list-is-one
import torch
from torch.utils.data import DataLoader


def train(model: torch.nn.Module, data) -> None:
    loader = DataLoader(data, pin_memory=True, num_workers=4)
    for inputs, _ in loader:
        for i in range(len(inputs)):
            if isinstance(inputs[i], list):
                for j in range(len(inputs[i])):
                    inputs[i][j] = inputs[i][j].cuda(non_blocking=True)
            else:
                inputs[i] = inputs[i].cuda(non_blocking=True)
        model(inputs).sum().backward()


# case: a-list-of-device-tensors-is-copied-to-the-cpu
import torch
from torch import Tensor


def weighted(loss: Tensor, weight: Tensor, count: int) -> Tensor:
    weights = torch.as_tensor([weight] * count)  # sync: SYN209
    return loss * weights.to(loss)  # sync: SYN402


def weighted_by_one(loss: Tensor, weight: Tensor) -> Tensor:
    return loss * torch.as_tensor(weight).to(loss)


# case: a-type-or-its-name-is-no-device
import torch
from torch import Tensor


def importance(
    size: int, device: torch.device | str = "cpu", dtype: torch.dtype | str | None = torch.float32
) -> Tensor:
    found = torch.ones(size, device=torch.device(device))
    return found.clamp(min=0.1).to(dtype)


def importance_at(size: int, device: torch.device | str = "cpu", target: torch.device | str = "cuda") -> Tensor:
    found = torch.ones(size, device=torch.device(device))
    return found.clamp(min=0.1).to(target)  # sync: SYN402


# case: a-loader-is-set-as-it-says-whatever-its-dataset-is-made-of
import argparse

import torch
from torch import nn
from torchvision import datasets, transforms


def train(model: nn.Module, device, loader, optimizer) -> None:
    for inputs, targets in loader:
        inputs, targets = inputs.to(device), targets.to(device, non_blocking=True)  # sync: SYN701
        nn.functional.nll_loss(model(inputs), targets).backward()
        optimizer.step()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-accel", action="store_true")
    options = parser.parse_args()
    on_accelerator = not options.no_accel and torch.accelerator.is_available()
    device = torch.accelerator.current_accelerator() if on_accelerator else torch.device("cpu")
    settings = {"batch_size": 64}
    if on_accelerator:
        settings.update({"num_workers": 1, "persistent_workers": True, "pin_memory": True, "shuffle": True})
    transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])
    data = datasets.MNIST("data", train=True, download=True, transform=transform)
    loader = torch.utils.data.DataLoader(data, **settings)
    model = nn.Linear(784, 10).to(device)
    train(model, device, loader, torch.optim.SGD(model.parameters(), lr=0.1))


if __name__ == "__main__":
    main()


# case: what-is-computed-of-what-was-brought-is-there
import torch
from torch import nn
from torch.optim import Optimizer


def encode(encoders, tokenizers, prompt):
    found = []
    for encoder, tokenizer in zip(encoders, tokenizers):
        words = tokenizer(prompt, return_tensors="pt").input_ids
        hidden = encoder(words.to(encoder.device))[-1]  # sync: SYN402
        rows, length, _ = hidden.shape
        found.append(hidden.view(rows, length, -1))
    return torch.concat(found, dim=-1), hidden.view(rows, -1)


def train(model: nn.Module, optimizer: Optimizer, prompts, encoders, tokenizers, device) -> None:
    for prompt in prompts:
        hidden, pooled = encode(encoders, tokenizers, prompt)
        hidden = hidden.to(device)
        loss = model(hidden).mean() + pooled.to(device).mean()
        loss.backward()
        optimizer.step()


# case: part-of-what-was-computed-there
import torch
from torch import Tensor


class Pipeline:
    def __init__(self, tokenizer, encoder):
        self.tokenizer = tokenizer
        self.encoder = encoder

    def encode(self, prompt: str, device: torch.device, hidden=None, skip=None) -> Tensor:
        if hidden is None:
            words = self.tokenizer(prompt, return_tensors="pt").input_ids
            hidden = self.encoder(words.to(device))  # sync: SYN402
            if skip is None:
                hidden = hidden[0]
            else:
                hidden = hidden[-1][-skip]
                hidden = self.encoder.norm(hidden)
        hidden = hidden.to(dtype=self.encoder.dtype, device=device)
        rows, length, _ = hidden.shape
        return hidden.view(rows, length, -1)


# case: new-tensor-of-tensors
from torch import Tensor


def bounds(x: Tensor, low: Tensor, high: Tensor) -> Tensor:
    ends = [low]
    ends.append(high)
    return x.new_tensor(ends)  # sync: SYN209


# case: options-handed-on-to-a-factory
import torch


def identity(*sizes, **options) -> torch.Tensor:
    row = torch.tensor([0.0, 0.0, 1.0], **options)  # sync: SYN401
    return row.repeat((*sizes, 1))


def on_the_host(*sizes) -> torch.Tensor:
    options = {"dtype": torch.float64}
    return torch.tensor([0.0, 0.0, 1.0], **options).repeat((*sizes, 1))


# case: what-a-result-is-brought-back-to-is-taken-wherever-it-is
import torch
from torch import nn


class Rounding(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("levels", torch.zeros(8))

    def forward(self, x, level):
        level = level.to(torch.float32).reshape(-1, 1)
        return x * self.rounded(level, index=True)

    def rounded(self, level, index=False):
        level = torch.as_tensor(level)
        found = (level.to(self.levels.device) - self.levels).argmin(1)
        return found.reshape(level.shape).to(level.device)


# case: what-is-put-into-memory-that-is-given
import torch

PINS = torch.cuda.is_available()


def places(parts: list[torch.Tensor], pages: torch.Tensor, device: torch.device) -> list[torch.Tensor]:
    counts = torch.arange(4)
    rows = [torch.arange(3), torch.arange(5)]
    pinned = torch.empty(8, dtype=torch.int64, pin_memory=PINS)
    return [
        torch.cat(rows, dim=0, out=pinned).to("cuda", non_blocking=True),
        torch.cat(rows, dim=0, out=counts.new_empty(8, pin_memory=True)).to("cuda", non_blocking=True),
        torch.cat(rows, dim=0, out=torch.empty(8, dtype=torch.int64)).to("cuda", non_blocking=True),  # sync: SYN406
        torch.cat(rows, dim=0).to("cuda", non_blocking=True),  # sync: SYN406
    ]


# case: branches-for-tensors-on-the-host-that-are-known-to-be-there
import torch

PINS = torch.cuda.is_available()


def commit(table: torch.Tensor, values: torch.Tensor, plan: list[int]) -> None:
    rows = torch.tensor(plan)
    if PINS and rows.is_cpu:
        rows = rows.new_empty(rows.shape, pin_memory=True).copy_(rows)
    table[rows.to("cuda", non_blocking=True)] = values
    more = torch.tensor(plan)
    if more.is_cpu:
        more = more.cuda()  # sync: SYN402
    if values.is_cpu:
        values = values.cuda()
    table[more] = values


# case: moved-to-where-it-was-made
import torch


class Memory:
    def __init__(self, size: int, device: str, beside: str) -> None:
        self.rows = torch.zeros((size, 3), device=device)
        self.plain = torch.zeros((size, 3))

    def sample(self, count: int) -> list[torch.Tensor]:
        return [self.rows[:count]]

    def sample_plain(self, count: int) -> list[torch.Tensor]:
        return [self.plain[:count]]


def train(options, net: torch.nn.Module, solver) -> None:
    memory = Memory(options.size, options.device, options.beside)
    for _ in range(1000):
        batch = memory.sample(32)
        batch = [part.to(options.device) for part in batch]
        other = memory.sample_plain(32)
        other = [part.to(options.device) for part in other]  # sync: SYN402
        net(batch[0] + other[0]).mean().backward()
        solver.step()


# case: norms-of-gradients-brought-together
import torch


def norm_of(groups, device: torch.device) -> torch.Tensor:
    norms = []
    for group in groups:
        weights: list[torch.Tensor] = group.get("params", [])
        for weight in weights:
            norms.append((torch.abs(weight) * weight.grad).norm(p=2).to(device))
    return torch.norm(torch.stack(norms))


def sums_of(weights, device: torch.device) -> torch.Tensor:
    sums = []
    for weight in weights:
        weight = torch.abs(weight)
        sums.append(weight.sum().to(device))  # sync: SYN402
    return torch.stack(sums)


# case: object-handed-on-beside-what-is-brought-to-the-device
import torch


class Field(torch.nn.Module):
    def refine(self, cells: int) -> None:
        print(torch.ones(cells, device="cuda").sum().item())  # interval: SYN201


def render(rays, field, device):
    return field(rays[:100].to(device))  # sync: SYN402


def fit(options, rays, solver) -> None:
    field = eval(options.kind)(options.device)
    for turn in range(options.turns):
        render(rays, field, device=options.device).mean().backward()
        solver.step()
        if turn in options.refined:
            field.refine(8)


# case: settings-that-come-back-beside-what-goes-up
import copy

import torch
import yaml


class Net(torch.nn.Module):
    def forward(self, batch):
        return {"loss": batch.sum()}


def made(args, configs):
    model = getattr(args, "kind")(**configs["model"])
    return model, configs


def on_device(args, model, configs):
    device = torch.device("cuda")
    model.to(device)
    return model, device


def train(model, optimizer, loader, configs, device):
    info = copy.deepcopy(configs)
    for number, batch in enumerate(loader):
        info["losses"] = model(batch.to(device))  # sync: SYN402
        info["losses"]["loss"].backward()
        info["norm"] = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0).detach()
        if (number + 1) % info["accum_grad"] == 0 and info.get("use_amp", False):
            optimizer.step()
        print(info["losses"]["loss"].item())  # sync: SYN201


def main(args, loader):
    with open(args.config) as file:
        configs = yaml.load(file, Loader=yaml.FullLoader)
    model, configs = made(args, configs)
    configs["epoch"] = configs.get("epoch", 0)
    model, device = on_device(args, model, configs)
    optimizer = torch.optim.Adam(model.parameters())
    train(model, optimizer, loader, configs, torch.device("cuda"))


# case: what-is-brought-to-a-device-that-is-the-cpu-is-not-there-before
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.linear = nn.Linear(3, 4).to(device)
        self.relu = nn.ReLU().to(device)

    def forward(self, x):
        raw = self.relu(self.linear(x))
        return raw / (torch.norm(raw, dim=1, keepdim=True) + 1e-5)


def train(loader):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loss_device = torch.device("cpu")
    model = Encoder(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1)
    for batch in loader:
        inputs = torch.from_numpy(batch.data).to(device)  # sync: SYN402
        embeds = model(inputs)
        near = embeds.view((3, 4, -1)).to(loss_device)  # sync: SYN204
        loss = near.mean()
        loss.backward()
        optimizer.step()


def train_elsewhere(loader):
    device = torch.device("cpu")
    if torch.cuda.is_available():
        device = torch.device("cuda")
    model = Encoder(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1)
    for batch in loader:
        near = batch.to(device)  # sync: SYN402
        loss = model(near).mean()
        loss.backward()
        optimizer.step()


# case: what-a-module-that-an-object-holds-has-computed-is-where-that-is
import torch
from unseen import build, make_loader, make_reader


class Learner:
    def __init__(self, options, device):
        self.device = device
        self.critic = build(options).to(device)
        self.target = build(options).to(device)
        self.target.load_state_dict(self.critic.state_dict())
        self.optimizer = torch.optim.Adam(self.critic.parameters())
        self.reader = make_reader(options)

    def loss(self, batch):
        states, rewards, masks = batch
        values = self.target(states)
        returns = rewards + 0.9 * values * masks
        returns = returns.to(self.device)
        print(returns.shape)
        return (self.critic(states) - returns).pow(2).mean()

    def other_loss(self, batch):
        values = self.reader(batch)
        print(values.sum().item())
        return self.critic(values.to(self.device)).mean()  # sync: SYN402

    def train(self, loader):
        for batch in loader:
            loss = self.loss(batch) + self.other_loss(batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


if __name__ == "__main__":
    Learner(None, torch.device("cuda")).train(make_loader())


# case: loop-that-brings-each-item-of-a-dictionary-to-the-device
import torch
from torch.utils.data import DataLoader


def train(model: torch.nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer, device) -> None:
    for batch in loader:
        for key, value in batch.items():
            if isinstance(value, torch.Tensor):
                batch[key] = value.to(device)  # sync: SYN402
        loss = model(batch["images"].to(device)).mean()
        loss.backward()
        optimizer.step()


def fit(model: torch.nn.Module, optimizer: torch.optim.Optimizer, steps: int) -> None:
    for _ in range(steps):
        batch = {"images": torch.rand(3, 3), "weights": None}
        for key in batch:
            if batch[key] is not None:
                batch[key] = batch[key].float().cuda()  # sync: SYN402
        loss = model(batch["images"]).mean()
        loss.backward()
        optimizer.step()
        print(batch["images"].sum().item())  # sync: SYN201


# case: loop-that-brings-each-part-of-a-list-to-the-device
import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, steps: int) -> None:
    for _ in range(steps):
        views = [torch.rand(3, 3), torch.rand(3, 3)]
        for index, view in enumerate(views):
            views[index] = view.cuda()  # sync: SYN402
        boxes = [{"corners": torch.rand(4)}]
        for box in boxes:
            for key, value in box.items():
                box[key] = value.cuda()  # sync: SYN402
        loss = model(views[0], views[1].cuda(), boxes[0]["corners"].cuda()).mean()
        loss.backward()
        optimizer.step()


# case: loop-that-brings-each-item-of-a-dictionary-to-the-host
import torch


def shown(model: torch.nn.Module, images: torch.Tensor) -> float:
    found = {"scores": model(images).sum(), "images": images.cuda()}
    for key in list(found):
        found[key] = found[key].cpu()  # sync: SYN204
    return found["scores"].item()


# case: loop-that-brings-named-items-of-a-dictionary-to-the-device
import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, steps: int) -> None:
    for _ in range(steps):
        batch = {"images": torch.rand(3, 3), "masks": torch.rand(3, 3), "lengths": torch.ones(3)}
        for key in ("images", "masks"):
            batch[key] = batch[key].cuda()  # sync: SYN402
        loss = model(batch["images"].cuda(), batch["masks"].cuda()).mean()
        loss.backward()
        optimizer.step()
        print(batch["lengths"].sum().item())
        print(batch["masks"].sum().item())  # sync: SYN201


# case: loop-that-brings-some-items-of-a-dictionary-to-the-device
import torch


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, steps: int) -> None:
    for _ in range(steps):
        batch = {"images": torch.rand(3, 3), "lengths": torch.ones(3)}
        for key in batch:
            if key != "lengths":
                batch[key] = batch[key].cuda()  # sync: SYN402
        loss = model(batch["images"].cuda()).mean()  # sync: SYN402
        loss.backward()
        optimizer.step()
        print(batch["lengths"].sum().item())


def fit(model: torch.nn.Module, optimizer: torch.optim.Optimizer, steps: int) -> None:
    for _ in range(steps):
        batch = {"images": torch.rand(3, 3), "lengths": torch.ones(3)}
        for key in batch:
            if key == "lengths":
                continue
            batch[key] = batch[key].cuda()  # sync: SYN402
        loss = model(batch["images"].cuda()).mean()  # sync: SYN402
        loss.backward()
        optimizer.step()
        print(batch["lengths"].sum().item())
