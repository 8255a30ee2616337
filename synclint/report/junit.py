"""JUnit's XML, which most build servers show as test results: a suite for each file."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from synclint.findings import Finding, Severity
from synclint.report.results import CheckedFile, Results, place
from synclint.report.terminal import escape


def junit_report(results: Results) -> str:
    """A failing case for each finding, a passing one for a file without any, an error for each problem.

    Characters that XML cannot hold are written as in Python's escapes.
    """
    top = ElementTree.Element("testsuites", name="synclint")
    for file in results.files:
        suite = _suite(top, file.path, len(file.findings) or 1, failures=len(file.findings))
        for finding in file.findings:
            _failure(suite, file, finding)
        if not file.findings:
            _case(suite, "no syncs", file.path)
    if results.problems:
        _errors(top, results.problems)
    for total in ("tests", "failures", "errors"):
        top.set(total, str(sum(int(suite.get(total, "0")) for suite in top)))
    ElementTree.indent(top)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(top, encoding="unicode")


def _suite(top: ElementTree.Element, name: str, tests: int, failures: int = 0, errors: int = 0) -> ElementTree.Element:
    return ElementTree.SubElement(
        top,
        "testsuite",
        name=escape(name),
        tests=str(tests),
        failures=str(failures),
        errors=str(errors),
        skipped="0",
        time="0",
    )


def _case(suite: ElementTree.Element, name: str, path: str) -> ElementTree.Element:
    return ElementTree.SubElement(
        suite, "testcase", name=escape(name), classname=escape(path.removesuffix(".py")), time="0"
    )


def _failure(suite: ElementTree.Element, file: CheckedFile, finding: Finding) -> None:
    case = _case(suite, f"{finding.code} {finding.name}, {place(finding)}", file.path)
    case.set("file", escape(file.path))
    case.set("line", str(file.file_line(finding)))
    kind = "error" if finding.severity is Severity.ERROR else "failure"
    failure = ElementTree.SubElement(case, "failure", message=escape(finding.message), type=kind)
    column = finding.span.start.column
    body = [f"{file.path}, {place(finding)}, column {column}", finding.instead, finding.url]
    failure.text = "\n".join(escape(line) for line in body if line)


def _errors(top: ElementTree.Element, problems: Sequence[str]) -> None:
    suite = _suite(top, "synclint", len(problems), errors=len(problems))
    for problem in problems:
        case = _case(suite, "not checked", "synclint")
        ElementTree.SubElement(case, "error", message=escape(problem), type="problem")
