"""From what the verifier's recorder notices to a wait on the user's own line."""

from __future__ import annotations

import threading

from synclint.trace.ownership import Owner, Ownership, blame
from synclint.trace.records import ObservedWait, Place
from synclint.verify.recording import SyncRecord


def observed(sync: SyncRecord, ownership: Ownership) -> ObservedWait:
    """The wait with our own frames left out of its stack, laid to the user's line and the library's beneath it.

    To be called on the thread that waits.
    """
    stack = tuple(
        Place(frame.file, frame.line, frame.function)
        for frame in sync.stack
        if ownership.of(frame.file) is not Owner.SYNCLINT
    )
    blamed = blame(stack, ownership)
    return ObservedWait(
        place=blamed.place,
        library=blamed.library,
        stack=stack,
        op=sync.op,
        mechanism=sync.mechanism,
        via=sync.via,
        operators=sync.operators,
        thread=threading.current_thread().name,
        certain=sync.certain,
    )
