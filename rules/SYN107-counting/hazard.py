"""Metrics and graph features that count how often values occur."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    levels = (torch.arange(96, device=device) % 12).float()
    return {
        "mean_intersection_over_union": (
            torch.randn(2, 4, 8, 8, device=device),
            torch.randint(0, 4, (2, 8, 8), device=device),
        ),
        "normalise_by_degree": (
            torch.randn(20, 8, device=device),
            torch.randint(0, 20, (2, 90), device=device),
            torch.rand(90, device=device),
        ),
        "activation_entropy": (levels * 0.25 - 1.0, 8),
    }


def mean_intersection_over_union(logits: Tensor, labels: Tensor) -> Tensor:
    """Segmentation metric from the confusion matrix of one batch."""
    num_classes = logits.shape[1]
    pairs = labels.flatten() * num_classes + logits.argmax(dim=1).flatten()
    confusion = torch.bincount(pairs, minlength=num_classes**2)  # sync: SYN107
    confusion = confusion.view(num_classes, num_classes)
    intersection = confusion.diagonal()
    union = confusion.sum(dim=0) + confusion.sum(dim=1) - intersection
    return (intersection / union.clamp(min=1)).mean()


def normalise_by_degree(nodes: Tensor, edge_index: Tensor, edge_weight: Tensor) -> Tensor:
    """Divide each node's features by its weighted number of incoming edges."""
    degree = edge_index[1].bincount(edge_weight, minlength=nodes.shape[0])  # sync: SYN107
    return nodes / degree.clamp(min=1.0).unsqueeze(1)


def activation_entropy(activations: Tensor, bins: int) -> Tensor:
    """Entropy of the activations' histogram over their own range."""
    counts = torch.histc(activations, bins)  # sync: SYN107
    clipped = torch.histc(activations, bins, min=-1.0, max=1.0)
    shares = counts / counts.sum()
    return torch.special.entr(shares).sum() - torch.special.entr(clipped / clipped.sum()).sum()
