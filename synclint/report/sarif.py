"""SARIF 2.1.0, which GitHub code scanning and most viewers of findings read.

The keys and limits are those of OASIS's standard and of GitHub's page "SARIF support for code scanning".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any
from urllib.parse import quote

from synclint.findings import CallPlace, Finding, Fix, Repetition, Severity, Span
from synclint.report.results import CheckedFile, Results, described, located_message
from synclint.report.terminal import escape
from synclint.rules.records import DOCUMENTATION, Rule
from synclint.version import __version__

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
# GitHub refuses a run with more results, and descriptions that are longer.
MOST_RESULTS = 25_000
LONGEST_DESCRIPTION = 1024
_AT_THE_TOP = "a call at the top level of the module"


def sarif_report(results: Results, rules: Sequence[Rule]) -> str:
    """One run: the ``rules`` that occur with their pages as help, and a result with a fingerprint for each finding.

    The calls that lead to a finding are its code flow, the loops that multiply it its related locations. Paths are
    relative to the root of the results. Of more results than GitHub takes the first are kept and a notification says
    so; what could not be checked is a notification, too.
    """
    broken = {finding.code for report in results.reports for finding in report.findings}
    rules = [rule for rule in rules if rule.code in broken]
    index = {rule.code: position for position, rule in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "synclint",
                "semanticVersion": __version__,
                "informationUri": DOCUMENTATION,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The top of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(results)],
        "results": list(islice(_results(results, index), MOST_RESULTS)),
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(rule: Rule) -> dict[str, Any]:
    summary = rule.summary[:LONGEST_DESCRIPTION]
    described: dict[str, Any] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": summary},
        "help": {"text": rule.page, "markdown": rule.page},
        "defaultConfiguration": {"level": _LEVEL[rule.severity]},
        "properties": {"tags": ["performance", "pytorch", "cuda", rule.mechanism], "precision": "high"},
    }
    if rule.url:
        described["helpUri"] = rule.url
    return described


def _invocation(results: Results) -> dict[str, Any]:
    said = [("error", escape(problem)) for problem in results.problems]
    if results.count > MOST_RESULTS:
        left_out = results.count - MOST_RESULTS
        said.append(("warning", f"{left_out} more findings are left out: a run can hold only {MOST_RESULTS}"))
    return {
        "executionSuccessful": not results.problems and not any(report.has_failed for report in results.reports),
        "toolExecutionNotifications": [{"level": level, "message": {"text": text}} for level, text in said],
    }


def _results(results: Results, index: dict[str, int]) -> Iterator[dict[str, Any]]:
    for file in results.files:
        for finding, fingerprint in file.fingerprints():
            yield _result(file, finding, fingerprint, index, results)


def _result(
    file: CheckedFile, finding: Finding, fingerprint: str, index: dict[str, int], results: Results
) -> dict[str, Any]:
    text = " ".join(part.rstrip(".") + "." for part in (located_message(finding), finding.instead) if part)
    text = text.replace("](", "] (")  # else an index before a call would be a link
    artifact = _artifact(file.path)
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVEL[finding.severity],
        "message": {"text": text},
        "rank": round(finding.priority / 20, 2),
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": _region(file, finding)}}],
        "partialFingerprints": {"synclintStatement/v1": fingerprint},
        "properties": {
            "confidence": finding.confidence.value,
            "mechanism": finding.mechanism,
            "runs": finding.context.runs.value,
            "times": list(map(str, finding.context.times)),
            "context": finding.context.reason,
            "group": finding.group,
        },
    }
    if finding.code in index:
        result["ruleIndex"] = index[finding.code]
    if finding.context.path:
        result["codeFlows"] = [_code_flow(result["locations"][0], file, finding, results)]
    if finding.context.times:
        result["relatedLocations"] = [
            _location(loop, f"the loop that runs it once for each {loop.each}", file, results) | {"id": number}
            for number, loop in enumerate(finding.context.times)
        ]
    if finding.fix and finding.cell is None:
        result["fixes"] = [_fix(finding.fix, file, results)]
    return result


def _code_flow(here: dict[str, Any], file: CheckedFile, finding: Finding, results: Results) -> dict[str, Any]:
    """The calls that lead to a finding, from the outside in, and the finding itself."""
    calls = [
        _location(call, f"a call in `{call.function}`" if call.function else _AT_THE_TOP, file, results)
        for call in finding.context.path
    ]
    waits = here | {"message": {"text": escape(located_message(finding))}}
    return {"threadFlows": [{"locations": [{"location": location} for location in (*calls, waits)]}]}


def _location(place: CallPlace | Repetition, text: str, file: CheckedFile, results: Results) -> dict[str, Any]:
    path = file.path if place.path == str(file.report.path) else results.shown(str(results.folder / place.path))
    physical: dict[str, Any] = {"artifactLocation": _artifact(path)}
    if place.cell is None:
        physical["region"] = {"startLine": place.line}
    elif path == file.path:
        physical["region"] = {"startLine": file.line_on_disk(place.line, place.cell)}
    return {"physicalLocation": physical, "message": {"text": escape(text)}}


def _artifact(path: str) -> dict[str, str]:
    return {"uri": _uri(path)} | ({} if path.startswith("/") else {"uriBaseId": _ROOT})


def _uri(path: str) -> str:
    # Names need not be text: their bytes are what counts in a URI.
    try:
        name = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # no file has such a name
        name = path.encode("utf-8", "surrogatepass")
    quoted = quote(name, safe="/")
    return f"file://{quoted}" if path.startswith("/") else quoted


def _region(file: CheckedFile, finding: Finding) -> dict[str, Any]:
    if finding.cell is not None:  # columns of a cell are not those of the JSON around it
        return {"startLine": file.file_line(finding)}
    lines = file.lines(finding)[finding.span.start.line - 1 : finding.span.end.line]
    return _span(finding.span) | {"snippet": {"text": "\n".join(lines)}}


def _span(span: Span) -> dict[str, int]:
    return {
        "startLine": span.start.line,
        "startColumn": span.start.column,
        "endLine": span.end.line,
        "endColumn": span.end.column,
    }


def _fix(fix: Fix, file: CheckedFile, results: Results) -> dict[str, Any]:
    by_path: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        replacement = {"deletedRegion": _span(edit.span), "insertedContent": {"text": edit.replacement}}
        by_path.setdefault((edit.path and results.shown(edit.path)) or file.path, []).append(replacement)
    changes = [{"artifactLocation": _artifact(path), "replacements": made} for path, made in by_path.items()]
    return {"description": {"text": described(fix)}, "artifactChanges": changes}
