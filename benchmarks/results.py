"""What a run found, as a Markdown page for readers and as a line of JSON for the history."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.measurement import Measurement, compared, phase_ratios, ratios
from benchmarks.programs import REPOSITORY
from synclint import __version__


@dataclass(frozen=True)
class Circumstances:
    """Where and when a run took place; ``load`` is how many processes wanted a core when it began."""

    date: str
    revision: str
    cores: int
    python: str
    system: str
    load: float


def circumstances(date: str) -> Circumstances:
    """Those of this machine, in general terms: no names and no paths."""
    return Circumstances(
        date=date,
        revision=_revision(),
        cores=os.cpu_count() or 1,
        python=platform.python_version(),
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


def history_line(where: Circumstances, measurement: Measurement) -> str:
    """One line of JSON with the ratios, and the seconds that they come from."""
    corpus = measurement.corpus
    record = {
        "date": where.date,
        "synclint": __version__,
        "revision": where.revision,
        "machine": {"cores": where.cores, "python": where.python, "system": where.system, "load": where.load},
        "corpus": {
            "name": corpus.name,
            "files": corpus.files,
            "lines": corpus.lines,
            "megabytes": corpus.megabytes,
        },
        "rounds": len(measurement.rounds),
        "seconds": {name: round(seconds, 3) for name, seconds in _seconds(measurement).items()},
        "ratios": ratios(measurement),
        "phases": phase_ratios(measurement),
        "megabytes of memory": round(measurement.typical(lambda one: one.one_process.memory)),
        "compared": compared(measurement),
    }
    return json.dumps(record)


def _seconds(measurement: Measurement) -> dict[str, float]:
    return {
        "libcst.parse_module, CPU": measurement.typical(lambda one: one.libcst),
        "ast.parse, CPU": measurement.typical(lambda one: one.ast),
        "synclint, one process, CPU": measurement.typical(lambda one: one.one_process.cpu),
        "synclint, one process, wall": measurement.typical(lambda one: one.one_process.wall),
        "synclint, two processes, wall": measurement.typical(lambda one: one.two_processes.wall),
        "synclint, unchanged files, wall": measurement.typical(lambda one: one.unchanged.wall),
        "synclint, one small file, wall": measurement.typical(lambda one: one.small_file.wall),
        "import libcst, wall": measurement.typical(lambda one: one.import_libcst.wall),
        "python -c pass, wall": measurement.typical(lambda one: one.interpreter.wall),
        **{f"{other.name}, wall": other.cost.wall for other in measurement.comparisons},
        **{f"{other.name}, CPU": other.cost.cpu for other in measurement.comparisons},
    }


def page(where: Circumstances, measurements: Sequence[Measurement], plot: str | None) -> str:
    """The page of results; ``plot`` is the file name of the picture beside it."""
    parts = [
        "# What synclint costs",
        f"Written by `python -m benchmarks` on {where.date}: synclint {__version__} ({where.revision}), "
        f"Python {where.python}, {where.system}, {where.cores} cores, a load of {where.load:g} at the beginning. "
        "Seconds depend on the machine and on what else it does. Ratios are taken within each round, between "
        "programs that ran one after the other, and the median of the rounds is shown.",
    ]
    if plot is not None:
        parts.append(f"![Phases of a check, and other programs over the same files]({plot})")
    for measurement in measurements:
        parts += _section(measurement)
    return "\n\n".join(parts) + "\n"


def _section(measurement: Measurement) -> list[str]:
    corpus = measurement.corpus
    phases = phase_ratios(measurement)
    parts = [
        f"## {corpus.name}",
        f"{corpus.files} files, {corpus.lines} lines, {corpus.megabytes:g} MB; "
        f"median of {len(measurement.rounds)} rounds; "
        f"{measurement.typical(lambda one: one.one_process.memory):.0f} MB of memory in one process.",
        _table(("Ratio", ""), [(name, f"{ratio:.2f}") for name, ratio in ratios(measurement).items()]),
        "The phases of one check in one process, as multiples of `libcst.parse_module` over the same files. "
        "`parse` is the same function in the midst of a run, where the trees stay in memory:",
        _table(
            ("Phase", "× libcst.parse_module"),
            [*((phase, f"{share:.3f}") for phase, share in phases.items()), ("all", f"{sum(phases.values()):.3f}")],
        ),
    ]
    others = compared(measurement)
    if others:
        parts += [
            "Other linters over the same files, run once. synclint in one process is 1; they use every core:",
            _table(
                ("Program", "× synclint, wall", "× synclint, CPU"),
                [(name, f"{ratio['wall']:.1f}", f"{ratio['CPU']:.1f}") for name, ratio in others.items()],
            ),
        ]
    parts.append(_table(("Seconds", ""), [(name, f"{took:.3f}") for name, took in _seconds(measurement).items()]))
    return parts


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
