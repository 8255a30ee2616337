"""The same writes as fills, and from values that are on the device."""

from __future__ import annotations

import torch
from torch import Tensor


def noise_schedule(latents: Tensor, steps: int) -> Tensor:
    sigmas = torch.linspace(14.6, 0.03, steps, device=latents.device)
    sigmas[-1:] = 0.0
    return sigmas.view(-1, 1, 1) * latents


def ban_tokens(logits: Tensor, banned: Tensor) -> Tensor:
    logits = logits.index_fill(1, banned, float("-inf"))
    return logits.softmax(dim=-1)


def warm_up(learning_rates: Tensor) -> Tensor:
    learning_rates = learning_rates.clone()
    ramp = torch.linspace(0.0, 1.0, 5, device=learning_rates.device)
    learning_rates[:5] = ramp
    return learning_rates


def drop_odd_rows(features: Tensor) -> Tensor:
    features = features.clone()
    odd = torch.arange(len(features), device=features.device) % 2 == 1
    features[odd] = 0.0
    return features
