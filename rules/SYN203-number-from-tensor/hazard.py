"""Python numbers made from device tensors with float(), int(), bool() and math."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    lengths = torch.arange(8, device=device) % 5 + 2
    return {
        "perplexity": (
            [torch.randn(24, 12, device=device) for _ in range(3)],
            [torch.randint(0, 12, (24,), device=device) for _ in range(3)],
        ),
        "embed_without_padding": (
            torch.randint(0, 20, (8, 10), device=device),
            lengths,
            torch.randn(20, 6, device=device),
        ),
        "skip_overflow": (torch.randn(16, device=device), torch.randn(16, device=device), 0.1),
        "attention": (torch.randn(4, 8, device=device), torch.rand((), device=device) + 1.0),
    }


def perplexity(logits: list[Tensor], labels: list[Tensor]) -> Tensor:
    """Exponential of the mean loss over a few batches."""
    losses = []
    for batch_logits, batch_labels in zip(logits, labels):
        losses.append(float(F.cross_entropy(batch_logits, batch_labels)))  # sync: SYN203
    return torch.full((), math.exp(sum(losses) / len(losses)), device=logits[0].device)


def embed_without_padding(tokens: Tensor, lengths: Tensor, table: Tensor) -> Tensor:
    """Sum of token embeddings, after cutting the batch to its longest sequence."""
    longest = int(lengths.max())  # sync: SYN203
    tokens = tokens[:, :longest]
    valid = torch.arange(longest, device=tokens.device) < lengths.unsqueeze(1)
    return (F.embedding(tokens, table) * valid.unsqueeze(2)).sum(dim=1)


def skip_overflow(weight: Tensor, gradient: Tensor, learning_rate: float) -> Tensor:
    """One step of gradient descent, skipped if the gradient overflowed."""
    overflow = bool(torch.isinf(gradient).any())  # sync: SYN203
    if overflow:
        return weight
    return weight - learning_rate * gradient


def attention(queries: Tensor, temperature: Tensor) -> Tensor:
    """Self-attention with a learned temperature."""
    scale = 1.0 / math.sqrt(temperature)  # sync: SYN203
    return (queries @ queries.T * scale).softmax(dim=-1) @ queries
