"""Constants of a module of which tensors are made in every call."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.rand(4, 3, device=device, requires_grad=True)
    return {"weighted": (x, [0.5, 1.0, 2.0]), "unweighted": (x, None)}


class Weighted(nn.Module):
    def __init__(self, class_weight, steps) -> None:
        super().__init__()
        self.class_weight = class_weight
        self.register_buffer(
            "class_weight_tensor",
            None if self.class_weight is None else torch.as_tensor(self.class_weight),
            persistent=False,
        )
        self.steps = steps
        self.register_buffer(
            "steps_tensor",
            torch.as_tensor(self.steps, dtype=torch.float64),
            persistent=False,
        )

    def forward(self, x: Tensor) -> Tensor:
        if self.class_weight is not None:
            x = x * self.class_weight_tensor.to(x.dtype)
        steps = self.steps_tensor
        return x.double() * steps


def weighted(x: Tensor, weights) -> Tensor:
    model = Weighted(weights, [0.1, 0.2, 0.3]).to(x.device)
    total = torch.zeros(4, 3, device=x.device, dtype=torch.float64)
    for _ in range(4):
        total = total + model(x)
    return total


def unweighted(x: Tensor, weights) -> Tensor:
    return weighted(x, weights)
