"""Losses and metrics that pick elements with a boolean mask."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    tokens = torch.arange(48, device=device).view(4, 12)
    return {
        "masked_language_loss": (
            torch.randn(4, 12, 30, device=device),
            torch.where(tokens % 5 == 0, tokens % 30, -100),
        ),
        "depth_errors": (
            torch.rand(2, 16, 16, device=device) + 0.5,
            (torch.rand(2, 16, 16, device=device) - 0.2).clamp(min=0.0),
        ),
        "contrastive_loss": (torch.randn(24, 8, device=device), torch.arange(24, device=device) % 4, 0.3),
        "active_channel_energy": (torch.randn(6, 16, device=device), torch.rand(16, device=device), 0.3),
    }


def masked_language_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross entropy over the tokens that were masked out (label other than -100)."""
    masked = labels != -100
    return F.cross_entropy(logits[masked], labels[masked])  # sync: SYN103


def depth_errors(predicted: Tensor, measured: Tensor) -> tuple[Tensor, Tensor]:
    """Absolute relative error and accuracy within 25 % over the pixels that were measured."""
    valid = measured > 0
    predicted = torch.masked_select(predicted, valid)  # sync: SYN103
    measured = measured.masked_select(valid)  # sync: SYN103
    relative_error = ((predicted - measured).abs() / measured).mean()
    ratio = torch.maximum(predicted / measured, measured / predicted)
    return relative_error, (ratio < 1.25).float().mean()


def contrastive_loss(embeddings: Tensor, labels: Tensor, margin: float) -> Tensor:
    """Pull pairs of one class together and push the others below the margin."""
    embeddings = F.normalize(embeddings, dim=1)
    similarity = embeddings @ embeddings.T
    same = labels.unsqueeze(0) == labels.unsqueeze(1)
    positives = similarity[same]  # sync: SYN103
    negatives = similarity[~same]  # sync: SYN103
    return (1.0 - positives).mean() + F.relu(negatives - margin).mean()


def active_channel_energy(activations: Tensor, importance: Tensor, threshold: float) -> Tensor:
    """Norm of each sample over the channels that pruning would keep."""
    active = importance > threshold
    return activations[:, active].norm(dim=1)  # sync: SYN103
