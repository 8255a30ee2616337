"""Giving PyTorch's warnings the place that they would have without synclint: the line that called it.

PyTorch's C++ warns from the innermost frame of Python, which is ours where we pass a call on.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType

_SYNCLINT = str(Path(__file__).parents[1])
# Functions of PyTorch's own that pass calls of operators on, and warn of nothing.
_PASSING_ON = str(Path("torch", "_ops.py"))


def outside_synclint(shown: warnings.WarningMessage, show: Callable[[warnings.WarningMessage], None]) -> None:
    """Show a warning; one that came from a frame of synclint as one of the line that led there."""
    if not shown.filename.startswith(_SYNCLINT):
        show(shown)
        return
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != shown.filename:
        frame = frame.f_back
    while frame is not None and _is_ours(frame):
        # A line of the program must not be silent because another has warned through this frame.
        frame.f_globals.get("__warningregistry__", {}).clear()
        frame = frame.f_back
    if frame is None:
        show(shown)
        return
    # PyTorch decided to warn from our frame; whether this line has warned before is decided anew.
    warnings.warn_explicit(
        shown.message,
        shown.category,
        frame.f_code.co_filename,
        frame.f_lineno,
        frame.f_globals.get("__name__"),
        frame.f_globals.setdefault("__warningregistry__", {}),
        frame.f_globals,
    )


def _is_ours(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    return file.startswith(_SYNCLINT) or file.endswith(_PASSING_ON)
