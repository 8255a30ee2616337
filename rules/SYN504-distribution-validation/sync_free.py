"""The same distributions with validate_args=False."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.distributions import Categorical, Normal, kl_divergence


def policy_loss(logits: Tensor, actions: Tensor, advantages: Tensor) -> Tensor:
    policy = Categorical(logits=logits, validate_args=False)
    log_prob = policy.log_prob(actions)
    return -(log_prob * advantages).mean() - 0.01 * policy.entropy().mean()


def action_log_prob(mean: Tensor, log_std: Tensor, actions: Tensor) -> Tensor:
    policy = Normal(mean, log_std.exp(), validate_args=False)
    return policy.log_prob(actions).sum(dim=-1)


def latent_divergence(mean: Tensor, log_std: Tensor) -> Tensor:
    posterior = Normal(mean, log_std.exp(), validate_args=False)
    prior = Normal(torch.zeros_like(mean), torch.ones_like(mean), validate_args=False)
    return kl_divergence(posterior, prior).sum(dim=-1).mean()
