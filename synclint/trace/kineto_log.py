"""Keeping Kineto, PyTorch's profiler, from telling of its beginnings and ends on the program's standard error."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import torch

# What Kineto reads when it is first used, and never again; PyTorch lets it print errors alone where this is not set
# (suppressLibkinetoLogMessages in libkineto/src/init.cpp).
_VARIABLE = "KINETO_LOG_LEVEL"
_ERROR = 4
# libkineto::Logger::severityLevel_ (libkineto/src/Logger.h), which holds the level.
_LEVEL = "_ZN9libkineto6Logger14severityLevel_E"
_NOTHING = 99


@contextmanager
def quiet_kineto() -> Iterator[None]:
    """Within the block Kineto says nothing, unless the user has asked it to; afterwards it says what it would have."""
    level = None if _VARIABLE in os.environ else _level()
    if level is None:
        yield
        return
    before = level.value
    level.value = _NOTHING
    try:
        yield
    finally:
        level.value = before or _ERROR


@contextmanager
def quiet_beginning() -> Iterator[None]:
    """Where Kineto is first used within the block, it begins without a word; processes of the program's do not."""
    if _VARIABLE in os.environ:
        yield
        return
    os.environ[_VARIABLE] = str(_NOTHING)
    try:
        yield
    finally:
        os.environ.pop(_VARIABLE, None)


def _level() -> ctypes.c_int | None:
    """Where Kineto keeps how severe a message has to be; None where this build of PyTorch does not show it."""
    for library in (Path(torch.__file__).parent / "lib").glob("libtorch_cpu.*"):
        with suppress(OSError, ValueError):
            # It is loaded already: this finds it.
            return ctypes.c_int.in_dll(ctypes.CDLL(str(library)), _LEVEL)
    return None
