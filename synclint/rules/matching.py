"""What the rules say about the sync events of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from synclint.catalog.summaries import WAITS_INSIDE
from synclint.findings import Context, Finding, Severity, Span
from synclint.rules.records import Rule

if TYPE_CHECKING:
    from synclint.analysis.results.events import SyncEvent
    from synclint.catalog.entries import Catalog, Entry

# What stands in the place of an operand there is the call itself.
_A_CALL = "a call that "


def findings(events: Iterable[SyncEvent], rules: Sequence[Rule], catalog: Catalog) -> list[Finding]:
    """What the rules say about the events: one finding per expression, in the order of the source.

    Events of constructs that none of the ``rules`` matches are left out. Of several events that one rule
    matches in the same expression the strongest is kept.
    """
    rule_of = rules_by_construct(tuple(rules), catalog)
    entries = catalog.by_id
    kept: dict[tuple[str, Span, str], Finding] = {}
    for event in sorted(events, key=_strongest_first):
        rule = rule_of.get(event.construct)
        if rule is None:
            continue
        kept.setdefault((event.filename, event.span, rule.code), _finding(event, rule, entries[event.construct]))
    return [kept[place] for place in sorted(kept)]


def rules_by_construct(rules: tuple[Rule, ...], catalog: Catalog) -> dict[str, Rule]:
    """The rule that reports each construct; entries of a project's configuration name theirs."""
    known = _listed(rules)
    own = [entry for entry in catalog.entries if entry.rule]
    if not own:
        return known
    by_code = {rule.code: rule for rule in rules}
    return {**known, **{entry.id: by_code[entry.rule] for entry in own if entry.rule in by_code}}


@cache
def _listed(rules: tuple[Rule, ...]) -> dict[str, Rule]:
    return {construct: rule for rule in rules for construct in rule.matches}


def _strongest_first(event: SyncEvent) -> tuple[bool, int, object]:
    return (not (event.context.hot or event.context.captured), -event.confidence.rank, event.span)


def severity_in(context: Context, rule: Rule) -> Severity:
    """What it costs to break a rule there: a captured graph its life, each step its time, other code little.

    It is never more than the rule's own severity but within what is captured.
    """
    if context.captured is not None:
        return Severity.ERROR
    return rule.severity if context.hot else Severity.INFO


def _finding(event: SyncEvent, rule: Rule, entry: Entry) -> Finding:
    if event.facts.startswith(WAITS_INSIDE):
        said = f"`{event.subject}` {event.facts.removeprefix(_A_CALL)}"
    else:
        said = f"{entry.summary}: `{event.subject}` is {event.facts}" if event.facts else entry.summary
    captured = event.context.captured
    fails = f"; this is captured in {captured}, where it fails or breaks the graph" if captured is not None else ""
    return Finding(
        code=rule.code,
        name=rule.name,
        message=" ".join(f"{said}{fails}".split()),
        filename=event.filename,
        span=event.span,
        severity=severity_in(event.context, rule),
        confidence=event.confidence,
        mechanism=entry.mechanism,
        context=event.context,
        instead=entry.instead,
        url=rule.url,
        evidence=event.evidence,
        construct=event.construct,
        subject=event.subject,
        cause=event.cause,
    )
