"""``synclint.sync_free`` and ``synclint.sync_allowed``: what programs say of their own waits.

They need nothing of the program. ``sync_free`` gives back the function as it is; ``sync_allowed`` counts, for those who
watch a run, that a thread is in a region.
"""

from __future__ import annotations

from threading import get_ident
from types import TracebackType
from typing import TypeVar

Function = TypeVar("Function")

# How many regions a thread is in, for threads that are in one.
_entered: dict[int, int] = {}


def sync_free(function: Function) -> Function:
    """Declare that nothing reached from a function may wait for the device.

    ``synclint check`` proves it, or reports each wait that breaks it; ``@pytest.mark.sync_free`` and ``synclint trace``
    check it when the function runs, by the text of its file. The function is given back as it is.
    """
    return function


class sync_allowed:  # noqa: N801  (it is used like a function)
    """``with sync_allowed("reason"):`` accepts the waits of a block, and of what it calls."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __enter__(self) -> None:
        thread = get_ident()
        _entered[thread] = _entered.get(thread, 0) + 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        thread = get_ident()
        left = _entered[thread] - 1
        if left:
            _entered[thread] = left
        else:
            del _entered[thread]


def is_allowed(thread: int) -> bool:
    """Whether a thread, by its ``get_ident()``, is in a region that accepts waits."""
    return thread in _entered
