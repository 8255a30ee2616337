"""An aggregator that the module makes for its functions."""

from __future__ import annotations

import torch
from torch import Tensor
from torchmetrics import MaxMetric

NEEDS_CUDA = True
best = MaxMetric().to("cuda")


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"of_the_module": (torch.rand(6, 2, device=device),)}


def of_the_module(losses: Tensor) -> Tensor:
    best.reset()
    for loss in losses:
        best.update(loss)
    return best.compute()
