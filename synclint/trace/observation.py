"""From what the verifier's recorder notices to a wait on the user's own line."""

from __future__ import annotations

import threading

from synclint.regions import is_allowed
from synclint.trace.ownership import Owner, Ownership, blame
from synclint.trace.records import CodeLine, ObservedWait, Origin
from synclint.verify.autograd_threads import RUNS_BACKWARD, starter
from synclint.verify.recording import METHODS_IN_C, SyncRecord


def observed(sync: SyncRecord, ownership: Ownership) -> ObservedWait:
    """The wait with our own frames left out of its stack, laid to the user's line and the library's beneath it.

    To be called on the thread that waits.
    """
    stack = tuple(
        CodeLine(frame.file, frame.line, frame.function)
        for frame in sync.stack
        if ownership.of(frame.file) is not Owner.SYNCLINT
    )
    blamed = blame(stack, ownership)
    # Waits of autograd's threads are announced where the user's code started the backward pass.
    beneath = stack[stack.index(blamed.place) :] if blamed.place in stack else ()
    started = starter()
    backward = any(place.function == RUNS_BACKWARD for place in beneath)
    return ObservedWait(
        place=blamed.place,
        library=None if backward else blamed.library,
        stack=stack,
        op=sync.op,
        mechanism=sync.mechanism,
        # Where nothing of PyTorch's Python lies between, the recorder names a method in C that may be meant.
        via="" if sync.mechanism == "unknown" and sync.via in METHODS_IN_C.values() else sync.via,
        operators=sync.operators,
        origin=Origin.BACKWARD if backward else Origin.PYTHON,
        thread=threading.current_thread().name,
        certain=sync.certain,
        allowed=is_allowed(threading.get_ident()) or (started is not None and is_allowed(started.thread)),
    )
