"""What a ``with`` statement calls of a context manager, and what entering one gives."""

from __future__ import annotations

import ast

from synclint.analysis.calls.special_methods import call_special
from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import (
    NOTHING,
    UNKNOWN,
    Instance,
    Sequence,
    Unknown,
    Value,
    options,
)
from synclint.analysis.state.frames import Frame

# What PyTorch calls of a mode for the operations between entering and leaving it.
# Source: ``torch/utils/_python_dispatch.py``, ``TorchDispatchMode``; ``torch/overrides.py``, ``TorchFunctionMode``.
_OF_MODES = ("__torch_dispatch__", "__torch_function__")


def entered(value: Value, frame: Frame, node: ast.AST) -> Value:
    """What ``with value as name`` binds."""
    return join_all([_entered(option, frame, node) for option in options(value)])


def _entered(value: Value, frame: Frame, node: ast.AST) -> Value:
    if isinstance(value, Instance):
        result = call_special(value, "__enter__", (), frame, node)
        _call_of_modes(value, frame, node)
        return value if result is None or isinstance(result, Unknown) else result
    if isinstance(value, Sequence) and value.kind == "generator":
        return any_item(value)
    return value


def _call_of_modes(mode: Instance, frame: Frame, node: ast.AST) -> None:
    for name in _OF_MODES:
        call_special(mode, name, (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN), frame, node)


def leave(value: Value, frame: Frame, node: ast.AST) -> None:
    """Call what a ``with`` statement calls once its body has been run, with no exception to tell of."""
    for option in options(value):
        if isinstance(option, Instance):
            call_special(option, "__exit__", (NOTHING, NOTHING, NOTHING), frame, node)
