"""Iterations that ask the device whether two tensors are the same."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    corners = 10.0 * torch.eye(4, device=device)
    points = corners.repeat(16, 1) + torch.rand(64, 4, device=device)
    return {
        "cluster": (points, corners, 8),
        "stationary_distribution": (torch.rand(6, 6, device=device).add(0.2), 40),
        "apply_gradient": (
            torch.randn(16, device=device),
            torch.randn(16, device=device),
            torch.zeros((), device=device),
        ),
    }


def cluster(points: Tensor, centroids: Tensor, max_iterations: int) -> Tensor:
    """Lloyd's algorithm, until the assignment of points no longer changes."""
    previous = points.new_full((points.shape[0],), -1, dtype=torch.int64)
    for _ in range(max_iterations):
        assignment = torch.cdist(points, centroids).argmin(dim=1)
        if torch.equal(assignment, previous):  # sync: SYN206
            break
        previous = assignment
        members = F.one_hot(assignment, centroids.shape[0]).to(points.dtype)
        centroids = members.T @ points / members.sum(dim=0).clamp(min=1.0).unsqueeze(1)
    return centroids


def stationary_distribution(weights: Tensor, max_iterations: int) -> Tensor:
    """Power iteration on a Markov chain, until a step changes next to nothing."""
    transition = weights / weights.sum(dim=1, keepdim=True)
    distribution = torch.full_like(weights[0], 1.0 / weights.shape[0])
    for _ in range(max_iterations):
        updated = distribution @ transition
        if updated.allclose(distribution, atol=1e-5):  # sync: SYN206
            break
        distribution = updated
    return distribution


def apply_gradient(weight: Tensor, gradient: Tensor, found_inf: Tensor) -> Tensor:
    """One step of gradient descent, skipped if an earlier check found an infinity."""
    if torch.is_nonzero(found_inf):  # sync: SYN206
        return weight
    return weight - 0.1 * gradient
