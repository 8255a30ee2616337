"""Checks open files in the background: soon by themselves, and with all of the project when nobody types any more."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic

from synclint.api import FilesNotCheckedError, Finding, Project, SynclintError
from synclint.results.expression_facts import FileFacts

# A pause in typing, and a longer one, after which the whole project is looked at.
SECONDS_BEFORE_PREVIEW = 0.05
SECONDS_BEFORE_ALL = 0.6
# Where all of a project is checked in this time there is no need for anything that is not quite right.
SECONDS_OF_A_SMALL_PROJECT = 0.3


class _SupersededError(Exception):
    """Somebody has typed, or has cancelled: what is being made is of no use any more."""


@dataclass(frozen=True)
class Listener:
    """What is told of a run: findings by file, that a long run begins and ends, and what went wrong."""

    found: Callable[[Path, Sequence[Finding]], None]
    began: Callable[[], None]
    ended: Callable[[], None]
    failed: Callable[[str], None]


@dataclass
class Checks:
    """The background work for one project; all methods but those of the listener are called in the event's loop."""

    root: Path
    settings: Mapping[str, object]
    listener: Listener
    texts: dict[Path, str] = field(default_factory=dict)
    _project: Project | None = None
    _task: asyncio.Task[None] | None = None
    _turn: int = 0
    _touched: set[Path] = field(default_factory=set)
    _last_seconds: float = float("inf")
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "synclint"))
    _pending: list[Callable[[Project], None]] = field(default_factory=list)

    @property
    def turn(self) -> int:
        """A number that is another one after each change."""
        return self._turn

    async def facts(self, path: Path, turn: int) -> FileFacts | None:
        """What is concluded of a file with its callers known; None where nothing is, or something has changed."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, self._facts, path, turn)
        except (_SupersededError, SynclintError):
            return None

    def open(self, path: Path, text: str) -> None:
        """A file has this text now."""
        self.texts[path] = text
        self._touched.add(path)
        self._later(lambda project: project.change(path, text))

    def close(self, path: Path) -> None:
        """A file is not open any more."""
        self.texts.pop(path, None)
        self._touched.discard(path)
        self._later(lambda project: project.close(path))

    def refresh(self, paths: Sequence[Path] | None) -> None:
        """Files on disk have changed; None for settings, too."""
        self._later(lambda project: project.refresh(paths))

    def configure(self, settings: Mapping[str, object]) -> None:
        """Settings have changed: the project is opened anew, with the texts that it had."""
        if dict(settings) != dict(self.settings):
            self.settings = settings
            self._project = None
            self._later(lambda project: None)

    def cancel(self) -> None:
        """End the run that is in progress; the next change begins another one."""
        self._turn += 1

    def end(self) -> None:
        """End all work."""
        self._turn += 1
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _later(self, change: Callable[[Project], None]) -> None:
        self._pending.append(change)
        self._turn += 1
        if self._task is not None:
            self._task.cancel()
        self._task = asyncio.get_running_loop().create_task(self._check(self._turn))

    async def _check(self, turn: int) -> None:
        await asyncio.sleep(SECONDS_BEFORE_PREVIEW)
        loop = asyncio.get_running_loop()
        try:
            touched = sorted(self._touched & self.texts.keys())
            is_held = bool(touched) and await loop.run_in_executor(self._thread, self._holds, touched, turn)
            if self._last_seconds > SECONDS_OF_A_SMALL_PROJECT and not is_held:
                for path in touched:
                    found = await loop.run_in_executor(self._thread, self._preview, path, turn)
                    if turn == self._turn:
                        self.listener.found(path, found)
                await asyncio.sleep(SECONDS_BEFORE_ALL)
            self.listener.began()
            try:
                started = monotonic()
                everything = await loop.run_in_executor(self._thread, self._all, turn)
                if not is_held:  # else it says nothing of how long other edits take
                    self._last_seconds = monotonic() - started
            finally:
                self.listener.ended()
            if turn == self._turn:
                self._touched.clear()
                for path, found in everything.items():
                    self.listener.found(path, found)
        except _SupersededError:
            return
        except SynclintError as error:
            self.listener.failed(str(error))

    def _preview(self, path: Path, turn: int) -> Sequence[Finding]:
        """Findings of a file by itself; in the thread."""
        project = self._opened(turn)
        try:
            return project.preview(path)
        except FilesNotCheckedError as error:
            return error.findings

    def _facts(self, path: Path, turn: int) -> FileFacts | None:
        """What is concluded of a file; in the thread."""
        return self._opened(turn).facts(path, partial(self._go_on, turn))

    def _go_on(self, turn: int, count: int) -> None:
        if turn != self._turn:
            raise _SupersededError

    def _all(self, turn: int) -> dict[Path, Sequence[Finding]]:
        """The findings of all open files; in the thread."""
        project, go_on = self._opened(turn), partial(self._go_on, turn)
        found: dict[Path, Sequence[Finding]] = {}
        for path in sorted(self.texts):
            go_on(0)
            try:
                found[path] = project.findings(path, go_on)
            except FilesNotCheckedError as error:
                found[path] = error.findings
        return found

    def _holds(self, paths: Sequence[Path], turn: int) -> bool:
        """Whether what is being typed into functions of files is answered at once; in the thread."""
        project = self._opened(turn)
        return all(project.holds(path) for path in paths)

    def _opened(self, turn: int) -> Project:
        """The project with all that has changed so far."""
        if turn != self._turn:
            raise _SupersededError
        if self._project is None:
            # Processes that are started anew know nothing of the threads of this one.
            spawn = multiprocessing.get_context("spawn")
            self._project = Project(self.root, processes=spawn, **self.settings)  # type: ignore[arg-type]
            for path, text in dict(self.texts).items():
                self._project.change(path, text)
        while self._pending:
            self._pending.pop(0)(self._project)
        return self._project
