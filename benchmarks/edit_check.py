"""Whether runs with a memory find what runs without one find, after each of many edits.

Each of both kinds of runs has a process of its own, in which sets have another order than in the other one. They are
replaced now and then, so that what they know is only what is on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, fields, is_dataclass
from itertools import zip_longest
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import process_time
from typing import ParamSpec

from benchmarks.corpus import python_files
from benchmarks.random_edits import RandomEdits
from synclint.config.options import Options
from synclint.findings import Confidence
from synclint.phases import Phases
from synclint.results.file_reports import FileReport
from synclint.running import runner, shares
from synclint.running.cache import check_files_cached
from synclint.running.limits import TooMuchHasChangedError

# So that moderate packages have several shares, as large ones have.
_SHARE_BYTES = 150_000
_RUNS_OF_A_PROCESS = 25
_USUAL = Options(cold=True)
# What may be set for a run: some of it is for the analysis, the rest for reports.
_SETTINGS = (
    Options(),
    Options(cold=True, min_confidence=Confidence.LOW),
    Options(cold=True, cold_functions=("*.forward",)),
    Options(cold=True, hot_functions=("*._added_*",)),
    Options(cold=True, torch_version="2.0"),
    Options(select=("SYN1",), require_reason=True),
)


@dataclass(frozen=True)
class Step:
    """What was edited and asked for, how the answers differ from those without a memory, and seconds of CPU of both."""

    edits: tuple[str, ...]
    asked: str
    difference: str
    cpu: float
    cpu_without: float

    @property
    def said(self) -> str:
        """The step in one line."""
        return (
            f"{'; '.join(self.edits)}: {self.asked}, {self.cpu:.1f} s of CPU, {self.cpu_without:.1f} s without memory"
        )


def steps_over(folder: Path, cache: Path, count: int, seed: int) -> Iterator[Step]:
    """Make one edit in a package, now and then more, and compare; so many times."""
    chosen = Random(seed)
    edits = RandomEdits(folder, chosen)
    with Comparison(folder, cache) as comparison:
        for _ in range(count):
            made = [edits.edit() for _ in range(chosen.choices((1, 2, 4), (8, 2, 1))[0])]
            options = chosen.choice(_SETTINGS) if chosen.random() < 0.12 else _USUAL
            few = _few([path for _, path in made], edits.any_file(), chosen)
            asked = chosen.choices(((few,), (None,), (few, None)), (4, 4, 2))[0]
            yield comparison.after([f"{path.relative_to(folder)} {said}" for said, path in made], asked, options)


class Comparison:
    """Runs over a package with a memory in ``cache``, beside runs without one."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self._folder, self._cache = folder, cache
        self._remembering, self._forgetful = _Process(), _Process()

    def __enter__(self) -> Comparison:
        return self

    def __exit__(self, *error: object) -> None:
        self._remembering.stop()
        self._forgetful.stop()

    def after(
        self, edits: Sequence[str], asked: Sequence[frozenset[Path] | None] = (None,), options: Options = _USUAL
    ) -> Step:
        """Compare after some edits; ``asked`` is for which files each run with a memory is, None stands for all."""
        files = tuple(python_files(self._folder))
        without = self._forgetful.run(_without_memory, files, self._folder, options)
        answers = [
            self._remembering.run(_with_memory, files, self._folder, options, self._cache, each).result()
            for each in asked
        ]
        expected = without.result()
        differences = (_difference(answer, expected, wanted) for answer, wanted in zip(answers, asked, strict=True))
        return Step(
            tuple(edits),
            ", then ".join(_asked(*each) for each in zip(answers, asked, strict=True)),
            next(filter(None, differences), ""),
            sum(answer.cpu for answer in answers),
            expected.cpu,
        )


@dataclass(frozen=True)
class _Answer:
    """What a run has reported, None where too much had changed for a few files, and its seconds of CPU."""

    reports: tuple[FileReport, ...] | None
    cpu: float


_Parameters = ParamSpec("_Parameters")


class _Process:
    """A process that is replaced by another one after some runs."""

    def __init__(self) -> None:
        self._executor = self._started()
        self._runs = 0

    def stop(self) -> None:
        """End it once everything is done."""
        self._executor.shutdown()

    def run(
        self, work: Callable[_Parameters, _Answer], *given: _Parameters.args, **named: _Parameters.kwargs
    ) -> Future[_Answer]:
        """Let it work, once everything before is done."""
        if self._runs == _RUNS_OF_A_PROCESS:
            self._executor.shutdown()
            self._executor, self._runs = self._started(), 0
        self._runs += 1
        return self._executor.submit(work, *given, **named)

    @staticmethod
    def _started() -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, get_context("spawn"))


def _few(edited: Sequence[Path], other: Path, chosen: Random) -> frozenset[Path]:
    """One or two files, as a hook is given them: mostly those that were edited."""
    there = [path for path in edited if path.exists()]
    first = chosen.choice(there) if there and chosen.random() < 0.75 else other
    return frozenset({first, other} if chosen.random() < 0.3 else {first})


def _with_memory(
    files: Sequence[Path], folder: Path, options: Options, cache: Path, wanted: frozenset[Path] | None
) -> _Answer:
    shares.SHARE_BYTES = _SHARE_BYTES
    before = process_time()
    try:
        made = check_files_cached(files, [folder], options, 1, _untold, Phases(), cache, wanted=wanted)
        reports: tuple[FileReport, ...] | None = tuple(made)
    except TooMuchHasChangedError:
        reports = None
    return _Answer(reports, process_time() - before)


def _without_memory(files: Sequence[Path], folder: Path, options: Options) -> _Answer:
    shares.SHARE_BYTES = _SHARE_BYTES
    before = process_time()
    reports = tuple(runner.check_files(files, [folder], options, 1).reports)
    return _Answer(reports, process_time() - before)


def _untold(count: int) -> None:
    """Nobody is told how far it has come."""


def _asked(answer: _Answer, wanted: frozenset[Path] | None) -> str:
    if wanted is None:
        return "all"
    return f"{' and '.join(sorted(path.name for path in wanted))}{' in vain' if answer.reports is None else ''}"


def _difference(answer: _Answer, expected: _Answer, wanted: frozenset[Path] | None) -> str:
    """The first difference between what was reported and what should have been; empty where there is none."""
    if answer.reports is None:
        return ""
    return first_difference(
        answer.reports, [report for report in expected.reports or () if wanted is None or report.path in wanted]
    )


def first_difference(reports: Sequence[FileReport], expected: Sequence[FileReport]) -> str:
    """Where reports differ first from those that are expected; empty where they do not."""
    both = zip_longest(reports, expected)
    return next((_place_of_difference(report, other) for report, other in both if report != other), "")


def _place_of_difference(record: object, other: object) -> str:
    """The first place at which two values that differ do so."""
    if isinstance(record, tuple) and isinstance(other, tuple):
        each, its = next((each, its) for each, its in zip_longest(record, other) if each != its)
        return _place_of_difference(each, its)
    if is_dataclass(record) and type(record) is type(other):
        name = next(one.name for one in fields(record) if getattr(record, one.name) != getattr(other, one.name))
        where = getattr(record, "path", "") if isinstance(record, FileReport) else ""
        return f"{where} {name} {_place_of_difference(getattr(record, name), getattr(other, name))}".lstrip()
    return f"{record!r} instead of {other!r}"
