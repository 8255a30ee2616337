"""The same batches, staged in pinned memory first."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def channel_means(bias: Tensor, images: np.ndarray) -> Tensor:
    staging = torch.empty(images.shape, pin_memory=torch.cuda.is_available())
    staging.copy_(torch.from_numpy(images))
    batch = staging.to(bias.device, non_blocking=True)
    return batch.mean(dim=(0, 2, 3)) + bias


def embed_tokens(table: Tensor, tokens: np.ndarray) -> Tensor:
    staging = torch.empty(tokens.shape, dtype=torch.int64, pin_memory=torch.cuda.is_available())
    staging.copy_(torch.from_numpy(tokens))
    ids = torch.empty(tokens.shape, dtype=torch.int64, device=table.device)
    ids.copy_(staging, non_blocking=True)
    return table[ids].mean(dim=1)
