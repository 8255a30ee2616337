"""The same corrections, augmentations and targets chosen element by element."""

from __future__ import annotations

import torch
from torch import Tensor


def replace_outliers(values: Tensor, fallback: Tensor) -> Tensor:
    """`torch.where` takes a value on the device; a Python number may be written through the mask."""
    values = torch.where(torch.isfinite(values), values, fallback.mean())
    outlying = (values - values.mean()).abs() > 3 * values.std()
    values = torch.where(outlying, values.mean(), values)
    values[values.abs() < 1e-6] = 0.0
    return values


def augment(images: Tensor, draws: Tensor, brightness: Tensor) -> Tensor:
    """The mask over the batch becomes a factor of each image, or chooses it."""
    draws = draws.view(-1, 1, 1, 1)
    images = images + brightness * (draws < 0.5)
    inverted = (draws > 0.4) & (draws < 0.65)
    return torch.where(inverted, -images, images)


def refine_boxes(boxes: Tensor, deltas: Tensor, scores: Tensor, threshold: float) -> Tensor:
    """Shift all boxes, keep the shift where it is wanted."""
    confident = (scores > threshold).unsqueeze(1)
    return torch.where(confident, boxes + deltas, boxes)


def soft_targets(labels: Tensor, confidence: Tensor, num_classes: int) -> Tensor:
    """One mask of the targets' own shape replaces the pair of indices."""
    labelled = labels >= 0
    rows = torch.arange(labels.shape[0], device=labels.device)
    targets = torch.zeros(labels.shape[0], num_classes, device=labels.device)
    targets[rows, labels.clamp(min=0)] = confidence
    targets[~labelled] = 0.0
    uncertain = labelled & (confidence < 0.5)
    classes = torch.arange(num_classes, device=labels.device)
    targets[uncertain.unsqueeze(1) & (labels.unsqueeze(1) == classes)] = 0.5
    targets[uncertain, 0] = 0.25
    return targets
