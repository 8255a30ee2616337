"""Data of the host that is copied to CUDA once."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"of_an_array": (torch.randn(3, device=device), np.arange(3))}


def of_an_array(x: Tensor, rows: np.ndarray) -> tuple[Tensor, ...]:
    indices = torch.from_numpy(rows).long().pin_memory().cuda(non_blocking=True)  # drawn on the host
    host = torch.zeros(3, device="cpu")
    return x[indices], host[0:2].pin_memory().to("cuda", non_blocking=True)
