"""One run over one corpus: every program in turn, several times, so that ratios compare what ran side by side."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.corpus import Corpus, copies, python_files
from benchmarks.programs import REPOSITORY, Cost, ProgramError, Run, python, run
from synclint.phases import PHASES

SMALL_FILE = REPOSITORY / "examples" / "train.py"

# What is left of a check when its phases are taken away: the interpreter, imports, tables, writing.
START = "start and end"
MEASURED_PHASES = (START, *PHASES)
_PHASE = re.compile(r"^(\w+) +([\d.]+) s$", re.MULTILINE)

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Linter:
    """Another program to compare with: its command, and what it calls itself, with its release and its plugins."""

    name: str
    command: tuple[str, ...]


# Each as its users run it, which is on every core; the exit statuses 0 and 1 say that it has done its work.
COMPARED: Mapping[str, tuple[str, ...]] = {"torchfix": (), "flake8": ("--isolated",)}
_IN_ONE_PROCESS = ("--jobs", "1")


@dataclass(frozen=True)
class LinterCost:
    """What a linter took over the same files: on every core, and in one process."""

    every_core: Cost
    one_process: Cost


@dataclass(frozen=True)
class Round:
    """What each program took once, side by side. The parsers are seconds of CPU in a process of their own.

    ``every_core`` is a check as users run it, without a word about processes.
    ``two_checks_at_once`` are the seconds of wall clock that two checks with one process each take side by side: what
    they lose by it is what the machine does not give. ``largest_file`` is a check of the largest file alone, as a hook
    would do it, with nothing in the cache, and ``largest_file_edited`` the next one, after an edit.
    """

    libcst: float
    ast: float
    phases: Mapping[str, float]
    one_process: Cost
    two_processes: Cost
    every_core: Cost
    two_checks_at_once: float
    unchanged: Cost
    largest_file: Cost
    largest_file_edited: Cost
    others: Mapping[str, LinterCost] = field(default_factory=dict)


@dataclass(frozen=True)
class Measurement:
    """All rounds over one corpus."""

    corpus: Corpus
    rounds: tuple[Round, ...]

    def typical(self, figure: Callable[[Round], float]) -> float:
        """The median over the rounds of what ``figure`` takes from each."""
        return median(map(figure, self.rounds))


@dataclass(frozen=True)
class HookRound:
    """What a hook that checks one small file took: with an empty cache, and when the file has not changed."""

    cold: Cost
    warm: Cost
    import_libcst: Cost
    interpreter: Cost


@dataclass(frozen=True)
class Large:
    """One check in one process of a corpus that is made large by copies."""

    corpus: Corpus
    cost: Cost


def measure(corpus: Corpus, rounds: int, linters: Sequence[Linter], progress: Progress) -> Measurement:
    """Measure a corpus; raises ProgramError where a program fails."""
    with tempfile.TemporaryDirectory() as cache:
        progress(f"{corpus.name}: filling the cache")
        _check(corpus.folder, "--cache-dir", cache)
        measured = []
        for number in range(1, rounds + 1):
            progress(f"{corpus.name}: round {number} of {rounds}")
            measured.append(_round(corpus.folder, cache, linters))
    return Measurement(corpus, tuple(measured))


def measure_hook(rounds: int) -> tuple[HookRound, ...]:
    """Measure what a commit hook takes for one small file."""
    return tuple(_hook_round() for _ in range(rounds))


def measure_large(original: Corpus, lines: int, progress: Progress) -> Large:
    """Check so many lines, made of copies of a corpus, in one process."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = copies(original, lines, Path(folder))
        progress(f"{corpus.name}: {corpus.lines} lines, once")
        return Large(corpus, _check(corpus.folder, "--no-cache", *_IN_ONE_PROCESS).cost)


def installed_linters(progress: Progress) -> tuple[Linter, ...]:
    """The linters to compare with that are on the PATH."""
    found = []
    for name, arguments in COMPARED.items():
        program = shutil.which(name)
        if program is None:
            progress(f"{name} is not installed: left out")
            continue
        # flake8 adds the interpreter to its release and its plugins.
        release = run((program, "--version")).output.strip().partition("\n")[0].partition(" CPython")[0]
        found.append(Linter(f"{name} {release}", (program, *arguments)))
    return tuple(found)


def _round(folder: Path, cache: str, linters: Sequence[Linter]) -> Round:
    one_process = _check(folder, "--no-cache", "--profile-phases", *_IN_ONE_PROCESS)
    largest, edited = _largest_file(folder)
    return Round(
        libcst=_parse(folder, "libcst"),
        ast=_parse(folder, "ast"),
        phases=_phases(one_process),
        one_process=one_process.cost,
        two_processes=_check(folder, "--no-cache", "--jobs", "2").cost,
        every_core=_check(folder, "--no-cache").cost,
        two_checks_at_once=_two_at_once(folder),
        unchanged=_check(folder, "--cache-dir", cache).cost,
        largest_file=largest,
        largest_file_edited=edited,
        others={other.name: _compared(other, folder) for other in linters},
    )


def _compared(linter: Linter, folder: Path) -> LinterCost:
    return LinterCost(
        every_core=run((*linter.command, str(folder)), accepted=(0, 1)).cost,
        one_process=run((*linter.command, *_IN_ONE_PROCESS, str(folder)), accepted=(0, 1)).cost,
    )


def _two_at_once(folder: Path) -> float:
    started = time.perf_counter()
    with ThreadPoolExecutor(2) as both:
        for _ in both.map(lambda _: _check(folder, "--no-cache", *_IN_ONE_PROCESS), range(2)):
            pass
    return time.perf_counter() - started


def _largest_file(folder: Path) -> tuple[Cost, Cost]:
    """What the largest file takes by itself, before and after an edit."""
    path = max(python_files(folder), key=lambda path: path.stat().st_size)
    text = path.read_bytes()
    with tempfile.TemporaryDirectory() as cache:
        first = _check(path, "--cache-dir", cache).cost
        try:
            path.write_bytes(text + b"\n")
            return first, _check(path, "--cache-dir", cache).cost
        finally:
            path.write_bytes(text)


def _parse(folder: Path, parser: str) -> float:
    return float(run(python("-m", "benchmarks.parsers", parser, str(folder))).output)


def _phases(checked: Run) -> dict[str, float]:
    told = {name: float(seconds) for name, seconds in _PHASE.findall(checked.errors)}
    phases = {name: told.get(name, 0.0) for name in PHASES}
    return {START: checked.cost.cpu - sum(phases.values()), **phases}


def _check(path: Path, *options: str) -> Run:
    """Run ``synclint check`` over a directory or a file."""
    given = ("--isolated", "--quiet", "--exit-zero", "--output-format", "json", *options)
    ended = run(python("-m", "synclint", "check", *given, str(path)), accepted=(0, 2))
    # 2 is for a corpus with a file that could not be checked, but for wrong use, too.
    try:
        json.loads(ended.output)
    except ValueError:
        raise ProgramError(f"synclint printed no report about {path.name}: run it by hand to see why") from None
    return ended


def _hook_round() -> HookRound:
    with tempfile.TemporaryDirectory() as cache:
        # As .pre-commit-hooks.yaml has it.
        hook = python("-m", "synclint", "check", "--force-exclude", "--cache-dir", cache, str(SMALL_FILE))
        return HookRound(
            cold=run(hook, accepted=(0, 1)).cost,
            warm=run(hook, accepted=(0, 1)).cost,
            import_libcst=run(python("-c", "import libcst")).cost,
            interpreter=run(python("-c", "pass")).cost,
        )
