"""The same iterations for a fixed number of rounds, frozen on the device once they have converged."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def cluster(points: Tensor, centroids: Tensor, max_iterations: int) -> Tensor:
    """Further rounds leave a converged clustering as it is."""
    for _ in range(max_iterations):
        assignment = torch.cdist(points, centroids).argmin(dim=1)
        members = F.one_hot(assignment, centroids.shape[0]).to(points.dtype)
        centroids = members.T @ points / members.sum(dim=0).clamp(min=1.0).unsqueeze(1)
    return centroids


def stationary_distribution(weights: Tensor, max_iterations: int) -> Tensor:
    """`torch.isclose(...).all()` is the comparison as a tensor."""
    transition = weights / weights.sum(dim=1, keepdim=True)
    distribution = torch.full_like(weights[0], 1.0 / weights.shape[0])
    converged = torch.zeros((), dtype=torch.bool, device=weights.device)
    for _ in range(max_iterations):
        updated = distribution @ transition
        converged = converged | torch.isclose(updated, distribution, atol=1e-5).all()
        distribution = torch.where(converged, distribution, updated)
    return distribution


def apply_gradient(weight: Tensor, gradient: Tensor, found_inf: Tensor) -> Tensor:
    """The step is computed and dropped on the device."""
    return torch.where(found_inf != 0, weight, weight - 0.1 * gradient)
