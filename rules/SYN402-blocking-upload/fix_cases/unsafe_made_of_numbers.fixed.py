"""Tensors that the device computes a little differently, or draws from another generator."""

from __future__ import annotations

import math

import torch
from torch import Tensor

DIFFERS = {"noise": "another generator"}


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(4, 8, device=device)
    return {"frequencies": (x,), "noise": (x,), "ramp": (x,)}


def frequencies(x: Tensor) -> Tensor:
    half = x.shape[1] // 2
    return torch.exp(-math.log(10000) * torch.arange(start=0, end=half, dtype=torch.float32, device=x.device) / half)


def noise(x: Tensor) -> Tensor:
    return x + torch.randn(8, device=x.device)


def ramp(x: Tensor) -> Tensor:
    return x * torch.linspace(0.0, 1.0, 8, device=x.device)
