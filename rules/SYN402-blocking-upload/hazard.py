"""Masks, positions and batches that are made on the CPU and moved to the device inside the step."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "causal_attention": (torch.randn(2, 8, 8, device=device),),
        "add_positions": (torch.randn(2, 8, 16, device=device),),
        "encode_batch": (torch.randn(192, 8, device=device), torch.rand(4, 3, 8, 8).numpy()),
        "warm_up_losses": (torch.randn(32, device=device),),
    }


def causal_attention(scores: Tensor) -> Tensor:
    length = scores.shape[-1]
    future = torch.ones(length, length, dtype=torch.bool).triu(diagonal=1)
    future = future.to(scores.device)  # sync: SYN402
    return scores.masked_fill(future, float("-inf")).softmax(dim=-1)


def add_positions(tokens: Tensor) -> Tensor:
    positions = torch.arange(tokens.shape[1]).to(tokens)  # sync: SYN402
    return tokens + torch.sin(positions).unsqueeze(-1)


def encode_batch(weight: Tensor, images: np.ndarray) -> Tensor:
    batch = torch.from_numpy(images).to(weight.device)  # sync: SYN402
    return batch.flatten(start_dim=1) @ weight


def warm_up_losses(losses: Tensor) -> Tensor:
    weights = torch.empty_like(losses)
    weights.copy_(torch.linspace(0.0, 1.0, len(losses)))  # sync: SYN402
    return (weights * losses).mean()
