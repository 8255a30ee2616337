"""A summary for a pull request's comment: how often each rule was broken, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from synclint.findings import Finding
from synclint.report.phrases import note
from synclint.report.results import CheckedFile, Results, place
from synclint.report.statistics import counts, summary
from synclint.report.terminal import escape

# GitHub takes comments of up to 65,536 characters; other hosts take more.
LONGEST = 60_000
_BACKQUOTES = re.compile(r"`+")
_MOST_PROBLEMS = 20
_LONGEST_PROBLEM = 300
# What means something within a line: a colon only in front of addresses and emoji, a point only in `www.`, and an
# underscore only at the edge of a word.
_SPECIAL = re.compile(r"[\\`*\[\]#|~$]|:(?=//)|(?<!\w):(?=\w)|(?<=www)\.|(?<!\w)_|_(?!\w)")


def markdown_report(results: Results) -> str:
    """Markdown as GitHub and GitLab render it; what does not fit in a comment is counted instead.

    What comes from the files that were checked is shown, not rendered: it can neither format, link nor
    mention anybody.
    """
    lines = ["### synclint", "", _escaped(summary(results.reports)), ""]
    if results.count:
        lines += ["| Findings | Rule |", "| ---: | --- |", *_table(results), ""]
    lines += _problems(results.problems)
    kept = "\n".join(lines)
    left_out = 0
    for file in results.files:
        section = _section(file, results)
        if left_out or len(kept) + len(section) > LONGEST:
            left_out += len(file.findings)
        else:
            kept += section
    if left_out:
        kept += f"\n{left_out} more findings do not fit in a comment.\n"
    return kept.rstrip() + "\n"


def _problems(problems: Sequence[str]) -> Iterator[str]:
    for problem in problems[:_MOST_PROBLEMS]:
        shown = problem if len(problem) <= _LONGEST_PROBLEM else f"{problem[:_LONGEST_PROBLEM]}…"
        yield f"- not checked: {_escaped(escape(shown))}"
    if len(problems) > _MOST_PROBLEMS:
        yield f"- not checked, either: {len(problems) - _MOST_PROBLEMS} more"


def _table(results: Results) -> Iterator[str]:
    urls = {finding.code: finding.url for report in results.reports for finding in report.findings}
    for count, code, name in counts(results.reports):
        rule = f"{code} {name}"
        yield f"| {count} | {f'[{rule}]({urls[code]})' if urls[code] else rule} |"


def _section(file: CheckedFile, results: Results) -> str:
    if not file.findings:
        return ""
    items = "\n".join(_item(finding, results) for finding in file.findings)
    heading = f"<summary><code>{_unmentioned(escape(file.path))}</code> ({len(file.findings)})</summary>"
    return f"\n<details>{heading}\n\n{items}\n\n</details>\n"


def _item(finding: Finding, results: Results) -> str:
    lines = [f"- {place(finding)}: **{finding.code} {finding.name}** {_prose(finding.message)}"]
    lines += [_prose(text) for text in (finding.instead, note(finding.context, results.shown)) if text]
    return "<br>".join(lines)


def _prose(text: str) -> str:
    """Text of ours around code of theirs: code spans stay code spans, all else is plain."""
    parts: list[str] = []
    position = 0
    shown = escape(text)
    for opening, closing in _code_spans(shown):
        parts += [_escaped(shown[position : opening.start()]), _code(shown[opening.end() : closing.start()])]
        position = closing.end()
    return "".join([*parts, _escaped(shown[position:])])


def _code_spans(text: str) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """The backquotes around each code span, which are as many before it as behind it.

    Source: CommonMark, "Code spans". Each run of backquotes is looked at once.
    """
    runs = list(_BACKQUOTES.finditer(text))
    following: dict[int, int] = {}
    closings: list[int | None] = [None] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        closings[index] = following.get(len(runs[index][0]))
        following[len(runs[index][0])] = index
    index = 0
    while index < len(runs):
        closing = closings[index]
        if closing is not None:
            yield runs[index], runs[closing]
            index = closing
        index += 1


def _escaped(text: str) -> str:
    return _unmentioned(_SPECIAL.sub(r"\\\g<0>", text))


def _code(text: str) -> str:
    """A code span that nothing in the text can close; in it no character means anything."""
    longest = max((len(run) for run in _BACKQUOTES.findall(text)), default=0)
    fence = "`" * (longest + 1)
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{room}{text}{room}{fence}"


def _unmentioned(text: str) -> str:
    """What HTML would be made of, as entities; an ``@`` is kept from the name after it."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace("@", "@<!-- -->")
