"""The program as tests call it, and small sources to call it with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from synclint.running.shares import SHARE_BYTES

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


def plant_two_shares(folder: Path) -> None:
    """Write files that are too much for one process, with nothing to find in them."""
    comment = f"# {'so much to say ' * 6}\n"
    for name in ("a_large.py", "z_large.py"):
        (folder / name).write_text(CLEAN + comment * (SHARE_BYTES // len(comment)))


@dataclass(frozen=True)
class Run:
    """How one call of the program ended, and what it printed."""

    status: int
    out: str
    err: str


Synclint = Callable[..., Run]
