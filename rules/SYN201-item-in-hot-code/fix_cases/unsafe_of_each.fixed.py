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
    progress_values = ((1000 - timesteps) / 1000).tolist()
    for i, t in enumerate(timesteps):
        timestep = t.expand(sample.shape[0])
        timestep = (1000 - timestep) / 1000
        progress = progress_values[i]
        scale = 0.0 if progress > cutoff else 1.0
        sample = sample - scale * sample * timestep[:, None]
    return sample


def anneal(sample: Tensor, temperatures: Tensor) -> Tensor:
    temperature_values = temperatures.tolist()
    for temperature, temperature_value in zip(temperatures, temperature_values):
        print(f"at {temperature_value:.2f}")
        sample = sample * temperature
    return sample


def count_down(sample: Tensor, counts: Tensor, most: int) -> Tensor:
    count_values = (most - counts.float()).tolist()
    for count, count_value in zip(counts, count_values):
        sample = sample * count
        if count_value > 1:
            sample = sample + 1
    return sample


def shown_to_a_callback(counts: Tensor, seen: list[float]) -> None:
    value_values = counts.tolist()
    for i, count in enumerate(counts):
        value = value_values[i]
        seen.append(locals()["value"] * i)
