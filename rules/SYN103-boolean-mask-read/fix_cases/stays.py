"""Selections that have to be made."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def weighted(logits: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    keep = target != -100
    return F.cross_entropy(logits[keep], target[keep], weight)


def each(logits: Tensor, target: Tensor) -> Tensor:
    keep = target != -100
    return F.cross_entropy(logits[keep], target[keep], reduction="none")


def by_another_mask(logits: Tensor, target: Tensor) -> Tensor:
    keep = target > 0
    return F.cross_entropy(logits[keep], target[keep])


def with_two_masks(logits: Tensor, target: Tensor, other: Tensor) -> Tensor:
    keep = target != -100
    also = other != -100
    return F.cross_entropy(logits[keep], target[also])


def of_rows(errors: Tensor, valid: Tensor) -> Tensor:
    return errors[valid.bool()].mean(dim=0)


def of_a_mask_of_fewer_dimensions(features: Tensor) -> Tensor:
    rows = features.flatten(1).any(dim=1)
    table = torch.zeros(4, 4, device=features.device)
    return table[rows].sum()
