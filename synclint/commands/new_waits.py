"""What of the findings on changed lines is worse than it was: a line that waited before and is rewritten is not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from synclint.config.options import Options
from synclint.findings import Confidence, Finding, Phase, Span
from synclint.results.file_reports import FileReport
from synclint.rules.own import OWN
from synclint.sources.decoding import UnreadableSourceError, decode_source

# Of a file by itself: waits of one rule in one function that run equally often are alike.
_Alike = tuple[str, str, Phase]


def only_worse(report: FileReport, old: bytes, options: Options) -> FileReport:
    """The report without the findings that only take the place of others in the ``old`` text of the file.

    Both texts are looked at by themselves, in the same way, and all that waits in them is counted: what there is not
    more of in a function than there was is no news. What only callers in other files show stays reported.
    """
    waits = [finding for finding in report.findings if finding.code not in OWN]
    if not waits:
        return report
    try:
        before, now = _alone(decode_source(old), report, options), _alone(report.source, report, options)
    except UnreadableSourceError:
        return report
    more = Counter(now.values())
    more.subtract(Counter(before.values()))
    stays = {id(finding) for finding in waits if more.get(now.get(_place(finding), ("", "", Phase.STEP)), 1) > 0}
    kept = tuple(finding for finding in report.findings if finding.code in OWN or id(finding) in stays)
    return report if len(kept) == len(report.findings) else replace(report, findings=kept)


def _alone(text: str, report: FileReport, options: Options) -> dict[tuple[str, Span], _Alike]:
    """All that waits in a text, whatever its callers are."""
    from synclint.running.runner import check_text

    everything = replace(options, cold=True, min_confidence=Confidence.LOW, severity=())
    found = check_text(text, report.path, (report.path,), everything).findings
    return {_place(finding): (finding.code, finding.function, finding.context.runs) for finding in found}


def _place(finding: Finding) -> tuple[str, Span]:
    return finding.code, finding.span
