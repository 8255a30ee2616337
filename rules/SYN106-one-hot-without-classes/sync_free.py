"""The same losses; the number of classes is a dimension of the scores."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def dice_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """One minus the mean overlap between predicted and labelled regions."""
    probabilities = logits.softmax(dim=1)
    one_hot = F.one_hot(labels, num_classes=logits.shape[1])
    regions = one_hot.permute(0, 3, 1, 2).to(probabilities.dtype)
    overlap = (probabilities * regions).sum(dim=(0, 2, 3))
    total = probabilities.sum(dim=(0, 2, 3)) + regions.sum(dim=(0, 2, 3))
    return 1.0 - (2.0 * overlap / (total + 1e-6)).mean()


def load_balancing_loss(router_logits: Tensor) -> Tensor:
    """An expert that no token chose keeps its column."""
    num_experts = router_logits.shape[-1]
    probabilities = router_logits.softmax(dim=-1)
    assigned = torch.nn.functional.one_hot(probabilities.argmax(dim=-1), num_experts)
    return num_experts * (assigned.float().mean(dim=0) * probabilities.mean(dim=0)).sum()


def brier_score(logits: Tensor, labels: Tensor) -> Tensor:
    """Mean squared distance between predicted probabilities and labels."""
    targets = F.one_hot(labels, num_classes=logits.shape[1])
    return (logits.softmax(dim=1) - targets).square().sum(dim=1).mean()
