"""Positions that a module keeps as a list, or as a tensor on the CPU."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"ordered": (torch.rand(4, 3, device=device, requires_grad=True),)}


def zigzag(size: int) -> list[int]:
    return [(2 * k) % size for k in range(size)]


class Ordered(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.permutation = zigzag(3)
        self.register_buffer(
            "permutation_tensor", torch.as_tensor(self.permutation), persistent=False
        )

    def forward(self, x: Tensor) -> Tensor:
        return x[:, self.permutation_tensor]


def ordered(x: Tensor) -> Tensor:
    model = Ordered().to(x.device)
    return model(x) + model(2 * x) + model(3 * x)
