"""The same counts scattered into tensors of a known size."""

from __future__ import annotations

import torch
from torch import Tensor


def mean_intersection_over_union(logits: Tensor, labels: Tensor) -> Tensor:
    """Segmentation metric from the confusion matrix of one batch."""
    num_classes = logits.shape[1]
    pairs = labels.flatten() * num_classes + logits.argmax(dim=1).flatten()
    confusion = pairs.new_zeros(num_classes**2).scatter_add_(0, pairs, torch.ones_like(pairs))
    confusion = confusion.view(num_classes, num_classes)
    intersection = confusion.diagonal()
    union = confusion.sum(dim=0) + confusion.sum(dim=1) - intersection
    return (intersection / union.clamp(min=1)).mean()


def normalise_by_degree(nodes: Tensor, edge_index: Tensor, edge_weight: Tensor) -> Tensor:
    """Divide each node's features by its weighted number of incoming edges."""
    degree = edge_weight.new_zeros(nodes.shape[0]).scatter_add_(0, edge_index[1], edge_weight)
    return nodes / degree.clamp(min=1.0).unsqueeze(1)


def activation_entropy(activations: Tensor, bins: int) -> Tensor:
    """The range stays on the device and the bins are computed from it."""
    low, high = activations.aminmax()
    bin_of_value = ((activations - low) * (bins / (high - low))).long().clamp(max=bins - 1)
    counts = activations.new_zeros(bins).scatter_add_(0, bin_of_value, torch.ones_like(activations))
    clipped = torch.histc(activations, bins, min=-1.0, max=1.0)
    shares = counts / counts.sum()
    return torch.special.entr(shares).sum() - torch.special.entr(clipped / clipped.sum()).sum()
