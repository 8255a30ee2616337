"""What the host is busy with: its loader, the backward pass, the optimizer; timed by wrappers around them."""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any

from synclint.trace.dataset_parts import DatasetParts
from synclint.trace.ownership import Owner, Ownership
from synclint.trace.recorders import Interval
from synclint.trace.records import NOWHERE, Action, ActionTime, CodeLine, LoaderFacts

if TYPE_CHECKING:
    from torch.utils.data import DataLoader


# Functions of torch.distributed that return when the other processes have come as far.
_COLLECTIVES = (
    "all_reduce", "all_gather", "all_gather_into_tensor", "all_gather_object", "all_to_all", "all_to_all_single",
    "barrier", "broadcast", "broadcast_object_list", "gather", "gather_object", "monitored_barrier", "recv", "reduce",
    "reduce_scatter", "reduce_scatter_tensor", "scatter", "scatter_object_list", "send",
)  # fmt: skip


class Activities:
    """Sums up what each step's actions took, and keeps the intervals of those of which ``is_drawn`` says so."""

    def __init__(self, ownership: Ownership, is_drawn: Callable[[], bool]) -> None:
        self.step = 0
        self._is_drawn = is_drawn
        self.intervals: list[Interval] = []
        self.loaders: dict[CodeLine, LoaderFacts] = {}
        self._ownership = ownership
        self._times: dict[tuple[Action, int, CodeLine], list[float]] = {}
        self._open = threading.local()
        self._lock = threading.Lock()

    def times(self) -> tuple[ActionTime, ...]:
        """The sums."""
        with self._lock:
            return tuple(
                ActionTime(action, step, seconds, int(calls), place)
                for (action, step, place), (seconds, calls) in self._times.items()
            )

    def begin(self, action: Action) -> None:
        """``action`` begins on this thread; what begins within another action belongs to that."""
        stack = self._stack()
        stack.append((action, time.time_ns(), user_place(sys._getframe(1), self._ownership) if not stack else NOWHERE))

    def end(self) -> None:
        """The action that began last on this thread is over."""
        self._close(1)

    def pause(self) -> None:
        """It goes on later, with another ``begin``; what happens until then is something else."""
        self._close(0)

    def _close(self, calls: int) -> None:
        stack = self._stack()
        if not stack:
            return
        action, start, place = stack.pop()
        if stack:
            return
        end = time.time_ns()
        with self._lock:
            sums = self._times.setdefault((action, self.step, place), [0.0, 0])
            sums[0] += (end - start) / 1e9
            sums[1] += calls
            if self._is_drawn():
                self.intervals.append(Interval(action, self.step, threading.get_native_id(), start, end, place, calls))

    def abandon(self) -> None:
        """What is open on this thread did not come to its end as it should."""
        self._stack().clear()

    def _stack(self) -> list[tuple[Action, int, CodeLine]]:
        if not hasattr(self._open, "stack"):
            self._open.stack = []
        stack: list[tuple[Action, int, CodeLine]] = self._open.stack
        return stack


def user_place(frame: FrameType | None, ownership: Ownership) -> CodeLine:
    """The innermost line of the user's code from ``frame`` outwards."""
    while frame is not None:
        if ownership.of(frame.f_code.co_filename) is Owner.USER:
            return CodeLine(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
        frame = frame.f_back
    return NOWHERE


class Wrappers:
    """Functions of PyTorch with a clock around them; taken away by ``stop``.

    ``cache_batches`` makes every loader fetch so many batches and hand out those again for the rest of its length.
    """

    def __init__(
        self, activities: Activities, ownership: Ownership, parts: DatasetParts, cache_batches: int = 0
    ) -> None:
        self._activities = activities
        self._parts = parts
        self._ownership = ownership
        self._cache_batches = cache_batches
        self._replaced: list[tuple[object, str, object]] = []

    def start(self) -> None:
        """Put them in place."""
        import torch
        from torch.utils.data import DataLoader
        from torch.utils.data.dataloader import _BaseDataLoaderIter

        self._wrap(torch.autograd, "backward", Action.BACKWARD)
        self._wrap(torch.autograd, "grad", Action.BACKWARD)
        fetch = _BaseDataLoaderIter.__next__

        def fetching(iterator: Any) -> object:  # noqa: ANN401 -- a class of PyTorch's own
            self._activities.begin(Action.LOADER)
            try:
                with self._parts.batch(iterator, user_place(sys._getframe(1), self._ownership)):
                    return fetch(iterator)
            finally:
                self._activities.end()

        self._replace(_BaseDataLoaderIter, "__next__", fetching)
        if torch.distributed.is_available():
            for name in _COLLECTIVES:
                if hasattr(torch.distributed, name):
                    self._wrap(torch.distributed, name, Action.COLLECTIVE)
        iterate = DataLoader.__iter__

        def iterating(loader: DataLoader) -> Iterator[Any]:
            self._note(loader)
            self._activities.begin(Action.LOADER)
            try:
                made: Iterator[Any] = iterate(loader)
            finally:
                self._activities.end()
            return self._replayed(loader, made) if self._cache_batches else made

        self._replace(DataLoader, "__iter__", iterating)

    def stop(self) -> None:
        """Leave everything as it was."""
        while self._replaced:
            owner, name, before = self._replaced.pop()
            setattr(owner, name, before)

    def _replace(self, owner: object, name: str, value: object) -> None:
        self._replaced.append((owner, name, vars(owner)[name]))
        setattr(owner, name, value)

    def _wrap(self, owner: object, name: str, action: Action) -> None:
        function: Callable[..., Any] = getattr(owner, name)
        activities = self._activities

        def timed(*arguments: object, **options: object) -> object:
            activities.begin(action)
            try:
                return function(*arguments, **options)
            finally:
                activities.end()

        timed.__name__, timed.__qualname__, timed.__doc__ = (
            name,
            getattr(function, "__qualname__", name),
            function.__doc__,
        )
        timed.__module__ = function.__module__
        self._replace(owner, name, timed)

    def _note(self, loader: DataLoader) -> None:
        place = user_place(sys._getframe(2), self._ownership)
        self._activities.loaders[place] = LoaderFacts(
            place,
            num_workers=int(loader.num_workers),
            pin_memory=bool(loader.pin_memory),
            persistent_workers=bool(loader.persistent_workers),
            prefetch_factor=loader.prefetch_factor,
            batch_size=loader.batch_size if isinstance(loader.batch_size, int) else None,
        )

    def _replayed(self, loader: DataLoader, made: Iterator[Any]) -> Iterator[Any]:
        kept = list(itertools.islice(made, self._cache_batches))
        try:
            length: int | None = len(loader)
        except TypeError:
            length = None
        del made
        replay = itertools.cycle(kept)
        return replay if length is None else itertools.islice(replay, length)
