"""Tensors of the CPU that are written into one of the device."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"sizes": (torch.ones(6, device=device), torch.zeros(3, 4, 5, 2, device=device))}


def sizes(gain: Tensor, image: Tensor) -> Tensor:
    gain[2:6] = torch.tensor(image.shape)[[3, 2, 3, 2]].pin_memory().to(
        gain.device, non_blocking=True
    )
    return gain
