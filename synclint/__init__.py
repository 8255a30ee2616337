"""Finds the lines of PyTorch code that make the CPU wait for the GPU, before the code runs.

``with synclint.trace() as report:`` tells which lines of a block wait when it runs; see ``synclint.trace.blocks``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synclint.trace.blocks import trace as trace

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """``trace`` is a package that can be called, and imported when it is first asked for."""
    if name != "trace":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module("synclint.trace")
