"""Noticing waits on a real CUDA device, without a profiler.

PyTorch's sync debug mode warns before ``cudaStreamSynchronize``. Its warnings are caught before
Python's filters can drop or deduplicate them; the Python stack at that moment is that of the call
that waits. It does not say which operator it was.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, TextIO

import torch

from synclint.verify import recording

# The message of c10::cuda::warn_or_error_on_sync, PyTorch's only one in this mode.
MESSAGE = "called a synchronizing CUDA operation"

_ABSENT = object()


class _CudaWatch:
    """The debug mode, the warning filter and the wrappers, put in place and taken away again."""

    def __init__(self) -> None:
        self._mode = 0
        self._filter: tuple[Any, ...] | None = None
        self._showwarning: Callable[..., None] | None = None
        self._wrapped: list[tuple[object, str, object]] = []

    def start(self) -> None:
        self._mode = torch.cuda.get_sync_debug_mode()
        # "always", at the front: otherwise a line warns once, and a wait in a loop is seen once.
        warnings.filterwarnings("always", message=MESSAGE)
        self._filter = warnings.filters[0]
        self._showwarning = warnings.showwarning
        warnings.showwarning = self._catch
        if self._mode == 0:
            torch.cuda.set_sync_debug_mode("warn")
        self._wrap(torch.cuda, "synchronize", _reporting("cudaDeviceSynchronize"))
        self._wrap(torch.cuda.Event, "synchronize", _reporting("cudaEventSynchronize"))
        for name in ("to", "cuda", "copy_"):
            self._wrap(torch.Tensor, name, _reporting_pageable_copies(name))

    def stop(self) -> None:
        while self._wrapped:
            owner, name, before = self._wrapped.pop()
            if before is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, before)
        torch.cuda.set_sync_debug_mode(self._mode)
        # Somebody may have replaced it meanwhile, and then it is theirs to restore.
        if warnings.showwarning == self._catch and self._showwarning is not None:
            warnings.showwarning = self._showwarning
        warnings.filters = [entry for entry in warnings.filters if entry is not self._filter]

    def _wrap(
        self, owner: object, name: str, wrapper: Callable[[Callable[..., Any]], Callable[..., Any]]
    ) -> None:
        self._wrapped.append((owner, name, vars(owner).get(name, _ABSENT)))
        setattr(owner, name, wrapper(getattr(owner, name)))

    def _catch(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        synchronizing = MESSAGE in str(message)
        if synchronizing:
            recording.publish("cudaStreamSynchronize", "unknown", simulated=False)
        # Who had switched the mode on by themselves still gets their warnings.
        if self._showwarning is not None and (not synchronizing or self._mode != 0):
            self._showwarning(message, category, filename, lineno, file, line)


def _reporting(op: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Wrap a function that waits, always, and that the debug mode does not see."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def reporting(*arguments: object, **options: object) -> object:
            recording.publish(op, "explicit", simulated=False)
            return function(*arguments, **options)

        return reporting

    return wrap


def _reporting_pageable_copies(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Wrap a method of tensors that copies: it waits, unseen, for pageable memory with ``non_blocking``."""

    def wrap(method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def reporting(tensor: torch.Tensor, *arguments: object, **options: object) -> object:
            result = method(tensor, *arguments, **options)
            if options.get("non_blocking"):
                source, target = (arguments[0], tensor) if name == "copy_" and arguments else (tensor, result)
                _judge_copy(source, target)
            return result

        return reporting

    return wrap


def _judge_copy(source: torch.Tensor, target: torch.Tensor) -> None:
    if source.is_cuda == target.is_cuda or source.numel() == 0:
        return
    upload = target.is_cuda
    if not (source if upload else target).is_pinned():
        mechanism = "host-to-device-copy" if upload else "device-to-host-copy"
        recording.publish("cudaMemcpyAsync", mechanism, simulated=False, certain=not upload)


_watch = _CudaWatch()
CUDA_SOURCE = recording.Source(_watch.start, _watch.stop)
