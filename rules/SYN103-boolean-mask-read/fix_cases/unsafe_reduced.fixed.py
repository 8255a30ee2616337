"""Sums and means over what a mask selects."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    errors, valid = torch.randn(3, 4, device=device, requires_grad=True), torch.rand(3, 4, device=device) > 0.3
    return {"mean": (errors, valid), "total": (errors, valid), "scaled": (errors, valid)}


def mean(errors: Tensor, valid: Tensor) -> Tensor:
    mask = valid.bool()
    return errors.masked_fill(~mask, 0).sum() / mask.sum()


def total(errors: Tensor, valid: Tensor) -> Tensor:
    mask = valid.bool()
    return errors.masked_fill(~mask, 0).sum()


def scaled(errors: Tensor, valid: Tensor) -> Tensor:
    mask = valid.bool()
    return 2.0 * (errors.masked_fill(~mask, 0).sum() / mask.sum()) + 1.0
