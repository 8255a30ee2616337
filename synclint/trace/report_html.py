"""A report as one page: the step drawn, and everything that is known about it. It loads and runs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape as markup_escape
from importlib.resources import files
from pathlib import Path
from string import Template

from synclint.report.terminal import escape as visible
from synclint.trace.records import CodeLine, DrawnStep, Stretch
from synclint.trace.report import ActionRow, JudgedFinding, ReportedWait, Status, StepTimes, TraceReport
from synclint.trace.report_text import (
    SIMULATED,
    advice,
    busy_line,
    dataset_lines,
    headline,
    is_worth_reporting,
    library_lines,
    library_name,
    pasteable,
    quantity,
    times_line,
    times_of,
    told_as_one,
)

_WIDTH = 1200.0
_LABEL = 60.0
_LANE = 34.0
_CURVE = 80.0
_GAP = 12.0
_TICKS = 6
# Thinner bars cannot be seen, nor pointed at.
_THINNEST = 1.0
_THINNEST_WAIT = 3.0
_MOST_FRAMES = 12
_WORDS = {
    "wait": "the host waits",
    "loader": "loader",
    "forward": "forward and loss",
    "backward": "backward",
    "optimizer": "optimizer",
    "collective": "collectives",
    "kernel": "kernels",
    "copy": "copies",
}


def page(report: TraceReport) -> str:
    """The page. What comes from files and from the program is escaped, and invisible characters are shown."""
    folder = Path(report.header.folder)
    versions = ", ".join(f"{name} {version}" for name, version in report.header.versions)
    simulated = f'<p class="banner"><b>Simulated.</b> {_text(SIMULATED)}.</p>' if not _measured(report) else ""
    notes = "".join(f'<p class="banner">{_text(note)}</p>' for note in report.notes)
    return _template().substitute(
        title=_text(headline(report)),
        command=_text(" ".join(report.header.command)),
        machine=_text(f"{report.header.device_name}; {versions}"),
        banner=simulated + notes,
        drawn="".join(_step(step, folder) for step in report.drawn),
        waits=_waits(report, folder),
        actions=_advice(report, folder) + _times(report) + _actions(report) + _parts(report, folder),
        ranks=_ranks(report),
        findings=_findings(report, folder),
        missed=_missed(report),
    )


@cache
def _template() -> Template:
    return Template(files("synclint.trace").joinpath("report_page.html").read_text(encoding="utf-8"))


def _measured(report: TraceReport) -> bool:
    return report.header.device.value == "cuda"


def _text(text: str) -> str:
    return markup_escape(visible(text))


def _shown(place: CodeLine, folder: Path) -> str:
    path = Path(place.file)
    name = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else place.file
    return f"{name}:{place.line}"


def _step(step: DrawnStep, folder: Path) -> str:
    kinds = dict.fromkeys(bar.kind for bar in step.stretches)
    legend = "".join(
        f'<span><i class="{markup_escape(kind)}"></i>{_WORDS[kind]}</span>' for kind in _WORDS if kind in kinds
    )
    note = (
        "The order and number of the waits are real, their lengths are not."
        if step.schematic
        else f"{1000 * step.seconds:.3f} ms. Point at a bar for its line and stack."
    )
    return (
        f'<h2>Step {step.number}</h2><p class="legend">{legend}</p><div class="step scroll">{_drawing(step, folder)}'
        f'</div><p class="faint">{note}</p>'
    )


def _drawing(step: DrawnStep, folder: Path) -> str:
    length = max([step.seconds, *(bar.end for bar in step.stretches), 1e-9])
    scale = (_WIDTH - _LABEL) / length
    height = 2 * _LANE + _GAP + 24
    tops = {"host": 2.0, "device": 2.0 + _LANE + _GAP}
    # Waits come last, so that nothing hides them.
    bars = sorted(step.stretches, key=lambda bar: (bar.kind == "wait", bar.start - bar.end))
    parts = [
        f'<svg viewBox="0 0 {_WIDTH:g} {height:g}" role="img" aria-label="What host and device do in a step">',
        *(
            f'<text x="0" y="{top + _LANE * 0.62:g}">{row}</text>'
            f'<rect class="lane" x="{_LABEL:g}" y="{top:g}" width="{_WIDTH - _LABEL:g}" height="{_LANE:g}"/>'
            for row, top in tops.items()
        ),
        *(_bar(bar, tops.get(bar.row, tops["device"]), scale, folder, step.schematic) for bar in bars),
        *_axis(length, scale, height, step.schematic),
        "</svg>",
    ]
    return "".join(parts)


def _bar(bar: Stretch, top: float, scale: float, folder: Path, schematic: bool) -> str:
    least = _THINNEST_WAIT if bar.kind == "wait" else _THINNEST
    width = min(max((bar.end - bar.start) * scale, least), _WIDTH)
    x = min(_LABEL + max(bar.start, 0.0) * scale, _WIDTH - least)
    kind = bar.kind if bar.kind in _WORDS else "other"
    return (
        f'<rect class="bar {kind}" x="{x:.2f}" y="{top:g}" width="{width:.2f}" height="{_LANE:g}">'
        f"<title>{_text_lines(_tooltip(bar, folder, schematic))}</title></rect>"
    )


def _tooltip(bar: Stretch, folder: Path, schematic: bool) -> Iterator[str]:
    yield bar.label if schematic else f"{bar.label}: {1000 * (bar.end - bar.start):.4f} ms"
    if bar.place.line:
        yield f"{_shown(bar.place, folder)} in {bar.place.function}"
    for place in bar.stack[::-1][:_MOST_FRAMES]:
        yield f"  {_shown(place, folder)} in {place.function}"
    if len(bar.stack) > _MOST_FRAMES:
        yield f"  and {len(bar.stack) - _MOST_FRAMES} more"


def _text_lines(lines: Iterable[str]) -> str:
    return "\n".join(map(_text, lines))


def _axis(length: float, scale: float, height: float, schematic: bool) -> Iterator[str]:
    if schematic:
        yield f'<text x="{_WIDTH:g}" y="{height - 6:g}" text-anchor="end">order only, no time scale →</text>'
        return
    for tick in range(_TICKS + 1):
        at = length * tick / _TICKS
        anchor = "start" if tick == 0 else "end" if tick == _TICKS else "middle"
        x = _LABEL + at * scale
        yield f'<text x="{x:.1f}" y="{height - 6:g}" text-anchor="{anchor}">{1000 * at:.2f} ms</text>'


def _table(head: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are markup already; ``head`` are titles and the classes of their columns."""
    titles = "".join(f'<th class="{kind}">{_text(title)}</th>' for title, kind in head)
    body = "".join(
        "<tr>" + "".join(f'<td class="{kind}">{cell}</td>' for (_, kind), cell in zip(head, row, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><tr>{titles}</tr>{body}</table></div>'


def _waits(report: TraceReport, folder: Path) -> str:
    if not report.waits:
        return "<h2>Waits</h2><p>No wait was recorded in this process.</p>"
    measured = any(wait.blocked_ms is not None for wait in report.waits)
    head = [("per step", "number"), ("total", "number")]
    head += [("ms per step", "number"), ("device idle after, ms", "number")] if measured else []
    head += [("rule", ""), ("linter's phase", ""), ("where", "where")]
    rows = []
    for waits in told_as_one(report.waits):
        wait = waits[0]
        missed = '<span class="badge missed">missed</span>' if wait in report.missed else "–"
        code = "" if wait.in_library else wait.code
        rows.append(
            [
                quantity(sum(one.per_step for one in waits)),
                str(sum(one.count for one in waits)),
                *(times_of(waits) if measured else []),
                f'<span class="code">{_text(code) or "–"}</span>',
                wait.runs.value if wait.runs else missed,
                _wait(wait, folder) if len(waits) == 1 else _library(waits, folder),
            ]
        )
    return f"<h2>Waits by line</h2>{_table(head, rows)}"


def _wait(wait: ReportedWait, folder: Path) -> str:
    place = _text(_shown(wait.place, folder)) if wait.place.line else "outside Python"
    code = f" <code>{_text(wait.text)}</code>" if wait.text else ""
    backward = " in its backward pass" if wait.backward else ""
    maybe = "" if wait.certain else " (perhaps: the driver decides)"
    library = ""
    if wait.library:
        beneath = f" <code>{_text(wait.library_text)}</code>" if wait.library_text else ""
        library = f'<span class="library">→ {_text(library_name(wait.library))}:{wait.library.line}{beneath}</span>'
    return f"{place}{code}{backward}{maybe}{library}"


def _library(waits: Sequence[ReportedWait], folder: Path) -> str:
    code = f" <code>{_text(waits[0].text)}</code>" if waits[0].text else ""
    inside = f'<span class="library">→ {_text(library_lines(waits))}</span>'
    return f"{_text(_shown(waits[0].place, folder))}{code}{inside}"


def _times(report: TraceReport) -> str:
    """Each step's time over the run, drawn, and the device's share in it."""
    if report.times is None:
        return ""
    busy = f" {_text(busy_line(report.busy))}" if report.busy is not None else ""
    return f"<h2>Steps over the run</h2>{_curve(report.times)}<p>{_text(times_line(report.times))}{busy}</p>"


def _advice(report: TraceReport, folder: Path) -> str:
    rows = [[_text(_shown(place, folder)), _text(said)] for place, said in advice(report)]
    table = _table([("where", "where"), ("", "")], rows)
    return f"<h2>What to write instead</h2>{table}" if rows else ""


def _parts(report: TraceReport, folder: Path) -> str:
    return "".join(f"<p>{_text(loader)}: {_text(said)}</p>" for loader, said in dataset_lines(report, folder))


def _curve(times: StepTimes) -> str:
    if len(times.seconds) < 2:
        return ""
    highest = max(times.seconds) or 1.0
    between = _WIDTH / (len(times.seconds) - 1)
    points = " ".join(
        f"{number * between:.1f},{_CURVE * (1 - seconds / highest):.1f}" for number, seconds in enumerate(times.seconds)
    )
    last = times.first + times.every * len(times.seconds) - 1
    label = f"steps {times.first} to {last}, from 0 to {1000 * highest:.2f} ms"
    return (
        f'<div class="scroll"><svg viewBox="0 0 {_WIDTH:g} {_CURVE + 4:g}" role="img" aria-label="{label}">'
        f'<polyline fill="none" stroke="currentColor" points="{points}"/></svg></div><p class="faint">{label}</p>'
    )


def _actions(report: TraceReport) -> str:
    if not report.actions:
        return ""
    head = [("mean ms", "number"), ("calls", "number"), ("total ms", "number"), ("%", "number"), ("action", "where")]
    rows = [
        [
            f"{1000 * row.mean:.3f}",
            str(row.calls),
            f"{1000 * row.total:.3f}",
            f"{row.percent:.1f}",
            f"{_share(row)} {_text(row.action)}",
        ]
        for row in report.actions
    ]
    hints = "".join(f"<li><b>{_text(hint.about)}.</b> {_text(hint.text)}</li>" for hint in report.hints)
    listed = f'<ul class="hints">{hints}</ul>' if hints else ""
    return f"<h2>Where a step goes</h2>{_table(head, rows)}{listed}"


def _share(row: ActionRow) -> str:
    kind = "share waits" if row.is_wait else "share"
    return f'<span class="{kind}" style="width:{2 * min(row.percent, 100.0):.0f}px"></span>'


def _ranks(report: TraceReport) -> str:
    if not report.ranks:
        return ""
    head = [
        ("rank", "number"),
        ("steps", "number"),
        ("ms per step", "number"),
        ("backward and collectives, ms", "number"),
        ("waiting for others, ms", "number"),
    ]
    rows = [
        [
            str(facts.rank),
            str(facts.steps),
            f"{1000 * facts.step_seconds:.3f}",
            "–" if facts.shared_seconds is None else f"{1000 * facts.shared_seconds:.3f}",
            "–" if facts.waiting_seconds is None else f"{1000 * facts.waiting_seconds:.3f}",
        ]
        for facts in report.ranks
    ]
    return f"<h2>Processes</h2>{_table(head, rows)}"


def _findings(report: TraceReport, folder: Path) -> str:
    if not report.findings:
        return ""
    head = [("run", ""), ("rule", ""), ("phase", ""), ("per step", "number"), ("where", "where")]
    rows = [_finding(judged, folder) for judged in sorted(report.findings, key=_by_status)]
    return f"<h2>What the linter reported</h2>{_table(head, rows)}"


def _by_status(judged: JudgedFinding) -> int:
    return list(Status).index(judged.status)


def _finding(judged: JudgedFinding, folder: Path) -> list[str]:
    finding = judged.finding
    kind = "confirmed" if judged.status is Status.CONFIRMED else ""
    return [
        f'<span class="badge {kind}">{judged.status.value}</span>',
        f'<span class="code">{_text(finding.code)}</span> {_text(finding.name)}',
        f"{finding.runs.value}{', suppressed' * finding.suppressed}",
        quantity(judged.per_step) if judged.status is Status.CONFIRMED else "",
        f"{_text(_shown(CodeLine(finding.file, finding.line), folder))} {_text(finding.message)}",
    ]


def _missed(report: TraceReport) -> str:
    reportable = [wait for wait in report.missed if is_worth_reporting(wait)]
    if not reportable:
        return ""
    blocks = "".join(f"<pre>{_text_lines(pasteable(report, wait))}</pre>" for wait in reportable)
    return f"<h2>Missed by the linter</h2><p>To report one, copy it as it is.</p>{blocks}"
