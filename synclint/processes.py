"""Spreads work on files over processes, and does without the files that kill the process they are in.

A crash of the native parser, or a system that is out of memory, ends a process without a word. What it
was busy with is then left out, and another process does the rest of its share.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Generic, TypeVar

Result = TypeVar("Result")
Progress = Callable[[int], None]
# Takes files, tells after each how far it has read them, and yields a result for each in their order.
Work = Callable[[Sequence[Path], Progress], Iterator[Result]]


class _Learned:
    """What a process sends when it has read one more file."""


@dataclass
class _Share(Generic[Result]):
    """The files of one process, and what has come of them."""

    files: tuple[Path, ...]
    work: Work[Result]
    died: Callable[[Path], Result]
    left_out: dict[Path, Result] = field(default_factory=dict)
    learned: int = 0
    counted: int = 0
    results: list[Result] = field(default_factory=list)

    def start(self) -> None:
        """Begin, or begin again without the files at which a process died."""
        self.learned, self.results = 0, []
        self.pending = [path for path in self.files if path not in self.left_out]
        self.connection, writer = multiprocessing.Pipe(duplex=False)
        arguments = (writer, self.work, self.pending)
        self.process: BaseProcess = multiprocessing.Process(target=_serve, args=arguments, daemon=True)
        self.process.start()
        # The end of the pipe shows that a process has died only when nobody else could write to it.
        writer.close()

    @property
    def is_done(self) -> bool:
        """Whether there is a result for each file."""
        return len(self.results) == len(self.pending)

    def receive(self, progress: Progress) -> None:
        """Take in what the process has sent, or that it is dead. Raises what was raised in it."""
        try:
            sent = self.connection.recv()
        except (EOFError, OSError):
            culprit = self.pending[len(self.results) if self.learned == len(self.pending) else self.learned]
            self.left_out[culprit] = self.died(culprit)
            self.end()
            self.start()
            return
        if isinstance(sent, BaseException):
            raise sent
        if isinstance(sent, _Learned):
            self.learned += 1
            if self.learned > self.counted:
                self.counted += 1
                progress(1)
        else:
            self.results.append(sent)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.process.terminate()
        self.process.join()
        self.connection.close()

    def in_order(self) -> Iterator[Result]:
        """The results of all files, those that were left out in their places."""
        results = iter(self.results)
        for path in self.files:
            yield self.left_out[path] if path in self.left_out else next(results)


def work_in_processes(
    shares: Sequence[Sequence[Path]],
    work: Work[Result],
    died: Callable[[Path], Result],
    progress: Progress,
) -> Iterator[Result]:
    """Do ``work`` on each share in a process of its own; yields the results in the order of the files.

    ``died`` says what is the result of a file at which a process died. An exception in a process ends
    the run here, too.
    """
    started: list[_Share[Result]] = []
    try:
        for files in shares:
            share = _Share(tuple(files), work, died)
            share.start()
            started.append(share)
        for share in started:
            while not share.is_done:
                _receive_from([other for other in started if not other.is_done], progress)
            yield from share.in_order()
    finally:
        for share in started:
            share.end()


def _receive_from(shares: Sequence[_Share[Result]], progress: Progress) -> None:
    ready = wait([share.connection for share in shares])
    for share in shares:
        if share.connection in ready:
            share.receive(progress)


def _serve(writer: Connection, work: Work[Result], files: Sequence[Path]) -> None:
    # The terminal sends Ctrl-C to every process of the run; the first one speaks of it and ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Nobody may be left to listen.
    with suppress(BrokenPipeError):
        try:
            for result in work(files, lambda count: writer.send(_Learned())):
                writer.send(result)
        except Exception as error:
            writer.send(error)
