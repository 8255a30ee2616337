"""GitLab's code quality report, which it shows beside the changes of a merge request."""

from __future__ import annotations

import json
from typing import Any

from synclint.findings import Finding, Severity
from synclint.report.results import CheckedFile, Results, told

_SEVERITY = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


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
        "description": f"{finding.code} {finding.name}: {told(finding)}",
        "content": {"body": finding.instead},
        "categories": ["Performance"],
        "severity": _SEVERITY[finding.severity],
        "fingerprint": fingerprint,
        "location": {
            "path": file.path,
            "lines": {"begin": begin, "end": begin if finding.cell else finding.span.end.line},
        },
    }
