"""Training steps with tools for debugging left on."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "training_step": (torch.randn(16, 8, device=device), torch.randn(8, 8, device=device)),
        "checked_activation": (torch.randn(4, dtype=torch.float64, device=device),),
    }


def _swish(x: Tensor) -> Tensor:
    return x * torch.sigmoid(x)


def training_step(features: Tensor, weight: Tensor) -> Tensor:
    weight = weight.detach().requires_grad_()
    with torch.autograd.detect_anomaly():  # sync: SYN703
        loss = F.mse_loss(features @ weight, features)
        (gradient,) = torch.autograd.grad(loss, weight)
    return weight.detach() - 0.1 * gradient


def checked_activation(x: Tensor) -> Tensor:
    torch.autograd.gradcheck(_swish, (x.detach().requires_grad_(),))  # sync: SYN703
    return _swish(x)
