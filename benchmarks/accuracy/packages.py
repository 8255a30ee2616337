"""Holds the linter against what released packages did when they ran."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy.data import Lines, Truth, TruthOfFile
from benchmarks.accuracy.linting import AccuracyError, Reported, reported
from benchmarks.accuracy.statements import StatementLines
from synclint.config.options import Options
from synclint.findings import Confidence

_NOTHING = TruthOfFile({}, frozenset(), frozenset())


@dataclass(frozen=True)
class Judged:
    """Flagged statements: ``right`` waited, ``false`` ran on device tensors and did not, ``unknown`` never ran."""

    right: int = 0
    false: int = 0
    unknown: int = 0


@dataclass(frozen=True)
class Recalled:
    """Statements that waited, and how many of them were found."""

    waited: int = 0
    found: int = 0


@dataclass(frozen=True)
class PackageResult:
    """How the linter did on one package; ``kinds``, ``rules`` and ``levels`` by their names."""

    name: str
    version: str
    flagged: Judged
    waits: Recalled
    kinds: Mapping[str, Recalled]
    rules: Mapping[str, Judged]
    levels: Mapping[str, Judged]


def total_judged(parts: Iterable[Judged]) -> Judged:
    """The sum over packages or rules."""
    rows = list(parts)
    return Judged(sum(r.right for r in rows), sum(r.false for r in rows), sum(r.unknown for r in rows))


def total_recalled(parts: Iterable[Recalled]) -> Recalled:
    """The sum over packages."""
    rows = list(parts)
    return Recalled(sum(r.waited for r in rows), sum(r.found for r in rows))


def unpacked(truth: Truth, cache: Path) -> Path:
    """The Python files of the very wheel that was measured, which is downloaded once. Raises AccuracyError."""
    named = f"{truth.distribution}-{truth.version}"
    home, done = cache / named, cache / named / ".done"
    if done.exists():
        return home
    wheels = cache / "wheels" / named
    wheels.mkdir(parents=True, exist_ok=True)
    which = ("--no-deps", "--only-binary=:all:", "--dest", str(wheels), f"{truth.distribution}=={truth.version}")
    got = subprocess.run([sys.executable, "-m", "pip", "download", "-q", *which], stderr=subprocess.PIPE, check=False)
    wheel = next(iter(sorted(wheels.glob("*.whl"))), None)
    if got.returncode or wheel is None:
        raise AccuracyError(f"{named} cannot be downloaded: {got.stderr.decode(errors='replace').strip()[-300:]}")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(home, [name for name in packed.namelist() if name.endswith((".py", ".pyi"))])
    done.touch()
    return home


def measured(truth: Truth, cache: Path) -> PackageResult:
    """Check one package, cold code and doubtful findings included, and count. Raises AccuracyError."""
    home = unpacked(truth, cache)
    target = truth.module.replace(".", "/")
    if not (home / target).exists():
        target += ".py"
    return scored(truth, reported(home, "--cold", "--min-confidence", Confidence.LOW.value, target), home)


def scored(truth: Truth, found: Sequence[Reported], home: Path) -> PackageResult:
    """How the findings in ``home`` do: those of each confidence by itself, and else those that are shown by default."""
    threshold = Options().min_confidence
    flagged = {level: _flagged([f for f in found if f["confidence"] == level.value], home) for level in Confidence}
    shown: dict[tuple[str, Lines], set[str]] = {}
    for level, statements in flagged.items():
        if level.at_least(threshold):
            for key, codes in statements.items():
                shown.setdefault(key, set()).update(codes)
    waited = {(path, lines): kinds for path, file in truth.files.items() for lines, kinds in file.waited.items()}
    kinds = sorted({kind for each in waited.values() for kind in each})
    named = sorted({code for each in shown.values() for code in each})
    return PackageResult(
        truth.distribution,
        truth.version,
        _judged(truth, shown),
        _recalled(waited, shown),
        {kind: _recalled([key for key, own in waited.items() if kind in own], shown) for kind in kinds},
        {code: _judged(truth, [key for key, own in shown.items() if code in own]) for code in named},
        {level.value: _judged(truth, flagged[level]) for level in Confidence},
    )


def _flagged(found: Iterable[Reported], home: Path) -> dict[tuple[str, Lines], set[str]]:
    """The codes that were reported for each statement, by its file and lines."""
    sources: dict[str, StatementLines] = {}
    flagged: dict[tuple[str, Lines], set[str]] = {}
    for finding in found:
        path = finding["filename"]
        if path not in sources:
            sources[path] = StatementLines((home / path).read_bytes())
        flagged.setdefault((path, sources[path].of(finding["location"]["row"])), set()).add(finding["code"])
    return flagged


def _judged(truth: Truth, flagged: Iterable[tuple[str, Lines]]) -> Judged:
    right = false = unknown = 0
    for path, lines in flagged:
        file = truth.files.get(path, _NOTHING)
        if lines in file.waited or lines in file.not_asked_for:
            right += 1
        elif file.on_device.isdisjoint(range(lines.first, lines.last + 1)):
            unknown += 1
        else:
            false += 1
    return Judged(right, false, unknown)


def _recalled(waited: Collection[tuple[str, Lines]], flagged: Collection[tuple[str, Lines]]) -> Recalled:
    return Recalled(len(waited), sum(key in flagged for key in waited))
