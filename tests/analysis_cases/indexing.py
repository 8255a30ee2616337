# case: number-from-argmax-as-an-index
from torch import Tensor


def best(x: Tensor, scores: Tensor) -> Tensor:
    return x[scores.argmax()]  # sync: SYN207


# case: scalar-index-beside-a-slice
from torch import Tensor


def best(x: Tensor, scores: Tensor) -> Tensor:
    winner = scores.argmax()
    return x[:, winner]  # sync: SYN207


# case: index-with-one-dimension
from torch import Tensor


def best(x: Tensor, scores: Tensor) -> Tensor:
    winner = scores.argmax().view(1)
    return x[winner] + x[scores.argmax(dim=0, keepdim=True)]


# case: scalar-index-on-the-host
import torch
from torch import Tensor


def second(x: Tensor) -> Tensor:
    return x[torch.tensor(1)]


# case: integers-slices-none-and-ellipsis
from torch import Tensor


def parts(x: Tensor, i: int) -> Tensor:
    parts = [x[0], x[-1, i], x[..., None, i : i + 2], x[True], x[::2, 1:-1]]
    return sum(part.sum() for part in parts)


# case: integer-tensors-as-indices
import torch
from torch import Tensor


def rows(x: Tensor, scores: Tensor) -> Tensor:
    order = scores.argsort(dim=-1)
    grid = torch.arange(len(x), device=x.device)
    return x[order].sum() + x[grid, order[:, 0]].sum() + x[:, scores.topk(2).indices].sum()


# case: scalar-index-for-a-write
from torch import Tensor


def mark(x: Tensor, scores: Tensor, value: Tensor) -> Tensor:
    x[scores.argmax()] = value  # sync: SYN207
    return x


# case: boolean-without-dimensions-as-an-index
from torch import Tensor


def mark(x: Tensor) -> Tensor:
    return x[x.any()]  # sync: SYN103


# case: slice-bounds
from torch import Tensor


def cut(x: Tensor, lengths: Tensor) -> Tensor:
    start = lengths[0]
    return x[start : lengths.max()]  # sync: SYN207


# case: slice-bound-for-a-write
from torch import Tensor


def pad(x: Tensor, length: Tensor) -> Tensor:
    x[length:] = 0  # sync: SYN207
    return x


# case: slice-bounds-from-shapes
from torch import Tensor


def cut(x: Tensor, y: Tensor) -> Tensor:
    return x[: y.shape[0], len(y) // 2 : y.size(-1)]


# case: slice-bounds-in-a-loop-over-offsets
from torch import Tensor


def segments(x: Tensor, offsets: Tensor) -> list[Tensor]:
    return [x[a:b] for a, b in zip(offsets[:-1], offsets[1:])]  # sync: SYN207


# case: tensor-as-an-index-into-a-list
from torch import Tensor


def name_of(names: list[str], scores: Tensor) -> str:
    return names[scores.argmax()]  # sync: SYN207


# case: range-over-a-tensor
from torch import Tensor


def repeat(x: Tensor, count: Tensor) -> Tensor:
    for _ in range(count.sum()):  # sync: SYN207
        x = x * 2
    return x


# case: repetition-by-a-tensor
from torch import Tensor


def zeros(counts: Tensor) -> list[int]:
    return [0] * counts.sum()  # sync: SYN207


# case: select-and-narrow-by-a-tensor
import torch
from torch import Tensor


def cut(x: Tensor, start: Tensor) -> Tensor:
    row = x.select(0, start.argmax())  # sync: SYN207
    return row + torch.narrow(x, 0, start.amin(), 1)  # sync: SYN207


# case: list-as-an-index
from torch import Tensor


def pick(x: Tensor) -> Tensor:
    return x[[0, 2]].sum() + x[:, [1, 3]].sum()  # sync: SYN403


# case: tuple-of-integers-is-no-list
from torch import Tensor


def pick(x: Tensor) -> Tensor:
    place = (0, 2)
    return x[0, 2] + x[place]


# case: empty-list-as-an-index
from torch import Tensor


def pick(x: Tensor) -> Tensor:
    return x[[]]


# case: array-as-an-index
import numpy as np
from torch import Tensor


def pick(x: Tensor, rows: np.ndarray) -> Tensor:
    return x[rows]  # sync: SYN403


# case: number-of-numpy-as-an-index
import numpy as np
from torch import Tensor


def pick(x: Tensor, rng: np.random.Generator) -> Tensor:
    return x[rng.integers(4)]


# case: host-tensor-as-an-index
import torch
from torch import Tensor


def shuffle(x: Tensor) -> Tensor:
    return x[torch.randperm(len(x))]  # sync: SYN403


# case: index-made-on-the-device
import torch
from torch import Tensor


def shuffle(x: Tensor) -> Tensor:
    return x[torch.randperm(len(x), device=x.device)]


# case: host-tensor-indexed-on-the-host
import torch


def shuffle(n: int) -> torch.Tensor:
    x = torch.rand(n)
    return x[torch.randperm(n)] + x[[0, 1]].sum() + x[x > 0.5].sum()


# case: host-mask-for-a-read
import torch
from torch import Tensor


def keep(x: Tensor, flags: list[bool]) -> Tensor:
    return x[torch.tensor(flags)]


# case: host-mask-for-a-read-in-an-older-release
# torch: 2.7
import torch
from torch import Tensor


def keep(x: Tensor, flags: list[bool]) -> Tensor:
    mask = torch.tensor(flags, dtype=torch.bool)
    return x[mask]  # sync: SYN403


# case: host-mask-for-a-write
import torch
from torch import Tensor


def clear(x: Tensor) -> Tensor:
    x[torch.rand(len(x)) > 0.5] = 0.0  # sync: SYN404
    return x


# case: element-of-a-vector
import torch
from torch import Tensor


def start(n: int, device: torch.device) -> Tensor:
    v = torch.zeros(n, device=device)
    v[0] = 5.0  # sync: SYN404
    return v


# case: element-of-a-vector-in-a-later-release
# torch: 2.14
import torch
from torch import Tensor


def start(n: int, device: torch.device) -> Tensor:
    v = torch.zeros(n, device=device)
    v[0] = 5.0
    return v


# case: element-of-a-matrix
import torch
from torch import Tensor


def start(n: int, device: torch.device) -> Tensor:
    m = torch.zeros(n, n, device=device)
    m[0, -1] = 5.0  # sync: SYN404
    return m


# case: row-of-a-matrix
import torch
from torch import Tensor


def start(n: int, device: torch.device) -> Tensor:
    m = torch.zeros(n, n, device=device)
    m[0] = 5.0
    m[1:, 0] = 2.0
    m[:] = 1.0
    return m


# case: slice-of-a-vector
import torch
from torch import Tensor


def start(n: int, device: torch.device) -> Tensor:
    v = torch.zeros(n, device=device)
    v[0:1] = 5.0
    v[-1:] = 1
    return v


# case: element-given-a-device-scalar
import torch
from torch import Tensor


def start(x: Tensor) -> Tensor:
    v = torch.zeros(len(x), device=x.device)
    v[0] = x.mean()
    return v


# case: element-of-a-host-vector
import torch


def start(n: int) -> torch.Tensor:
    v = torch.zeros(n)
    v[0] = 5.0
    v[torch.arange(2)] = 1.0
    return v


# case: number-written-by-an-integer-index
from torch import Tensor


def mark(x: Tensor, scores: Tensor) -> Tensor:
    x[scores.argsort(dim=0)] = 1.0  # sync: SYN404
    return x


# case: device-values-written-by-an-integer-index
from torch import Tensor


def mark(x: Tensor, scores: Tensor, values: Tensor) -> Tensor:
    x[scores.argsort(dim=0)] = values
    return x


# case: index-fill
from torch import Tensor


def mark(x: Tensor, scores: Tensor) -> Tensor:
    x.index_fill_(0, scores.argsort(dim=0), 1.0)
    return x.index_fill(0, scores.argsort(dim=0), scores.mean())  # sync: SYN209


# case: host-tensor-written-into-a-slice
import torch
from torch import Tensor


def written(x: Tensor, rows: list[float]) -> Tensor:
    x[: len(rows)] = torch.tensor(rows)  # sync: SYN404
    return x


# case: host-scalar-written-into-a-slice
from torch import Tensor


def written(x: Tensor, y: Tensor) -> Tensor:
    x[:2] = 0
    x[2:4] = y[2:4]
    return x


# case: mask-beside-an-index-for-a-write
import torch
from torch import Tensor


def clear(x: Tensor) -> Tensor:
    columns = torch.zeros(1, dtype=torch.long, device=x.device)
    x[x[:, 0] > 0, columns] = 0.0  # sync: SYN104
    return x


# case: mask-beside-a-slice-for-a-write
from torch import Tensor


def clear(x: Tensor) -> Tensor:
    x[:, x[0] > 0] = 0.0
    return x


# case: update-through-a-mask
from torch import Tensor


def shift(x: Tensor) -> Tensor:
    x[x > 0] += 1.0  # sync: SYN104
    return x


# case: positions-of-several-elements-show-that-it-is-no-list
import torch
from torch import Tensor


def chosen(x: list[Tensor] | Tensor, order: list[int] | Tensor, mask: Tensor):
    keep = mask > 0
    index = keep.nonzero().view(-1)  # sync: SYN101
    return x[keep], order[index]  # sync: SYN103


# case: position-of-one-element-in-a-list
from torch import Tensor


def chosen(parts: list[Tensor], scores: Tensor) -> Tensor:
    return parts[scores.argmax()]  # sync: SYN207


# case: array-written-at-positions-from-the-device
import numpy as np
from torch import Tensor


def marked(scores: Tensor, n: int) -> np.ndarray:
    chosen = np.ones(n)
    chosen[(scores > 0).cpu()] = 0  # sync: SYN204
    return chosen


# case: number-at-positions-beside-others-of-unknown-elements
import torch
from torch import Tensor, nn


class LastToken(nn.Module):
    def forward(self, tokens, lengths):
        out = torch.zeros(tokens.shape[0], 10, device=tokens.device)
        out[torch.arange(tokens.shape[0], device=tokens.device), lengths - 1] = 1.0  # sync: SYN404
        return out


def column_of_a_selection(x: Tensor, kept: Tensor) -> Tensor:
    x[kept > 0, 0] = 1.0
    return x


# case: positions-that-may-be-on-the-host
import torch
from torch import Tensor


def picked(scores: Tensor, ids: Tensor, keep: bool) -> Tensor:
    ids = ids if keep else ids.cpu()  # sync: SYN204
    rows = torch.arange(3, device=ids.device)
    return scores[rows, ids]  # sync: SYN403


def picked_beside(ids: Tensor, keep: bool) -> Tensor:
    ids = ids if keep else ids.cpu()  # sync: SYN204
    scores = torch.zeros(3, 3, device=ids.device)
    return scores[torch.arange(3, device=ids.device), ids]


# case: positions-that-were-on-the-host-at-first
import torch
from torch import Tensor


class Miner:
    def __init__(self) -> None:
        self.anchors = torch.zeros(0, dtype=torch.long)

    def set(self, labels: Tensor) -> None:
        self.anchors = labels.argsort()

    def mined(self, scores: Tensor) -> Tensor:
        return scores[self.anchors]


# case: positions-in-a-batch-that-somebody-has-brought
import torch


def train(model, loader, optimizer) -> None:
    for x, y in loader:
        logits = model(x)
        (-logits[torch.arange(len(y), device=y.device), y.long()]).mean().backward()
        optimizer.step()


# case: number-written-at-positions-in-another-shape
import torch
from torch import Tensor


def touched(n: int, edge_index: Tensor, keep: Tensor) -> Tensor:
    seen = torch.zeros(n, dtype=torch.bool, device=edge_index.device)
    seen[edge_index.view(-1)] = 1  # sync: SYN404
    seen[keep.view(-1)] = 1
    return seen


# case: number-written-to-an-element
import torch
from torch import Tensor


def labelled(batch: Tensor, order: Tensor, points: list[tuple[int, ...]]) -> Tensor:
    group = torch.empty_like(batch)
    for n, place in enumerate(order.cpu().tolist()):  # sync: SYN204
        group[place] = n  # sync: SYN404
    for point in points:
        group[point] = 1.0  # sync: SYN404
    for place in range(3):
        group[place] = 0
    return group


# case: positions-made-of-a-list-of-anything
import torch


def pairs(graph) -> tuple[torch.Tensor, torch.Tensor]:
    sources, others = [], []
    for node in graph:
        for neighbor in graph[node]:
            sources.append(node)
            others.append(neighbor)
    return torch.as_tensor(sources), torch.tensor(others)


def spread(graph, chosen) -> torch.Tensor:
    x = torch.zeros(8, 8, device="cuda")
    sources, others = pairs(graph)
    first = x[:, sources] - x[others]  # sync: SYN403, SYN403
    return first + x[torch.as_tensor(chosen)]


# case: positions-in-an-array-are-those-of-an-array-where-either-is-taken
import numpy as np
import torch


class Memory:
    def __init__(self, rows: torch.Tensor | np.ndarray) -> None:
        self.rows = rows

    def sample(self, size: int) -> torch.Tensor | np.ndarray:
        at = np.random.choice(len(self.rows), size)
        return self.rows[at]


def taken(rows: torch.Tensor | np.ndarray, at: np.ndarray) -> torch.Tensor | np.ndarray:
    return rows[at]


def taken_from_tensors(rows: torch.Tensor, at: np.ndarray) -> torch.Tensor:
    return rows[at]  # sync: SYN403


def taken_from_the_device(rows: torch.Tensor | np.ndarray, at: np.ndarray) -> torch.Tensor | np.ndarray:
    rows = torch.ones(8, device="cuda") if len(at) > 3 else np.ones(8)
    return rows[at]  # sync: SYN403


# case: a-list-with-slices-in-it-stands-for-a-tuple
import torch


def taken(x: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    parts = []
    for size in x.shape[:2]:
        parts.append(torch.arange(size))
    rest = [slice(None) for _ in range(x.ndim - 2)]
    parts.extend(rest)
    return x[parts]  # sync: SYN403


def taken_there(x: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    parts = [torch.arange(x.shape[0], device=x.device), slice(None), at]
    return x[parts]


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return taken(x, x.argmax(-1)) + taken_there(x, x.argmax(-1))


# case: an-index-without-parts-takes-all
import torch
from torch import Tensor


def is_positive(x: Tensor) -> bool:
    return bool((x[()] > 0).all())  # sync: SYN203


def is_positive_at(x: Tensor, index: tuple) -> bool:
    flat: list = []
    return bool((x[tuple(flat)] > 0).all())  # sync: SYN203


# case: tensor-or-tuple-at-positions-of-a-table
import torch
from torch import Tensor, nn


class Attention(nn.Module):
    def forward(self, x: Tensor, with_weights: bool = False) -> Tensor | tuple[Tensor, Tensor]:
        weights = x.softmax(-1)
        return (x * weights, weights) if with_weights else x * weights


def score(attention: Attention, x: Tensor, nodes: Tensor, some: bool) -> Tensor:
    table = torch.empty(10, dtype=torch.long, device="cuda")
    nodes = nodes.cuda()
    z = attention(x.cuda(), some)
    return z[table[nodes]]


# case: elements-of-a-list-written-at-once
from torch import Tensor


def last(x: Tensor) -> int:
    step = [None, None]
    step[:] = x.sum(), 3
    return int(step[0])  # sync: SYN203


# case: value-that-may-be-a-number
import torch


def filled(x: torch.Tensor, rows: torch.Tensor, value: torch.Tensor | None = None) -> None:
    x[rows.long()] = 1 if value is None else value
    x[rows.long()] = 1  # sync: SYN404


# case: one-of-the-positions
import torch


def in_order(x: torch.Tensor, pairs: torch.Tensor) -> None:
    order = torch.argsort(x)
    for i in range(len(x)):
        print(x[order[i]].shape, x[order[0]].shape)
    first = torch.argmax(x)
    print(x[first].shape)  # sync: SYN207


# case: positions-that-numpy-finds-are-an-array-for-each-dimension
import numpy as np
import torch


def losses(rows):
    logits = torch.rand(3, 3, device="cuda")
    rows = np.array(rows)
    found = np.where(rows != 0)
    kept = logits[found]  # sync: SYN403
    kept = kept + logits[np.nonzero(rows)]  # sync: SYN403
    kept = kept + logits[np.ix_(range(3), np.arange(3))]  # sync: SYN403
    sizes = np.shape(rows)
    return kept + logits[sizes]


# case: what-an-array-of-objects-holds-is-asked-for-no-value
import numpy as np
import torch


def solved(n: int):
    x = torch.zeros(4, 4, device="cuda")
    rows = np.empty(n, dtype=object)
    rows[0] = x[..., 0]
    for i in range(1, n):
        rows[i] = x[..., i] - rows[i - 1] * 2
    numbers = np.empty(n)
    numbers[0] = x[0, 0]  # sync: SYN203
    return torch.stack(rows.tolist(), dim=-1), numbers


# case: positions-in-a-list-one-by-one
import random

import torch
from torch import Tensor


def hardest(scores: Tensor, x: Tensor) -> Tensor:
    picked = []
    for row in scores:
        order = torch.sort(row, descending=True)[1]
        picked.append(order[random.randint(0, 3)] if len(row) > 3 else random.choice(order))
    return x[picked, :]  # sync: SYN209


def best(scores: Tensor, x: Tensor) -> Tensor:
    picked = [row.argmax() for row in scores]
    x[picked] = x[picked] + 1  # sync: SYN209 SYN209
    return x[torch.stack(picked)]


def on_the_host(scores: Tensor, x: Tensor) -> Tensor:
    picked = [row.argmax() for row in scores.cpu()]  # sync: SYN204
    return x.cpu()[picked]  # sync: SYN204


def in_each_dimension(scores: Tensor, x: Tensor) -> Tensor:
    picked = [row.argsort() for row in scores]
    return x[picked] + x[picked[0]]
