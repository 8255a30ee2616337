"""Numbers that each round of a loop computes from its element of a tensor on the device."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    steps, sample = torch.linspace(1.0, 0.0, 4, device=device), torch.randn(3, 8, device=device)
    return {
        "denoise": (sample.clone(), 1000 * steps, 0.5),
        "anneal": (sample.clone(), steps),
        "count_down": (sample.clone(), torch.arange(4, device=device), 3),
        "shown_to_a_callback": (torch.arange(4, device=device), []),
    }


def denoise(sample: Tensor, timesteps: Tensor, cutoff: float) -> Tensor:
    for i, t in enumerate(timesteps):
        timestep = t.expand(sample.shape[0])
        timestep = (1000 - timestep) / 1000
        progress = timestep[0].item()
        scale = 0.0 if progress > cutoff else 1.0
        sample = sample - scale * sample * timestep[:, None]
    return sample


def anneal(sample: Tensor, temperatures: Tensor) -> Tensor:
    for temperature in temperatures:
        print(f"at {temperature.item():.2f}")
        sample = sample * temperature
    return sample


def count_down(sample: Tensor, counts: Tensor, most: int) -> Tensor:
    for count in counts:
        sample = sample * count
        if (most - count.float()).item() > 1:
            sample = sample + 1
    return sample


def shown_to_a_callback(counts: Tensor, seen: list[float]) -> None:
    for i, count in enumerate(counts):
        value = count.item()
        seen.append(locals()["value"] * i)
