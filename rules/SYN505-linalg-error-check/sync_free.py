"""The same results from the variants that leave the status on the device."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def natural_gradient(fisher: Tensor, gradient: Tensor) -> Tensor:
    return torch.linalg.solve_ex(fisher, gradient).result


def gaussian_process_loss(kernel: Tensor, targets: Tensor) -> Tensor:
    factor = torch.linalg.cholesky_ex(kernel).L
    whitened = torch.linalg.solve_triangular(factor, targets, upper=False)
    log_det = 2 * factor.diagonal().log().sum()
    return 0.5 * (whitened.square().sum() + log_det + len(targets) * math.log(2 * math.pi))


def camera_to_world(world_to_camera: Tensor) -> Tensor:
    return torch.linalg.inv_ex(world_to_camera).inverse


def linear_probe(features: Tensor, targets: Tensor) -> Tensor:
    factor = torch.linalg.cholesky_ex(features.mT @ features).L
    whitened = torch.linalg.solve_triangular(factor, features.mT @ targets, upper=False)
    return torch.linalg.solve_triangular(factor.mT, whitened, upper=True)
