"""The same steps without the tools."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F


def _swish(x: Tensor) -> Tensor:
    return x * torch.sigmoid(x)


def training_step(features: Tensor, weight: Tensor) -> Tensor:
    weight = weight.detach().requires_grad_()
    loss = F.mse_loss(features @ weight, features)
    (gradient,) = torch.autograd.grad(loss, weight)
    return weight.detach() - 0.1 * gradient


def checked_activation(x: Tensor) -> Tensor:
    return _swish(x)
