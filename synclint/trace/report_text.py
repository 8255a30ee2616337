"""A report for the terminal. What comes from files and from the program is escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from synclint.report.terminal import Palette, escape, shown_path, width
from synclint.trace.records import CodeLine, Device, Header
from synclint.trace.report import JudgedFinding, ReportedWait, Status, StepTimes, TraceReport

_LONGEST_TEXT = 60
# What takes less than ten others is not where to begin.
_MOST_ADVICE = 10
SIMULATED = "simulated device: counts and lines come from a model of PyTorch on CUDA, and there are no times"


def lines(report: TraceReport, colors: Palette) -> Iterator[str]:
    """The report, line by line."""
    folder = Path(report.header.folder)
    yield ""
    yield colors.strong(f"synclint trace: {headline(report)}")
    yield colors.faint(device_line(report.header))
    for note in report.notes:
        yield colors.faint(f"note: {escape(note)}")
    yield ""
    yield from _waits(report, folder, colors)
    if report.actions:
        yield ""
        yield from _actions(report, colors)
    if report.times is not None:
        yield ""
        yield times_line(report.times)
    if report.busy is not None:
        yield busy_line(report.busy)
    for loader, parts in dataset_lines(report, folder):
        yield escape(f"{loader}: {parts}")
    said = advice(report)
    if said:
        yield ""
        yield colors.strong("What to write instead")
        for place, text in said:
            yield f"  {where(place, folder)}  {escape(text)}"
    if report.hints:
        yield ""
        for hint in report.hints:
            yield f"{colors.help('help:')} {escape(hint.about)}: {escape(hint.text)}"
    if report.ranks:
        yield ""
        yield from _ranks(report, colors)
    if report.findings or report.missed:
        yield ""
        yield from _judged(report, folder, colors)


def headline(report: TraceReport) -> str:
    """How much was seen, in one sentence."""
    steps = f"{report.steps} step{'' if report.steps == 1 else 's'}"
    waits = sum(wait.count for wait in report.waits)
    ended = report.header
    how = f"; it ended with status {ended.exit_status}" if ended.exit_status else ""
    by = f" ({ended.ended_by})" if ended.exit_status and ended.ended_by else ""
    if not waits:
        # Of what happens in the others nothing is known.
        none = f"no wait was recorded in {steps} of this process" if ended.other_processes else ""
        return f"{none or f'the host never waited in {steps}'}{how}{by}"
    per_step = sum(wait.per_step for wait in report.waits)
    each = f", {quantity(per_step)} per step" if report.steps else ""
    return f"{waits} wait{'' if waits == 1 else 's'} in {steps}{each}{how}{by}"


def device_line(header: Header) -> str:
    """What it ran on."""
    if header.device is Device.SIMULATED:
        return SIMULATED
    return f"{escape(header.device_name)}, PyTorch {escape(dict(header.versions).get('torch', '?'))}"


def quantity(number: float) -> str:
    """A count per step: whole where it is, else with as many digits as matter."""
    return f"{number:.0f}" if abs(number - round(number)) < 0.005 else f"{number:.2f}"


def milliseconds(value: float | None) -> str:
    """Milliseconds, or a dash where nothing was measured."""
    return "–" if value is None else f"{value:.3f}"


def where(place: CodeLine, folder: Path) -> str:
    """A place as people read it."""
    if not place.line:
        return "outside Python"
    file = escape(place.file) if place.file.startswith("<") else shown_path(Path(place.file), folder)
    return f"{file}:{place.line}"


def where_in_full(place: CodeLine) -> str:
    """A place with its function, for documents that are no terminal."""
    return f"{place.file}:{place.line} in {place.function}" if place.function else f"{place.file}:{place.line}"


def short(text: str) -> str:
    """A line of source that fits, escaped."""
    shown = escape(text)
    return shown if len(shown) <= _LONGEST_TEXT else shown[: _LONGEST_TEXT - 1] + "…"


def library_name(place: CodeLine) -> str:
    """A library's file without the folder into which it was installed."""
    parts = Path(place.file).parts
    for mark in ("site-packages", "dist-packages"):
        if mark in parts:
            return escape("/".join(parts[len(parts) - parts[::-1].index(mark) :]))
    if "torch" in parts:
        return escape("/".join(parts[len(parts) - 1 - parts[::-1].index("torch") :]))
    return escape("/".join(parts[-2:]))


def _waits(report: TraceReport, folder: Path, colors: Palette) -> Iterator[str]:
    if not report.waits:
        return
    measured = any(wait.blocked_ms is not None for wait in report.waits)
    counts = ["per step", "total"] if report.steps else ["total"]
    header = [*counts, *(["ms/step", "idle ms"] if measured else []), "rule", "runs", "where"]
    rows = []
    for waits in told_as_one(report.waits):
        wait = waits[0]
        said = _described(wait, colors) if len(waits) == 1 else _described_library(waits, colors)
        rows.append(
            [
                *([quantity(sum(one.per_step for one in waits))] if report.steps else []),
                str(sum(one.count for one in waits)),
                *(times_of(waits) if measured else []),
                escape(wait.code) if wait.code and not wait.in_library else "–",
                wait.runs.value if wait.runs else "missed" if wait in report.missed else "–",
                f"{where(wait.place, folder)} {said}".rstrip(),
            ]
        )
    yield from _table(header, rows, colors, right=len(header) - 3)


def told_as_one(waits: Sequence[ReportedWait]) -> list[list[ReportedWait]]:
    """The waits of each row, in their order: those of libraries below one line of the user's share one."""
    rows: dict[object, list[ReportedWait]] = {}
    for number, wait in enumerate(waits):
        rows.setdefault(wait.place if wait.in_library else number, []).append(wait)
    return list(rows.values())


def times_of(waits: Sequence[ReportedWait]) -> list[str]:
    """The milliseconds of a step for which a row's waits held the host, and for which the device then was idle."""
    return [milliseconds(_sum(one.blocked_ms for one in waits)), milliseconds(_sum(one.idle_ms for one in waits))]


def _sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _described_library(waits: Sequence[ReportedWait], colors: Palette) -> str:
    text = colors.quoted(f"`{short(waits[0].text)}`") + " " if waits[0].text else ""
    return f"{text}→ {library_lines(waits)}"


def library_lines(waits: Sequence[ReportedWait]) -> str:
    """Where libraries wait by themselves: the line, or how many lines of which packages."""
    places = dict.fromkeys(f"{library_name(wait.library)}:{wait.library.line}" for wait in waits if wait.library)
    packages = dict.fromkeys(place.partition("/")[0] for place in places)
    return next(iter(places)) if len(places) == 1 else f"{len(places)} lines in {', '.join(packages)}"


def _described(wait: ReportedWait, colors: Palette) -> str:
    parts = [colors.quoted(f"`{short(wait.text)}`")] if wait.text else []
    if wait.backward:
        parts.append("in its backward pass" if wait.op != "backward" else "in the backward pass")
    if wait.library:
        code = f" {colors.quoted(f'`{short(wait.library_text)}`')}" if wait.library_text else ""
        parts.append(f"→ {library_name(wait.library)}:{wait.library.line}{code}")
    if not wait.certain:
        parts.append("(perhaps: the driver decides)")
    if wait.contract:
        parts.append(f"breaks the contract of `{escape(wait.contract)}`")
    return " ".join(parts)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], colors: Palette, right: int) -> Iterator[str]:
    """Columns of equal width; the first ``right`` are numbers, the last is as long as it is."""
    widths = [max(width(row[column]) for row in (header, *rows)) for column in range(len(header) - 1)]

    def line(cells: Sequence[str]) -> str:
        padded = []
        for number, (cell, wide) in enumerate(zip(cells, widths, strict=False)):
            space = " " * (wide - width(cell))
            padded.append(space + cell if number < right else cell + space)
        return "  ".join([*padded, cells[-1]]).rstrip()

    yield colors.strong(line(header))
    yield from map(line, rows)


def _actions(report: TraceReport, colors: Palette) -> Iterator[str]:
    yield colors.strong("Where a step goes")
    rows = [
        [
            f"{1000 * row.mean:.3f}",
            str(row.calls),
            f"{1000 * row.total:.3f}",
            f"{row.percent:.1f}",
            escape(row.action),
        ]
        for row in report.actions
    ]
    yield from _table(["mean ms", "calls", "total ms", "%", "action"], rows, colors, right=4)


def times_line(times: StepTimes) -> str:
    """What a step takes, in one sentence."""
    return (
        f"A step takes {1000 * times.median:.3f} ms (median); the longest, step {times.longest_step}, took "
        f"{1000 * times.longest:.3f} ms."
    )


def busy_line(busy: float) -> str:
    """How much of a step the device works, in one sentence."""
    return f"The device works for {100 * busy:.1f} % of a profiled step, and is idle for {100 * (1 - busy):.1f} %."


def advice(report: TraceReport) -> list[tuple[CodeLine, str]]:
    """For each line that waits in steps, the costliest first, what to write instead of it."""
    waits = [wait for wait in report.waits if wait.instead and (wait.per_step or not report.steps)]
    return list(dict.fromkeys((wait.place, wait.instead) for wait in waits))[:_MOST_ADVICE]


def dataset_lines(report: TraceReport, folder: Path) -> list[tuple[str, str]]:
    """For each loader what its dataset spends a batch's time on."""
    found: dict[CodeLine, list[str]] = {}
    for part in report.dataset_parts:
        at = f" ({Path(part.place.file).name}:{part.place.line})" if part.place.line else ""
        found.setdefault(part.loader, []).append(f"{1000 * part.seconds:.3f} ms {part.place.function}{at}")
    return [(f"Within a batch of {where(loader, folder)}", ", ".join(own)) for loader, own in found.items()]


def _ranks(report: TraceReport, colors: Palette) -> Iterator[str]:
    yield colors.strong("Processes")
    rows = [
        [
            str(facts.rank),
            str(facts.steps),
            f"{1000 * facts.step_seconds:.3f}",
            _in_ms(facts.shared_seconds),
            _in_ms(facts.waiting_seconds),
        ]
        for facts in report.ranks
    ]
    header = ["rank", "steps", "ms/step", "backward and collectives", "waiting for others"]
    yield from _table(header, rows, colors, right=4)


def _in_ms(seconds: float | None) -> str:
    return "–" if seconds is None else f"{1000 * seconds:.3f}"


def _judged(report: TraceReport, folder: Path, colors: Palette) -> Iterator[str]:
    by_status = Counter(judged.status for judged in report.findings)
    always = (Status.CONFIRMED, Status.NOT_OBSERVED, Status.NOT_REACHED)
    counts = [f"{by_status[status]} {status.value}" for status in Status if status in always or by_status[status]]
    yield colors.strong(f"Findings of the linter: {', '.join(counts)}; {len(report.missed)} missed")
    if by_status[Status.NOT_SEEN]:
        yield colors.faint(
            "not seen: lines are watched in this process alone and not in compiled code, and before Python 3.12 until "
            "some steps show nothing new"
        )
    for judged in sorted(report.findings, key=lambda judged: list(Status).index(judged.status)):
        yield f"  {_finding(judged, folder, has_steps=report.steps > 0)}"
    reportable = [wait for wait in report.missed if is_worth_reporting(wait)]
    if reportable:
        yield ""
        yield "Missed: waits that no finding predicted. To report them, copy what follows:"
        for wait in reportable:
            yield ""
            yield from (f"    {line}" for line in pasteable(report, wait))


def _finding(judged: JudgedFinding, folder: Path, *, has_steps: bool) -> str:
    finding = judged.finding
    place = where(CodeLine(finding.file, finding.line), folder)
    seen = ""
    if judged.status is Status.CONFIRMED:
        cost = "" if judged.blocked_ms is None else f", {judged.blocked_ms:.3f} ms"
        # What ran outside of the steps that count did so, for all that, so many times.
        in_steps = has_steps and judged.per_step > 0
        seen = f": {quantity(judged.per_step)} per step{cost}" if in_steps else f": {_times(judged.count)}{cost}"
    return (
        f"{judged.status.value:<12}  {escape(finding.code)} {escape(finding.name)}  {place}  "
        f"({finding.runs.value}, {finding.confidence.value} confidence{', suppressed' * finding.suppressed}){seen}"
    )


def _times(count: int) -> str:
    return f"{count} time{'' if count == 1 else 's'}"


def is_worth_reporting(wait: ReportedWait) -> bool:
    """Whether a report of a missed wait can help: its line is known, and waits for certain."""
    leads_nowhere = wait.backward and wait.op == "backward"
    return bool(wait.text) and wait.certain and not leads_nowhere


def pasteable(report: TraceReport, wait: ReportedWait) -> Iterator[str]:
    """A missed wait as it can be pasted into a bug report: nothing of the user's folders but names of files."""
    versions = dict(report.header.versions)
    known = ", ".join(f"{name} {versions[name]}" for name in versions if name not in ("platform",))
    name = escape(Path(wait.place.file).name)
    yield f"Missed wait: {name}:{wait.place.line} in {escape(wait.place.function)}"
    yield f"line: {escape(wait.text)}"
    if wait.library:
        yield f"library: {library_name(wait.library)}:{wait.library.line} {escape(wait.library_text)}".rstrip()
    through = f" through {escape(wait.via)}" if wait.via and wait.via != wait.op else ""
    yield f"what waits: {escape(wait.op)}{through}, {escape(wait.mechanism)}"
    each = f", {quantity(wait.per_step)} per step" if report.steps else ""
    yield f"seen: {_times(wait.count)}{each}{', in backward' if wait.backward else ''}"
    yield f"device: {report.header.device.value}; {escape(known)}"
