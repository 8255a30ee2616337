# case: condition-on-a-number-or-tensor
import torch
from torch import Tensor


def widened(x: Tensor, width: int | Tensor) -> Tensor:
    if width > 1:
        return x.expand(-1, 4)
    return x.new_zeros(width)


# case: condition-on-a-number-or-tensor-that-a-caller-gives
import torch
from torch import Tensor


def widened(x: Tensor, width: int | Tensor) -> Tensor:
    if width > 1:  # sync: SYN301
        return x.expand(-1, 4)
    return x


def called(x: Tensor) -> Tensor:
    return widened(x, x.argmax())


# case: sizes-that-may-be-numbers
from typing import Union

import torch
import torch.nn.functional as F
from torch import Tensor


def grid(x: Tensor, h: Union[int, Tensor], w: Union[int, Tensor]) -> Tensor:
    rows = torch.arange(h, device=x.device)
    cols = torch.linspace(0, 1, w, device=x.device)
    y = F.interpolate(x, size=(h, w))
    z = F.pad(x, pad=(h, w))
    return rows[:, None] + cols + y.sum() + z.sum() + torch.full((h, w), 1.0, device=x.device).sum()


# case: learning-rate-of-a-group-is-a-number
import torch


class Descent(torch.optim.Optimizer):
    def step(self, closure=None):
        for group in self.param_groups:
            lr, momentum = group["lr"], group["momentum"]
            for p in group["params"]:
                state = self.state[p]
                grad = p.grad
                buffer = state["momentum_buffer"]
                buffer.mul_(momentum).add_(grad)
                p.data.add_(buffer, alpha=-lr * momentum)
                if group["weight_decay"] != 0:
                    p.data.add_(p.data, alpha=-lr * group["weight_decay"])


# case: parameter-moved-to-where-another-one-is
from torch import Tensor


def paired(x: Tensor, y: Tensor, z) -> Tensor:
    return x.to(y) + x.to(z.device) + x.to(y.device)


# case: what-is-put-end-to-end-is-on-the-device-already
import torch
from torch import Tensor


class Curve:
    def __init__(self, device) -> None:
        self.device = device
        self.scores: list[Tensor] = []

    def update(self, scores: Tensor) -> None:
        self.scores.append(scores)

    def compute(self) -> Tensor:
        scores = torch.cat(self.scores)
        recall = torch.cat([scores, torch.ones(1, dtype=scores.dtype, device=scores.device)])
        labels = torch.zeros(4)
        boxes = scores.view(-1, 4)
        return recall.to(self.device) + labels.to(boxes)  # sync: SYN402


# case: branch-that-a-keyword-rules-out
from torch import Tensor


def reduced(x: Tensor, reduction: str = "mean", check: bool = False) -> Tensor:
    if check:
        assert x.max() < 1  # sync: SYN302
    if reduction == "none":
        return x
    return x.mean()


# case: factorization-of-an-object-of-ones-own
import torch
from torch import Tensor


class Operator:
    def __init__(self, matrix: Tensor) -> None:
        self.matrix = matrix

    def cholesky(self, upper: bool = False) -> "Operator":
        return Operator(torch.linalg.cholesky_ex(self.matrix).L)


class Lazy(Operator):
    def root(self) -> "Operator":
        return self.cholesky()


def solve(operator, rhs: Tensor, other: Operator):
    return other.cholesky().matrix @ rhs


# case: list-of-indices-whose-elements-are-slices
import torch
from torch import Tensor


def cropped(x: Tensor, dims: list[int]) -> Tensor:
    index = [slice(None)] * x.ndim
    for dim in dims:
        index[dim] = slice(0, 1)
    parts = [slice(None), 0]
    return x[tuple(index)] + x[index] + x[tuple(parts)]


# case: masks-that-are-ids
import torch
from torch import Tensor


def chosen(x: Tensor, mask_ids: Tensor, mask_token_id: int) -> Tensor:
    y = x[mask_ids]
    y[mask_token_id] = 0.0
    return y


# case: what-stands-for-the-elements-of-an-empty-list
import torch
from torch import Tensor


def mean(preds: Tensor, groups: list[Tensor]) -> Tensor:
    parts = [group.sum() for group in groups]
    result = (torch.stack(parts).mean() if parts else torch.tensor(0.0)).to(preds)
    other = (torch.stack(parts).mean() if len(parts) > 0 else torch.tensor(0.0)).to(preds)
    empty = torch.stack(parts) if len(parts) > 0 else torch.tensor(parts, device=preds.device)
    return result + other + empty.sum()


# case: choice-between-the-host-and-elsewhere
import torch
from torch import Tensor


def mean(preds: Tensor, flag: bool) -> Tensor:
    return (preds.mean() if flag else torch.tensor(0.0)).to(preds)  # sync: SYN402


# case: list-found-empty-is-filled
import torch
from torch import Tensor


def gathered(x: Tensor, parts: list[Tensor]) -> Tensor:
    if not parts:
        parts.append(x)
    if len(parts) == 0:
        parts = [x]
    if parts[0].max() > 0:  # sync: SYN301
        return x
    return torch.tensor(parts, device=x.device)  # sync: SYN209


# case: what-the-object-holds-on-the-device-comes-back-one-by-one
import torch


class Scheduler:
    def __init__(self, steps: int) -> None:
        self.levels = torch.linspace(0, 1, steps)

    def set_timesteps(self, steps: int, device: torch.device) -> None:
        self.timesteps = torch.arange(steps, device=device).flip(0)

    def step(self, sample: torch.Tensor, timestep: int) -> torch.Tensor:
        reveal(timestep)  # revealed: Tensor[int, 0-d, likely]
        level = self.levels[timestep]  # sync: SYN207
        if timestep > 0:  # sync: SYN301
            return sample * level
        return self.last(sample, timestep)

    def last(self, sample: torch.Tensor, t: int) -> torch.Tensor:
        return sample * self.levels[t]  # sync: SYN207


# case: what-is-held-on-the-cpu-or-is-no-tensor-says-nothing-of-its-elements
import torch


class Scheduler:
    def __init__(self, steps: int) -> None:
        self.levels = torch.linspace(0, 1, steps)
        self.timesteps = list(range(steps))
        self.indices = torch.arange(steps)

    def set_timesteps(self, steps: int, device: torch.device) -> None:
        self.timesteps = list(range(0, 1000, 1000 // steps))
        self.indices = torch.arange(steps)

    def step(self, sample: torch.Tensor, timestep: int, indice: int) -> torch.Tensor:
        if timestep > 0 and indice > 0:
            return sample * self.levels[timestep]
        return sample


# case: a-caller-that-gives-a-number-is-believed
import torch


class Scheduler:
    def __init__(self, steps: int) -> None:
        self.levels = torch.linspace(0, 1, steps)

    def set_timesteps(self, steps: int, device: torch.device) -> None:
        self.timesteps = torch.arange(steps, device=device).flip(0)

    def _level(self, timestep: int) -> torch.Tensor:
        return self.levels[timestep]

    def first(self, sample: torch.Tensor) -> torch.Tensor:
        return sample * self._level(0)


# case: a-number-that-is-divided-stays-on-the-host
import torch
from torch import Tensor, nn


class Pooled(nn.Module):
    def __init__(self, width=3, stride=2) -> None:
        super().__init__()
        self.width, self.stride = width, stride

    def length(self, size) -> Tensor:
        return torch.div(size - self.width, self.stride, rounding_mode="floor") + 1

    def forward(self, x: Tensor) -> Tensor:
        return x[..., : int(self.length(x.shape[-1]))]


def rows(x: Tensor, stride) -> Tensor:
    return torch.zeros(int(torch.div(x.shape[0], stride, rounding_mode="floor")))


def of_a_tensor(x: Tensor, lengths: Tensor, stride) -> int:
    return int(torch.div(lengths, stride, rounding_mode="floor").max())  # sync: SYN203


# case: a-number-in-place-of-the-tensor-is-copied-to-the-cpu-first
# A tensor stays where it is; a number becomes a tensor on the CPU, which then goes to where the other one is.
import torch
from torch import Tensor


def bracket(f, y: Tensor, low: float | Tensor, high: Tensor) -> Tensor:
    low = torch.as_tensor(low).to(y)  # sync: SYN402
    high = torch.as_tensor(high).to(y)
    for _ in range(16):
        middle = (low + high) / 2
        low = torch.where(f(middle) < y, middle, low)
    return low


# case: what-one-annotation-calls-a-tensor-and-the-next-one-an-integer-is-hardly-on-the-device
from typing import TypedDict

import torch
from torch import Tensor, nn


class Images(TypedDict):
    pixels: Tensor
    shapes: Tensor
    rows: Tensor


def positions(count: int, device: torch.device) -> Tensor:
    if count > 512:
        count = 512
    return torch.arange(count, device=device)


def tallest(shapes: list[list[int]]) -> int:
    return max(height for height, _ in shapes)


def scaled(x: Tensor, factor: float) -> Tensor:
    return x if factor > 1 else x * factor  # sync: SYN301


class Tower(nn.Module):
    def forward(self, x: Tensor, shapes: Tensor | list[list[int]]) -> Tensor:
        if isinstance(shapes, list):
            shapes = torch.tensor(shapes)
        return x + positions(tallest(shapes), x.device)


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.tower = Tower()

    def embed(self, images: Images) -> Tensor:
        x = self.tower(images["pixels"], images["shapes"])
        return scaled(x, images["rows"].sum())

    def most(self, grid, x: Tensor) -> Tensor:
        return positions(grid[:, 1:].max(), x.device)

    def brought(self, images: Images, device: torch.device) -> Tensor:
        return self.shortened(images["rows"].to(device).sum(), device)

    def shortened(self, count: int, device: torch.device) -> Tensor:
        return torch.arange(count, device=device)  # sync: SYN208


# case: tensor-that-is-annotated-as-the-list-of-its-sizes
# Which of the kernels is meant cannot be told; one of them gives its input back, but no list of numbers is a tensor.
from collections.abc import Callable

import torch
from torch import Tensor

_KERNELS: dict[type, Callable] = {}


def kernel_of(kind: type) -> Callable:
    return _KERNELS[kind] if kind in _KERNELS else lambda image: image


def sizes(image: Tensor) -> list[int]:
    return kernel_of(type(image))(image)


def sizes_or_none(image: Tensor) -> "tuple[int, ...] | None":
    return image if image.ndim else None


def total(image: Tensor) -> float:
    return image.sum()


def halves(images: list[Tensor]) -> list[Tensor]:
    return [image / 2 for image in images]


def channels(image: Tensor, images: list[Tensor]) -> Tensor:
    count, *_ = sizes(image)
    found = sizes_or_none(image)
    if count > 3 or (found is not None and found[0] > 3):
        return torch.empty(count)
    if total(image) > 0:  # sync: SYN301
        return image
    return image if halves(images)[0].sum() > 0 else -image  # sync: SYN301


# case: a-value-to-fill-with-that-may-be-a-number
import torch
from torch import Tensor


def filled(x: Tensor, value: float | Tensor) -> Tensor:
    return torch.full_like(x, value)


def filled_with_a_tensor(x: Tensor, value: Tensor) -> Tensor:
    return torch.full_like(x, value)  # sync: SYN209


def filled_with_what_is_computed(x: Tensor, value: float | None = None) -> Tensor:
    if value is None:
        value = x.max()
    return torch.full_like(x, value)  # sync: SYN209


# case: a-flag-by-the-documentation-of-who-is-given-it
import torch
from torch import nn


class Loss(nn.Module):
    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.compare = self.directly if kind == "direct" else nn.BCEWithLogitsLoss()

    def directly(self, scores, label):
        """The scores themselves.

        Args:
            scores (Tensor): Those of a discriminator.
            label (bool): Whether they are of real data.
        """
        return -scores.mean() if label else scores.mean()

    def forward(self, scores, is_real):
        """Compare.

        Args:
            scores (Tensor): Those of a discriminator.
            is_real (bool): Whether they are of real data.
        """
        label = is_real if self.kind == "direct" else scores.new_ones(scores.size()) * float(is_real)
        return self.compare(scores, label)


class Whole(Loss):
    def forward(self, scores, is_real):
        return super().forward(scores, is_real) * 2


class Threshold(nn.Module):
    def forward(self, scores, is_positive):
        """Compare.

        Args:
            scores (Tensor): Those of a discriminator.
            is_positive (bool): Whether they are.
        """
        return scores * 2 if is_positive else scores  # sync: SYN301


class Positive(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.threshold = Threshold()

    def forward(self, scores):
        return self.threshold(scores, (scores > 0).any())


# case: what-is-put-before-a-tuple-is-a-tuple
import torch
from accelerate import Accelerator
from torch import nn
from torch.optim import Optimizer
from torch.utils.data import DataLoader


def train(accelerator: Accelerator, model: nn.Module, optimizer: Optimizer, data: DataLoader, size: int) -> None:
    def conditions(shape, corner):
        values = list(shape + corner + (size, size))
        return torch.tensor([values], device=accelerator.device)  # sync: SYN401

    loader = accelerator.prepare(data)
    for batch in loader:  # sync: SYN402
        rows = [conditions(one, two) for one, two in zip(batch["sizes"], batch["corners"])]
        accelerator.backward(model(batch["pixels"], torch.cat(rows)).mean())
        optimizer.step()


# case: the-bound-that-is-a-tensor-counts-and-not-the-number-beside-it
import torch
from torch import Tensor, nn


def columns(shapes):
    return [torch.linspace(0, height - 1, 8) for height, _ in shapes]  # sync: SYN209


class Grids(nn.Module):
    def forward(self, memory: Tensor, sizes: list[tuple[int, int]]) -> Tensor:
        shapes = torch.as_tensor(sizes, device=memory.device)  # sync: SYN401
        return torch.stack(columns(shapes)) + memory


# case: what-takes-a-text-where-no-tensor-does-is-none
import lightning
import torch


class Module(lightning.LightningModule):
    def training_step(self, batch, index):
        numbers = []
        for caption in batch["names"]:
            numbers += [int(part) for part in caption.split(",")]
        for sample in batch["values"]:
            first, second = sample.split(2)
            numbers.append(int(first))  # sync: SYN203
        return torch.zeros((), device="cuda") + sum(numbers)


# case: a-tuple-of-integers-that-another-object-is-given-tensors-in-place-of
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, applier=None) -> None:
        super().__init__()
        self.applier = applier

    def forward(self, query: torch.Tensor, positions=None) -> torch.Tensor:
        if self.applier is not None:
            return self.applier(query, positions)
        cosine, sine = positions
        return query * cosine + query * sine


class OnGrids(nn.Module):
    def forward(self, query: torch.Tensor, grid: tuple[int, int]) -> torch.Tensor:
        if grid[0] != 4 or grid[1] != 4:
            return query
        return query + 1


class WithGrids(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = Attention(OnGrids().forward)

    def forward(self, query: torch.Tensor) -> torch.Tensor:
        return self.attention(query, positions=(query.shape[0], query.shape[1]))


class WithAngles(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = Attention()

    def forward(self, query: torch.Tensor) -> torch.Tensor:
        angles = torch.arange(8, device="cuda").reshape(2, 4)
        query = self.attention(query, positions=(angles.cos(), angles.sin()))
        for height, width in torch.ones(3, 2, device="cuda"):
            query = cropped(query, (height, width))
        return query


def cropped(query: torch.Tensor, size: tuple[int, int]) -> torch.Tensor:
    if size[0] != 4:  # sync: SYN301
        return query
    return query + 1


# case: a-parameter-of-a-model-that-falls-back-to-a-number
import torch


def default(value, other):
    return value if value is not None else other


class Net(torch.nn.Module):
    def __init__(self, dropped: float = 0.5) -> None:
        super().__init__()
        self.dropped = dropped
        self.layer = torch.nn.Linear(3, 3)

    def forward(self, *, x, dropped=None):
        dropped = default(dropped, self.dropped)
        if dropped > 0:
            x = x * (1 - dropped)
        if x.mean() > 0:  # sync: SYN301
            x = x + 1
        return self.layer(x)


class Wrapped(torch.nn.Module):
    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, *, x=None, **options) -> torch.Tensor:
        return self.net(x=x, **options)


def train(names: list, loader, optimizer: torch.optim.Optimizer) -> None:
    net = Wrapped(Net()).cuda()
    for batch in loader:
        net(**{name: part.cuda(non_blocking=True) for name, part in zip(names, batch)}).sum().backward()
        optimizer.step()


# case: declared-as-a-number-or-a-tensor-and-given-numbers-in-a-package-for-others
from package.clipping import clipped, declared, spread
from torch import Tensor


def step(x: Tensor, config) -> Tensor:
    x = clipped(clipped(x), 3.0)
    x = spread(spread(x, 3.0), config.top)
    return declared(x, 3.0)


# file: package/__init__.py
from package.clipping import clipped, declared, opened, spread

# file: package/clipping.py
from typing import Union

from torch import Tensor


def clipped(x: Tensor, top: Union[float, Tensor] = 1.0) -> Tensor:
    return x.clamp(max=float(top))


def spread(x: Tensor, top: float | Tensor) -> Tensor:
    return x.clamp(max=float(top))  # sync: SYN203


def opened(x: Tensor, top: float | Tensor) -> Tensor:
    return x.clamp(max=float(top))  # sync: SYN203


def declared(x: Tensor, top: Tensor) -> Tensor:
    return x.clamp(max=float(top))  # sync: SYN203
