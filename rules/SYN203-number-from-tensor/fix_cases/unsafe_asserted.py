"""An assertion whose message is made when it fails."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"checked": (torch.arange(1, 5, device=device),)}


def checked(sizes: Tensor) -> Tensor:
    assert bool((sizes > 0).all()), f"sizes are {sizes.tolist()}"
    return sizes * 2
