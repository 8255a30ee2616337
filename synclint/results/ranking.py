"""The order of all findings of a run together: what comes first is spread over the project.

One cause is enough at first. A place that repeats another of its group stands back by 25 points, the second and the
third cause within one function by 8 and 20, and each cause by 2 for every one that was told of its file before: ten
waits of one file say less than those of several. Nothing leaves its phase by that.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from synclint.findings import Finding
from synclint.results.file_reports import FileReport
from synclint.results.priority import phase_base
from synclint.rules.own import OWN

_REPEATED = -25.0
_MORE_OF_THE_FUNCTION = (0.0, -8.0, -20.0)
_MORE_OF_THE_FILE = -2.0
_MOST_OF_THE_FILE = -20.0


def ranked(reports: Sequence[FileReport]) -> tuple[FileReport, ...]:
    """Reports whose findings have the priorities that they have beside all others."""
    found = [[finding for finding in report.findings if finding.code not in OWN] for report in reports]
    priorities = spread([finding for findings in found for finding in findings])
    given = iter(priorities)
    result = []
    for report in reports:
        findings = tuple(
            finding if finding.code in OWN else replace(finding, priority=next(given)) for finding in report.findings
        )
        result.append(replace(report, findings=findings) if findings else report)
    return tuple(result)


def spread(findings: Sequence[Finding]) -> list[float]:
    """The priorities of findings, in their order, less what they lose to those that are told before them."""
    told: Counter[object] = Counter()
    result = [0.0] * len(findings)
    waiting = [(-finding.priority, index) for index, finding in enumerate(findings)]
    heapq.heapify(waiting)
    while waiting:
        negative, index = heapq.heappop(waiting)
        finding = findings[index]
        left = max(phase_base(finding.context), finding.priority + _lost(finding, told))
        if left < -negative:
            heapq.heappush(waiting, (-left, index))
            continue
        result[index] = left
        if not told[_group(finding)]:
            told["function", finding.filename, finding.function] += 1
            told["file", finding.filename] += 1
        told[_group(finding)] += 1
    return result


def _group(finding: Finding) -> object:
    return "group", finding.filename, finding.group or finding.span


def _lost(finding: Finding, told: Counter[object]) -> float:
    if told[_group(finding)]:
        return _REPEATED
    before = told["function", finding.filename, finding.function]
    function = _MORE_OF_THE_FUNCTION[min(before, len(_MORE_OF_THE_FUNCTION) - 1)]
    return function + max(_MOST_OF_THE_FILE, _MORE_OF_THE_FILE * told["file", finding.filename])
