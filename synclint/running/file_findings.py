"""What is found in one file, of what makes the host wait in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.config.options import Options
from synclint.findings import Confidence, Context, Finding, Phase, Position, Span
from synclint.results.file_reports import FileReport
from synclint.results.selection import is_failure_reported, may_hold_directives, reported_codes, severity_of
from synclint.rules.loading import load_rules, rules_with_matchers
from synclint.rules.matching import findings
from synclint.rules.own import ANALYSIS_LIMIT, INTERNAL_ERROR, OWN
from synclint.running.contracts import NO_CONTRACTS

if TYPE_CHECKING:
    from synclint.analysis.frequency.call_graph import CallGraph
    from synclint.analysis.results.events import SyncEvent
    from synclint.catalog.entries import Catalog
    from synclint.rules.records import Rule
    from synclint.running.contracts import FileContracts
    from synclint.running.shortfalls import Shortfall
    from synclint.running.survey import CodeFile


def report_on(
    file: CodeFile,
    shortfall: Shortfall | None,
    events: list[SyncEvent],
    options: Options,
    contracts: FileContracts,
) -> FileReport:
    """What is found in a file, asked for or not, with these waits in it; without the file's source."""
    path = file.path
    said = findings(events, load_rules(), options.catalog) if events else []
    if contracts is not NO_CONTRACTS:
        from synclint.running.contract_findings import about_contracts  # which a file without contracts does without

        said += about_contracts(contracts, said, file)
    complaints: Sequence[Finding] = ()
    suppressed: Sequence[Finding] = ()
    is_whole = shortfall is None
    if (said or is_whole) and may_hold_directives(file.source, said):
        from synclint.adoption.suppressions import review, with_marks

        # Whether a comment suppresses anything does not depend on what is asked for; but nobody can tell where a part
        # of the file was not checked.
        if options.ignore_noqa:
            reviewed = with_marks(said, file.source, path)
        else:
            reviewed = review(said, file.source, path, options.require_reason)
        said = list(reviewed.findings)
        suppressed = reviewed.suppressed
        complaints = reviewed.complaints if is_whole else ()
    codes = reported_codes(options, path) if said or complaints or suppressed else frozenset()
    own = [finding for finding in said if finding.code in codes and finding.code in OWN]
    said = [finding for finding in said if finding.code in codes and finding.code not in OWN]
    accepted: Sequence[Finding] = ()
    if contracts.accepted:
        from synclint.running.contract_findings import divided

        said, accepted = divided(said, contracts, shown=options.accepted)
    if options.severity:
        said = [replace(finding, severity=severity_of(finding, options)) for finding in said]
    shown = _settled([finding for finding in said if options.admits(finding)], file.source, options.catalog)
    shown += [*own, *(complaint for complaint in complaints if complaint.code in codes)]
    if shortfall is not None and is_failure_reported(shortfall.rule, options):
        shown.append(not_checked(path, shortfall))
    return FileReport(
        path,
        tuple(sorted(shown, key=lambda finding: finding.span)),
        unshown=tuple(f for f in said if options.is_sure(f) and not options.is_asked_for(f.context)),
        unsure=tuple(f for f in said if not options.is_sure(f)),
        suppressed=tuple(f for f in suppressed if f.code in codes),
        accepted=tuple(f for f in accepted if options.admits(f)),
    )


def all_events(file: CodeFile, graph: CallGraph, options: Options) -> list[SyncEvent]:
    """What makes the host wait in a file: what the analysis found, and what matchers of other packages find.

    Raises PluginError for a matcher that fails.
    """
    events = graph.events(str(file.real_path), str(file.path))
    matching = _matching(file)
    if not matching:
        return events
    # Imported here because only a file that may be matched is worth importing libcst.
    from synclint.results.expression_facts import FileFacts, facts_by_place
    from synclint.running.added_matches import matched_events

    waits = tuple(findings(events, load_rules(), options.catalog))
    facts = FileFacts(file.path, file.source, (), facts_by_place(graph, str(file.real_path)), waits)
    return [*events, *matched_events(matching, facts, str(file.path))]


def is_matched(file: CodeFile) -> bool:
    """Whether there are matchers for a file, which need all of its expressions to be recorded."""
    return bool(_matching(file))


def _matching(file: CodeFile) -> list[Rule]:
    return [rule for rule in rules_with_matchers() if any(word in file.source for word in rule.match_words)]


def _settled(shown: list[Finding], source: str, catalog: Catalog) -> list[Finding]:
    if not shown:
        return []
    from synclint.results.completion import completed

    return completed(shown, source, catalog)


# What to do about what kept a file from being checked; a syntax error speaks for itself.
_ADVICE = {
    ANALYSIS_LIMIT.code: "Split or simplify the function, or leave the file out with `exclude`.",
    INTERNAL_ERROR.code: "Until this is fixed, leave the file out with `exclude`.",
}


def not_checked(path: Path, shortfall: Shortfall) -> Finding:
    rule, start = shortfall.rule, shortfall.place
    return Finding(
        code=rule.code,
        name=rule.name,
        message=" ".join(shortfall.message.split()),
        filename=str(path),
        span=Span(start, Position(start.line, start.column + 1)),
        severity=rule.severity,
        confidence=Confidence.HIGH,
        mechanism=rule.mechanism,
        context=Context(Phase.STEP, reason=""),
        instead=_ADVICE.get(rule.code, ""),
    )
