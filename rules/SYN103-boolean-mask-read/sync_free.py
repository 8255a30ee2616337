"""The same losses and metrics over the full shape, with the mask as a weight."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def masked_language_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """The loss skips ignored labels inside its kernel."""
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)


def depth_errors(predicted: Tensor, measured: Tensor) -> tuple[Tensor, Tensor]:
    """Pixels without a measurement are divided by 1 and counted as 0."""
    valid = measured > 0
    count = valid.sum()
    divisor = torch.where(valid, measured, 1.0)
    relative_error = torch.where(valid, (predicted - measured).abs() / divisor, 0.0).sum() / count
    ratio = torch.maximum(predicted / divisor, measured / predicted)
    return relative_error, (valid & (ratio < 1.25)).sum() / count


def contrastive_loss(embeddings: Tensor, labels: Tensor, margin: float) -> Tensor:
    """Means over a mask are sums of the masked terms over the mask's count."""
    embeddings = F.normalize(embeddings, dim=1)
    similarity = embeddings @ embeddings.T
    same = labels.unsqueeze(0) == labels.unsqueeze(1)
    attraction = torch.where(same, 1.0 - similarity, 0.0).sum() / same.sum()
    repulsion = torch.where(same, 0.0, F.relu(similarity - margin)).sum() / (~same).sum()
    return attraction + repulsion


def active_channel_energy(activations: Tensor, importance: Tensor, threshold: float) -> Tensor:
    """Channels set to zero add nothing to a norm."""
    return torch.where(importance > threshold, activations, 0.0).norm(dim=1)
