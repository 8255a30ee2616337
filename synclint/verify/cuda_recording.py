"""Noticing waits on a real CUDA device, without a profiler.

PyTorch's sync debug mode warns before ``cudaStreamSynchronize``. Its warnings are caught before
Python's filters can drop or deduplicate them; the Python stack at that moment is that of the call
that waits, or, for waits in a backward pass, of the call that ran it. It does not say which operator
it was. What the mode is documented not to see is wrapped where Python can reach it: below the public
functions, so that names imported earlier are covered too.

Unseen stay waits of libraries, and ``synchronize`` of a ``torch.Event`` made before the recording.
"""

from __future__ import annotations

import functools
import re
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, Protocol, SupportsIndex

import torch

from synclint.verify.distributed_warnings import hearing_distributed
from synclint.verify.operator_warnings import hearing_operators
from synclint.verify.warning_places import outside_synclint

# The message of c10::cuda::warn_or_error_on_sync, PyTorch's only one in this mode.
MESSAGE = "called a synchronizing CUDA operation"

# Functions of C that wait for the whole device, below every public name for them: torch.cuda.synchronize,
# torch.accelerator.synchronize; those that do so for each part of the cache that nothing uses: torch.cuda.empty_cache,
# torch.accelerator.memory.empty_cache.
_WAITING_FUNCTIONS = {
    "_cuda_synchronize": "cudaDeviceSynchronize",
    "_accelerator_synchronizeDevice": "cudaDeviceSynchronize",
}
_RELEASING_FUNCTIONS = ("_cuda_emptyCache", "_accelerator_emptyCache")

_ABSENT = object()
# Of the modes of torch.cuda.set_sync_debug_mode: 0 says nothing, 1 warns, 2 raises.
_WARN = 1


class _OfOurOwn:
    """A pattern that matches the warnings of what synclint itself does on a thread, and no others."""

    def __init__(self) -> None:
        self._depth = threading.local()

    @property
    def is_here(self) -> bool:
        """Whether this thread does something of synclint's."""
        return getattr(self._depth, "count", 0) > 0

    def match(self, text: str) -> bool:
        """As that of a regular expression, which Python's filters ask."""
        return self.is_here

    @contextmanager
    def within(self) -> Iterator[None]:
        """What this thread does in the block is synclint's."""
        self._depth.count = getattr(self._depth, "count", 0) + 1
        try:
            yield
        finally:
            self._depth.count -= 1


_of_our_own = _OfOurOwn()
# Programs turn warnings into errors, and would die of one that they have not caused.
_IGNORING_OUR_OWN = ("ignore", _of_our_own, Warning, None, 0)
# "always": otherwise a line warns once, and a wait in a loop is seen once.
_HEARING_WAITS = ("always", re.compile(MESSAGE, re.IGNORECASE), Warning, None, 0)


def unheard() -> AbstractContextManager[None]:
    """While a recording lasts, the program hears no warning of what this thread does in the block, nor dies of one.

    Nobody's record holds the waits in it either: a program may record its own.
    """
    return _of_our_own.within()


class _Filters(list[Any]):
    """Python's warning filters with ours always first: programs silence all warnings, and mean the others."""

    FIRST = (_IGNORING_OUR_OWN, _HEARING_WAITS)

    def __init__(self, others: Iterable[object]) -> None:
        super().__init__([*self.FIRST, *(entry for entry in others if not _is_ours(entry))])

    def insert(self, index: SupportsIndex, entry: object) -> None:
        super().insert(max(index.__index__(), len(self.FIRST)) if index.__index__() >= 0 else index, entry)

    def __getitem__(self, index: SupportsIndex | slice) -> Any:  # noqa: ANN401
        found = super().__getitem__(index)
        return _Filters(found) if isinstance(index, slice) else found

    def __setitem__(self, index: SupportsIndex | slice, value: Any) -> None:  # noqa: ANN401
        super().__setitem__(index, value)
        if isinstance(index, slice):
            super().__setitem__(slice(None), [*self.FIRST, *(entry for entry in self if not _is_ours(entry))])


def _is_ours(entry: object) -> bool:
    return entry in _Filters.FIRST


class Publish(Protocol):
    """Tells everybody who records of a wait; ``recording.publish``."""

    def __call__(self, op: str, mechanism: str, *, simulated: bool, certain: bool = True) -> None:
        """Take note that this thread waits now."""


class CudaWatch:
    """The debug mode, the warning filter and the wrappers, put in place and taken away again."""

    def __init__(self, publish: Publish) -> None:
        self._tell = publish
        self._mode = 0
        self._set_mode: Callable[[int], None] = lambda mode: None
        self._show: Callable[[Any], None] | None = None
        self._wrapped: list[tuple[object, str, object]] = []
        self._stack = ExitStack()
        self._within = threading.local()

    def start(self) -> None:
        """Begin to notice."""
        self._mode = torch.cuda.get_sync_debug_mode()
        # Below showwarning, which programs replace, and catch_warnings takes for its own: Python itself calls this one.
        self._show = warnings._showwarnmsg  # type: ignore[attr-defined]
        warnings._showwarnmsg = self._catch  # type: ignore[attr-defined]
        self.renew()
        self._set_mode = torch._C._cuda_set_sync_debug_mode
        self._replace(torch._C, "_cuda_set_sync_debug_mode", self._choose_mode)
        self._replace(torch._C, "_cuda_get_sync_debug_mode", lambda: self._mode)
        self._choose_mode(self._mode)
        for name, op in _WAITING_FUNCTIONS.items():
            if hasattr(torch._C, name):
                self._wrap(torch._C, name, self._reporting(op))
        for name in _RELEASING_FUNCTIONS:
            if hasattr(torch._C, name):
                self._wrap(torch._C, name, self._reporting_release)
        self._wrap(torch.cuda.Event, "synchronize", self._reporting("cudaEventSynchronize"))
        self._replace(torch, "Event", self._reporting_event())
        for name in ("to", "cuda", "copy_"):
            self._wrap(torch.Tensor, name, self._reporting_pageable_copies(name))
        self._wrap(torch._VF, "unique_dim", self._reporting_selection("aten::unique_dim", _is_on_device))
        self._wrap(torch._VF, "unique_consecutive", self._reporting_selection("aten::unique_consecutive", _is_along))
        self._wrap(torch.Tensor, "coalesce", self._reporting_selection("aten::_coalesce", _is_uncoalesced))
        self._stack.enter_context(hearing_operators())
        self._stack.enter_context(hearing_distributed(self._publish))

    def stop(self) -> None:
        """Leave everything as it was."""
        self._stack.close()
        while self._wrapped:
            owner, name, before = self._wrapped.pop()
            if before is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, before)
        with unheard():
            self._set_mode(self._mode)
        if self._show is not None:
            warnings._showwarnmsg = self._show  # type: ignore[attr-defined]
        warnings.filters = [entry for entry in warnings.filters if not _is_ours(entry)]

    def _choose_mode(self, mode: int) -> None:
        """What the program asks for, or finds, is what it is told of; where it wants no warnings, we do."""
        self._mode = mode
        with unheard():
            self._set_mode(max(mode, _WARN))

    def renew(self) -> None:
        """Put the filter first again, where leaving ``catch_warnings`` has brought back a list without it."""
        if not isinstance(warnings.filters, _Filters):
            # By the public function, which also lets go of what Python remembers to have shown before.
            warnings.filterwarnings("always", message=MESSAGE)
            warnings.filters = _Filters(warnings.filters)

    def _publish(self, op: str, mechanism: str, *, simulated: bool, certain: bool = True) -> None:
        if not _of_our_own.is_here:
            self._tell(op, mechanism, simulated=simulated, certain=certain)

    def _replace(self, owner: object, name: str, value: object) -> None:
        self._wrapped.append((owner, name, vars(owner).get(name, _ABSENT)))
        setattr(owner, name, value)

    def _wrap(self, owner: object, name: str, wrapper: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        self._replace(owner, name, wrapper(getattr(owner, name)))

    def _catch(self, shown: warnings.WarningMessage) -> None:
        text = str(shown.message)
        synchronizing = MESSAGE in text
        if synchronizing:
            self._publish("cudaStreamSynchronize", "unknown", simulated=False)
        # Who had switched the mode on by themselves still gets their warnings.
        if self._show is not None and (not synchronizing or self._mode != 0):
            outside_synclint(shown, self._show)

    @contextmanager
    def _outermost(self) -> Iterator[bool]:
        """Whether a wrapped function is called, on this thread, within no other one.

        Under a mode for PyTorch's functions a call comes back here, by the function's name: that is the same wait.
        """
        outermost = not getattr(self._within, "one", False)
        self._within.one = True
        try:
            yield outermost
        finally:
            self._within.one = not outermost

    def _reporting(self, op: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Wrap a function that waits, always, and that the debug mode does not see."""

        def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(function)
            def reporting(*arguments: object, **options: object) -> object:
                self._publish(op, "explicit", simulated=False)
                return function(*arguments, **options)

            return reporting

        return wrap

    def _reporting_release(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function that gives cached memory back: where nothing is given back, nothing waits."""

        @functools.wraps(function)
        def reporting(*arguments: object, **options: object) -> object:
            before = _reserved_bytes()
            result = function(*arguments, **options)
            after = _reserved_bytes()
            if before is None or after is None or after < before:
                self._publish("cudaFree", "explicit", simulated=False)
            return result

        return reporting

    def _reporting_selection(
        self, op: str, waits: Callable[..., bool]
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Wrap a function whose results have as many rows as it finds; ``waits`` judges its arguments."""

        def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(function)
            def reporting(*arguments: Any, **options: Any) -> object:  # noqa: ANN401
                will_wait = waits(*arguments, **options)
                with self._outermost() as outermost:
                    result = function(*arguments, **options)
                if outermost and will_wait:
                    self._publish(op, "data-dependent-shape", simulated=False)
                return result

            return reporting

        return wrap

    def _reporting_event(self) -> type:
        """A stand-in for ``torch.Event``, a class of C whose methods cannot be replaced."""
        original = torch.Event
        publish = self._publish

        class StillAnEvent(type):
            def __instancecheck__(cls, instance: object) -> bool:
                return isinstance(instance, original)

        class Event(original, metaclass=StillAnEvent):  # type: ignore[misc, valid-type]
            def synchronize(self) -> None:
                publish("cudaEventSynchronize", "explicit", simulated=False)
                super().synchronize()

        Event.__module__, Event.__qualname__ = original.__module__, original.__qualname__
        return Event

    def _reporting_pageable_copies(self, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Wrap a method of tensors that copies: it waits, unseen, for pageable memory with ``non_blocking``."""

        def wrap(method: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(method)
            def reporting(tensor: torch.Tensor, *arguments: object, **options: object) -> object:
                with self._outermost() as outermost:
                    result = method(tensor, *arguments, **options)
                if outermost and _is_non_blocking(arguments, options):
                    if name == "copy_":
                        source, target = (arguments[0] if arguments else options.get("src")), tensor
                    else:
                        source, target = tensor, result
                    self._judge_copy(source, target)
                return result

            return reporting

        return wrap

    def _judge_copy(self, source: torch.Tensor, target: torch.Tensor) -> None:
        if source.is_cuda == target.is_cuda or source.numel() == 0:
            return
        upload = target.is_cuda
        if not (source if upload else target).is_pinned():
            mechanism = "host-to-device-copy" if upload else "device-to-host-copy"
            self._publish("cudaMemcpyAsync", mechanism, simulated=False, certain=not upload)


def _reserved_bytes() -> int | None:
    """What PyTorch's allocator holds of all devices; None where another allocator has taken its place."""
    if not torch.cuda.is_initialized():
        return None
    try:
        held = map(torch.cuda.memory_reserved, range(torch.cuda.device_count()))
        return sum(map(int, held))
    except RuntimeError:
        return None


def _is_on_device(tensor: torch.Tensor, *arguments: object, **options: object) -> bool:
    return bool(tensor.is_cuda)


def _is_along(tensor: torch.Tensor, *arguments: object, dim: int | None = None, **options: object) -> bool:
    """Whether a call of ``_VF.unique_consecutive`` goes along a dimension; of the others the debug mode warns."""
    return bool(tensor.is_cuda) and dim is not None


def _is_uncoalesced(tensor: torch.Tensor) -> bool:
    return bool(tensor.is_cuda) and not tensor.is_coalesced()


def _is_non_blocking(arguments: tuple[object, ...], options: dict[str, object]) -> bool:
    """``non_blocking`` of a call; by position it is the first truth value in every signature of these methods."""
    if "non_blocking" in options:
        return bool(options["non_blocking"])
    return next((argument for argument in arguments if isinstance(argument, bool)), False)
