"""``torch.cuda.set_sync_debug_mode`` as a witness: its warnings, each laid to a line of the case.

It reports what goes through PyTorch's own copy and synchronize helpers, and nothing else. Unseen stay
``torch.cuda.synchronize``, ``torch.accelerator.synchronize``, ``Event.synchronize``, ``empty_cache``,
copies between pageable memory and the device with ``non_blocking``, ``unique`` and
``unique_consecutive`` along a dimension, ``coalesce`` and with it the sparse optimizers, library
internals and distributed code (see the documentation of ``set_sync_debug_mode``).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import TextIO

import torch

from synclint.verify.measurement import Wait
from synclint.verify.operator_warnings import hearing_operators

_WARNING = "called a synchronizing"


def innermost_line(frame: FrameType | None, filename: str, starts: Mapping[int, int]) -> int:
    """The first line of the statement of ``filename`` that runs innermost in the stack; 0 if none does."""
    while frame is not None:
        if frame.f_code.co_filename == filename:
            return starts.get(frame.f_lineno, frame.f_lineno)
        frame = frame.f_back
    return 0


@contextmanager
def recording_warnings(function: str, code: str, starts: Mapping[int, int], found: list[Wait]) -> Iterator[None]:
    """Add to ``found`` a wait for every synchronization warning shown within the block.

    ``code`` is the file under test, to whose lines the warnings are laid.
    """

    def record(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if _WARNING in str(message):
            found.append(Wait(function, innermost_line(sys._getframe(1), code, starts), "warning"))

    with warnings.catch_warnings():
        # Python shows a repeated warning once per place unless told otherwise.
        warnings.simplefilter("always")
        warnings.showwarning = record
        yield


def witness(run: Callable[[], object], function: str, filename: str, starts: Mapping[int, int]) -> tuple[Wait, ...]:
    """Run the call with the debug mode on; the mode is put back as it was, whatever the call does."""
    found: list[Wait] = []
    before = torch.cuda.get_sync_debug_mode()
    with recording_warnings(function, filename, starts, found), hearing_operators():
        torch.cuda.set_sync_debug_mode("warn")
        try:
            run()
        finally:
            torch.cuda.set_sync_debug_mode(before)
    return tuple(found)
