"""Letting the sync debug mode be heard where operators are called by their names in ``torch.ops``.

PyTorch turns a warning of C++ into one of Python only within the functions that its Python bindings
generate. ``torch.ops`` calls operators around these, up to a mend of August 2026, and what the debug
mode says there goes to standard error. A call that is relayed through such a function is heard.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch._ops import OpOverload, OpOverloadPacket


class _Relay:
    """An argument for whose sake a generated function calls back into Python, and does nothing else."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.call = call

    @classmethod
    def __torch_function__(
        cls, function: object, types: object, arguments: tuple[Any, ...] = (), options: object = None
    ) -> object:
        return arguments[0].call()


def heard(call: Callable[[], object]) -> object:
    """Make the call so that a warning of C++ in it becomes one of Python, with this stack."""
    if torch._C._is_torch_function_enabled() and torch._C._len_torch_function_stack() == 0:
        return torch.abs(_Relay(call))
    # Here the relay would not be asked, or somebody else before it.
    return call()


def _relaying(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def relaying(operator: object, /, *arguments: object, **options: object) -> object:
        return heard(lambda: function(operator, *arguments, **options))

    return relaying


@contextmanager
def hearing_operators() -> Iterator[None]:
    """Within the block the warnings of operators called through ``torch.ops`` are heard too."""
    originals = [(owner, owner.__call__) for owner in (OpOverload, OpOverloadPacket)]
    for owner, call in originals:
        owner.__call__ = _relaying(call)
    try:
        yield
    finally:
        for owner, call in originals:
            owner.__call__ = call
