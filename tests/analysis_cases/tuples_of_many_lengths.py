# case: what-stands-first-stays-first-whatever-is-added-behind-a-condition
from torch import Tensor


def layer(x: Tensor, size: tuple[int, int], weights: bool) -> tuple:
    outputs = (x, size)
    if weights:
        outputs += (x.softmax(dim=-1),)
    return outputs


def stage(x: Tensor, weights: bool) -> Tensor:
    outputs = layer(x, (8, 8), weights)
    height, width = outputs[1]
    folded = outputs[0].view(height, width)
    if weights:
        folded = folded.expand(outputs[2].max(), -1)  # sync: SYN208
    return folded[outputs[0] > 0]  # sync: SYN103


# case: the-rest-of-a-tuple-that-grows-in-a-loop
from torch import Tensor


def pyramid(x: Tensor, depth: int) -> Tensor:
    levels = (x.shape[0],)
    for _ in range(depth):
        levels += (x.max(),)
    y = x.view(levels[0], -1)
    for level in levels[1:]:
        y = y.view(level, -1)  # sync: SYN208
    return y


# case: the-first-of-a-list-that-grows
from torch import Tensor


def sizes(x: Tensor, others: list[Tensor]) -> Tensor:
    found = [len(others)]
    for other in others:
        found.append(other.max())
    return x.view(found[0], found[1])  # sync: SYN208


# case: the-first-of-a-list-into-which-something-is-put-anywhere
from torch import Tensor


def sizes(x: Tensor, others: list[Tensor]) -> Tensor:
    found = [len(others)]
    found.insert(0, others[0].max())
    return x * float(found[0])  # sync: SYN203


# case: what-stands-before-and-after-the-elements-of-something-else
from torch import Tensor


def joined(x: Tensor, sizes: tuple[int, ...]) -> Tensor:
    parts = (len(sizes), *sizes, x.max())
    y = x * float(parts[0])
    return y * float(parts[-1])  # sync: SYN203


# case: tuples-of-two-lengths-taken-apart
from torch import Tensor


def either(x: Tensor, n: int, deep: bool) -> Tensor:
    found = (n, x.max()) if deep else (n, x.max(), n)
    count, largest, *_ = found
    y = x.view(count, -1)
    return y.view(largest, -1)  # sync: SYN208


# case: what-stands-beside-a-shape-that-is-taken-apart
import torch
from torch import Tensor, nn


class Attention(nn.Module):
    def __init__(self, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.collaborates = False
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, x: Tensor, context: Tensor | None = None) -> Tensor:
        rows, length, _, heads, collaborates, scale, is_crossed = (
            *x.shape, self.heads, self.collaborates, self.scale, context is not None,
        )  # fmt: skip
        for _ in range(length):
            x = x.view(rows, -1) * heads
        if not collaborates or is_crossed:
            x = x + 1
        return x.exp() if scale > 1 else x  # sync: SYN301
