"""Training steps of several processes with a barrier before each collective."""

from __future__ import annotations

import torch
from torch import Tensor
from torch import distributed as dist


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    if not dist.is_initialized():
        backend = "nccl" if device.type == "cuda" else "gloo"
        dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)
    return {
        "mean_losses": (torch.rand(4, 16, device=device),),
        "share_weights": (torch.rand(8, 8, device=device),),
    }


def mean_losses(losses: Tensor) -> Tensor:
    means = []
    for batch in losses:
        mean = batch.mean()
        dist.barrier()  # sync: SYN603
        dist.all_reduce(mean)
        means.append(mean / dist.get_world_size())
    return torch.stack(means)


def share_weights(weights: Tensor) -> Tensor:
    shared = weights.clone()
    dist.broadcast(shared, src=0)
    dist.barrier()  # sync: SYN603
    return shared
