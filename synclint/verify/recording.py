"""Recording where the host waits for the device, on a real one and on the simulated one.

``record_syncs`` is what everything else stands on: the verifier, ``trace``, and tests that people
write about their own code.

On the simulated device every wait is seen, with the operator that caused it. On CUDA the record is
drawn from ``torch.cuda.set_sync_debug_mode("warn")``, which sees ``cudaStreamSynchronize`` below
PyTorch's own helpers, and from wrappers around what it is documented not to see and Python can:
``synchronize`` of the device and of events, ``empty_cache`` and ``non_blocking`` copies of pageable memory.
"""

from __future__ import annotations

import site
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import torch

from synclint.verify.autograd_threads import starter

if TYPE_CHECKING:
    from synclint.verify.cuda_recording import CudaWatch

TORCH = str(Path(torch.__file__).parent)
# What notices waits, and what watches calls for the tracer: neither is ever the place of a wait.
OWN = (str(Path(__file__).parent), str(Path(__file__).parents[1] / "trace"))

# Between a public function of PyTorch and the operator it calls: frames that only pass calls on.
PLUMBING = (
    "_ops.py",
    "_jit_internal.py",
    "_contextlib.py",
    "overrides.py",
    "_tensor_str.py",
    "_dynamo/",
    "utils/_device.py",
)
PASSING_ON = frozenset({"decorate_context", "wrapped", "wrapper", "fn"})

# Methods written in C leave no Python frame, and these run no operator either.
METHODS_IN_C = {
    "cudaStreamSynchronize": "torch.cuda.Stream.synchronize",
    "cudaEventSynchronize": "torch.cuda.Event.synchronize",
}


@dataclass(frozen=True)
class StackFrame:
    """One call on the Python stack; ``line`` counts from 1."""

    file: str
    line: int
    function: str


@dataclass(frozen=True)
class SyncRecord:
    """One wait of the host.

    ``op`` is the operator or the CUDA function that waits ("aten::nonzero", "cudaDeviceSynchronize");
    ``mechanism`` is one of the catalogue's, or "unknown" where only CUDA's debug mode saw it. ``file``,
    ``line`` and ``function`` are the place to blame: the innermost frame of the code under test, with
    line 0 where the waiting thread ran no Python. ``stack`` is the Python stack from the outside in, and
    ``via`` the public function of PyTorch that was called there, or the outermost operator where the
    call went straight into C++. ``operators`` are those being run, from the outside in; empty on CUDA.
    ``certain`` is False for an upload from pageable memory with ``non_blocking=True``: PyTorch does not
    wait, and the driver does where its staging buffers do not hold the data.
    """

    op: str
    mechanism: str
    file: str
    line: int
    function: str
    stack: tuple[StackFrame, ...]
    via: str
    simulated: bool
    certain: bool = True
    operators: tuple[str, ...] = ()


@dataclass(frozen=True)
class Source:
    """Something that notices waits and calls ``publish``; on only while somebody records."""

    start: Callable[[], None]
    stop: Callable[[], None]


@dataclass(frozen=True, eq=False)
class _Recording:
    take: Callable[[SyncRecord], None]
    within: tuple[str, ...]


_lock = threading.RLock()
_sources: list[Source] = []
_recordings: list[_Recording] = []


def add_source(source: Source) -> None:
    """Have ``source`` started with the first recording and stopped after the last."""
    with _lock:
        _sources.append(source)
        if _recordings:
            source.start()


@contextmanager
def record_syncs(within: str | Path | Sequence[str | Path] | None = None) -> Iterator[list[SyncRecord]]:
    """Record every wait of the host for the device, of any thread, while the block runs.

    Yields a list that grows as waits happen. Recordings nest: each sees everything that happens inside
    it. ``within`` names files or folders whose innermost frame is to blame for a wait; without it that
    is the innermost frame of neither PyTorch, the standard library nor an installed package, so that a
    wait inside a library is blamed on the line that called it.

    On a real CUDA device the sync debug mode is set to "warn" meanwhile and restored on exit; the
    warnings are taken for the record and not shown, unless the mode was on before.
    """
    syncs: list[SyncRecord] = []
    with hearing_syncs(syncs.append, within):
        yield syncs


@contextmanager
def hearing_syncs(
    take: Callable[[SyncRecord], None], within: str | Path | Sequence[str | Path] | None = None
) -> Iterator[None]:
    """Hand every wait to ``take`` as it happens, on the thread that waits; otherwise as ``record_syncs``.

    For runs that are too long to keep every record. An exception from ``take`` comes up in the code that waits.
    """
    roots = () if within is None else (within,) if isinstance(within, (str, Path)) else tuple(within)
    recording = _Recording(take, tuple(str(Path(root).resolve()) for root in roots))
    with _lock:
        _watch_cuda()
        _recordings.append(recording)
        if len(_recordings) == 1:
            for source in _sources:
                source.start()
    try:
        yield
    finally:
        with _lock:
            _recordings.remove(recording)
            if not _recordings:
                for source in reversed(_sources):
                    source.stop()


def publish(
    op: str,
    mechanism: str,
    *,
    simulated: bool,
    certain: bool = True,
    operators: Sequence[str] = (),
) -> None:
    """Tell everybody who records that this thread waits now, or would on a real device."""
    frames = _python_frames()
    stack = tuple(StackFrame(f.f_code.co_filename, f.f_lineno, f.f_code.co_name) for f in frames)
    for recording in tuple(_recordings):
        blamed = _blamed(stack, recording.within)
        place = stack[blamed] if blamed is not None else StackFrame("", 0, "")
        called = _public_function(frames[blamed + 1 :]) if blamed is not None else None
        recording.take(
            SyncRecord(
                op=op,
                mechanism=mechanism,
                file=place.file,
                line=place.line,
                function=place.function,
                stack=stack,
                via=called or (operators[0] if operators else METHODS_IN_C.get(op, op)),
                simulated=simulated,
                certain=certain,
                operators=tuple(operators),
            )
        )


def _python_frames() -> list[FrameType]:
    """The stack of this thread from the outside in, without our own end of it.

    That of a thread of autograd's goes on where the backward pass was started.
    """
    started = starter()
    frames: list[FrameType] = []
    for innermost in (sys._getframe(1), started.frame if started else None):
        frame: FrameType | None = innermost
        while frame is not None:
            if frames or not _is_below(frame.f_code.co_filename, OWN):
                frames.append(frame)
            frame = frame.f_back
    frames.reverse()
    return frames


def _is_below(file: str, roots: Sequence[str]) -> bool:
    return any(file == root or file.startswith(root.rstrip("/") + "/") for root in roots)


def _library_roots() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    roots = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    return (*roots, *site.getsitepackages(), site.getusersitepackages(), *OWN, TORCH)


LIBRARIES = _library_roots()


def _blamed(stack: Sequence[StackFrame], within: Sequence[str]) -> int | None:
    """The index of the frame to blame, None where no frame is anybody's but PyTorch's."""
    inside_out = range(len(stack) - 1, -1, -1)
    if within:
        for index in inside_out:
            if _is_below(str(Path(stack[index].file).resolve()), within):
                return index
    for index in inside_out:
        file = stack[index].file
        if not file.startswith("<frozen ") and not _is_below(file, LIBRARIES):
            return index
    for index in inside_out:
        if not _is_below(stack[index].file, (TORCH, *OWN)):
            return index
    return None


def _public_function(frames: Sequence[FrameType]) -> str | None:
    """The first function of PyTorch among ``frames`` that does more than pass a call on."""
    for frame in frames:
        code = frame.f_code
        private = code.co_name.startswith("_") and not code.co_name.startswith("__")
        if private or code.co_name in PASSING_ON or not _is_below(code.co_filename, (TORCH,)):
            continue
        if code.co_filename[len(TORCH) + 1 :].startswith(PLUMBING):
            continue
        return _qualified_name(frame)
    return None


def _qualified_name(frame: FrameType) -> str:
    name = frame.f_code.co_name
    if "self" in frame.f_locals:
        owner = type(frame.f_locals["self"])
        return f"{_public_module(owner.__module__, owner.__name__)}.{owner.__name__}.{name}"
    return f"{_public_module(frame.f_globals.get('__name__', 'torch'), name)}.{name}"


def _public_module(module: str, name: str) -> str:
    """The shortest package that has ``name`` of ``module`` too: "torch" for torch.functional's unique."""
    defined = getattr(sys.modules.get(module), name, None)
    packages = module.split(".")
    for length in range(1, len(packages)):
        package = ".".join(packages[:length])
        if defined is not None and getattr(sys.modules.get(package), name, None) is defined:
            return package
    return module


@cache
def _cuda_watch() -> CudaWatch:
    from synclint.verify.cuda_recording import CudaWatch

    return CudaWatch(lambda *what, **how: publish(*what, **how))


@cache
def _cuda_source() -> Source:
    return Source(_cuda_watch().start, _cuda_watch().stop)


def renew_cuda_recording() -> None:
    """Make sure that nothing the program has done to Python's warnings keeps waits on CUDA from being noticed.

    To be called now and then while a recording lasts.
    """
    with _lock:
        if _recordings and _cuda_source() in _sources:
            _cuda_watch().renew()


def _watch_cuda() -> None:
    """Add the source for real CUDA devices, once, if PyTorch was built for them."""
    if torch.version.cuda is None or not torch.cuda.is_available():
        return
    if _cuda_source() not in _sources:
        _sources.append(_cuda_source())
