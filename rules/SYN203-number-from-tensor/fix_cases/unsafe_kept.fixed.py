"""Numbers that are read from the device and put into a tensor there again."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    values = torch.rand(6, device=device)
    return {"shared_norm": ([values, 2 * values],), "counted": (values,), "kept_as_it_was": (values,)}


def shared_norm(gradients: list[Tensor]) -> Tensor:
    norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
    shared = norm.detach().clone().float().reshape(1)
    shared *= 2
    norm = shared[0] / 2
    return norm


def counted(values: Tensor) -> Tensor:
    return (values > 0.5).sum().long().reshape(1)


def kept_as_it_was(values: Tensor) -> tuple[Tensor, Tensor]:
    largest = values.max()
    scaled = largest.detach().clone().float().reshape(1)
    scaled *= 2
    return largest, scaled
