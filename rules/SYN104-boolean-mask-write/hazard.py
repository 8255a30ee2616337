"""Corrections, augmentations and targets written through a boolean mask."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    measured = torch.arange(256, device=device) % 17 != 0
    boxes = torch.rand(20, 4, device=device)
    labels = torch.arange(24, device=device) % 7 - 1
    return {
        "replace_outliers": (
            torch.where(measured, torch.randn(256, device=device).pow(3), torch.nan),
            torch.rand(256, device=device),
        ),
        "augment": (
            torch.rand(8, 3, 16, 16, device=device),
            torch.arange(8, device=device) / 8,
            torch.rand((), device=device),
        ),
        "refine_boxes": (boxes, torch.randn(20, 4, device=device) * 0.1, torch.rand(20, device=device), 0.4),
        "soft_targets": (labels, torch.rand(24, device=device), 6),
    }


def replace_outliers(values: Tensor, fallback: Tensor) -> Tensor:
    """Put the fallback's mean in place of invalid values, the mean in place of those far from it."""
    values = values.clone()
    invalid = ~torch.isfinite(values)
    values.index_put_((invalid,), fallback.mean())  # sync: SYN104
    values[(values - values.mean()).abs() > 3 * values.std()] = values.mean()  # sync: SYN104
    values[values.abs() < 1e-6] = 0.0
    return values


def augment(images: Tensor, draws: Tensor, brightness: Tensor) -> Tensor:
    """Brighten half of the images and invert a quarter, by one random draw per image."""
    images = images.clone()
    images[draws < 0.5] += brightness  # sync: SYN104
    inverted = (draws > 0.4) & (draws < 0.65)
    images[inverted] *= -1.0  # sync: SYN104
    return images


def refine_boxes(boxes: Tensor, deltas: Tensor, scores: Tensor, threshold: float) -> Tensor:
    """Shift the boxes that score well enough."""
    boxes = boxes.clone()
    confident = scores > threshold
    boxes[confident] = boxes[confident] + deltas[confident]  # sync: SYN103, SYN104
    return boxes


def soft_targets(labels: Tensor, confidence: Tensor, num_classes: int) -> Tensor:
    """Targets of the labelled samples (label other than -1), zero for the others."""
    labelled = labels >= 0
    rows = torch.arange(labels.shape[0], device=labels.device)
    targets = torch.zeros(labels.shape[0], num_classes, device=labels.device)
    targets[rows, labels.clamp(min=0)] = confidence
    targets[~labelled] = 0.0
    uncertain = labelled & (confidence < 0.5)
    targets[uncertain, labels[uncertain]] = 0.5  # sync: SYN103, SYN104
    targets[uncertain, 0] = 0.25
    return targets
