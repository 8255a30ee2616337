# case: tensor-as-the-end-of-arange
import torch
from torch import Tensor


def steps(lengths: Tensor) -> Tensor:
    return torch.arange(lengths.max(), device=lengths.device)  # sync: SYN208


# case: size-as-the-end-of-arange
import torch
from torch import Tensor


def steps(x: Tensor) -> Tensor:
    return torch.arange(x.size(1), device=x.device) + torch.arange(0, len(x), 2, device=x.device).sum()


# case: tensor-as-a-size-of-a-factory
import torch
from torch import Tensor


def buffer(lengths: Tensor) -> Tensor:
    return torch.zeros(lengths.max(), 4, device=lengths.device)  # sync: SYN208


# case: tensor-as-a-size-of-a-view
from torch import Tensor


def folded(x: Tensor, groups: Tensor) -> Tensor:
    count = groups.max() + 1
    y = x.view(count, -1)  # sync: SYN208
    return y.expand(count, 4)  # sync: SYN208


# case: tensor-as-a-count
from torch import Tensor


def best(x: Tensor, k: Tensor) -> Tensor:
    return x.topk(k.max()).values  # sync: SYN208


# case: tensor-as-sizes-of-a-split
from torch import Tensor


def parts(x: Tensor, n: Tensor) -> list[Tensor]:
    return list(x.split([n[0], n[1]]))  # sync: SYN208


# case: sizes-as-sizes-of-a-split
from torch import Tensor


def parts(x: Tensor, y: Tensor) -> list[Tensor]:
    return [*x.split(len(y)), *x.chunk(2), *x.split([1, len(x) - 1])]


# case: tensor-as-an-amount-of-padding
import torch.nn.functional as F
from torch import Tensor


def padded(x: Tensor, lengths: Tensor) -> Tensor:
    return F.pad(x, (0, lengths.max()))  # sync: SYN208


# case: size-as-an-amount-of-padding
import torch.nn.functional as F
from torch import Tensor


def padded(x: Tensor, y: Tensor) -> Tensor:
    return F.pad(x, (0, y.shape[1] - x.shape[1]))


# case: tensor-as-a-factor-of-an-addition
import torch
from torch import Tensor


def step(x: Tensor, y: Tensor, rate: Tensor) -> Tensor:
    x.add_(y, alpha=rate.mean())  # sync: SYN209
    return torch.add(x, rate * y)


# case: number-as-a-factor-of-an-addition
from torch import Tensor


def step(x: Tensor, y: Tensor, rate: float) -> Tensor:
    return x.add_(y, alpha=-rate).addcmul_(x, y, value=1 - rate)


# case: device-value-of-masked-fill
from torch import Tensor


def filled(x: Tensor, mask: Tensor) -> Tensor:
    return x.masked_fill(mask, x.mean())  # sync: SYN209


# case: host-value-of-masked-fill
import torch
from torch import Tensor


def filled(x: Tensor, mask: Tensor) -> Tensor:
    return x.masked_fill(mask, 0.0) + x.masked_fill(mask, torch.tensor(0.0))


# case: device-value-of-full
import torch
from torch import Tensor


def constant(x: Tensor) -> Tensor:
    return torch.full((4,), x.mean(), device=x.device)  # sync: SYN209


# case: number-value-of-full
import torch
from torch import Tensor


def constant(x: Tensor) -> Tensor:
    return torch.full((len(x),), 1.0, device=x.device) + x.new_full((), 2.0) + torch.full_like(x, len(x))


# case: one-bound-a-tensor-and-one-a-number
from torch import Tensor


def bounded(x: Tensor, low: Tensor) -> Tensor:
    return x.clamp(min=low, max=1.0)  # sync: SYN209


# case: bounds-all-tensors-or-all-numbers
import torch
from torch import Tensor


def bounded(x: Tensor, low: Tensor, high: Tensor) -> Tensor:
    return x.clamp(min=low, max=high) + x.clamp(0.0, 1.0) + torch.clamp(x, min=low)


# case: tensor-as-the-end-of-linspace
import torch
from torch import Tensor


def ramp(x: Tensor) -> Tensor:
    return torch.linspace(0, x.max(), 8, device=x.device)  # sync: SYN209


# case: tensor-made-of-tensors
import torch
from torch import Tensor


def gathered(x: Tensor) -> Tensor:
    return torch.tensor([x.min(), x.max()])  # sync: SYN209


# case: tensors-stacked
import torch
from torch import Tensor


def gathered(x: Tensor) -> Tensor:
    return torch.stack([x.min(), x.max()])


# case: tensor-operands-of-operators-with-a-tensor-form
import torch
from torch import Tensor


def blended(x: Tensor, y: Tensor, t: Tensor) -> Tensor:
    return torch.lerp(x, y, t) + x**t + torch.quantile(x, t) + torch.where(t > 0, x, y)


# case: repeats-on-the-device
import torch
from torch import Tensor


def expanded(x: Tensor, counts: Tensor) -> Tensor:
    y = torch.repeat_interleave(x, counts, dim=0)  # sync: SYN105
    return y + x.repeat_interleave(counts, dim=0)  # sync: SYN105


# case: repeats-with-a-known-total
import torch
from torch import Tensor


def expanded(x: Tensor, counts: Tensor, total: int) -> Tensor:
    return torch.repeat_interleave(x, counts, dim=0, output_size=total)


# case: repeats-as-a-number
from torch import Tensor


def expanded(x: Tensor, y: Tensor, times: int) -> Tensor:
    return x.repeat_interleave(times, dim=0) + x.repeat_interleave(y.size(0), dim=0)


# case: classes-inferred-from-the-labels
import torch.nn.functional as F
from torch import Tensor


def encoded(labels: Tensor, classes: int) -> Tensor:
    known = F.one_hot(labels, classes) + F.one_hot(labels, num_classes=classes)
    return known + F.one_hot(labels)  # sync: SYN106


# case: counting-integers
import torch
from torch import Tensor


def counts(experts: Tensor, n: int) -> Tensor:
    return torch.bincount(experts, minlength=n) + experts.bincount()  # sync: SYN107


# case: histogram-of-the-data-range
import torch
from torch import Tensor


def histogram(x: Tensor) -> Tensor:
    known = torch.histc(x, bins=8, min=0.0, max=1.0)
    return known + torch.histc(x, bins=8)  # sync: SYN107


# case: conversion-to-sparse
import torch
from torch import Tensor


def sparse(x: Tensor, indices: Tensor, values: Tensor) -> tuple[Tensor, ...]:
    known = torch.sparse_coo_tensor(indices, values, size=(4, 4))
    first = x.to_sparse()  # sync: SYN108
    return first, known, torch.sparse_coo_tensor(indices, values)  # sync: SYN108


# case: combinations
import torch
from torch import Tensor


def pairs(x: Tensor) -> Tensor:
    rows, columns = torch.triu_indices(len(x), len(x), 1, device=x.device)
    return torch.combinations(x) + torch.stack([x[rows], x[columns]], dim=1)  # sync: SYN109


# case: nonzero-in-all-its-forms
import torch
from torch import Tensor


def positions(x: Tensor) -> Tensor:
    a = torch.argwhere(x)  # sync: SYN101
    b = x.nonzero()  # sync: SYN101
    (c,) = torch.nonzero(x[:, 0], as_tuple=True)  # sync: SYN101
    (d,) = torch.where(x[:, 0] > 0)  # sync: SYN101
    return a.sum() + b.sum() + c.sum() + d.sum() + torch.nonzero_static(x, size=4).sum()


# case: unique-in-all-its-forms
import torch
from torch import Tensor


def distinct(x: Tensor) -> Tensor:
    a = torch.unique(x)  # sync: SYN102
    b, counts = x.unique(return_counts=True)  # sync: SYN102
    c = torch.unique_consecutive(x)  # sync: SYN102
    return a.sum() + b.sum() + c.sum() + torch.count_nonzero(x.sort(dim=0).values.diff(dim=0))


# case: rank-of-a-flattened-view
from torch import Tensor


def best(scores: Tensor, rows: list[Tensor], shape) -> Tensor:
    index = scores.view(-1).argmax(dim=0)
    if rows:
        return rows[index]  # sync: SYN207
    places = (scores > 0).reshape(-1, *shape)[0]
    return scores[places]  # sync: SYN103


# case: size-that-is-a-number-as-far-as-is-known
from torch import Tensor


def reshaped(x: Tensor, outputs: list[Tensor | int], count: int) -> Tensor:
    width = outputs[1] if count > 2 else count
    return x.view(width, -1)


# case: sizes-of-which-one-is-a-tensor
import torch.nn.functional as F
from torch import Tensor


def padded(x: Tensor, lengths: Tensor, dim: int) -> Tensor:
    return F.pad(x, (*(0, 0) * dim, 0, lengths.max()))  # sync: SYN208


# case: how-often-each-value-stands-there-is-told-in-one-dimension
import torch
from torch import Tensor


def first_of_each(values: Tensor, table: Tensor) -> Tensor:
    _, inverse, counts = torch.unique(values, return_inverse=True, return_counts=True)  # sync: SYN102
    reveal(counts)  # revealed: Tensor[int, 1-d]
    reveal(inverse)  # revealed: Tensor[int]
    groups = counts.cumsum(dim=0) - 1
    return table[groups[0]]  # sync: SYN207


# case: positions-one-dimension-after-the-other-have-one-dimension
import torch
from torch import Tensor


def following(steps: Tensor, step: Tensor) -> Tensor:
    first = (steps == step).nonzero(as_tuple=True)[0][0]  # sync: SYN101
    reveal(first)  # revealed: Tensor[int, 0-d]
    (rows,) = torch.where(steps > 0)  # sync: SYN101
    reveal(rows)  # revealed: Tensor[int, 1-d]
    return steps[first + 1]  # sync: SYN207


# case: narrowed-by-a-number-or-a-tensor
import torch
from torch import Tensor


def first(x: Tensor, count: int | Tensor) -> Tensor:
    return x.narrow(0, 0, count)


def first_of_each(x: Tensor, lengths: Tensor) -> Tensor:
    return x.narrow(0, 0, lengths.max())  # sync: SYN207


# case: a-legacy-constructor-is-given-a-size
import torch


def step(labels: torch.Tensor, classes: int) -> torch.Tensor:
    edges = torch.cuda.ByteTensor(labels.size()).zero_()
    hot = torch.cuda.FloatTensor(torch.Size((8, classes))).zero_()
    weights = torch.cuda.FloatTensor((8, classes))  # sync: SYN401
    return edges + hot + weights[0]


# case: sizes-that-a-dictionary-is-updated-with
from torch import Tensor, nn


class Matching(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, data):
        data.update({"one": data["left"].shape[2:], "other": data["right"].shape[2:], "most": data["left"].max()})
        if data["one"] == data["other"]:
            return self.layer(data["left"])
        if data["most"] > 1:  # sync: SYN301
            return self.layer(data["right"])
        return data["right"]


# case: learning-rates-that-a-scheduler-gives
import torch


def train(optimizer, batches, model):
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    for batch in batches:
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()
        if scheduler.get_lr()[0] == 0.0 or scheduler.get_last_lr()[0] == 0.0:
            break


# case: shape-made-of-tensors
import torch


def shapes(x: torch.Tensor, leading: tuple[int, ...]) -> list[torch.Size]:
    counted = torch.Size((*leading, torch.count_nonzero(x)))  # sync: SYN208
    summed = torch.Size([3, x.sum()])  # sync: SYN208
    return [counted, summed, torch.Size([3, len(x)]), torch.Size(x.shape), torch.Size((*leading, 3))]
