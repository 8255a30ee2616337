"""Policies and latent variables built from torch.distributions with their argument checks on."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.distributions import Categorical, Normal, kl_divergence


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    mean, log_std = torch.randn(32, 6, device=device), torch.randn(32, 6, device=device)
    return {
        "policy_loss": (
            torch.randn(32, 5, device=device),
            torch.arange(32, device=device) % 5,
            torch.randn(32, device=device),
        ),
        "action_log_prob": (mean, log_std, torch.randn(32, 6, device=device)),
        "latent_divergence": (mean, log_std),
    }


def policy_loss(logits: Tensor, actions: Tensor, advantages: Tensor) -> Tensor:
    policy = Categorical(logits=logits)  # sync: SYN504
    log_prob = policy.log_prob(actions)  # sync: SYN504
    return -(log_prob * advantages).mean() - 0.01 * policy.entropy().mean()


def action_log_prob(mean: Tensor, log_std: Tensor, actions: Tensor) -> Tensor:
    policy = Normal(mean, log_std.exp())  # sync: SYN504
    return policy.log_prob(actions).sum(dim=-1)  # sync: SYN504


def latent_divergence(mean: Tensor, log_std: Tensor) -> Tensor:
    posterior = Normal(mean, log_std.exp())  # sync: SYN504
    prior = Normal(torch.zeros_like(mean), torch.ones_like(mean))  # sync: SYN504
    return kl_divergence(posterior, prior).sum(dim=-1).mean()
