"""Letting the sync debug mode be heard where operators are called by their names in ``torch.ops``.

PyTorch turns a warning of C++ into one of Python only within the functions that its Python bindings
generate. ``torch.ops`` calls operators around these, up to a mend of August 2026, and what the debug
mode says there goes to standard error. A call that is relayed through such a function is heard. Compiled code
needs none: it runs within ``torch.autograd.Function.apply``, which hears it too, and all that the program
sees of other warnings is the line of that.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
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


# c10::WarningUtils::get_warning_handler() (c10/util/Exception.h): who is told of the warnings of C++ on this thread.
_HANDLER = "_ZN3c1012WarningUtils19get_warning_handlerEv"


def _asking_for_the_handler() -> Callable[[], int | None]:
    for library in (Path(torch.__file__).parent / "lib").glob("libc10.*"):
        with suppress(OSError, AttributeError):
            asking = ctypes.PyDLL(str(library))[_HANDLER]
            asking.restype = ctypes.c_void_p
            return asking
    return lambda: None


_handler = _asking_for_the_handler()
# The one that writes to standard error, which is there as long as nobody puts another in its place.
_WRITING = _handler()
_TORCH = str(Path(torch.__file__).parent)
# Calls C++, which calls Python.
_APPLY = str(Path(_TORCH, "autograd", "function.py"))
# What lies between that and the operators of a graph, whose code torch.fx generates.
_BETWEEN = (_TORCH, str(Path(__file__).parents[1]), "<eval_with_key>")


def _is_heard_already() -> bool:
    """Whether a function of PyTorch hears it, with no line of the program's between that and this call."""
    if _handler() == _WRITING:
        return False
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file == _APPLY:
            return True
        if not file.startswith(_BETWEEN):
            return False
        frame = frame.f_back
    return True


def heard(call: Callable[[], object]) -> object:
    """Make the call so that a warning of C++ in it becomes one of Python, with this stack or one that leads to it."""
    if _is_heard_already():
        return call()
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
