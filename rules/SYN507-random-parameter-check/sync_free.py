"""The same noise: standard normal values, scaled and shifted."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.distributions import LogNormal, Normal


def perturb(weights: Tensor, std: Tensor) -> Tensor:
    torch.manual_seed(0)
    return weights + std * torch.randn_like(std)


def explore(mean: Tensor, std: Tensor) -> Tensor:
    torch.manual_seed(0)
    policy = Normal(mean, std, validate_args=False)
    return policy.rsample().detach().tanh()


def noise_levels(mean: Tensor, std: Tensor) -> Tensor:
    torch.manual_seed(0)
    levels = LogNormal(mean, std, validate_args=False)
    return levels.rsample().detach()
