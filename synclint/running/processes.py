"""Spreads shares of work over processes, and does without the files that kill the process they are in.

A crash of native code, or a system that is out of memory, ends a process without a word. Nobody knows what it was that
ended it, so that another process begins again where nothing has been lost; only what ends two processes at the same
place is left out.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Generic, TypeVar

from synclint.running.collection import without_garbage_collection
from synclint.running.progress import Progress

Item = TypeVar("Item")
Result = TypeVar("Result")
# Takes a share of the files and tells after each how far it has come.
Work = Callable[[Sequence[Item], Progress], Result]

# A process that is told of every file as it is read would take a core from those that read them.
_SECONDS_BETWEEN_COUNTS = 0.1
_ONE_MORE_READ = b"."
_QUICKLY = 1


@dataclass(frozen=True)
class Done(Generic[Item, Result]):
    """What came of a share: one result as a rule, more where it had to be divided, none where no process has lived.

    ``left_out`` are the files that killed the processes they were in.
    """

    results: tuple[Result, ...]
    left_out: tuple[Item, ...] = ()


@dataclass(frozen=True)
class _Sent(Generic[Result]):
    """A result as a process has sent it: pickled, and compressed, since it may wait for long."""

    compressed: bytes

    def result(self) -> Result:
        """The result itself."""
        result: Result = pickle.loads(zlib.decompress(self.compressed))
        return result


@dataclass
class _Share(Generic[Item, Result]):
    """The files of one process at a time, and what has come of them.

    What the process sends through ``results`` ends its work; through ``steps`` it tells how far it has come. ``parts``
    are the files that are still to be worked on together: all of them at first, but where two processes have ended
    when they had read everything, each half.
    """

    files: tuple[Item, ...]
    work: Work[Item, Result]
    context: BaseContext | None = None
    left_out: list[Item] = field(default_factory=list)
    made: list[_Sent[Result]] = field(default_factory=list)
    died_at: set[int] = field(default_factory=set)
    read: int = 0
    counted: int = 0
    done: Callable[[], Done[Item, Result]] | None = None

    def __post_init__(self) -> None:
        self.parts = deque([self.files])

    def start(self) -> None:
        """Begin, or begin again, with the first part. Raises OSError where no process is to be had."""
        self.read = 0
        self.results, results_writer = multiprocessing.Pipe(duplex=False)
        self.steps, steps_writer = multiprocessing.Pipe(duplex=False)
        ends = _Ends((self.results, self.steps), results_writer, steps_writer)
        # Each kind of context has a class of its own for processes, which their common base does not name.
        kind: type[BaseProcess] = getattr(self.context, "Process", multiprocessing.Process)
        self.process = kind(target=_serve, args=(ends, self.work, self.parts[0]), daemon=True)
        try:
            self.process.start()
        except OSError:
            self.results.close()
            self.steps.close()
            raise
        finally:
            # The end of a pipe shows that a process has died only when nobody else could write to it.
            results_writer.close()
            steps_writer.close()

    def count(self, progress: Progress) -> None:
        """Take in how far the process has come."""
        with suppress(EOFError, OSError):
            while self.steps.poll():
                self.steps.recv_bytes()
                self.read += 1
        rest = sum(map(len, self.parts))
        self._count_up_to(len(self.files) - rest + self.read, progress)

    def receive(self, progress: Progress) -> None:
        """Take in what came of the work, or that the process is dead. Raises what was raised in it."""
        try:
            error = self.results.recv()
            sent = self.results.recv_bytes() if error is None else b""
        except (EOFError, OSError):
            self.count(progress)
            self.end()
            self._note_death()
        else:
            if error is not None:
                raise error
            self.end()
            self.made.append(_Sent(sent))
            self._next_part()
        try:
            if self.parts:
                self.start()
        except OSError:
            self.left_out += [file for part in self.parts for file in part]
            self.parts.clear()
        if not self.parts:
            self.done = self._results_sent
            self._count_up_to(len(self.files), progress)

    def _results_sent(self) -> Done[Item, Result]:
        made, self.made = self.made, []
        with without_garbage_collection():
            return Done(tuple(sent.result() for sent in made), tuple(self.left_out))

    def _note_death(self) -> None:
        """Leave out the file at which two processes have died; where both had read all of them, divide these."""
        if self.read not in self.died_at:
            self.died_at.add(self.read)
            return
        files = self.parts.popleft()
        self.died_at.clear()
        if self.read < len(files):
            self.left_out.append(files[self.read])
            rest = (*files[: self.read], *files[self.read + 1 :])
            self.parts.extendleft([rest] if rest else [])
        elif len(files) > 1:
            middle = len(files) // 2
            self.parts.extendleft([files[middle:], files[:middle]])
        else:
            self.left_out += files

    def _next_part(self) -> None:
        self.parts.popleft()
        self.died_at.clear()

    def work_here(self, progress: Progress) -> None:
        """Do the work in this process."""
        done: Done[Item, Result] = Done((self.work(self.files, progress),))
        self.done = lambda: done

    def _count_up_to(self, read: int, progress: Progress) -> None:
        if read > self.counted:
            progress(read - self.counted)
            self.counted = read

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.process.terminate()
        self.process.join()
        self.results.close()
        self.steps.close()


@dataclass(frozen=True)
class _Ends:
    """The ends of the pipes between two processes: those that the first one reads, and those that the other writes."""

    read_elsewhere: tuple[Connection, ...]
    results: Connection
    steps: Connection


def work_in_processes(
    shares: Sequence[Sequence[Item]],
    work: Work[Item, Result],
    jobs: int,
    progress: Progress,
    meanwhile: Callable[[], object] = lambda: None,
    context: BaseContext | None = None,
) -> Iterator[Done[Item, Result]]:
    """Do ``work`` on each share in a process of its own, ``jobs`` of them at a time; yields in the order of the shares.

    Where the system has fewer processes to give it makes do with those, or with this one. An exception in a process
    ends the run here, too. ``meanwhile`` is called once, here, while the first ones are busy.
    ``context`` says how processes are started: without one, as Python does.
    """
    all_shares = [_Share(tuple(files), work, context) for files in shares]
    waiting = deque(all_shares)
    running: list[_Share[Item, Result]] = []
    try:
        jobs = _start(waiting, running, jobs)
        meanwhile()
        for share in all_shares:
            # A process has all that was there when it was forked: results stay as they were sent until all are.
            while share.done is None or waiting:
                jobs = _start(waiting, running, jobs)
                if running:
                    _receive_from(running, progress)
                else:
                    waiting.popleft().work_here(progress)
                running = [other for other in running if other.done is None]
            yield share.done()
    finally:
        for share in running:
            if share.done is None:
                share.end()


def _start(waiting: deque[_Share[Item, Result]], running: list[_Share[Item, Result]], jobs: int) -> int:
    """Start what is waiting until ``jobs`` run; how many can run, which is less where the system gives no more."""
    while waiting and len(running) < jobs:
        try:
            waiting[0].start()
        except OSError:
            return max(1, len(running))
        running.append(waiting.popleft())
    return jobs


def _receive_from(shares: Sequence[_Share[Item, Result]], progress: Progress) -> None:
    ready = wait([share.results for share in shares], _SECONDS_BETWEEN_COUNTS)
    for share in shares:
        if share.results in ready:
            share.receive(progress)
        else:
            share.count(progress)


def _serve(ends: _Ends, work: Work[Item, Result], files: Sequence[Item]) -> None:
    # Where this process was forked it could read what it writes, and would wait for itself if nobody else did.
    for reader in ends.read_elsewhere:
        reader.close()
    # The terminal sends Ctrl-C to every process of the run; the first one speaks of it and ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Nobody may be left to listen.
    with suppress(BrokenPipeError):
        try:
            pickled = ForkingPickler.dumps(work(files, lambda count: ends.steps.send_bytes(_ONE_MORE_READ)))
            compressed = zlib.compress(pickled, level=_QUICKLY)
            ends.results.send(None)
            ends.results.send_bytes(compressed)
        except MemoryError:
            os._exit(1)  # there may be none to tell of it either
        except Exception as error:
            ends.results.send(error)
