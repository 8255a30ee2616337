"""Run cases in a worker process with a time limit, and keep what it measured however it ended."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType

from synclint.verify.cases import Case
from synclint.verify.measurement import (
    Environment,
    Failure,
    FailureKind,
    Measurement,
)
from synclint.verify.worker import Done, Job, Ready, Stage, Unable, serve

# The first start on a simulated device compiles it.
START_LIMIT_SECONDS = 600.0

_SHOWN_LOG_LINES = 1


class DeviceUnavailableError(Exception):
    """There is nothing to measure on; the message says why."""


class Workshop:
    """A worker process that measures one case after the other and is replaced when one ends it.

    Use it as a context manager. ``limit`` is the seconds that one case may take.
    """

    def __init__(self, device: str, limit: float) -> None:
        self._device = device
        self._limit = limit
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._scratch = tempfile.TemporaryDirectory(prefix="synclint-verify-")
        self._log = Path(self._scratch.name) / "output.txt"

    def __enter__(self) -> Workshop:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        self._scratch.cleanup()

    def start(self) -> Environment:
        """Start the worker and wait for its device. Raises DeviceUnavailableError."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._log.write_bytes(b"")
        # Not a daemon: cases may start processes of their own, such as a loader's workers.
        process = context.Process(target=serve, args=(theirs, self._device, str(self._log)))
        process.start()
        theirs.close()
        self._process, self._connection = process, ours
        try:
            answer = ours.recv() if ours.poll(START_LIMIT_SECONDS) else None
        except EOFError:
            answer = Unable(f"the worker {self._end_of_worker()}")
        if isinstance(answer, Ready):
            return answer.environment
        self._stop()
        if isinstance(answer, Unable):
            raise DeviceUnavailableError(answer.message)
        raise DeviceUnavailableError(f"the device did not start within {START_LIMIT_SECONDS:.0f} s")

    def measure(
        self, case: Case, trace_path: Path | None, announce: Callable[[str], None] = lambda stage: None
    ) -> Measurement:
        """Measure a case. Its hang, crash or exception is a Failure in what comes back.

        Raises DeviceUnavailableError if the worker had to be replaced and could not be.
        """
        if self._connection is None:
            self.start()
        assert self._connection is not None
        self._connection.send(Job(case, trace_path))
        deadline = time.monotonic() + self._limit
        measured = Measurement()
        stage = "loading"
        while True:
            try:
                if not self._connection.poll(max(0.0, deadline - time.monotonic())):
                    self._stop()
                    message = f"did not finish within {self._limit:g} s"
                    return measured.with_record(Failure(FailureKind.TIMED_OUT, stage, message))
                record = self._connection.recv()
            except (EOFError, ConnectionError):
                message = f"the process {self._end_of_worker()}"
                return measured.with_record(Failure(FailureKind.CRASHED, stage, message))
            if isinstance(record, Stage):
                stage = record.name
                announce(stage)
            elif isinstance(record, Done):
                if record.lost:
                    self._stop()
                return measured
            else:
                measured = measured.with_record(record)

    def _end_of_worker(self) -> str:
        """How the worker ended, with the last line that it wrote."""
        assert self._process is not None
        # Not joined yet: until it is, nobody else can get its number, which is also its group's.
        wait([self._process.sentinel], 10)
        process = self._process
        self._stop()
        status = process.exitcode
        if status is not None and status < 0:
            how = f"was ended by {signal.Signals(-status).name}"
        else:
            how = f"ended with status {status}"
        lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return "; ".join([how, *lines[-_SHOWN_LOG_LINES:]])

    def _stop(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            _end_group(self._process)
        self._process = self._connection = None


def _end_group(process: multiprocessing.process.BaseProcess) -> None:
    """End the worker and whatever its cases started, such as the processes of a loader."""
    process.kill()
    if hasattr(os, "killpg") and process.pid is not None:
        # There is no such group where the worker ended before it had made one.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.join()
