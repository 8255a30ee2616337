"""The same checks made on the device."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def checked_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Shapes are checked on the host, values where they are."""
    assert logits.ndim == 2 and labels.shape == logits.shape[:1], "expects one label per row of logits"
    torch._assert_async((labels < logits.shape[1]).all(), "a label has no class")
    loss = F.cross_entropy(logits, labels)
    torch._assert_async(torch.isfinite(loss), "the loss is not finite")
    return loss


def kl_divergence(logits: Tensor, reference_logits: Tensor) -> Tensor:
    """The kernel stops the program; the host does not ask."""
    reference = reference_logits.softmax(dim=-1)
    deviation = (reference.sum(dim=-1) - 1.0).abs().amax()
    torch._assert_async(deviation < 1e-3, "the reference is not normalised")
    return F.kl_div(logits.log_softmax(dim=-1), reference, reduction="batchmean")
