"""The names that the catalogue's one-line cases are written over, made on a device.

=========== ==========================================================
x, y        float, 8 by 8
v, w        float, 8
n           int64, 8: 0 to 7
m           bool, 8 by 8
b           bool, 8
i, s, f     no dimensions: int64, float, bool
A           float, 8 by 8, symmetric and positive definite
B           float, 8 by 2
p           float, 8: probabilities
c, cn       on the host: float, 8 by 8; int64, 8
cs, cb      on the host: float without dimensions; bool, 8
pinned      on the host, pinned: float, 8 by 8
=========== ==========================================================

besides ``device``, ``torch``, ``F``, ``nn``, ``dist`` (torch.distributions), ``math`` and ``np``.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import torch

SIZE = 8


def _positive_definite(device: torch.device) -> torch.Tensor:
    root = torch.randn(SIZE, SIZE, device=device)
    return root @ root.T + SIZE * torch.eye(SIZE, device=device)


_BUILDERS: dict[str, Callable[[torch.device], Any]] = {
    "x": lambda device: torch.randn(SIZE, SIZE, device=device),
    "y": lambda device: torch.randn(SIZE, SIZE, device=device),
    "v": lambda device: torch.randn(SIZE, device=device),
    "w": lambda device: torch.randn(SIZE, device=device),
    "n": lambda device: torch.arange(SIZE, device=device),
    "m": lambda device: torch.randn(SIZE, SIZE, device=device) > 0,
    "b": lambda device: torch.arange(SIZE, device=device) % 2 == 0,
    "i": lambda device: torch.full((), 3, dtype=torch.int64, device=device),
    "s": lambda device: torch.full((), 0.5, device=device),
    "f": lambda device: torch.ones((), dtype=torch.bool, device=device),
    "A": _positive_definite,
    "B": lambda device: torch.randn(SIZE, 2, device=device),
    "p": lambda device: torch.softmax(torch.randn(SIZE, device=device), dim=0),
    "c": lambda device: torch.randn(SIZE, SIZE),
    "cn": lambda device: torch.arange(SIZE),
    "cs": lambda device: torch.tensor(0.5),
    "cb": lambda device: torch.arange(SIZE) % 2 == 0,
    "pinned": lambda device: torch.randn(SIZE, SIZE).pin_memory(),
    "device": lambda device: device,
    "torch": lambda device: torch,
    "F": lambda device: torch.nn.functional,
    "nn": lambda device: torch.nn,
    "dist": lambda device: torch.distributions,
    "math": lambda device: math,
    "np": lambda device: import_module("numpy"),
}


def names_in(code: str) -> Iterator[str]:
    """Every name that ``code`` mentions. Raises SyntaxError."""
    return (node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name))


def build_vocabulary(device: torch.device, code: str) -> dict[str, Any]:
    """Those names of the vocabulary that ``code`` mentions, made afresh on ``device``."""
    mentioned = set(names_in(code))
    return {name: build(device) for name, build in _BUILDERS.items() if name in mentioned}
