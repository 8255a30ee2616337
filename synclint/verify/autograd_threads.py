"""From a thread of autograd's to the thread for whose backward pass it works.

What runs on the device in a backward pass, and with it hooks and ``backward`` of the user's own functions, runs on
threads of C++ (torch/csrc/autograd/engine.cpp). The one that has started the pass waits for them meanwhile, in
``_engine_run_backward`` (torch/autograd/graph.py).
"""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from types import FrameType

import torch

RUNS_BACKWARD = "_engine_run_backward"


@dataclass(frozen=True)
class Starter:
    """A thread, by the number that Python gives to it, and its innermost frame."""

    thread: int
    frame: FrameType


def starter() -> Starter | None:
    """Who has started the backward pass for which this thread works; None where it is none of autograd's.

    Also None where several passes run at once: nobody knows to which of them the thread belongs.
    """
    if torch._C._current_autograd_node() is None:
        return None
    own = {thread.ident for thread in threading.enumerate() if not isinstance(thread, threading._DummyThread)}
    if threading.get_ident() in own:
        return None
    waiting = [
        Starter(thread, frame)
        for thread, frame in sys._current_frames().items()
        if thread in own and _runs_backward(frame)
    ]
    return waiting[0] if len(waiting) == 1 else None


def _runs_backward(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == RUNS_BACKWARD:
            return True
        frame = frame.f_back
    return False
