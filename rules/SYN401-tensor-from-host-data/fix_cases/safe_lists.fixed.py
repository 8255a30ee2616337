"""Lists, which are copied from pinned memory."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(2, 3, 4, 4, device=device)
    return {"channels": (x,), "lengths": (x, [[1, 2, 3], [4]], device), "names": (x, str(device))}


def channels(images: Tensor) -> Tensor:
    mean = torch.tensor([0.485, 0.456, 0.406], pin_memory=images.is_cuda).to(
        images.device, non_blocking=True
    )  # of ImageNet
    std = torch.tensor((0.229, 0.224, 0.225), dtype=images.dtype, pin_memory=images.is_cuda).to(
        images.device, non_blocking=True
    )
    return (images - mean.view(3, 1, 1)) / std.view(3, 1, 1)


def lengths(x: Tensor, rows: list[list[int]], device: torch.device) -> Tensor:
    counts = torch.tensor([len(row) for row in rows], dtype=torch.float, pin_memory=device.type == "cuda").to(
        device, non_blocking=True
    )
    return x.sum((1, 2, 3)) / counts


def names(x: Tensor, device: str) -> Tensor:
    size = torch.tensor(
        [
            x.shape[-1],  # the width
            x.shape[-2],
        ],
        pin_memory=torch.device(device).type == "cuda",
    ).to(device, non_blocking=True)
    return size * 2
