"""Other processes that the traced program starts: nothing that happens in them is recorded, and the report says so."""

from __future__ import annotations

import functools
import multiprocessing
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

# Whose workers prepare batches on the host: that is theirs to do, and they use no device.
_LOADERS = "torch.utils.data."
# Processes of PyTorch's that compile kernels.
_COMPILING = "_inductor"
_PYTHON = re.compile(r"python[\d.]*(\.exe)?$|torchrun$|accelerate$")


class ChildProcesses:
    """Counts processes between ``start`` and ``stop``: forked, of ``multiprocessing``, and those that run Python."""

    def __init__(self) -> None:
        self.count = 0
        self._begun_anew = False
        self._programs = 0
        self._on = False
        self._thread = threading.local()
        self._restore: list[tuple[Any, str, Any]] = []

    def start(self) -> None:
        """Begin to count."""
        self._on = True
        self._replace(BaseProcess, "start", self._starting)
        self._replace(subprocess.Popen, "__init__", self._opening)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_parent=self._forked)

    def notes(self, *, simulated: bool) -> tuple[str, ...]:
        """What the report says of them; a copy of this process has the simulated device as well, and no other has."""
        if not self.count:
            return ()
        were = "1 process that it started was" if self.count == 1 else f"{self.count} processes that it started were"
        note = f"{were} not recorded: what waits there is missing here (under `torchrun` each rank writes a report)"
        more = []
        if self._programs:
            more.append("to record a program that another one starts, put `synclint trace` before its name there")
        if simulated and self._begun_anew:
            more.append(
                "a process that was started by spawn or forkserver had no simulated device, only forked ones have"
            )
        return (note, *more)

    def stop(self) -> None:
        """Leave everything as it was."""
        self._on = False
        while self._restore:
            owner, name, before = self._restore.pop()
            setattr(owner, name, before)

    def _replace(self, owner: Any, name: str, wrap: Any) -> None:  # noqa: ANN401 -- a class of Python's
        before = getattr(owner, name)
        self._restore.append((owner, name, before))
        setattr(owner, name, functools.wraps(before)(wrap(before)))

    def _starting(self, original: Any) -> Any:  # noqa: ANN401 -- a method of Python's
        def starting(process: BaseProcess) -> None:
            target = getattr(process, "_target", None)
            if not str(getattr(target, "__module__", "")).startswith(_LOADERS):
                self.count += 1
                self._begun_anew = self._begun_anew or _begins_anew(process)
            with self._counted():
                original(process)

        return starting

    def _opening(self, original: Any) -> Any:  # noqa: ANN401 -- a method of Python's
        def opening(process: object, args: Any, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
            if _runs_python(args):
                self.count += 1
                self._programs += 1
            with self._counted():
                original(process, args, *arguments, **options)

        return opening

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Within the block, a fork of this thread is one that has been counted, or is not to be."""
        before = getattr(self._thread, "counted", False)
        self._thread.counted = True
        try:
            yield
        finally:
            self._thread.counted = before

    def _forked(self) -> None:
        if self._on and not getattr(self._thread, "counted", False):
            self.count += 1


def _begins_anew(process: BaseProcess) -> bool:
    """Whether it gets an interpreter of its own, instead of a copy of this one."""
    method = getattr(process, "_start_method", None) or multiprocessing.get_start_method()
    return str(method) != "fork"


def _runs_python(arguments: object) -> bool:
    """Whether what ``subprocess`` is given is a command that runs a program in Python."""
    words = [arguments] if isinstance(arguments, (str, bytes, os.PathLike)) else arguments
    if not isinstance(words, Sequence) or not words:
        return False
    first, *others = [os.fsdecode(word) for word in words if isinstance(word, (str, bytes, os.PathLike))] or [""]
    program = first.split()[0] if isinstance(arguments, str) and first.split() else first
    is_python = program == sys.executable or _PYTHON.match(Path(program).name) is not None
    return is_python and not any(_COMPILING in word for word in others)
