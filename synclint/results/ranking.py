"""The order of all findings of a run together: what comes first is spread over the project.

One cause is enough at first, also where it has places in several files. A place that repeats another of its group
stands back by 25 points, the second and each further cause within one function by 1 and 5, and each cause by 2 for
every one of its file that was ranked before: ten waits of one file say less than those of several. What is not known to
run in training stands back by 4 more for every such cause of its folder: a folder of optimizers, of models or of losses
holds alternatives, of which a run takes one. Nothing
leaves its phase by that.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from synclint.findings import Finding, Span
from synclint.results.file_reports import FileReport
from synclint.results.groups import grouped_across
from synclint.results.priority import phase_base
from synclint.rules.own import OWN

_REPEATED = -25.0
_MORE_OF_THE_FUNCTION = (0.0, -1.0, -5.0)
_MORE_OF_THE_FILE = -2.0
_MOST_OF_THE_FILE = -20.0
_MORE_OF_THE_FOLDER = -4.0
_MOST_OF_THE_FOLDER = -20.0


def ranked(reports: Sequence[FileReport]) -> tuple[FileReport, ...]:
    """Reports whose findings have the groups that reach across files, and their priorities beside all others."""
    found = grouped_across([finding for report in reports for finding in report.findings if finding.code not in OWN])
    prioritized = zip(found, spread(found), strict=True)
    given = iter([replace(finding, priority=priority) for finding, priority in prioritized])
    result = []
    for report in reports:
        findings = tuple(finding if finding.code in OWN else next(given) for finding in report.findings)
        result.append(replace(report, findings=findings) if findings else report)
    return tuple(result)


def spread(findings: Sequence[Finding]) -> list[float]:
    """The priorities of findings, in their order, less what they lose to those that are ranked before them."""
    ranked_before: Counter[object] = Counter()
    result = [0.0] * len(findings)
    leaders = _leaders(findings)
    waiting = [(-finding.priority, _place(finding), index) for index, finding in enumerate(findings)]
    heapq.heapify(waiting)
    while waiting:
        negative, place, index = heapq.heappop(waiting)
        finding = findings[index]
        lost = _lost(finding, ranked_before) if index in leaders else _REPEATED
        left = max(phase_base(finding.context), finding.priority + lost)
        if left < -negative:
            heapq.heappush(waiting, (-left, place, index))
            continue
        result[index] = left
        if index in leaders:
            ranked_before["function", finding.filename, finding.function] += 1
            ranked_before["file", finding.filename] += 1
            if not finding.context.trains:
                ranked_before["folder", folder(finding)] += 1
    return result


def _leaders(findings: Sequence[Finding]) -> set[int]:
    """Of each group the one that stands for the others."""
    found: dict[object, int] = {}
    for index, finding in enumerate(findings):
        group = finding.group or (finding.filename, finding.span)
        known = found.setdefault(group, index)
        if _standing(finding) < _standing(findings[known]):
            found[group] = index
    return set(found.values())


def _standing(finding: Finding) -> tuple[object, ...]:
    return finding.repeats, -finding.priority, _place(finding)


def _place(finding: Finding) -> tuple[str, Span, str]:
    return finding.filename, finding.span, finding.code


def _lost(finding: Finding, ranked_before: Counter[object]) -> float:
    before = ranked_before["function", finding.filename, finding.function]
    function = _MORE_OF_THE_FUNCTION[min(before, len(_MORE_OF_THE_FUNCTION) - 1)]
    file = max(_MOST_OF_THE_FILE, _MORE_OF_THE_FILE * ranked_before["file", finding.filename])
    if finding.context.trains:
        return function + file
    return function + file + max(_MOST_OF_THE_FOLDER, _MORE_OF_THE_FOLDER * ranked_before["folder", folder(finding)])


def folder(finding: Finding) -> str:
    """The folder of a finding, within which findings lose to one another."""
    return finding.filename.replace("\\", "/").rpartition("/")[0]
