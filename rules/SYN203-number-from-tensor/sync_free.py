"""The same computations with tensors in place of the Python numbers."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def perplexity(logits: list[Tensor], labels: list[Tensor]) -> Tensor:
    """The exponential is taken on the device."""
    losses = []
    for batch_logits, batch_labels in zip(logits, labels):
        losses.append(F.cross_entropy(batch_logits, batch_labels))
    return torch.stack(losses).mean().exp()


def embed_without_padding(tokens: Tensor, lengths: Tensor, table: Tensor) -> Tensor:
    """All padding stays and is masked; the shape of the batch is known on the host."""
    valid = torch.arange(tokens.shape[1], device=tokens.device) < lengths.unsqueeze(1)
    return (F.embedding(tokens, table) * valid.unsqueeze(2)).sum(dim=1)


def skip_overflow(weight: Tensor, gradient: Tensor, learning_rate: float) -> Tensor:
    """The step is computed and dropped on the device."""
    overflow = torch.isinf(gradient).any()
    return torch.where(overflow, weight, weight - learning_rate * gradient)


def attention(queries: Tensor, temperature: Tensor) -> Tensor:
    """`rsqrt` is the reciprocal of the square root."""
    return (queries @ queries.T * temperature.rsqrt()).softmax(dim=-1) @ queries
