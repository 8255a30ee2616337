# case: the-end-of-a-decode-loop-over-an-unknown-model
import torch


def generate(model, ids, eos, limit: int):
    for _ in range(limit):
        chosen = model(ids)[:, -1].argmax(-1)
        ids = torch.cat([ids, chosen[:, None]], dim=1)
        if (chosen == eos).all():  # sync: SYN301
            break
    return ids


def sorted_out(model, ids, eos, limit: int):
    for _ in range(limit):
        scores, order = model(ids)[:, -1, :].sort(descending=True)
        chosen = order.gather(1, torch.multinomial(scores.softmax(-1), 1))
        if (chosen == eos).all():  # sync: SYN301
            break
        ids = torch.cat((ids, chosen), dim=-1)
    return ids


# case: what-a-given-function-gives-for-a-tensor-is-one-where-it-is-used-as-one
import torch


def refine(score, x: torch.Tensor, rounds: int) -> torch.Tensor:
    for _ in range(rounds):
        gradient = score(x)
        x = x - 0.1 * gradient
        if gradient.norm() < 1e-3:  # sync: SYN301
            break
    return x


def crosses(event, t: torch.Tensor, y: torch.Tensor) -> bool:
    if event(t, y) == 0:  # sync: SYN301
        return True
    return event(t, y)


def scaled(rate, x: torch.Tensor, step: int) -> torch.Tensor:
    factor = rate(step)
    if factor > 1:
        return x * factor
    return x


# case: elements-with-methods-of-tensors-are-tensors
import torch


def descend(model, x, levels):
    for i in range(len(levels) - 1):
        width = levels[i].log().neg() - levels[i + 1].log().neg()
        if levels[i + 1] == 0:  # sync: SYN301
            break
        x = x + width * model(x, levels[i])
    return x


def descend_by(model, x, levels):
    time_of = lambda level: level.log().neg()
    for i in range(len(levels) - 1):
        if levels[i + 1] == 0:  # sync: SYN301
            break
        x = x + time_of(levels[i]) * model(x)
    return x


def by_key(parts):
    for key in parts:
        parts[key] = parts[key].neg()
    return parts


# case: what-is-asked-whether-any-of-it-is-true-is-a-mask
import torch


def seen_rows(rows: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
    if not seen.any():  # sync: SYN303
        return rows
    return rows[seen]  # sync: SYN103


def largest(rows: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
    if order.max() > 3:  # sync: SYN301
        return rows
    return rows[order]


# case: methods-that-a-base-class-keeps-are-those-of-the-objects-own-class
import torch
from torch import nn


class Operation(nn.Module):
    def __init__(self):
        super().__init__()
        self._run = self.on_device

    def forward(self, *args, **kwargs):
        return self._run(*args, **kwargs)

    def on_device(self, *args, **kwargs):
        raise NotImplementedError


class Sum(Operation):
    def on_device(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if z > 3:  # sync: SYN301
            return x
        return x + y + z


class Route(Operation):
    def on_device(self, layer: nn.Module, x: torch.Tensor, grouped: bool) -> torch.Tensor:
        if grouped:
            return layer(x)
        return x


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.sum = Sum()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.sum(x, x, x.mean())


# case: predicates-leave-the-kinds-of-which-they-are-true
import numbers
from typing import Callable

import torch


def scaled(x: torch.Tensor, factor: float | torch.Tensor | Callable) -> torch.Tensor:
    if callable(factor):
        factor = factor(x)
    elif isinstance(factor, numbers.Number):
        if factor > 3:
            return x
    return x * factor


def read(value: float | torch.Tensor) -> float:
    if hasattr(value, "item"):
        return value.item()  # sync: SYN201
    if value > 3:
        return 3.0
    return value


# case: annotations-of-attributes-and-of-classes-say-what-objects-are
from __future__ import annotations

from typing import Callable, Type

import torch


class Policy:
    def __init__(self, size: int):
        self.std = torch.ones(size, device="cuda")


def find(name: type | Callable | str) -> Callable:
    return name if callable(name) else getattr(__import__("policies"), name)


class Runner:
    policy: Policy
    kind: type[Policy]
    make: Callable[..., Policy]

    def __init__(self, config: dict):
        found: type[Policy] = find(config["class"])
        self.policy = found.construct(config)
        self.kind, self.make = config["kind"], config["make"]

    def spread(self) -> float:
        return self.policy.std.mean().item()  # sync: SYN201

    def made(self) -> list[float]:
        return self.make(3).std.tolist()  # sync: SYN202

    def of_class(self) -> list[float]:
        return self.kind(3).std.tolist()  # sync: SYN202


def peek(kind: Type[Policy]) -> float:
    return float(kind(3).std.max())  # sync: SYN203


# case: a-post-init-runs-wherever-an-object-is-made
import torch
from tensordict import tensorclass


@tensorclass
class Jagged:
    ends: torch.Tensor
    items: torch.Tensor

    def __post_init__(self) -> None:
        if self.ends[0].item() != 0:  # sync: SYN201 # runs: step
            raise ValueError("must begin with 0")


def train(model, loader, optimizer) -> None:
    for ends, items in loader:
        jagged = Jagged(ends.cuda(non_blocking=True), items.cuda(non_blocking=True))
        model(jagged.items).mean().backward()
        optimizer.step()


# case: steps-of-a-curried-chain-run-on-what-that-is-given
import torch
from torch.utils.data import Dataset


def curried(function):
    def given(*args, **kwargs):
        return lambda x: function(x, *args, **kwargs)

    return given


def mark(row: torch.Tensor) -> torch.Tensor:
    table = torch.zeros(3, 3, device=row.device)
    table[0, 1] = 1.0
    return table


@curried
def chain(x, steps):
    for step in steps:
        x = step(x)
    return x


def steps() -> list:
    found = []
    found.extend([mark])
    return found


class Rows(Dataset):
    def __init__(self, rows: list):
        self.rows = rows

    def __getitem__(self, index: int) -> torch.Tensor:
        return chain(steps())(torch.tensor(self.rows[index]))


# case: what-is-inverted-and-selects-is-a-mask
import torch


def split(x: torch.Tensor, valid: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return x[valid], x * ~valid  # sync: SYN103


def taken(x: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
    return x[order] + order


# case: a-method-that-one-class-alone-has-is-meant
import sys

import torch
from torch import nn


class Pool(nn.Module):
    def condense(self, x: torch.Tensor, batch: torch.Tensor) -> torch.Tensor:
        size = int(batch.max()) + 1  # sync: SYN203 # runs: step
        return torch.zeros(size, device=x.device).index_add(0, batch, x)


class Net(nn.Module):
    def __init__(self, body, output):
        super().__init__()
        self.body, self.output = body, output

    def forward(self, x: torch.Tensor, batch: torch.Tensor) -> torch.Tensor:
        return self.output.condense(self.body(x), batch)


def train(net: Net, loader, optimizer) -> None:
    for x, batch, y in loader:
        loss = (net(x, batch) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    made = getattr(sys.modules[__name__], sys.argv[1])()
    train(Net(nn.Linear(3, 3), made).cuda(), torch.utils.data.DataLoader(range(8), pin_memory=True, num_workers=2), None)


# case: what-is-asked-for-its-largest-holds-positions
import torch


def spread(x: torch.Tensor, group_mask: torch.Tensor) -> torch.Tensor:
    count = int(group_mask.max()) + 1  # sync: SYN203
    return x[:count][group_mask]


# case: what-is-looked-up-by-name-in-a-module-is-one-of-its-functions
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader


def masked(pred, target):
    return pred[target > 0].mean()  # sync: SYN103 # runs: step


def counted(pred, target):
    count = (target > 0).sum()
    if count == 0:  # sync: SYN301 # runs: step
        return pred.sum() * 0
    return pred.sum() / count


def train(model: nn.Module, data: list, optimizer: torch.optim.Optimizer, name: str) -> None:
    loss_of = getattr(sys.modules[__name__], name)
    for x, y in DataLoader(data, num_workers=2, pin_memory=True):
        loss = loss_of(model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    train(nn.Linear(3, 3).cuda(), [], None, sys.argv[1])


# case: what-has-been-brought-to-a-device-and-does-arithmetic-is-a-tensor
import torch


def train(model, loader, solver) -> float:
    total = 0.0
    for batch, *rest in loader:
        known = batch.known.to(model.device)  # sync: SYN402
        graph = batch.graph.to(model.device)  # sync: SYN402
        if known.sum() == 0:  # sync: SYN301
            continue
        if graph.count == 0:
            continue
        solver.zero_grad()
        loss = model(graph, *rest).mean()
        loss.backward()
        solver.step()
        total += int(known.sum())  # sync: SYN203
    return total


def counted(batch) -> int:
    known = batch.known
    return int(known.sum())


# case: parts-of-what-a-batch-holds-that-bound-slices-are-sizes
import torch
from torch import Tensor
from torch.utils.data import DataLoader


class Net(torch.nn.Module):
    def forward(self, x: Tensor, graphs):
        for edges, _, size in graphs:
            target = x[: size[1]]
            x = torch.zeros_like(target).index_add(0, edges[0], x[edges[1]])
            if size[0] > 3:
                x = x / 2
            if edges.max() > 3:  # sync: SYN301
                x = x / 2
        return x


def train(model: Net, x: Tensor, loader: DataLoader, solver) -> None:
    for size, nodes, graphs in loader:
        graphs = [graph.cuda() for graph in graphs]  # sync: SYN402
        model(x, graphs).mean().backward()
        solver.step()


def parts(edges: Tensor, x: Tensor) -> Tensor:
    row, column, weight = edges
    return x[: column[1]] * row.max() + weight  # sync: SYN207


def pairs(loader: DataLoader, model) -> None:
    for batch, edges in loader:
        row, column = edges.cuda()  # sync: SYN402
        if row[0] > 3:  # sync: SYN301
            model(batch[column])


# case: logarithms-that-are-computed-with
import torch
from torch import nn


@torch.no_grad()
def sample(model: nn.Module, x: torch.Tensor, sigmas) -> torch.Tensor:
    for i in range(len(sigmas) - 1):
        x = model(x, sigmas[i])
        if sigmas[i + 1] == 0:  # sync: SYN301
            continue
        x = x * -sigmas[i].log()
    return x


def told(meters: list, runs: list) -> None:
    meters[0].log()
    if meters[1] == 0 or runs[0] == 0:
        return
    print(-runs[1].log("none"))


# case: a-default-tells-what-stands-under-a-key-of-a-batch
import torch
from torch import nn


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def forward(self, batch):
        is_train = batch.get("is_train", True)
        mode = batch.get("mode", "mean")
        weight = batch.get("weight", 1.0)
        mask = batch.get("mask", None)
        result = self.inner(batch["x"])
        if is_train and mode == "mean":
            result = result.relu()
        if not batch.pop("plain", False):
            result = result + 1
        if weight > 0.5:  # sync: SYN301
            result = result * weight
        if mask is not None and mask.any():  # sync: SYN301
            result = result * mask
        return result


def train(model, batches, optimizer):
    for batch in batches:
        model(batch).mean().backward()
        optimizer.step()
