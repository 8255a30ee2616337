"""The same losses and lookups with masks of a fixed shape."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def detection_loss(logits: Tensor, boxes: Tensor, box_targets: Tensor, labels: Tensor) -> Tensor:
    """Ignore label -1 in the loss itself and weigh the regression with the positive mask."""
    classification = F.cross_entropy(logits, labels, ignore_index=-1)
    per_anchor = F.smooth_l1_loss(boxes, box_targets, reduction="none").sum(dim=1)
    regression = torch.where(labels > 0, per_anchor, 0.0).sum()
    return classification + regression / (labels >= 0).sum()


def aggregate_neighbours(adjacency: Tensor, features: Tensor) -> Tensor:
    """A dense product visits every pair, neighbours or not."""
    return adjacency.to(features.dtype) @ features


def hot_region_centre(heatmap: Tensor, threshold: float) -> Tensor:
    """Weigh every row and column by how many of its pixels are hot."""
    hot = heatmap > threshold
    rows = torch.arange(heatmap.shape[0], device=heatmap.device)
    columns = torch.arange(heatmap.shape[1], device=heatmap.device)
    weighted = torch.stack([(hot.sum(dim=1) * rows).sum(), (hot.sum(dim=0) * columns).sum()])
    return weighted / hot.sum()


def select_proposals(boxes: Tensor, scores: Tensor, threshold: float, limit: int) -> Tensor:
    """Missing proposals point at a row of zeros behind the boxes."""
    keep = torch.nonzero_static(scores > threshold, size=limit, fill_value=boxes.shape[0]).squeeze(1)
    return F.pad(boxes, (0, 0, 0, 1))[keep]
