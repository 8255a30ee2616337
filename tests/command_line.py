"""The program as tests call it, and small sources to call it with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

HAZARD = """\
import torch


def loss(prediction: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    kept = torch.nonzero(target)
    return prediction[kept].sum()
"""

CLEAN = """\
import torch


def loss(prediction: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return (prediction - target).square().mean()
"""

COLD = """\
import torch


class Loss(torch.nn.Module):
    def __init__(self, weight: torch.Tensor) -> None:
        super().__init__()
        self.total = weight.cuda().sum().item()
"""


@dataclass(frozen=True)
class Run:
    """How one call of the program ended, and what it printed."""

    status: int
    out: str
    err: str


Synclint = Callable[..., Run]
