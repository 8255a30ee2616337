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
    sorted_target = torch.sort(target.flatten()).values
    target_count = (sorted_target[1:] != sorted_target[:-1]).sum() + (
        sorted_target.numel() > 0
    )
    loss = torch.where(target_count < 2, 0.0 * loss, loss)
    return loss


def none_or_some(target: Tensor, loss: Tensor) -> Tensor:
    loss = loss * 2
    for part in (target, target[:0]):
        sorted_part = torch.sort(part.flatten()).values
        part_count = (sorted_part[1:] != sorted_part[:-1]).sum() + (
            sorted_part.numel() > 0
        )
        loss = torch.where(part_count == 0, 0.0 * loss, loss)
    return loss


def named(target: Tensor, loss: Tensor) -> Tensor:
    sorted_target = torch.sort(target.flatten()).values
    target_count = (sorted_target[1:] != sorted_target[:-1]).sum() + (
        sorted_target.numel() > 0
    )
    loss = loss * 2
    # too few labels
    loss = torch.where(target_count <= 1, 0.0 * loss, loss)
    return loss


def flagged(target: Tensor, loss: Tensor) -> Tensor:
    sorted_target = torch.sort(target.flatten()).values
    target_count = (sorted_target[1:] != sorted_target[:-1]).sum() + (
        sorted_target.numel() > 0
    )
    ignore_loss = target_count < 3
    loss = loss * 2
    loss = torch.where(ignore_loss, 0.0 * loss, loss)
    return loss


def of_floats(values: Tensor, loss: Tensor) -> Tensor:
    loss = loss * 2
    sorted_values = torch.sort(values.flatten()).values
    values_count = (sorted_values[1:] != sorted_values[:-1]).sum() + (
        sorted_values.numel() > 0
    )
    loss = torch.where(4 == values_count, 0.0 * loss, loss)
    return loss


def chosen(mask: Tensor, loss: Tensor) -> Tensor:
    doubled = loss * 2
    sorted_mask = torch.sort(mask.flatten()).values
    mask_count = (sorted_mask[1:] != sorted_mask[:-1]).sum() + (sorted_mask.numel() > 0)
    result = torch.where(mask_count > 1, doubled * 3, doubled * 5)
    return result
