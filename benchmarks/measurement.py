"""One run over one corpus: every program in turn, several times, so that ratios compare what ran side by side."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.corpus import Corpus
from benchmarks.phases import MEASURED
from benchmarks.programs import REPOSITORY, Cost, ProgramError, python, run

SMALL_FILE = REPOSITORY / "examples" / "train.py"

# Programs to compare with: their arguments, and the exit statuses with which they have done their work.
COMPARED = {"torchfix": (("--select=ALL",), (0, 1)), "flake8": (("--isolated",), (0, 1))}


@dataclass(frozen=True)
class Round:
    """What each program took once. The parsers and the phases are seconds of CPU in a process of their own."""

    libcst: float
    ast: float
    phases: dict[str, float]
    one_process: Cost
    unchanged: Cost
    two_processes: Cost
    small_file: Cost
    import_libcst: Cost
    interpreter: Cost


@dataclass(frozen=True)
class Comparison:
    """Another linter over the same files; ``name`` is what it calls itself, with its release and its plugins."""

    name: str
    cost: Cost


@dataclass(frozen=True)
class Measurement:
    """All rounds over one corpus."""

    corpus: Corpus
    rounds: tuple[Round, ...]
    comparisons: tuple[Comparison, ...]

    def typical(self, figure: Callable[[Round], float]) -> float:
        """The median over the rounds of what ``figure`` takes from each."""
        return median(figure(one) for one in self.rounds)


def measure(corpus: Corpus, rounds: int, compare: bool, progress: Callable[[str], None]) -> Measurement:
    """Measure a corpus; raises ProgramError where a program fails."""
    measured = []
    for number in range(1, rounds + 1):
        progress(f"{corpus.name}: round {number} of {rounds}")
        measured.append(_round(corpus.folder))
    return Measurement(corpus, tuple(measured), tuple(_comparisons(corpus.folder, progress)) if compare else ())


def _round(folder: Path) -> Round:
    parser = "benchmarks.parsers"
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        cold, unchanged = _check(folder, 1, one), _check(folder, 1, one)
        return Round(
            libcst=float(run(python("-m", parser, "libcst", str(folder))).output),
            ast=float(run(python("-m", parser, "ast", str(folder))).output),
            phases=_phases(folder),
            one_process=cold,
            unchanged=unchanged,
            two_processes=_check(folder, 2, two),
            small_file=_check(SMALL_FILE, 1, two),
            import_libcst=run(python("-c", "import libcst")).cost,
            interpreter=run(python("-c", "pass")).cost,
        )


def _phases(folder: Path) -> dict[str, float]:
    seconds: dict[str, float] = json.loads(run(python("-m", "benchmarks.phases", str(folder))).output)
    return seconds


def _check(path: Path, jobs: int, cache: str) -> Cost:
    """What ``synclint check`` takes; ``cache`` is a directory, so that nothing from before the run is in it."""
    options = ("--isolated", "--quiet", "--exit-zero", "--output-format", "json")
    command = python("-m", "synclint", "check", *options, "--jobs", str(jobs), "--cache-dir", cache, str(path))
    ended = run(command, accepted=(0, 2))  # 2: some file of the corpus could not be checked
    try:
        json.loads(ended.output)
    except ValueError:
        raise ProgramError(f"synclint printed no report about {path.name}: run it by hand to see why") from None
    return ended.cost


def _comparisons(folder: Path, progress: Callable[[str], None]) -> Iterator[Comparison]:
    for name, (arguments, accepted) in COMPARED.items():
        program = shutil.which(name)
        if program is None:
            progress(f"{name} is not installed: left out")
            continue
        progress(f"{name}, once")
        # flake8 adds the interpreter to its release and its plugins.
        release = run((program, "--version")).output.strip().partition("\n")[0].partition(" CPython")[0]
        cost = run((program, *arguments, str(folder.resolve())), accepted).cost
        yield Comparison(f"{name} {release}", cost)


def ratios(measurement: Measurement) -> dict[str, float]:
    """The figures that can be held against other machines and other days, each the median of the rounds."""
    figures: dict[str, Callable[[Round], float]] = {
        "total / libcst.parse_module": lambda one: one.one_process.cpu / one.libcst,
        "total / ast.parse": lambda one: one.one_process.cpu / one.ast,
        "one process / two processes": lambda one: one.one_process.wall / one.two_processes.wall,
        "first run / unchanged files": lambda one: one.one_process.wall / one.unchanged.wall,
        "small file / import libcst": lambda one: one.small_file.wall / one.import_libcst.wall,
    }
    return {name: round(measurement.typical(figure), 3) for name, figure in figures.items()}


def phase_ratios(measurement: Measurement) -> dict[str, float]:
    """Each phase as a multiple of ``libcst.parse_module`` over the same files."""
    return {phase: round(median(one.phases[phase] / one.libcst for one in measurement.rounds), 3) for phase in MEASURED}


def compared(measurement: Measurement) -> dict[str, dict[str, float]]:
    """How many times as long as synclint in one process the others take, each in its usual way of running."""
    wall = measurement.typical(lambda one: one.one_process.wall)
    cpu = measurement.typical(lambda one: one.one_process.cpu)
    return {
        other.name: {"wall": round(other.cost.wall / wall, 2), "CPU": round(other.cost.cpu / cpu, 2)}
        for other in measurement.comparisons
    }
