"""Annotations of a pull request, as workflow commands that GitHub's runner reads from the output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from synclint.findings import Finding, Severity
from synclint.report.changes import change_of
from synclint.report.results import CheckedFile, described, located_message
from synclint.report.terminal import escape

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github_report(files: Iterable[CheckedFile]) -> Iterator[str]:
    """One ``::warning file=…::message`` for each finding, with the paths of the files as they are told.

    Escaped as the runner undoes it (actions/toolkit, packages/core/src/command.ts), so that nothing in a
    file's name or its source can begin a command of its own.
    """
    for file in files:
        for finding in file.findings:
            yield _annotation(file, finding)


def _annotation(file: CheckedFile, finding: Finding) -> str:
    line = file.file_line(finding)
    properties = {"title": f"synclint: {finding.code} {finding.name}", "file": file.path, "line": line}
    span = finding.span
    if finding.cell is None:
        properties |= {"endLine": span.end.line}
        # GitHub refuses columns for an annotation of several lines.
        if span.end.line == span.start.line:
            properties |= {"col": span.start.column, "endColumn": span.end.column}
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    message = "\n".join(filter(None, [located_message(finding), finding.instead, finding.url, *_fix(file, finding)]))
    return f"::{_COMMAND[finding.severity]} {listed}::{_data(message)}"


def _fix(file: CheckedFile, finding: Finding) -> Iterator[str]:
    """The fix as people read it: what it does, and the lines before and after."""
    if finding.fix is None:
        return
    flag = "--fix" if finding.fix.is_safe else "--fix --unsafe-fixes"
    yield f"`{flag}`: {described(finding.fix)}"
    change = change_of(file, finding)
    if change is not None:
        yield from (f"- {line}" for line in change.before)
        yield from (f"+ {line}" for line in change.after)


def _data(text: str) -> str:
    shown = "\n".join(escape(line) for line in text.split("\n"))
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return escape(escaped.replace(":", "%3A").replace(",", "%2C"))
