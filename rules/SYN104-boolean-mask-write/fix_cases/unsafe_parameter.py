"""Rows in the place of which a parameter is written."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"padded": (torch.rand(3, 2, device=device), torch.nn.Parameter(torch.rand(1, 2, device=device)))}


def padded(values: Tensor, token: torch.nn.Parameter) -> Tensor:
    rows = torch.cat([values, values * 2])
    hidden = rows.sum(dim=1) > 1.0
    rows[hidden] = token
    return rows
