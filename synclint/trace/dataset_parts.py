"""What a dataset spends a batch's time on: fetching, transforming, putting together; by the functions that it calls.

No names are assumed: a part is whatever the dataset itself calls, where it is asked for an item, and the loader behind
it. Only loaders without workers are watched, since the others fetch in processes of their own; and only some batches,
with ``sys.setprofile``, which makes a batch of many small calls slower.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from synclint.trace.records import NOWHERE, CodeLine, DatasetPart

# How a dataset is asked for an item; such a method of another dataset's is asked in turn.
_ASKED = frozenset({"__getitem__", "__getitems__", "__iter__", "__next__"})
# Batches that are watched for each loader: the first may open files, the others tell.
_MOST_BATCHES = 6
# A part below this share of its batch is not told.
_LEAST_SHARE = 0.01


@dataclass
class _Call:
    """A call that is running: of a dataset that is asked for an item, or, with ``part``, of something that it calls."""

    asks: bool
    part: CodeLine | None = None
    began: int = 0


class DatasetParts:
    """Sums up what the parts of a batch take; ``is_watched`` says whether batches are looked at now."""

    def __init__(self, is_watched: Callable[[], bool], clock: Callable[[], int] = time.perf_counter_ns) -> None:
        self._is_watched = is_watched
        self._clock = clock
        self._batches: dict[CodeLine, int] = {}
        self._seconds: dict[CodeLine, dict[CodeLine, float]] = {}
        self._running: list[_Call] = []

    @contextmanager
    def batch(self, iterator: Any, loader: CodeLine) -> Iterator[None]:  # noqa: ANN401 -- a class of PyTorch's own
        """The block fetches a batch; ``loader`` is the user's line that asks for it."""
        wanted = (
            self._is_watched()
            and not getattr(iterator, "_num_workers", 1)
            and self._batches.get(loader, 0) < _MOST_BATCHES
            and sys.getprofile() is None
        )
        if not wanted:
            yield
            return
        self._running = []
        sums = self._seconds.setdefault(loader, {})
        sys.setprofile(lambda frame, event, argument: self._called(frame, event, argument, sums))
        try:
            yield
        finally:
            sys.setprofile(None)
        # An exception tells that there are no more, or that this one could not be made.
        self._batches[loader] = self._batches.get(loader, 0) + 1

    def parts(self) -> tuple[DatasetPart, ...]:
        """What was seen, for each loader what takes longest first."""
        found = []
        for loader, sums in self._seconds.items():
            batches, total = self._batches.get(loader, 0), sum(sums.values())
            for place, seconds in sorted(sums.items(), key=lambda one: -one[1]):
                if batches and seconds >= _LEAST_SHARE * total:
                    found.append(DatasetPart(loader, place, seconds / batches))
        return tuple(found)

    def _called(self, frame: FrameType, event: str, argument: object, sums: dict[CodeLine, float]) -> None:
        running = self._running
        if event == "call":
            asks = _asks(frame)
            if asks and running and not running[-1].asks:
                # `next(iterator)` is but the way to the dataset.
                running[-1].part = None
            running.append(_Call(asks, None if asks else self._part(_place(frame.f_code))))
        elif event == "c_call":
            running.append(_Call(False, self._part(_place_in_c(argument))))
        elif running:
            ended = running.pop()
            if ended.part is not None:
                sums[ended.part] = sums.get(ended.part, 0.0) + (self._clock() - ended.began) / 1e9
            return
        if running:
            running[-1].began = self._clock()

    def _part(self, place: CodeLine) -> CodeLine | None:
        """The place, if what is called there is called by a dataset itself."""
        return place if self._running and self._running[-1].asks else None


def _asks(frame: FrameType) -> bool:
    """Whether a frame is a dataset's that is asked for an item, or that of the loader who asks."""
    from torch.utils.data import Dataset
    from torch.utils.data._utils import fetch

    code = frame.f_code
    if code.co_filename == fetch.__file__:
        return True
    if code.co_name not in _ASKED or not code.co_argcount:
        return False
    return isinstance(frame.f_locals.get(code.co_varnames[0]), Dataset)


def _place(code: CodeType) -> CodeLine:
    return CodeLine(code.co_filename, code.co_firstlineno, getattr(code, "co_qualname", code.co_name))


def _place_in_c(function: object) -> CodeLine:
    name = getattr(function, "__qualname__", "") or type(function).__name__
    module = getattr(function, "__module__", None)
    return CodeLine(NOWHERE.file, NOWHERE.line, f"{module}.{name}" if module and module != "builtins" else name)
