"""Progress reports that show tensors."""

# The older ways to format text are part of the case.
# ruff: noqa: UP031, UP032

from __future__ import annotations

import logging

import torch
import torch.nn.functional as F
from torch import Tensor

logger = logging.getLogger(__name__)


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    logits = torch.randn(16, 5, device=device)
    labels = torch.randint(0, 5, (16,), device=device)
    return {
        "training_loss": (logits, labels, 7),
        "gradient_norm": ([torch.randn(8, 4, device=device), torch.randn(8, device=device)],),
        "accuracy": (logits, labels),
    }


def training_loss(logits: Tensor, labels: Tensor, step: int) -> Tensor:
    """Cross entropy, shown at every step."""
    loss = F.cross_entropy(logits, labels)
    print(f"step {step}: loss {loss:.4f}")  # sync: SYN205
    return loss


def gradient_norm(gradients: list[Tensor]) -> Tensor:
    """Norm over all gradients, with a warning that lists the single ones."""
    norms = torch.stack([gradient.norm() for gradient in gradients])
    total = norms.norm()
    print("gradient norm:", total)  # sync: SYN205
    logger.warning("norms by parameter: %s", norms)  # sync: SYN205
    return total


def accuracy(logits: Tensor, labels: Tensor) -> Tensor:
    """Share of correct predictions, prepared as text for the progress bar."""
    correct = (logits.argmax(dim=1) == labels).float().mean()
    description = "accuracy %.3f" % correct  # sync: SYN205
    short = "{:.2f}".format(correct)  # sync: SYN205
    full = str(correct)  # sync: SYN205
    print(f"{len(description)} + {len(short)} + {len(full)} characters")
    return correct
