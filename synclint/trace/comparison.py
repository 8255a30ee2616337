"""Two runs, before and after a change: which waits are gone, which are new, and what a step takes."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from synclint.report.terminal import Palette, escape, width
from synclint.trace.records import Action
from synclint.trace.report import ReportedWait, TraceReport
from synclint.trace.report_text import milliseconds, quantity, short
from synclint.trace.steptime import REST

# Counts per step are means: what differs by less is the same.
_SAME = 0.005


@dataclass(frozen=True)
class ChangedWait:
    """The waits of one line in both runs; 0 in the one that has none. ``line`` is that of the run that has it.

    ``before`` and ``after`` are in the unit of the comparison, the counts those of the whole runs.
    """

    file: str
    line: int
    text: str
    code: str
    before: float
    after: float
    before_ms: float | None
    after_ms: float | None
    before_count: int
    after_count: int

    @property
    def change(self) -> str:
        """One word for what became of it."""
        if abs(self.before - self.after) < _SAME:
            return "same"
        if not self.after:
            return "gone"
        if not self.before:
            return "new"
        return "fewer" if self.after < self.before else "more"


@dataclass(frozen=True)
class ChangedFigure:
    """A figure of a step in both runs, in ``unit``; None in the one that has not measured it."""

    name: str
    before: float | None
    after: float | None
    unit: str = "ms"


@dataclass(frozen=True)
class Comparison:
    """What changed from one run to another; seconds per step where both were measured.

    Waits are told ``per`` step, or per run where one of the runs has no steps.
    """

    figures: tuple[ChangedFigure, ...]
    waits: tuple[ChangedWait, ...]
    per: Literal["step", "run"]
    before_waits: float
    after_waits: float
    before_seconds: float | None
    after_seconds: float | None
    devices: tuple[str, str]


def compared(before: TraceReport, after: TraceReport) -> Comparison:
    """The comparison. A line is the same if its text, file name and function are: numbers change with every edit."""
    groups: dict[object, tuple[list[ReportedWait], list[ReportedWait]]] = defaultdict(lambda: ([], []))
    for index, report in enumerate((before, after)):
        for wait in report.waits:
            groups[_identity(wait)][index].append(wait)
    per: Literal["step", "run"] = "step" if before.steps and after.steps else "run"

    def amount(seen: Iterable[ReportedWait]) -> float:
        return sum(wait.per_step if per == "step" else wait.count for wait in seen)

    waits = []
    for old, new in groups.values():
        known = (new or old)[0]
        waits.append(
            ChangedWait(
                file=known.place.file,
                line=known.place.line,
                text=known.text,
                code=known.code,
                before=amount(old),
                after=amount(new),
                before_ms=_milliseconds(old),
                after_ms=_milliseconds(new),
                before_count=sum(wait.count for wait in old),
                after_count=sum(wait.count for wait in new),
            )
        )
    waits.sort(key=lambda wait: (-abs(wait.before - wait.after), wait.file, wait.line))
    measured = all(report.header.device.value == "cuda" for report in (before, after))
    return Comparison(
        _figures(before, after),
        tuple(waits),
        per,
        amount(before.waits),
        amount(after.waits),
        before.step_seconds if measured else None,
        after.step_seconds if measured else None,
        (before.header.device.value, after.header.device.value),
    )


def _figures(before: TraceReport, after: TraceReport) -> tuple[ChangedFigure, ...]:
    """What a step takes and what that goes into, in the order of the tables of both."""
    old, new = _parts(before), _parts(after)
    parts = [ChangedFigure(name, old.get(name, 0.0), new.get(name, 0.0)) for name in dict.fromkeys((*old, *new))]
    step = ChangedFigure("a step (median)", _median(before), _median(after))
    found = [step, *parts, ChangedFigure("the device works", _busy(before), _busy(after), "%")]
    return tuple(figure for figure in found if figure.before is not None or figure.after is not None)


def _median(report: TraceReport) -> float | None:
    return None if report.times is None else 1000 * report.times.median


def _busy(report: TraceReport) -> float | None:
    return None if report.busy is None else 100 * report.busy


def _parts(report: TraceReport) -> dict[str, float]:
    """The milliseconds of a step that each action takes; the lines that wait together."""
    # The row of what is left has one call for each step.
    steps = sum(row.calls for row in report.actions if row.action == REST)
    found: dict[str, float] = defaultdict(float)
    for row in report.actions:
        name = Action.WAIT.value if row.is_wait else row.action
        found[name] += 1000 * row.total / steps if steps else 0.0
    return dict(found)


def _identity(wait: ReportedWait) -> object:
    library = (Path(wait.library.file).name, wait.library_text) if wait.library else None
    return Path(wait.place.file).name, wait.place.function, wait.text, library, wait.backward


def _milliseconds(waits: Sequence[ReportedWait]) -> float | None:
    known = [wait.blocked_ms for wait in waits if wait.blocked_ms is not None]
    return sum(known) if known else None


def comparison_lines(comparison: Comparison, colors: Palette) -> Iterator[str]:
    """The comparison for the terminal."""
    yield colors.strong(
        f"waits per {comparison.per}: {quantity(comparison.before_waits)} before, "
        f"{quantity(comparison.after_waits)} after"
    )
    if comparison.before_seconds and comparison.after_seconds:
        ratio = comparison.before_seconds / comparison.after_seconds
        yield colors.strong(
            f"a step: {1000 * comparison.before_seconds:.3f} ms before, {1000 * comparison.after_seconds:.3f} ms "
            f"after: {ratio:.2f} times as fast"
        )
    if len(set(comparison.devices)) > 1:
        yield f"one run was traced on {comparison.devices[0]}, the other on {comparison.devices[1]}"
    if comparison.figures:
        yield ""
        yield from _figure_lines(comparison.figures, colors)
    if not comparison.waits:
        return
    yield ""
    rows = [
        (
            wait.change,
            quantity(wait.before),
            quantity(wait.after),
            milliseconds(wait.before_ms),
            milliseconds(wait.after_ms),
            escape(wait.code) or "–",
            f"{escape(Path(wait.file).name)}:{wait.line} {colors.quoted(f'`{short(wait.text)}`')}",
        )
        for wait in comparison.waits
    ]
    header = ("", "before", "after", "ms before", "ms after", "rule", "where")
    widths = [max(width(row[column]) for row in (header, *rows)) for column in range(6)]
    for number, row in enumerate((header, *rows)):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(wide) for cell, wide in zip(row[1:5], widths[1:5], strict=True))]
        line = "  ".join([*cells, row[5].ljust(widths[5]), row[6]])
        yield colors.strong(line) if number == 0 else line


def _figure_lines(figures: Sequence[ChangedFigure], colors: Palette) -> Iterator[str]:
    def shown(value: float | None, unit: str) -> str:
        return "–" if value is None else f"{value:.1f} %" if unit == "%" else f"{value:.3f}"

    told = ((one.name, shown(one.before, one.unit), shown(one.after, one.unit)) for one in figures)
    rows = [("of a step, in ms", "before", "after"), *told]
    widths = [max(width(row[column]) for row in rows) for column in range(3)]
    for number, (name, before, after) in enumerate(rows):
        line = f"{escape(name).ljust(widths[0])}  {before.rjust(widths[1])}  {after.rjust(widths[2])}"
        yield colors.strong(line) if number == 0 else line


def comparison_json(comparison: Comparison) -> str:
    """The comparison as one document."""
    per = comparison.per
    return json.dumps(
        {
            "devices": list(comparison.devices),
            "before": {f"per_{per}": comparison.before_waits, "step_ms": _in_ms(comparison.before_seconds)},
            "after": {f"per_{per}": comparison.after_waits, "step_ms": _in_ms(comparison.after_seconds)},
            "figures": [
                {"name": one.name, "unit": one.unit, "before": one.before, "after": one.after}
                for one in comparison.figures
            ],
            "waits": [
                {
                    "change": wait.change,
                    "file": wait.file,
                    "line": wait.line,
                    "text": wait.text,
                    "code": wait.code or None,
                    "before": {f"per_{per}": wait.before, "count": wait.before_count, "blocked_ms": wait.before_ms},
                    "after": {f"per_{per}": wait.after, "count": wait.after_count, "blocked_ms": wait.after_ms},
                }
                for wait in comparison.waits
            ],
        },
        indent=1,
    )


def _in_ms(seconds: float | None) -> float | None:
    return None if seconds is None else 1000 * seconds
