"""Numbers and CPU tensors written into parts of a device tensor."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "noise_schedule": (torch.randn(4, 8, device=device), 20),
        "ban_tokens": (torch.randn(4, 32, device=device), torch.arange(3, 30, 7, device=device)),
        "warm_up": (torch.rand(20, device=device),),
        "drop_odd_rows": (torch.randn(8, 4, device=device),),
    }


def noise_schedule(latents: Tensor, steps: int) -> Tensor:
    sigmas = torch.linspace(14.6, 0.03, steps, device=latents.device)
    sigmas[-1] = 0.0  # sync: SYN404
    return sigmas.view(-1, 1, 1) * latents


def ban_tokens(logits: Tensor, banned: Tensor) -> Tensor:
    logits = logits.clone()
    logits[:, banned] = float("-inf")  # sync: SYN404
    return logits.softmax(dim=-1)


def warm_up(learning_rates: Tensor) -> Tensor:
    learning_rates = learning_rates.clone()
    ramp = torch.linspace(0.0, 1.0, 5)
    learning_rates[:5] = ramp  # sync: SYN404
    return learning_rates


def drop_odd_rows(features: Tensor) -> Tensor:
    features = features.clone()
    odd = torch.arange(len(features)) % 2 == 1
    features[odd] = 0.0  # sync: SYN404
    return features
