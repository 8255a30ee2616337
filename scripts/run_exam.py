"""Holds the linter against ground truth: what waited when real packages ran, and what ran and did not wait.

    python scripts/run_exam.py EXAM_FOLDER [--only NAME[,NAME]] [--json OUT]

``EXAM_FOLDER`` holds ``truth/*.json`` (the measured packages), ``score.py`` (which counts) and ``exam.py`` (which
brings the measured wheels into ``--cache``). The linter of this environment checks each package directory, cold
code included, because the truth is about facts and not about advice.

Every finding is collected, the doubtful ones too. The tables count those that are reported by default, except the
last one, in which each level of confidence is scored by itself.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from synclint.config.options import Options
from synclint.findings import Confidence
from synclint.version import __version__

LINTER = ("check", "--cold", "--isolated", "--output-format", "json")
Findings = list[dict[str, Any]]


class ExamError(Exception):
    """Something without which the exam cannot be held; one sentence for the user."""


@dataclass(frozen=True)
class Judged:
    """Flagged statements: ``right`` waited, ``false`` ran on device tensors and did not, ``unknown`` never ran."""

    right: int
    false: int
    unknown: int

    @property
    def precision(self) -> float | None:
        """The share of flagged statements that waited among those that ran; None where none ran."""
        return self.right / (self.right + self.false) if self.right + self.false else None


@dataclass(frozen=True)
class Recalled:
    """Statements that waited, and how many of them were found."""

    waited: int
    found: int

    @property
    def recall(self) -> float | None:
        """The share that was found; None where nothing waited."""
        return self.found / self.waited if self.waited else None


@dataclass(frozen=True)
class PackageResult:
    """How the linter did on one package; ``kinds``, ``rules`` and ``levels`` by their names."""

    name: str
    version: str
    seconds: float
    flagged: Judged
    waits: Recalled
    kinds: dict[str, Recalled]
    rules: dict[str, Judged]
    levels: dict[str, Judged]


def total_judged(parts: Iterable[Judged]) -> Judged:
    """The sum over packages or levels."""
    rows = list(parts)
    return Judged(sum(r.right for r in rows), sum(r.false for r in rows), sum(r.unknown for r in rows))


def total_recalled(parts: Iterable[Recalled]) -> Recalled:
    """The sum over packages."""
    rows = list(parts)
    return Recalled(sum(r.waited for r in rows), sum(r.found for r in rows))


def lint(target: Path) -> Findings:
    """All findings of the linter in ``target``, whatever their confidence; raises ExamError."""
    command = [sys.executable, "-m", "synclint", *LINTER, "--min-confidence", Confidence.LOW.value, str(target)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        findings: Findings = json.loads(run.stdout)
    except ValueError:
        raise ExamError(f"{target.name}: the linter printed no JSON but said: {run.stderr.strip()[-400:]}") from None
    return [
        {
            "file": finding["filename"],
            "line": finding["location"]["row"],
            "code": finding["code"],
            "confidence": finding["confidence"],
        }
        for finding in findings
    ]


def hold(truth_file: Path, cache: Path, score: Callable[..., Any], unpack: Callable[..., Path]) -> PackageResult:
    """Check the package of one truth file and count; raises ExamError where the linter fails."""
    truth = json.loads(truth_file.read_text(encoding="utf-8"))
    home = unpack(truth, cache)
    target = home / truth["import"].replace(".", "/")
    started = time.perf_counter()
    findings = lint(target if target.exists() else target.with_suffix(".py"))
    seconds = time.perf_counter() - started

    def scored(levels: Sequence[Confidence]) -> dict[str, Any]:
        admitted = [finding for finding in findings if Confidence(finding["confidence"]) in levels]
        result: dict[str, Any] = score(truth, admitted, str(home), device_only=True)
        return result

    threshold = Options().min_confidence
    default = scored([level for level in Confidence if level.at_least(threshold)])
    return PackageResult(
        name=truth["distribution"],
        version=truth["version"].partition("+")[0],
        seconds=round(seconds, 1),
        flagged=_judged(default),
        waits=_recalled(default),
        kinds={kind: _recalled(row) for kind, row in default["kinds"].items()},
        rules={code: _judged(row) for code, row in sorted(default["codes"].items())},
        levels={level.value: _judged(scored([level])) for level in Confidence},
    )


def _judged(row: dict[str, Any]) -> Judged:
    return Judged(row["right"], row["false"], row["unknown"])


def _recalled(row: dict[str, Any]) -> Recalled:
    return Recalled(row["waited"], row["found"])


def grouped(results: Sequence[PackageResult], field: str) -> dict[str, list[Any]]:
    """What the packages have under each name of a table (``kinds``, ``rules`` or ``levels``)."""
    parts: dict[str, list[Any]] = {}
    for result in results:
        for name, part in getattr(result, field).items():
            parts.setdefault(name, []).append(part)
    return dict(sorted(parts.items()))


def tables(results: Sequence[PackageResult]) -> str:
    """The tables per package, kind, rule and confidence, for a terminal."""
    lines = ["package                    recall               precision            unknown  seconds"]
    lines += [
        f"{result.name:26} {_share(result.waits):20} {_share(result.flagged):20} "
        f"{result.flagged.unknown:7}  {result.seconds:7.1f}"
        for result in results
    ]
    waits = total_recalled(result.waits for result in results)
    flagged = total_judged(result.flagged for result in results)
    lines.append(f"{'pooled':26} {_share(waits):20} {_share(flagged):20} {flagged.unknown:7}")

    lines += ["", "kind of wait               recall"]
    for kind, counts in grouped(results, "kinds").items():
        lines.append(f"{kind:26} {_share(total_recalled(counts))}")

    lines += ["", "rule                       precision            unknown"]
    for code, counts in grouped(results, "rules").items():
        judged = total_judged(counts)
        lines.append(f"{code:26} {_share(judged):20} {judged.unknown:7}")

    lines += ["", "confidence                 precision            unknown"]
    levels = grouped(results, "levels")
    for level in reversed(Confidence):
        judged = total_judged(levels.get(level.value, []))
        lines.append(f"{level.value:26} {_share(judged):20} {judged.unknown:7}")
    return "\n".join(lines)


def _share(part: Judged | Recalled) -> str:
    if isinstance(part, Judged):
        share, some, all_of_them = part.precision, part.right, part.right + part.false
    else:
        share, some, all_of_them = part.recall, part.found, part.waited
    return f"{'-' if share is None else format(share, '.3f')} ({some}/{all_of_them})"


def read_programs(folder: Path) -> tuple[Callable[..., Any], Callable[..., Path]]:
    """The exam's own functions for counting and for bringing a package; raises ExamError."""
    sys.path.insert(0, str(folder.resolve()))
    try:
        return import_module("score").score, import_module("exam").unpack
    except (ImportError, AttributeError) as error:
        raise ExamError(f"{folder}: not an exam folder ({error}); it must hold score.py and exam.py") from None
    finally:
        sys.path.pop(0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Hold the exam and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="%(prog)s EXAM_FOLDER [options]",
    )
    parser.add_argument("folder", type=Path, metavar="EXAM_FOLDER")
    parser.add_argument("--only", metavar="NAME[,NAME]", help="only these truth files, by their names")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the counts here, for scripts/calibrate.py")
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path.home() / ".cache" / "synclint-exam",
        metavar="FOLDER",
        help="where the measured wheels are kept (default: %(default)s)",
    )
    given = parser.parse_args(arguments)
    chosen = given.only.split(",") if given.only else None
    truths = [p for p in sorted((given.folder / "truth").glob("*.json")) if chosen is None or p.stem in chosen]
    try:
        if not truths:
            raise ExamError(f"{given.folder / 'truth'}: no truth files of these names")
        score, unpack = read_programs(given.folder)
        results = []
        for truth_file in truths:
            results.append(hold(truth_file, given.cache, score, unpack))
            print(f"held {results[-1].name} in {results[-1].seconds} s", file=sys.stderr, flush=True)
    except ExamError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(tables(results))
    if given.json:
        record = {"synclint": __version__, "packages": [asdict(result) for result in results]}
        given.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
