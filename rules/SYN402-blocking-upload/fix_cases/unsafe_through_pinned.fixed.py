"""Data of the host that is not pinned, and copied once."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(3, device=device)
    return {"of_an_array": (x, np.arange(3)), "of_a_list": (x, device)}


def of_an_array(x: Tensor, rows: np.ndarray) -> tuple[Tensor, ...]:
    indices = torch.from_numpy(rows).long().pin_memory().to(x.device, non_blocking=True)  # drawn on the host
    return (
        x[indices],
        torch.from_numpy(rows).pin_memory().to(device=x.device, non_blocking=True),
    )


def of_a_list(x: Tensor, device: torch.device) -> Tensor:
    sizes = torch.tensor([1.0, 2.0, 3.0])
    return x * sizes.pin_memory().to(device, non_blocking=True) + sizes[0:1].pin_memory().to(device, non_blocking=True)
