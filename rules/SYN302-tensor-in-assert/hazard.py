"""Checks of values on the device that run at every step."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "checked_loss": (torch.randn(32, 6, device=device), torch.arange(32, device=device) % 6),
        "kl_divergence": (torch.randn(8, 10, device=device), torch.randn(8, 10, device=device)),
    }


def checked_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross entropy with checks of its input and its result."""
    assert logits.ndim == 2 and labels.shape == logits.shape[:1], "expects one label per row of logits"
    assert (labels < logits.shape[1]).all(), "a label has no class"  # sync: SYN302
    loss = F.cross_entropy(logits, labels)
    assert torch.isfinite(loss), f"the loss is {loss}"  # sync: SYN302
    return loss


def kl_divergence(logits: Tensor, reference_logits: Tensor) -> Tensor:
    """Divergence from a reference distribution, which must be normalised."""
    reference = reference_logits.softmax(dim=-1)
    deviation = (reference.sum(dim=-1) - 1.0).abs().amax()
    torch._assert(deviation < 1e-3, "the reference is not normalised")  # sync: SYN302
    return F.kl_div(logits.log_softmax(dim=-1), reference, reduction="batchmean")
