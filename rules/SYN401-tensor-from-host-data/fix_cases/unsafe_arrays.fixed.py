"""Arrays of NumPy."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"factors": (torch.rand(3, 2, device=device), np.array([0.25, 0.5, 1.0]))}


def factors(x: Tensor, given: np.ndarray) -> tuple[Tensor, ...]:
    weights = torch.tensor(given, dtype=x.dtype).pin_memory().to(
        x.device, non_blocking=True
    ).unsqueeze(1)
    return (
        x * weights,
        torch.tensor(given * 2).pin_memory().to(x.device, non_blocking=True),
    )
