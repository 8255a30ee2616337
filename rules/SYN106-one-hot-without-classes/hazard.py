"""Losses that compare class scores with one-hot labels."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    router_logits = 4.0 * torch.eye(8, device=device).repeat(8, 1) + torch.rand(64, 8, device=device)
    return {
        "dice_loss": (
            torch.randn(2, 5, 8, 8, device=device),
            torch.arange(128, device=device).view(2, 8, 8) % 5,
        ),
        "load_balancing_loss": (router_logits,),
        "brier_score": (torch.randn(60, 6, device=device), torch.arange(60, device=device) % 6),
    }


def dice_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """One minus the mean overlap between predicted and labelled regions."""
    probabilities = logits.softmax(dim=1)
    regions = F.one_hot(labels).permute(0, 3, 1, 2).to(probabilities.dtype)  # sync: SYN106
    overlap = (probabilities * regions).sum(dim=(0, 2, 3))
    total = probabilities.sum(dim=(0, 2, 3)) + regions.sum(dim=(0, 2, 3))
    return 1.0 - (2.0 * overlap / (total + 1e-6)).mean()


def load_balancing_loss(router_logits: Tensor) -> Tensor:
    """Auxiliary loss of a mixture of experts: share of tokens times mean probability per expert."""
    probabilities = router_logits.softmax(dim=-1)
    assigned = torch.nn.functional.one_hot(probabilities.argmax(dim=-1))  # sync: SYN106
    return router_logits.shape[-1] * (assigned.float().mean(dim=0) * probabilities.mean(dim=0)).sum()


def brier_score(logits: Tensor, labels: Tensor) -> Tensor:
    """Mean squared distance between predicted probabilities and labels."""
    targets = F.one_hot(labels, num_classes=-1)  # sync: SYN106
    return (logits.softmax(dim=1) - targets).square().sum(dim=1).mean()
