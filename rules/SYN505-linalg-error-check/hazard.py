"""Matrices that are factorized, solved and inverted with the error check on."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    factor = torch.randn(8, 8, dtype=torch.float64, device=device)
    matrix = factor @ factor.mT + 8 * torch.eye(8, dtype=torch.float64, device=device)
    vector = torch.randn(8, 1, dtype=torch.float64, device=device)
    return {
        "natural_gradient": (matrix, vector),
        "gaussian_process_loss": (matrix, vector),
        "camera_to_world": (matrix.expand(3, 8, 8),),
        "linear_probe": (
            torch.randn(64, 8, dtype=torch.float64, device=device),
            torch.randn(64, 2, dtype=torch.float64, device=device),
        ),
    }


def natural_gradient(fisher: Tensor, gradient: Tensor) -> Tensor:
    return torch.linalg.solve(fisher, gradient)  # sync: SYN505


def gaussian_process_loss(kernel: Tensor, targets: Tensor) -> Tensor:
    factor = torch.linalg.cholesky(kernel)  # sync: SYN505
    whitened = torch.linalg.solve_triangular(factor, targets, upper=False)
    log_det = 2 * factor.diagonal().log().sum()
    return 0.5 * (whitened.square().sum() + log_det + len(targets) * math.log(2 * math.pi))


def camera_to_world(world_to_camera: Tensor) -> Tensor:
    return torch.linalg.inv(world_to_camera)  # sync: SYN505


def linear_probe(features: Tensor, targets: Tensor) -> Tensor:
    return torch.linalg.lstsq(features, targets).solution  # sync: SYN505
