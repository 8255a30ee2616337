"""Learns a share of the files of a run: what the analysis has seen in them, or what kept it from seeing anything."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from synclint.analysis.engine import TooMuchWorkError
from synclint.analysis.observations import Observations
from synclint.analysis.project import ParseFailure, Project, check_syntax
from synclint.analysis.stopped import stopped_at
from synclint.config import Options
from synclint.embedded import Embedded, EmbeddedSourceError, extract
from synclint.findings import Position
from synclint.internal_errors import describe_internal_error
from synclint.outline_files import OutlineFiles
from synclint.phases import ANALYSE, GATE, Phases
from synclint.rules import ANALYSIS_LIMIT, INTERNAL_ERROR, SYNTAX_ERROR, Rule
from synclint.sources import UnreadableSourceError, read_source

# The analysis calls itself for what code nests: calls, elif, and, or.
_DEEPEST_RECURSION = 5000
_TOO_MUCH_WORK = "the rest of the file was not analysed: it takes more work than one file may take"
_TOO_DEEP = "the rest of the file was not analysed: it is nested too deeply"
_TOP = Position(1, 1)


@dataclass(frozen=True)
class Shortfall:
    """Why a file was not checked to its end: the rule that says so, in which words, and where."""

    rule: Rule
    message: str
    place: Position


@dataclass(frozen=True)
class LearnedFile:
    """A file that was read: its code, for a notebook or a document the module made of it, and what it lacks."""

    source: str
    embedded: Embedded | None = None
    shortfall: Shortfall | None = None


@dataclass(frozen=True)
class Learned:
    """What came of a share of the files.

    ``problems`` are the files that could not be checked, one sentence each; ``consulted`` are the paths on which
    the observations depend; ``seconds`` of CPU are told by phase.
    """

    files: Mapping[Path, LearnedFile] = field(default_factory=dict)
    problems: Mapping[Path, str] = field(default_factory=dict)
    observations: Observations = field(default_factory=Observations)
    consulted: frozenset[str] = frozenset()
    seconds: Mapping[str, float] = field(default_factory=dict)


def learn_files(
    files: Sequence[Path],
    progress: Callable[[int], None],
    roots: Sequence[Path],
    options: Options,
    outlines: OutlineFiles | None = None,
) -> Learned:
    """Read files and follow their calls; whatever goes wrong with one of them is kept for its report.

    ``roots`` are the files and directories that the user named, from which the project's own modules are found.
    ``progress`` is told after each file. ``outlines`` are those of other files, which may be found and kept.
    """
    learner = _Learner(roots, options, files, outlines)
    with _without_garbage_collection(), learner.phases.phase(ANALYSE):
        for path in files:
            learner.read(path)
            progress(1)
        learned = learner.learned()
    if outlines is not None:
        outlines.write()
    return learned


def learn_text(text: str, path: Path, roots: Sequence[Path], options: Options) -> Learned:
    """The same for one file whose text stands, or shall stand, at ``path``."""
    learner = _Learner(roots, options)
    with learner.phases.phase(ANALYSE):
        learner.take(path, text)
        return learner.learned()


class _Learner:
    def __init__(
        self,
        roots: Sequence[Path],
        options: Options,
        files: Sequence[Path] = (),
        outlines: OutlineFiles | None = None,
    ) -> None:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST_RECURSION))
        named = {
            "hot_functions": options.hot_functions,
            "cold_functions": options.cold_functions,
            "device_functions": options.device_functions,
        }
        given: dict[str, Any] = {name: patterns for name, patterns in named.items() if patterns}
        # Two folders may hold modules of one name: which is meant must not hang on the order of arguments.
        folders = sorted({root for root in roots if root.exists() or not root.is_symlink()})
        self.phases = Phases()
        versions = dict(options.library_versions)
        self._project = Project(
            folders, options.torch_version, versions, phases=self.phases, learned=files, outlines=outlines, **given
        )
        self._files: dict[Path, LearnedFile] = {}
        self._problems: dict[Path, str] = {}

    def read(self, path: Path) -> None:
        """Learn the file at a path."""
        try:
            text = read_source(path)
        except UnreadableSourceError as error:
            self._problems[path] = f"{path}: {error}"
        else:
            self.take(path, text)

    def take(self, path: Path, text: str) -> None:
        """Learn the file that has this text."""
        self._files[path] = LearnedFile(text)
        try:
            embedded = extract(path, text)
            source = text if embedded is None else embedded.module
            self._files[path] = LearnedFile(source, embedded)
            if self._project.reaches_torch(path, source):
                self._project.learn(path, source)
            else:
                with self.phases.phase(GATE):
                    check_syntax(source)
        except EmbeddedSourceError as error:
            self._problems[path] = f"{path}: {error}"
        except ParseFailure as error:
            self._fall_short(path, Shortfall(SYNTAX_ERROR, error.message, Position(error.line, error.column)))
        except TooMuchWorkError as error:
            self._fall_short(path, Shortfall(ANALYSIS_LIMIT, _TOO_MUCH_WORK, _place(path, error)))
        except RecursionError as error:
            self._fall_short(path, Shortfall(ANALYSIS_LIMIT, _TOO_DEEP, _place(path, error)))
        except Exception as error:
            self._fall_short(path, internal_error(path, error))

    def _fall_short(self, path: Path, shortfall: Shortfall) -> None:
        self._files[path] = replace(self._files[path], shortfall=shortfall)

    def learned(self) -> Learned:
        """What has come of the files so far."""
        failures = self._project.failures
        for path, file in list(self._files.items()) if failures else ():
            error = failures.get(os.path.realpath(path))
            if error is not None and file.shortfall is None:
                self._fall_short(path, internal_error(path, error))
        return Learned(
            self._files,
            self._problems,
            self._project.observations(),
            self._project.consulted,
            self.phases.seconds,
        )


def internal_error(path: Path, error: Exception) -> Shortfall:
    """What is said of a mistake of ours in a file."""
    return Shortfall(INTERNAL_ERROR, describe_internal_error(error), _place(path, error))


def _place(path: Path, error: Exception) -> Position:
    return stopped_at(error, os.path.realpath(path)) or _TOP


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Trees and values live until the end of the share: looking through them for garbage takes a third of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
