"""Checks open files in the background: soon what is being typed, and all of the project when nobody types any more.

There are two threads for a project. The first one answers what somebody types: at once where the project can, else
with what the file tells by itself. The second one does what may take a while, and is not kept from it by more typing;
what it finds is shown where the text is still the one that it was found in. A text that does not parse, as most do
while a statement is being typed, is kept from the project, which goes on with the last one that did.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event, Lock
from time import monotonic
from typing import TypeVar

from synclint.api import FilesNotCheckedError, Finding, Project, SynclintError
from synclint.results.expression_facts import FileFacts
from synclint.server.half_typed import is_half_typed, still_found

Findings = TypeVar("Findings", Sequence[Finding], Sequence[Finding] | None)
Made = TypeVar("Made")

# A pause in which an editor may send more; one in typing; and a longer one, after which all is looked at.
SECONDS_BEFORE_ANSWER = 0.005
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


@dataclass(frozen=True)
class _Found:
    """What was found in a text that could be parsed."""

    text: str
    findings: Sequence[Finding]


@dataclass
class Checks:
    """The background work for one project; all methods but those of the listener are called in the event's loop."""

    root: Path
    settings: Mapping[str, object]
    listener: Listener
    texts: dict[Path, str] = field(default_factory=dict)
    _project: Project | None = None
    _opening: Lock = field(default_factory=Lock)
    _told: dict[Path, str] = field(default_factory=dict)
    _half_typed: dict[Path, str] = field(default_factory=dict)
    _refreshes: list[Sequence[Path] | None] = field(default_factory=list)
    _turn: int = 0
    _checked_turn: int = 0
    _answering: asyncio.Task[None] | None = None
    _checking: asyncio.Task[None] | None = None
    _stop: Event = field(default_factory=Event)
    _touched: dict[Path, None] = field(default_factory=dict)
    _found: dict[Path, _Found] = field(default_factory=dict)
    _last_seconds: float = float("inf")
    _answers: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "synclint answers"))
    _runs: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "synclint runs"))

    @property
    def turn(self) -> int:
        """A number that is another one after each change."""
        return self._turn

    async def facts(self, path: Path, turn: int) -> FileFacts | None:
        """What is concluded of a file with its callers known; None where nothing is, or something has changed."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._runs, self._facts, path, turn)
        except (_SupersededError, SynclintError):
            return None

    def open(self, path: Path, text: str) -> None:
        """A file has this text now."""
        self.texts[path] = text
        self._touched.pop(path, None)
        self._touched[path] = None  # the last one
        self._changed()

    def close(self, path: Path) -> None:
        """A file is not open any more."""
        for known in (self.texts, self._touched, self._half_typed, self._found):
            known.pop(path, None)
        self._changed()

    def refresh(self, paths: Sequence[Path] | None) -> None:
        """Files on disk have changed; None for settings, too."""
        self._refreshes.append(paths)
        self._changed()

    def configure(self, settings: Mapping[str, object]) -> None:
        """Settings have changed: the project is opened anew, with the texts that it had."""
        if dict(settings) != dict(self.settings):
            self.settings = settings
            self._stop.set()
            with self._opening:
                self._project, self._told = None, {}
            self._touched.update(dict.fromkeys(self.texts))
            self._changed()

    def cancel(self) -> None:
        """End the run that is in progress; the next change begins another one."""
        self._turn += 1
        self._checked_turn = self._turn
        self._stop.set()

    def end(self) -> None:
        """End all work."""
        self.cancel()
        for task in (self._answering, self._checking):
            if task is not None:
                task.cancel()
        for threads in (self._answers, self._runs):
            threads.shutdown(wait=False, cancel_futures=True)

    def _changed(self) -> None:
        self._turn += 1
        loop = asyncio.get_running_loop()
        if self._answering is not None:
            self._answering.cancel()
        self._answering = loop.create_task(self._answer(self._turn))
        if self._checking is None or self._checking.done():
            self._checking = loop.create_task(self._check())

    # --- what somebody is typing ----------------------------------------------------------------------

    async def _answer(self, turn: int) -> None:
        """Show what is found in the files that were touched, as far as that is soon known."""
        await asyncio.sleep(SECONDS_BEFORE_ANSWER)
        loop = asyncio.get_running_loop()
        try:
            # The run over all may take files off the list while this one waits for an answer.
            for path in reversed(tuple(self._touched)):
                if path not in self.texts:
                    continue
                found = await loop.run_in_executor(self._answers, self._at_once, path, turn)
                if found is None and self._last_seconds > SECONDS_OF_A_SMALL_PROJECT:
                    await asyncio.sleep(SECONDS_BEFORE_PREVIEW)
                    found = await loop.run_in_executor(self._answers, self._preview, path, turn)
                if found is not None and path in self.texts:
                    self._show(path, _Found(self.texts[path], found))
        except (_SupersededError, SynclintError):
            return  # of what went wrong the run over all will tell

    def _at_once(self, path: Path, turn: int) -> Sequence[Finding] | None:
        """Findings of a file where they are soon known; in the thread for answers."""
        project = self._opened(turn)
        if path in self._half_typed:
            return self._with_syntax_error(project, path)
        if self._refreshes:
            return None
        found = _unless_unread(partial(project.findings_at_once, path))
        return project.likely_findings(path) if found is None else found

    def _with_syntax_error(self, project: Project, path: Path) -> Sequence[Finding]:
        text, known = self._half_typed[path], self._found.get(path)
        found = _unless_unread(partial(project.preview, path, text))
        return [*found, *(still_found(known.findings, known.text, text) if known is not None else ())]

    def _preview(self, path: Path, turn: int) -> Sequence[Finding]:
        """Findings of a file by itself; in the thread for answers."""
        project = self._opened(turn)
        return _unless_unread(partial(project.preview, path))

    # --- the whole project ----------------------------------------------------------------------------

    async def _check(self) -> None:
        """Check all open files with all of the project, again and again until nothing has changed meanwhile."""
        while self._checked_turn != self._turn:
            await self._pause()
            turn, self._stop = self._turn, Event()
            everything = await self._run(self._all) or {}
            self._checked_turn = max(turn, self._checked_turn)
            for path, found in everything.items():
                if self.texts.get(path) == found.text:
                    self._touched.pop(path, None)
                    self._show(path, found)
                elif path in self._half_typed and self._told.get(path) == found.text:
                    self._found[path] = found
                    self._answering = asyncio.get_running_loop().create_task(self._answer(self._turn))

    async def _run(self, work: Callable[[Event], Made]) -> Made | None:
        """Do what may take a while; None where it was ended, or something went wrong."""
        self.listener.began()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._runs, work, self._stop)
        except _SupersededError:
            return None  # the next change begins another one
        except SynclintError as error:
            self.listener.failed(str(error))
            return None
        finally:
            self.listener.ended()

    async def _pause(self) -> None:
        """Wait until nobody types any more; the first time not for long, since a run is needed whatever is typed."""
        if self._last_seconds <= SECONDS_OF_A_SMALL_PROJECT:
            await asyncio.sleep(SECONDS_BEFORE_PREVIEW)
            return
        turn = -1
        while turn != self._turn:
            turn = self._turn
            await asyncio.sleep(SECONDS_BEFORE_ALL)
            if self._last_seconds == float("inf"):
                return

    def _all(self, stop: Event) -> dict[Path, _Found]:
        """What is found in all open files; in the thread for runs."""
        go_on, started = partial(_go_on, stop.is_set), monotonic()
        project = self._opened(None)
        while self._refreshes:
            project.refresh(self._refreshes[0])
            self._refreshes.pop(0)
        analysed = project.shares_analysed
        found: dict[Path, _Found] = {}
        for path, text in sorted(self._told.items()):
            go_on(0)
            found[path] = _Found(text, _unless_unread(partial(project.findings, path, go_on)))
        if project.shares_analysed > analysed:  # else it says nothing of how long other edits take
            self._last_seconds = monotonic() - started
        return found

    def _facts(self, path: Path, turn: int) -> FileFacts | None:
        """What is concluded of a file; in the thread for runs."""
        if path in self._half_typed:
            return None
        return self._opened(turn).facts(path, partial(_go_on, lambda: turn != self._turn))

    def _opened(self, turn: int | None) -> Project:
        """The project with all texts that can be parsed; ``turn`` is the one for which somebody asks."""
        with self._opening:
            if turn is not None and turn != self._turn:
                raise _SupersededError
            if self._project is None:
                # Processes that are started anew know nothing of the threads of this one.
                spawn = multiprocessing.get_context("spawn")
                self._project = Project(self.root, processes=spawn, **self.settings)  # type: ignore[arg-type]
            texts = dict(self.texts)
            for path in self._told.keys() - texts.keys():
                del self._told[path]
                self._project.close(path)
            for path, text in texts.items():
                if self._half_typed.get(path) == text:
                    continue
                # One that was never read is told as it is: it may be that nobody is typing there.
                if self._told.get(path, text) != text and is_half_typed(path, text):
                    self._half_typed[path] = text
                    continue
                self._half_typed.pop(path, None)
                if self._told.get(path) != text:
                    self._told[path] = text
                    self._project.change(path, text)
            return self._project

    def _show(self, path: Path, found: _Found) -> None:
        if path not in self._half_typed:
            self._found[path] = found
        self.listener.found(path, found.findings)


def _unless_unread(asked: Callable[[], Findings]) -> Findings | Sequence[Finding]:
    """What was asked for, or what was found although a file cannot be read."""
    try:
        return asked()
    except FilesNotCheckedError as error:
        return error.findings


def _go_on(is_over: Callable[[], bool], count: int) -> None:
    if is_over():
        raise _SupersededError
