"""Losses and lookups that ask the device where a condition holds."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    labels = torch.arange(66, device=device) % 6 - 1
    return {
        "detection_loss": (
            torch.randn(66, 5, device=device),
            torch.randn(66, 4, device=device),
            torch.randn(66, 4, device=device),
            labels,
        ),
        "aggregate_neighbours": (torch.rand(16, 16, device=device) < 0.3, torch.randn(16, 8, device=device)),
        "hot_region_centre": (torch.rand(32, 32, device=device), 0.7),
        "select_proposals": (torch.rand(64, 4, device=device), torch.rand(64, device=device), 0.5, 10),
    }


def detection_loss(logits: Tensor, boxes: Tensor, box_targets: Tensor, labels: Tensor) -> Tensor:
    """Classify the anchors that are not ignored (label -1), regress the boxes of the positive ones."""
    sampled = torch.nonzero(labels >= 0).squeeze(1)  # sync: SYN101
    positive = torch.where(labels > 0)[0]  # sync: SYN101
    classification = F.cross_entropy(logits[sampled], labels[sampled])
    regression = F.smooth_l1_loss(boxes[positive], box_targets[positive], reduction="sum")
    return classification + regression / sampled.numel()


def aggregate_neighbours(adjacency: Tensor, features: Tensor) -> Tensor:
    """Sum the features of each node's neighbours."""
    target, source = adjacency.nonzero(as_tuple=True)  # sync: SYN101
    return torch.zeros_like(features).index_add_(0, target, features[source])


def hot_region_centre(heatmap: Tensor, threshold: float) -> Tensor:
    """Mean row and column of the pixels above the threshold."""
    peaks = torch.argwhere(heatmap > threshold)  # sync: SYN101
    return peaks.float().mean(dim=0)


def select_proposals(boxes: Tensor, scores: Tensor, threshold: float, limit: int) -> Tensor:
    """First ``limit`` boxes that score above the threshold, padded with zeros."""
    keep = (scores > threshold).nonzero().squeeze(1)[:limit]  # sync: SYN101
    selected = boxes.new_zeros(limit, 4)
    selected[: keep.numel()] = boxes[keep]
    return selected
