"""The same numbers kept in tensors until somebody asks for them."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def evaluate(model: nn.Module, batches: list[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    """Mean loss and accuracy, accumulated on the device and returned unread."""
    device = batches[0][0].device
    total_loss = torch.zeros((), device=device)
    correct = torch.zeros((), dtype=torch.int64, device=device)
    seen = 0
    for features, labels in batches:
        logits = model(features)
        total_loss += F.cross_entropy(logits, labels).detach() * labels.shape[0]
        correct += (logits.argmax(dim=1) == labels).sum()
        seen += labels.shape[0]
    return total_loss / seen, correct / seen


def clip_gradient(gradient: Tensor, max_norm: float) -> Tensor:
    """The scale is a tensor; `clamp` with a number is the `min` of the hazard."""
    scale = (max_norm / (gradient.norm() + 1e-6)).clamp(max=1.0)
    return gradient * scale


def kl_penalty(log_probs: Tensor, reference: Tensor, advantages: Tensor, beta: float) -> Tensor:
    """The device chooses between the two penalties."""
    drift = (reference - log_probs).square().mean()
    penalty = torch.where(drift > 0.1, 2.0 * beta, beta)
    ratio = torch.exp(log_probs - reference)
    return penalty * (log_probs - reference).mean() - (ratio * advantages).mean()
