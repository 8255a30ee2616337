"""What a run found, as a Markdown page for readers and as a line of JSON for the history."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from statistics import median

from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, compared, figures, hook_figures, large_figures, phase_ratios, ratios
from benchmarks.measurement import HookRound, Large, Measurement, Round
from benchmarks.programs import REPOSITORY
from synclint.version import __version__

_DECIMALS = {"": 2, "s": 3, "MB": 0}


@dataclass(frozen=True)
class Circumstances:
    """Where and when a run took place; ``load`` is how many processes wanted a core when it began."""

    date: str
    revision: str
    cores: int
    python: str
    libcst: str
    system: str
    load: float


def circumstances(date: str) -> Circumstances:
    """Those of this machine, in general terms: no names and no paths."""
    return Circumstances(
        date=date,
        revision=_revision(),
        cores=os.cpu_count() or 1,
        python=platform.python_version(),
        libcst=version("libcst"),
        system=f"{platform.system()} {platform.machine()}",
        load=round(os.getloadavg()[0], 1),
    )


def _revision() -> str:
    git = shutil.which("git")
    if git is None:
        return "unknown revision"
    command = [git, "describe", "--always", "--dirty"]
    shown = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    return shown.stdout.strip() or "unknown revision"


@dataclass(frozen=True)
class Results:
    """All that a run has measured."""

    measurements: Sequence[Measurement]
    hook: Sequence[HookRound]
    large: Large | None = None


def history_lines(where: Circumstances, results: Results) -> Iterator[str]:
    """A line of JSON for each corpus, with the ratios and the seconds that they come from."""
    for measurement in results.measurements:
        record = {
            "corpus": _about(measurement.corpus),
            "rounds": len(measurement.rounds),
            "seconds": _rounded(_seconds(measurement)),
            "ratios": _values(ratios(measurement)),
            "phases": _rounded(phase_ratios(measurement)),
            "megabytes of memory": round(measurement.typical(lambda one: one.one_process.memory)),
            "compared": {name: _rounded(ratio) for name, ratio in compared(measurement).items()},
        }
        yield json.dumps({**_record(where), **record})
    hook = {"rounds": len(results.hook), "hook": _values(hook_figures(results.hook))}
    yield json.dumps({**_record(where), **hook})
    if results.large is not None:
        large = {"corpus": _about(results.large.corpus), "large": _values(large_figures(results.large))}
        yield json.dumps({**_record(where), **large})


def _record(where: Circumstances) -> dict[str, object]:
    return {
        "date": where.date,
        "synclint": __version__,
        "libcst": where.libcst,
        "revision": where.revision,
        "machine": {"cores": where.cores, "python": where.python, "system": where.system, "load": where.load},
    }


def _about(corpus: Corpus) -> dict[str, object]:
    return {"name": corpus.name, "files": corpus.files, "lines": corpus.lines, "megabytes": corpus.megabytes}


def _values(figures: Iterable[Figure]) -> dict[str, float]:
    return _rounded({figure.name: figure.value for figure in figures})


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in values.items()}


def _seconds(measurement: Measurement) -> dict[str, float]:
    costs: dict[str, Callable[[Round], float]] = {
        "libcst.parse_module, CPU": lambda one: one.libcst,
        "ast.parse, CPU": lambda one: one.ast,
        "synclint, one process, CPU": lambda one: one.one_process.cpu,
        "synclint, one process, wall": lambda one: one.one_process.wall,
        "synclint, two processes, CPU": lambda one: one.two_processes.cpu,
        "synclint, two processes, wall": lambda one: one.two_processes.wall,
        "synclint, every core, wall": lambda one: one.every_core.wall,
        "synclint, unchanged files, wall": lambda one: one.unchanged.wall,
        "synclint, largest file alone, wall": lambda one: one.largest_file.wall,
        "synclint, largest file after an edit, wall": lambda one: one.largest_file_edited.wall,
    }
    seconds = {name: measurement.typical(cost) for name, cost in costs.items()}
    for name in measurement.rounds[0].others:
        others = [one.others[name] for one in measurement.rounds]
        seconds[f"{name}, one process, wall"] = median(other.one_process.wall for other in others)
        seconds[f"{name}, every core, wall"] = median(other.every_core.wall for other in others)
    return seconds


def page(where: Circumstances, results: Results, plot: str | None) -> str:
    """The page of results; ``plot`` is the file name of the picture beside it."""
    parts = [
        "# What synclint costs",
        f"Written by `python -m benchmarks` on {where.date}: synclint {__version__} ({where.revision}), "
        f"Python {where.python}, libcst {where.libcst}, {where.system}, {where.cores} cores, "
        f"a load of {where.load:g} at the beginning.",
        "Seconds depend on the machine and on what else it does. Ratios are taken within each round, between "
        "programs that ran one after the other over the same files, and the median of the rounds is shown. "
        "CPU time is that of a whole command with its child processes, that of a parser alone is without the "
        "start of Python. Nothing is taken from a cache except where it says that files are unchanged or edited. "
        "Other linters run as their users run them, on every core, and once more in one process.",
    ]
    if plot is not None:
        parts.append(f"![Phases of a check, and other programs over the same files]({plot})")
    for measurement in results.measurements:
        parts += _section(measurement)
    parts += [
        "## A commit hook",
        f"One small file, `examples/train.py`. Rounds: {len(results.hook)}.",
        _figures_table(hook_figures(results.hook)),
    ]
    if results.large is not None:
        parts += [
            f"## {results.large.corpus.name}",
            f"{_size(results.large.corpus)}; each copy under a package name of its own; run once.",
            _figures_table(large_figures(results.large)),
        ]
    return "\n\n".join(parts) + "\n"


def _section(measurement: Measurement) -> Iterator[str]:
    phases = phase_ratios(measurement)
    yield f"## {measurement.corpus.name}"
    if measurement.corpus.is_general:
        yield "Python code of all kinds that is installed on the machine, without tests and without what needs torch."
    yield f"{_size(measurement.corpus)}. Rounds: {len(measurement.rounds)}."
    yield _figures_table(figures(measurement))
    yield "Where the CPU time of one process goes, as multiples of `libcst.parse_module` over the same files:"
    yield _table(("Phase", "× libcst.parse_module"), [(phase, f"{share:.3f}") for phase, share in phases.items()])
    yield _table(("Seconds", ""), [(name, f"{took:.3f}") for name, took in _seconds(measurement).items()])


def _size(corpus: Corpus) -> str:
    return f"{corpus.files} files, {corpus.lines} lines, {corpus.megabytes:g} MB"


def _figures_table(figures: Iterable[Figure]) -> str:
    return _table(("Figure", "Measured", "Target", ""), map(_row, figures))


def _row(figure: Figure) -> tuple[str, str, str, str]:
    value = f"{figure.value:.{_DECIMALS[figure.unit]}f} {figure.unit}".strip()
    if figure.bound is None:
        return figure.name, value, "", ""
    target = f"{figure.bound} {figure.unit}".strip()
    return figure.name, value, target, "met" if figure.bound.is_met(figure.value) else "**missed**"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
