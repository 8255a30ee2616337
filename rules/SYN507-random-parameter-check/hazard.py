"""Noise drawn with a standard deviation that is a tensor."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.distributions import LogNormal, Normal


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    mean, std = torch.randn(32, 6, device=device), torch.rand(32, 6, device=device) + 0.1
    return {"perturb": (mean, std), "explore": (mean, std), "noise_levels": (mean, std)}


def perturb(weights: Tensor, std: Tensor) -> Tensor:
    torch.manual_seed(0)
    return torch.normal(weights, std)  # sync: SYN507


def explore(mean: Tensor, std: Tensor) -> Tensor:
    torch.manual_seed(0)
    policy = Normal(mean, std, validate_args=False)
    return policy.sample().tanh()  # sync: SYN507


def noise_levels(mean: Tensor, std: Tensor) -> Tensor:
    torch.manual_seed(0)
    levels = LogNormal(mean, std, validate_args=False)
    return levels.sample()  # sync: SYN507
