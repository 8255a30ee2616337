"""Copies of what no loader has made."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def of_an_array(rows: np.ndarray, x: Tensor) -> Tensor:
    return x + torch.from_numpy(rows).to(x.device, non_blocking=True)
