"""One page for a browser: findings by rule and by file, with their sources, and nothing from elsewhere."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape as markup_escape
from importlib.resources import files
from string import Template

from synclint.findings import Finding, Span
from synclint.report.phrases import note
from synclint.report.results import CheckedFile, Results, place
from synclint.report.statistics import counts, summary
from synclint.report.terminal import escape as visible

_CODE_SPAN = re.compile(r"`([^`]+)`")
# Lines shown before and after a finding; of a span over more lines than the last, only the beginning.
_AROUND = 2
_MOST_LINES = 12
_LONGEST_LINE = 400


def html_report(results: Results) -> str:
    """A self-contained page in the reader's light or dark colours; it loads and runs nothing.

    Everything from the files is escaped, and what a browser would hide, such as overrides of the text
    direction, is shown as in Python's escapes.
    """
    places = _places(results)
    return _page().substitute(
        summary=_text(summary(results.reports)),
        problems="".join(f'<p class="problem">{_text(problem)}</p>' for problem in results.problems),
        rules=_rules(results, places),
        files=_files(results.files),
    )


@cache
def _page() -> Template:
    return Template(files("synclint.report").joinpath("page.html").read_text(encoding="utf-8"))


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


def _files(checked: Sequence[CheckedFile]) -> str:
    sections = "".join(_file(number, file) for number, file in enumerate(checked) if file.findings)
    return f"<h2>By file</h2>\n{sections}" if sections else ""


def _file(number: int, file: CheckedFile) -> str:
    findings = "".join(
        _finding(_anchor(number, position), file, finding) for position, finding in enumerate(file.findings)
    )
    count = f'<span class="faint">({len(file.findings)})</span>'
    heading = f"<summary><code>{_text(file.path)}</code> {count}</summary>"
    return f'<details class="file" open>{heading}\n{findings}</details>\n'


def _finding(anchor: str, file: CheckedFile, finding: Finding) -> str:
    said = note(finding.context)
    return (
        f'<div class="finding" id="{anchor}">'
        f"<p>{_rule(finding.code, finding.name, finding.url)}"
        f' <span class="faint">{place(finding)}, column {finding.span.start.column}</span>'
        f'<span class="sure">{finding.confidence.value} confidence</span></p>'
        f"<p>{_prose(finding.message)}</p>"
        f"<pre>{''.join(_source(file.lines(finding), finding.span))}</pre>"
        + (f'<p class="help"><b>Instead:</b> {_prose(finding.instead)}</p>' if finding.instead else "")
        + (f'<p class="faint">{_prose(said)}</p>' if said else "")
        + "</div>\n"
    )


def _source(lines: Sequence[str], span: Span) -> Iterator[str]:
    last = min(span.end.line, span.start.line + _MOST_LINES - 1)
    first_shown = max(1, span.start.line - _AROUND)
    last_shown = min(last + _AROUND, len(lines))
    while last_shown > last and not lines[last_shown - 1].strip():
        last_shown -= 1
    for number in range(first_shown, last_shown + 1):
        code = _marked(lines[number - 1], number, span)
        yield f'<span class="row"><span class="number">{number}</span>{code}</span>'


def _marked(line: str, number: int, span: Span) -> str:
    """A line with the part that the span covers set off; of a very long line the part around the span."""
    if not span.start.line <= number <= span.end.line:
        return _text(line[:_LONGEST_LINE])
    start = span.start.column - 1 if number == span.start.line else len(line) - len(line.lstrip())
    end = span.end.column - 1 if number == span.end.line else len(line)
    low = max(0, start - _LONGEST_LINE // 2) if len(line) > _LONGEST_LINE else 0
    high = min(len(line), max(low + _LONGEST_LINE, start + 1))
    end = min(end, high)
    before = ("…" if low else "") + line[low:start]
    after = line[end:high] + ("…" if high < len(line) else "")
    return f"{_text(before)}<mark>{_text(line[start:end])}</mark>{_text(after)}"


def _prose(text: str) -> str:
    # A backtick is no character of markup, so escaping leaves the code spans where they are.
    return _CODE_SPAN.sub(r"<code>\1</code>", _text(text))


def _text(text: str) -> str:
    return markup_escape(visible(text))
