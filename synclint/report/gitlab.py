"""GitLab's code quality report, which it shows next to the changes of a merge request."""

from __future__ import annotations

import json
from typing import Any

from synclint.findings import Confidence, Finding, Severity
from synclint.report.results import CheckedFile, Results, located_message


def gitlab_report(results: Results) -> str:
    """A list of issues with the keys that GitLab reads; each fingerprint occurs once."""
    issues = [
        _issue(file, finding, fingerprint) for file in results.files for finding, fingerprint in file.fingerprints()
    ]
    return json.dumps(issues, indent=2)


def _issue(file: CheckedFile, finding: Finding, fingerprint: str) -> dict[str, Any]:
    begin = file.file_line(finding)
    return {
        "type": "issue",
        "check_name": f"{finding.code} {finding.name}",
        "description": f"{finding.code} {finding.name}: {located_message(finding)}",
        "content": {"body": finding.instead},
        "categories": ["Performance"],
        "severity": _severity(finding),
        "fingerprint": fingerprint,
        "location": {
            "path": file.path,
            "lines": {"begin": begin, "end": begin if finding.cell else finding.span.end.line},
        },
    }


def _severity(finding: Finding) -> str:
    """One of GitLab's five severities: by ours, and a warning by how much speaks for its cost.

    Nothing that a warning speaks of breaks a program, so none is critical: what is certain and is known to run in a
    step of training, or is multiplied by a loop, is major, all other warnings are minor.
    """
    context = finding.context
    if finding.severity is Severity.ERROR:
        return "blocker"
    if finding.severity is Severity.INFO:
        return "info"
    is_certain = finding.confidence is Confidence.HIGH and not context.assumed
    return "major" if is_certain and (context.trains or context.times) else "minor"
