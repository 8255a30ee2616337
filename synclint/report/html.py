"""One page for a browser: findings by file, with their sources, and nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape as markup_escape
from importlib.resources import files
from pathlib import Path, PurePosixPath
from string import Template

from synclint.findings import Confidence, Finding, Span
from synclint.report.phrases import CAPTURED, RUNS, note
from synclint.report.results import CheckedFile, Results, place
from synclint.report.statistics import counts, summary
from synclint.report.syntax_colors import Part, colored_parts
from synclint.report.terminal import escape as visible
from synclint.results.priority import PHASE_ORDER
from synclint.version import __version__

_CODE_SPAN = re.compile(r"`([^`]+)`")
# Lines shown before and after a finding; of a span over more lines than the last, only the beginning.
_AROUND = 2
_MOST_LINES = 12
_LONGEST_LINE = 400
_TOP_FOLDER = "(top)"


def html_report(results: Results) -> str:
    """A self-contained page in the reader's light or dark colours, which loads nothing and runs one script, ours.

    The script searches, filters and groups; the page's policy names its hash and allows no other. Everything from the
    files is escaped, and what a browser would hide, such as overrides of the text direction, is shown as in Python's
    escapes.
    """
    places = _places(results)
    script = _file_of_ours("page.js")
    return Template(_file_of_ours("page.html")).substitute(
        heading=_heading(results),
        summary=_text(summary(results.reports)),
        problems="".join(f'<p class="problem">{_text(problem)}</p>' for problem in results.problems),
        rules=_rules(results, places),
        files=_table_of_files(results),
        controls=_controls(results) if results.count else "",
        findings=_findings(results),
        script=f"<script>{script}</script>" if results.count else "",
        hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


@cache
def _file_of_ours(name: str) -> str:
    return files("synclint.report").joinpath(name).read_text(encoding="utf-8")


def _heading(results: Results) -> str:
    """What was checked, when, by which release and which command."""
    origin = results.origin
    if origin is None:
        return f'<p class="faint">synclint {__version__}</p>'
    said = f"<b>{_text(origin.project)}</b> · {_text(origin.date)} · synclint {__version__}"
    return f'<p class="faint">{said}<br><code>{_text(origin.command)}</code></p>'


def _places(results: Results) -> dict[str, list[str]]:
    """Links to the findings of each rule, by its code."""
    links: dict[str, list[str]] = defaultdict(list)
    for number, file in enumerate(results.files):
        for position, finding in enumerate(file.findings):
            link = f'<a href="#{_anchor(number, position)}">{_text(file.path)}, {place(finding)}</a>'
            links[finding.code].append(link)
    return links


def _anchor(file: int, finding: int) -> str:
    return f"f{file}-{finding}"


def _rules(results: Results, places: dict[str, list[str]]) -> str:
    if not results.count:
        return ""
    urls = {finding.code: finding.url for report in results.reports for finding in report.findings}
    rows = "".join(
        f'<tr><td class="count">{count}</td><td class="rule">{_rule(code, name, urls[code])}</td>'
        f'<td class="places">{_list(places[code])}</td></tr>\n'
        for count, code, name in counts(results.reports)
    )
    return (
        '<h2>By rule</h2>\n<div class="scroll"><table>\n'
        '<tr><th class="count">Findings</th><th>Rule</th><th>Where</th></tr>\n'
        f"{rows}</table></div>"
    )


def _list(links: Sequence[str]) -> str:
    if len(links) == 1:
        return links[0]
    items = "".join(f"<li>{link}</li>" for link in links)
    return f"<details><summary>{len(links)} places</summary><ul>{items}</ul></details>"


def _rule(code: str, name: str, url: str) -> str:
    label = f'<span class="code">{_text(code)}</span> {_text(name)}'
    if not url.startswith("https://"):
        return label
    return f'<a href="{markup_escape(url)}">{label}</a>'


def _table_of_files(results: Results) -> str:
    """How much there is in each file, most first."""
    rows = sorted(
        ((number, file) for number, file in enumerate(results.files) if file.findings),
        key=lambda row: -len(row[1].findings),
    )
    if not rows:
        return ""
    shown = "".join(
        f'<tr><td class="count">{len(file.findings)}</td>'
        f'<td class="path"><a href="#f{number}"><code>{_text(file.path)}</code></a></td>'
        f'<td class="faint">{_text(", ".join(sorted({finding.code for finding in file.findings})))}</td></tr>\n'
        for number, file in rows
    )
    return (
        '<h2>By file</h2>\n<div class="scroll"><table>\n'
        '<tr><th class="count">Findings</th><th>File</th><th>Rules</th></tr>\n'
        f"{shown}</table></div>"
    )


def _controls(results: Results) -> str:
    """Search, filters and grouping, which the script brings to life and shows."""
    found = [finding for report in results.reports for finding in report.findings]
    phases = Counter(map(_phase, found))
    known = [CAPTURED, *(RUNS[phase] for phase in PHASE_ORDER)]
    levels = Counter(finding.confidence.value for finding in found)
    groups = ("file", "folder", "phase", "confidence", "rule")
    options = "".join(f'<option value="{name}">{name}</option>' for name in groups)
    return (
        '<form id="controls" hidden>'
        '<label>Search <input type="search" id="search"></label>'
        f'<label>Group by <select id="group">{options}</select></label>'
        + _boxes("phase", [name for name in known if phases[name]], phases)
        + _boxes("confidence", [level.value for level in reversed(Confidence) if levels[level.value]], levels)
        + '<span id="shown" class="faint" role="status"></span></form>'
    )


def _boxes(key: str, values: Sequence[str], counted: Mapping[str, int]) -> str:
    boxes = "".join(
        f'<label><input type="checkbox" data-key="{key}" value="{value}" checked> {value}'
        f' <span class="faint">{counted[value]}</span></label>'
        for value in values
    )
    return f"<fieldset><legend>{key.capitalize()}</legend>{boxes}</fieldset>"


def _phase(finding: Finding) -> str:
    return CAPTURED if finding.context.captured is not None else RUNS[finding.context.runs]


def _findings(results: Results) -> str:
    sections = "".join(_file(number, file, results) for number, file in enumerate(results.files) if file.findings)
    return f'<h2>Findings</h2>\n<div id="findings">\n{sections}</div>' if sections else ""


def _file(number: int, file: CheckedFile, results: Results) -> str:
    colors: dict[int | None, dict[int, list[Part]]] = {}
    for finding in file.findings:
        if finding.cell not in colors:
            colors[finding.cell] = colored_parts(file.lines(finding))
    found = "".join(
        _finding(_anchor(number, position), file, finding, colors[finding.cell], results)
        for position, finding in enumerate(file.findings)
    )
    count = f'<span class="faint size">({len(file.findings)})</span>'
    heading = f"<summary><code>{_text(file.path)}</code> {count}</summary>"
    return f'<details class="file" id="f{number}" open>{heading}\n{found}</details>\n'


def _finding(
    anchor: str, file: CheckedFile, finding: Finding, colors: Mapping[int, Sequence[Part]], results: Results
) -> str:
    said = note(finding.context, results.shown)
    folder = PurePosixPath(file.path).parent.as_posix()
    data = {
        "file": file.path,
        "folder": _TOP_FOLDER if folder == "." else folder,
        "phase": _phase(finding),
        "confidence": finding.confidence.value,
        "rule": f"{finding.code} {finding.name}",
    }
    attributes = "".join(f' data-{key}="{_text(value)}"' for key, value in data.items())
    where = f"{_text(file.path)}, {place(finding)}, column {finding.span.start.column}"
    return (
        f'<div class="finding" id="{anchor}"{attributes}>'
        f"<p>{_rule(finding.code, finding.name, finding.url)}"
        f' {_linked(where, file, finding, results)}<span class="sure">{finding.confidence.value} confidence</span></p>'
        f"<p>{_prose(finding.message)}</p>"
        f"<pre>{''.join(_source(file.lines(finding), finding.span, colors))}</pre>"
        + (f'<p class="help"><b>Instead:</b> {_prose(finding.instead)}</p>' if finding.instead else "")
        + (f'<p class="faint">{_prose(said)}</p>' if said else "")
        + "</div>\n"
    )


def _linked(where: str, file: CheckedFile, finding: Finding, results: Results) -> str:
    """A place, which leads to the source where the report knows where that can be read."""
    if results.origin is None or file.report.path == Path("-"):
        return f'<span class="faint">{where}</span>'
    link = results.origin.link(results.folder / file.report.path, file.file_line(finding))
    return f'<a class="faint" href="{markup_escape(link)}">{where}</a>'


def _source(lines: Sequence[str], span: Span, colors: Mapping[int, Sequence[Part]]) -> Iterator[str]:
    last = min(span.end.line, span.start.line + _MOST_LINES - 1)
    first_shown = max(1, span.start.line - _AROUND)
    last_shown = min(last + _AROUND, len(lines))
    while last_shown > last and not lines[last_shown - 1].strip():
        last_shown -= 1
    for number in range(first_shown, last_shown + 1):
        code = _marked(lines[number - 1], number, span, colors.get(number, ()))
        yield f'<span class="row"><span class="number">{number}</span>{code}</span>'


def _marked(line: str, number: int, span: Span, parts: Sequence[Part]) -> str:
    """A line with the part that the span covers set off; of a very long line the part around the span."""
    if not span.start.line <= number <= span.end.line:
        return _colored(line, 0, min(len(line), _LONGEST_LINE), parts)
    start = span.start.column - 1 if number == span.start.line else len(line) - len(line.lstrip())
    end = span.end.column - 1 if number == span.end.line else len(line)
    low = max(0, start - _LONGEST_LINE // 2) if len(line) > _LONGEST_LINE else 0
    high = min(len(line), max(low + _LONGEST_LINE, start + 1))
    end = min(end, high)
    before = ("…" if low else "") + _colored(line, low, start, parts)
    after = _colored(line, end, high, parts) + ("…" if high < len(line) else "")
    return f"{before}<mark>{_colored(line, start, end, parts)}</mark>{after}"


def _colored(line: str, low: int, high: int, parts: Sequence[Part]) -> str:
    """The characters of a line from ``low`` to ``high``, each of its parts in its colour."""
    shown: list[str] = []
    position = low
    for kind, begins, ends in parts:
        start, end = max(begins, position), min(ends, high)
        if start < end:
            shown += [_text(line[position:start]), f'<span class="{kind}">{_text(line[start:end])}</span>']
            position = end
    return "".join([*shown, _text(line[position:high])])


def _prose(text: str) -> str:
    # A backtick is no character of markup, so escaping leaves the code spans where they are.
    return _CODE_SPAN.sub(r"<code>\1</code>", _text(text))


def _text(text: str) -> str:
    return markup_escape(visible(text))
