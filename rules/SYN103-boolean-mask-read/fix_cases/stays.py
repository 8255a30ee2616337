"""Selections that have to be made."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def weighted(logits: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    return F.cross_entropy(logits[target != -100], target[target != -100], weight)


def each(logits: Tensor, target: Tensor) -> Tensor:
    return F.cross_entropy(logits[target != -100], target[target != -100], reduction="none")


def by_another_mask(logits: Tensor, target: Tensor) -> Tensor:
    return F.cross_entropy(logits[target > 0], target[target > 0])


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


def with_a_mask_that_changes_between(values: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    keep = values.flatten() > 0
    first = values.flatten()[keep]
    keep &= other.flatten() > 0
    return first, other.flatten()[keep]


def with_a_mask_that_is_written_to(values: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    keep = values.flatten() > 0
    first = values.flatten()[keep]
    keep.fill_(False)
    return first, other.flatten()[keep]


def one_or_the_other(values: Tensor, flag: bool) -> Tensor:
    keep = values.flatten() > 0
    if flag:
        return values.flatten()[keep]
    return values.flatten()[keep] * 2


def positions_of_an_older_mask(values: Tensor) -> Tensor:
    keep = values.flatten() > 0
    places = keep.nonzero(as_tuple=True)
    keep = values.flatten() > 1
    return values.flatten()[keep] + len(places)
