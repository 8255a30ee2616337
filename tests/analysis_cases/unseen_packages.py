# case: device-of-an-attribute-of-something-unknown
import torch
from torch import Tensor


def ready(model, x: Tensor) -> Tensor:
    out = torch.zeros(4, device=model.mean.device)
    out[1:3] = x
    return out * torch.tensor(3.0, device=model.mean.device)  # sync: SYN401


# case: sizes-in-one-tuple
import torch
from torch import Tensor


def padded(x: Tensor, lengths: Tensor) -> Tensor:
    longest = lengths.max()
    y = torch.zeros((len(x), longest), device=x.device)  # sync: SYN208
    z = x.new_zeros((len(x), longest))  # sync: SYN208
    return x.view([len(x), longest]) + y + z  # sync: SYN208


# case: dimensions-of-a-factory-with-sizes-in-one-tuple
import torch
from torch import Tensor


def table(x: Tensor, rows: int) -> Tensor:
    counts = torch.zeros((rows, 4), device=x.device)
    counts[0] = 1.0
    counts[0, 1] = 1.0  # sync: SYN404
    return counts


# case: functions-of-numbers-alone
import torch
from torch import Tensor


def chunked(x: Tensor, width: int) -> Tensor:
    return x.view(len(x), torch.div(x.size(1), width, rounding_mode="trunc"), torch.floor_divide(width, 2))


# case: type-of-another-tensor-and-its-place
import torch
from torch import Tensor


def shifted(x: Tensor) -> Tensor:
    eye = torch.eye(3).type_as(x)  # sync: SYN402
    ramp = torch.arange(9).view_as(x).to(x.device)  # sync: SYN402
    return x + eye + ramp


# case: parameter-of-a-module-used-as-a-size
from torch import Tensor, nn


class Fold(nn.Module):
    def forward(self, x: Tensor, height, width, lengths) -> Tensor:
        y = x.view(len(x), height, width)
        return y.view(lengths.max(), -1)  # sync: SYN208


# case: few-values-looked-for
import torch
from torch import Tensor


def ends(tokens: Tensor, end: Tensor) -> Tensor:
    return torch.isin(tokens, end)


# case: declared-result-beside-a-path-that-returns-none
from torch import Tensor


def found(store: dict, key: str) -> Tensor | None:
    if key in store:
        return store[key]
    return None


def largest(store: dict) -> int:
    return int(found(store, "scores").max())  # sync: SYN203


# case: comparison-handed-on-as-a-flag
from torch import Tensor


def ended(done: bool) -> bool:
    if done:  # sync: SYN301
        return True
    return False


def generate(scores: Tensor) -> None:
    done = False
    while not ended(done):
        done = scores.max() == 0


# case: rows-of-a-tensor-of-unknown-rank-taken-apart
import torch
from torch import Tensor


def differences(x: Tensor, order: Tensor) -> Tensor:
    first, second = torch.stack([order.long(), order.long()])
    return x[first] - x[second]


# case: what-is-put-end-to-end-has-dimensions
import torch
from torch import Tensor


def neighbours(x: Tensor, ids: torch.LongTensor) -> list[Tensor]:
    return [x[torch.cat([i, i])] + x[i[-3:]] for i in ids]


# case: inverted-index-is-a-mask
from torch import Tensor


def zeroed(x: Tensor, attention: Tensor) -> Tensor:
    kept = attention.unsqueeze(-1).repeat(1, 1, 4)
    x[~kept] = 0
    return x[~kept]  # sync: SYN103


# case: cast-for-the-type-checker
from typing import cast

from torch import Tensor


def picked(x: Tensor, positions: Tensor) -> Tensor:
    position = cast(int, positions[0])
    return x[position]  # sync: SYN207


# case: assignment-problem-solved-on-the-host
import torch
from scipy.optimize import linear_sum_assignment
from torch import Tensor


def matched(x: Tensor, costs: list[list[float]]) -> Tensor:
    rows, _ = linear_sum_assignment(costs)
    return x[torch.as_tensor(rows, dtype=torch.int64)]  # sync: SYN403


# case: item-set-by-a-method-of-the-project
from torch import Tensor


class Boxes:
    def __init__(self, data: Tensor) -> None:
        self.data = data

    def __setitem__(self, key: Tensor, other: "Boxes") -> None:
        self.data[key] = other.data  # sync: SYN104


def replaced(boxes: Boxes, others: Boxes, scores: Tensor) -> None:
    boxes[scores > 0.5] = others


# case: tensors-given-as-one-list
import torch
from torch import Tensor


def grid(x: Tensor) -> Tensor:
    steps = torch.arange(4)
    rows, columns = torch.meshgrid([steps, steps], indexing="ij")
    return x + torch.stack([rows, columns]).to(x.device)  # sync: SYN402


# case: dimensions-told-by-taking-the-shape-apart
from torch import Tensor


def centred(x: Tensor) -> Tensor:
    height, width = x.shape
    x[height // 2, width // 2] = 1.0  # sync: SYN404
    x[height // 2] = 1.0
    return x


# case: operand-of-where-of-unknown-rank
import torch
from torch import Tensor


def error(distance: Tensor, lines: Tensor) -> Tensor:
    return torch.where(lines.norm(dim=-1) > 0, distance.square(), torch.full_like(distance, float("inf")))


def fitted(distance: Tensor, lines: Tensor) -> Tensor:
    return error(distance, lines.detach().cpu())  # sync: SYN204


# case: list-of-slices-as-an-index
from torch import Tensor


def cropped(x: Tensor) -> Tensor:
    inner = [slice(None)]
    while len(inner) < x.ndim:
        inner = inner + [slice(1, -1)]
    x[inner] = 0.0
    return x[inner]


# case: one-random-number
import numpy as np
from torch import Tensor


def drawn(x: Tensor) -> Tensor:
    return x[np.random.randint(0, 3)]


# case: tensors-within-the-data-of-as-tensor
import torch
from torch import Tensor


def summary(x: Tensor) -> Tensor:
    return torch.as_tensor([1.0, x.sum()])  # sync: SYN209


# case: class-that-is-called-a-dataset-and-gives-no-samples
from torch import Tensor


class SupervisedDataset:
    def __init__(self, x: Tensor) -> None:
        self.x = x

    def check(self) -> None:
        x = self.x
        if x.min() < 0:  # sync: SYN301
            raise ValueError


# case: subclass-of-a-distribution
from torch import Tensor
from torch.distributions import Normal


class Shifted(Normal):
    def __init__(self, mean: Tensor, scale: Tensor) -> None:
        super().__init__(mean + 1, scale)  # cold: SYN504


class Renamed(Normal):
    pass


def drawn(mean: Tensor) -> Tensor:
    return Renamed(mean, mean.exp()).rsample()  # sync: SYN504


# case: subclass-of-a-distribution-that-a-metaclass-makes
from torch import Tensor
from torch.distributions import Normal


class Coercing(type):
    def __call__(cls, *args, **kwargs):
        return super().__call__(*args, **kwargs)  # sync: SYN504


class Distribution(metaclass=Coercing):
    pass


class Renamed(Normal, Distribution):
    pass


def drawn(mean: Tensor) -> Tensor:
    return Renamed(mean, mean.exp()).rsample()


# case: numbers-drawn-on-the-host
from torch import Tensor
from torch.quasirandom import SobolEngine


def drawn(bounds: Tensor) -> Tensor:
    return SobolEngine(3).draw(8).to(device=bounds.device)  # sync: SYN402


# case: python-types-of-elements
import torch
from torch import Tensor


def kept(x: Tensor) -> Tensor:
    mask = torch.ones(3, dtype=bool, device=x.device)
    return x[mask] + x[x.to(bool)].sum()  # sync: SYN103


# case: attributes-of-something-unknown-compared
import torch
from torch import Tensor


def truncated(tokens, others) -> bool:
    return torch.equal(tokens.input_ids, others.input_ids)


def same(x: Tensor, other) -> bool:
    return torch.allclose(x, other.coefficient)  # sync: SYN206


# case: parameters-and-state-of-an-optimizer
import torch


class Novel(torch.optim.Optimizer):
    def step(self) -> None:
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    state["scale"] = torch.zeros([], device=p.device)
                if state["scale"] == 0:  # sync: SYN301
                    p.mul_(0.5)
                p.add_(p, alpha=-group["lr"])


# case: what-one-method-puts-into-a-dictionary-another-one-takes
from torch import Tensor


class Cache:
    def __init__(self) -> None:
        self.totals = {}

    def put(self, key: str, x: Tensor) -> None:
        self.totals[key] = x.sum()

    def is_high(self, key: str) -> bool:
        if self.totals[key] > 0:  # sync: SYN301
            return True
        return False


# case: rate-that-is-a-number-or-a-tensor
import torch
from torch import Tensor


def adjusted(rate: float | Tensor, scale: float) -> float | Tensor:
    return rate * scale


def step(parameters: list[Tensor], rate: float) -> None:
    for p in parameters:
        p.add_(p, alpha=-adjusted(rate, 0.2))


# case: constants-brought-to-where-the-input-is
import torch
from torch import Tensor, nn


class Embedding(nn.Module):
    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.register_buffer("table", table)

    def forward(self, x: Tensor) -> Tensor:
        return self.table.to(x) * x  # sync: SYN402


def prepared(embedding: Embedding) -> Tensor:
    return embedding.forward(torch.arange(4.0))


# case: metric-of-which-nothing-is-known
from typing import Any

from torch.optim.lr_scheduler import LRScheduler, ReduceLROnPlateau


def advance(scheduler: LRScheduler | ReduceLROnPlateau, metric: Any | None) -> None:
    if metric is None:
        scheduler.step()
    else:
        scheduler.step(metric)  # sync: SYN510


def advance_by_number(scheduler: ReduceLROnPlateau, found: dict[str, float]) -> None:
    scheduler.step(found["loss"])
    scheduler.step(0.5)


# case: what-a-match-tells-of-its-subject
import torch
from torch import Tensor


def scaled(x: Tensor, by: Tensor | int) -> int:
    match by:
        case Tensor():
            return 1 if by else 0  # sync: SYN301
        case 0:
            return 0
        case _:
            return 1 if by else 0


def same(x, y) -> bool:
    match (x, y):
        case (x, y) if torch.is_tensor(x) and torch.is_tensor(y):
            return bool((x == y).all())  # sync: SYN203
        case (x, y):
            return x == y


# case: tensor-and-a-subclass-of-it-are-in-one-place
import torch
from torch import Tensor


class Edges(Tensor):
    is_undirected = False


def ordered(edges: Tensor) -> Tensor:
    order = edges[0].sort()[1]
    is_undirected = isinstance(edges, Edges) and edges.is_undirected
    if isinstance(edges, Edges):
        is_undirected = edges.is_undirected
    return edges if is_undirected else edges[:, order]


def prepared(rows: list[int]) -> Tensor:
    return ordered(torch.stack([torch.tensor(rows), torch.tensor(rows)]))


# case: mask-by-its-docstring
import torch
from torch import Tensor


class Masked:
    def __init__(self, base: Tensor, rows: Tensor, columns: Tensor) -> None:
        """Keep a part of a matrix.

        :param base: The :obj:`torch.Tensor` of which a part is kept.
        :param rows: A :obj:`torch.BoolTensor` that says which rows are kept.
        """
        self.base, self.rows, self.columns = base, rows, columns

    def part(self) -> Tensor:
        return self.base[self.rows][..., self.columns]  # sync: SYN103


# case: star-of-a-module-that-has-the-name-from-the-importer
# file: graphs/__init__.py
# file: graphs/nn/__init__.py
from .pool import *
from .older import *

# file: graphs/nn/pool.py
from torch import Tensor


def pooled(x: Tensor) -> Tensor:
    return x.sum()


# file: graphs/nn/older.py
from graphs.nn import pooled

retired = [pooled]

# file: graphs/model.py
from torch import Tensor

from graphs.nn import pooled


def is_high(x: Tensor) -> bool:
    if pooled(x) > 1:  # sync: SYN301
        return True
    return False
