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
    return torch.where(x < x[:, -1:], 0.0, x)  # the last of each row


def calculated(x: Tensor) -> tuple[Tensor, ...]:
    return x[2:4] - x[..., 0:6].clone()[0:2], x[:, 1:6:2] + 1, -x[-2:]


def kept(x: Tensor) -> Tensor:
    corners = x[:, 0:6:5].clone()
    return corners


def written(y: Tensor) -> Tensor:
    y[..., 0:3:2] -= 1.0
    y[1:2] = 3.0
    return y


def picked(x: Tensor, classes: Tensor) -> Tensor:
    return x[torch.arange(len(classes), device=x.device), classes] + x[torch.arange(4), classes] + x[
        torch.arange(0, 4, device=x.device), classes
    ]


def marked(y: Tensor, classes: Tensor) -> Tensor:
    y[torch.arange(4, device=y.device), classes] = y.sum()
    y[torch.arange(4, device=y.device), classes + 1] = y.new_full((), 1.0)
    return y
