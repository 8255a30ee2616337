"""Lists that are slices, and ranges."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(4, 6, device=device, requires_grad=True)
    y = torch.randn(4, 6, device=device)
    classes = torch.arange(4, device=device)
    return {
        "compared": (x,),
        "calculated": (x,),
        "kept": (x,),
        "written": (y,),
        "picked": (x, classes),
        "marked": (y, classes),
    }


def compared(x: Tensor) -> Tensor:
    return torch.where(x < x[:, [-1]], 0.0, x)  # the last of each row


def calculated(x: Tensor) -> tuple[Tensor, ...]:
    return x[[2, 3]] - x[..., [0, 1, 2, 3, 4, 5]][0:2], x[:, [1, 3, 5]] + 1, -x[[-2, -1]]


def kept(x: Tensor) -> Tensor:
    corners = x[:, [0, 5]]
    return corners


def written(y: Tensor) -> Tensor:
    y[..., [0, 2]] -= 1.0
    y[[1]] = 3.0
    return y


def picked(x: Tensor, classes: Tensor) -> Tensor:
    return x[range(len(classes)), classes] + x[torch.arange(4), classes] + x[torch.arange(0, 4), classes]


def marked(y: Tensor, classes: Tensor) -> Tensor:
    y[range(4), classes] = y.sum()
    y[range(4), classes + 1] = 1.0
    return y
