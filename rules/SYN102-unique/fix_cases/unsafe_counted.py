from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    labels = torch.randint(0, 3, (4, 5), device=device)
    loss = torch.rand((), device=device, requires_grad=True)
    odd = torch.log(torch.arange(-2, 2, device=device).abs() - 1.0)
    return {
        "labels_of_one_kind": (labels, loss),
        "none_or_some": (labels, loss),
        "named": (labels * 0, loss),
        "flagged": (labels, loss),
        "of_floats": (odd, loss),
        "chosen": (labels > 1, loss),
    }


def labels_of_one_kind(target: Tensor, loss: Tensor) -> Tensor:
    loss = loss * 2
    if len(torch.unique(target)) < 2:
        loss = 0.0 * loss
    return loss


def none_or_some(target: Tensor, loss: Tensor) -> Tensor:
    loss = loss * 2
    for part in (target, target[:0]):
        if part.unique().numel() == 0:
            loss = 0.0 * loss
    return loss


def named(target: Tensor, loss: Tensor) -> Tensor:
    unique = torch.unique(target)
    loss = loss * 2
    # too few labels
    if unique.shape[0] <= 1:
        loss = 0.0 * loss
    return loss


def flagged(target: Tensor, loss: Tensor) -> Tensor:
    distinct = torch.unique(target)
    ignore_loss = torch.numel(distinct) < 3
    loss = loss * 2
    if ignore_loss:
        loss = 0.0 * loss
    return loss


def of_floats(values: Tensor, loss: Tensor) -> Tensor:
    loss = loss * 2
    if 4 == values.unique().size(0):
        loss = 0.0 * loss
    return loss


def chosen(mask: Tensor, loss: Tensor) -> Tensor:
    doubled = loss * 2
    if torch.unique(mask).numel() > 1:
        result = doubled * 3
    else:
        result = doubled * 5
    return result
