"""Training and evaluation code that reads one number after the other."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    model = nn.Linear(16, 4, device=device)
    batches = [(torch.randn(8, 16, device=device), torch.randint(0, 4, (8,), device=device)) for _ in range(3)]
    return {
        "evaluate": (model, batches),
        "clip_gradient": (3.0 * torch.randn(64, device=device), 1.0),
        "kl_penalty": (
            torch.randn(32, device=device),
            torch.randn(32, device=device),
            torch.rand(32, device=device),
            0.2,
        ),
    }


def evaluate(model: nn.Module, batches: list[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    """Mean loss and accuracy, accumulated as Python numbers."""
    total_loss = 0.0
    correct = 0
    seen = 0
    for features, labels in batches:
        logits = model(features)
        total_loss += F.cross_entropy(logits, labels).item() * labels.shape[0]  # sync: SYN201
        correct += (logits.argmax(dim=1) == labels).sum().item()  # sync: SYN201
        seen += labels.shape[0]
    device = batches[0][0].device
    return torch.full((), total_loss / seen, device=device), torch.full((), correct / seen, device=device)


def clip_gradient(gradient: Tensor, max_norm: float) -> Tensor:
    """Scale a gradient down to the norm allowed."""
    norm = gradient.norm().item()  # sync: SYN201
    return gradient * min(1.0, max_norm / (norm + 1e-6))


def kl_penalty(log_probs: Tensor, reference: Tensor, advantages: Tensor, beta: float) -> Tensor:
    """Policy loss whose penalty doubles when the policy has drifted too far from the reference."""
    drift = (reference - log_probs).square().mean().item()  # sync: SYN201
    if drift > 0.1:
        beta *= 2.0
    ratio = torch.exp(log_probs - reference)
    return beta * (log_probs - reference).mean() - (ratio * advantages).mean()
