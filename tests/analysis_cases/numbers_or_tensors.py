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
