"""Which entries of a baseline a run could have found: of the others its silence says nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from synclint.adoption.baseline import Baseline, Entry
from synclint.config.configurations import Configurations
from synclint.files.real_paths import real_path
from synclint.findings import Confidence, Phase
from synclint.results.file_reports import FileReport
from synclint.results.selection import reported_codes
from synclint.rules.own import NOT_CHECKED


def could_find(
    reports: Sequence[FileReport], baseline: Baseline, configured: Configurations
) -> Callable[[Entry], bool]:
    """Tells of an entry whether the run that made these reports would report it if it were still there."""
    by_path = {baseline.path_of(report.path): report for report in reports}

    def findable(entry: Entry) -> bool:
        report = by_path.get(entry.path)
        if report is None:
            return baseline.has_lost(entry.path)
        if report.problem or any(finding.code in NOT_CHECKED for finding in report.findings):
            return False
        options = configured.of(real_path(report.path).parent).options
        sure = Confidence(entry.confidence).at_least(options.min_confidence)
        asked_for = options.asks_for(Phase(entry.runs), by_nature=entry.by_nature)
        return sure and asked_for and entry.rule in reported_codes(options, report.path)

    return findable
