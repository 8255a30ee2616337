"""Batches copied with non_blocking=True, but from ordinary memory."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    images, tokens = torch.rand(8, 3, 224, 224), torch.randint(100, (512, 2048))
    return {
        "channel_means": (torch.rand(3, device=device), images.numpy()),
        "embed_tokens": (torch.randn(100, 4, device=device), tokens.numpy()),
    }


def channel_means(bias: Tensor, images: np.ndarray) -> Tensor:
    batch = torch.from_numpy(images).to(bias.device, non_blocking=True)  # sync: SYN406
    return batch.mean(dim=(0, 2, 3)) + bias


def embed_tokens(table: Tensor, tokens: np.ndarray) -> Tensor:
    ids = torch.empty(tokens.shape, dtype=torch.int64, device=table.device)
    ids.copy_(torch.from_numpy(tokens), non_blocking=True)  # sync: SYN406
    return table[ids].mean(dim=1)
