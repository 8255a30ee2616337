"""One report of several processes, such as the ranks that ``torchrun`` starts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from synclint.trace.assembly import missed
from synclint.trace.report import ActionRow, JudgedFinding, RankFacts, ReportedWait, Status, TraceReport

_BEST_FIRST = tuple(Status)
# Of the time of a step, from where the fastest process differs enough from the slowest to be told.
_UNEVEN = 0.05


def merged(reports: Sequence[TraceReport]) -> TraceReport:
    """The reports of the ranks as one; figures per step are means over the ranks, counts are sums.

    Ranks that wait for each other take the same time for a step, whatever each has to do: the one that waits least is
    the one that the others wait for.
    """
    ordered = sorted(reports, key=lambda report: report.header.rank)
    first = ordered[0]
    waits = _waits(ordered)
    missing = sorted(set(range(first.header.world_size)) - {report.header.rank for report in ordered})
    repeated = len({report.header.rank for report in ordered}) < len(ordered)
    notes = list(dict.fromkeys(note for report in ordered for note in report.notes))
    if missing:
        notes.append(f"no report from rank {', '.join(map(str, missing))} of {first.header.world_size}")
    if repeated:
        notes.append("two of the reports have the same rank: are they from the same run?")
    facts = _facts(ordered)
    notes += _uneven(facts)
    statuses = [report.header.exit_status for report in ordered if report.header.exit_status]
    seconds = [report.step_seconds for report in ordered if report.step_seconds is not None]
    return replace(
        first,
        header=replace(first.header, rank=0, exit_status=statuses[0] if statuses else first.header.exit_status),
        steps=max(report.steps for report in ordered),
        counted_steps=max(report.counted_steps for report in ordered),
        step_seconds=max(seconds) if seconds else None,
        waits=waits,
        missed=missed(waits, max(report.steps for report in ordered)) if first.checked else (),
        findings=_findings(ordered),
        actions=_actions(ordered),
        hints=tuple(dict.fromkeys(hint for report in ordered for hint in report.hints)),
        loaders=tuple(dict.fromkeys(loader for report in ordered for loader in report.loaders)),
        dataset_parts=first.dataset_parts,
        ranks=facts,
        shared_seconds=None,
        notes=tuple(notes),
        busy=_mean([report.busy for report in ordered], len(ordered)),
        times=max((report.times for report in ordered if report.times), key=lambda times: times.median, default=None),
    )


def _waits(reports: Sequence[TraceReport]) -> tuple[ReportedWait, ...]:
    groups: dict[object, list[ReportedWait]] = defaultdict(list)
    for report in reports:
        for wait in report.waits:
            key = (wait.place, wait.library, wait.mechanism, wait.op, wait.backward, wait.certain)
            groups[key].append(wait)
    number = len(reports)
    found = [
        replace(
            max(group, key=lambda wait: wait.count),
            count=sum(wait.count for wait in group),
            per_step=sum(wait.per_step for wait in group) / number,
            blocked_ms=_mean([wait.blocked_ms for wait in group], number),
            idle_ms=_mean([wait.idle_ms for wait in group], number),
            runs=next((wait.runs for wait in group if wait.runs), None),
            ranks=tuple(sorted({rank for wait in group for rank in wait.ranks})),
        )
        for group in groups.values()
    ]
    return tuple(sorted(found, key=lambda wait: (-(wait.blocked_ms or 0.0), -wait.per_step, -wait.count)))


def _mean(values: Sequence[float | None], number: int) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / number if known else None


def _findings(reports: Sequence[TraceReport]) -> tuple[JudgedFinding, ...]:
    groups: dict[object, list[JudgedFinding]] = defaultdict(list)
    for report in reports:
        seen: dict[object, int] = defaultdict(int)
        for judged in report.findings:
            finding = judged.finding
            key = (finding.file, finding.line, finding.code, finding.message)
            groups[key, seen[key]].append(judged)
            seen[key] += 1
    number = len(reports)
    return tuple(
        JudgedFinding(
            group[0].finding,
            min((judged.status for judged in group), key=_BEST_FIRST.index),
            sum(judged.count for judged in group),
            sum(judged.per_step for judged in group) / number,
            _mean([judged.blocked_ms for judged in group], number),
        )
        for group in groups.values()
    )


def _actions(reports: Sequence[TraceReport]) -> tuple[ActionRow, ...]:
    sums: dict[tuple[str, bool], list[float]] = {}
    for report in reports:
        for row in report.actions:
            own = sums.setdefault((row.action, row.is_wait), [0, 0.0])
            own[0] += row.calls
            own[1] += row.total
    total = sum(seconds for _, seconds in sums.values())
    return tuple(
        ActionRow(action, int(calls), seconds, 100 * seconds / total if total else 0.0, is_wait)
        for (action, is_wait), (calls, seconds) in sums.items()
    )


def _facts(reports: Sequence[TraceReport]) -> tuple[RankFacts, ...]:
    shared = [report.shared_seconds for report in reports if report.shared_seconds is not None]
    least = min(shared) if len(shared) == len(reports) else None
    return tuple(
        RankFacts(
            report.header.rank,
            report.steps,
            report.step_seconds or 0.0,
            report.shared_seconds,
            None if least is None or report.shared_seconds is None else report.shared_seconds - least,
        )
        for report in reports
    )


def _uneven(facts: Sequence[RankFacts]) -> list[str]:
    """Who waits for whom, if the ranks differ."""
    known = [fact for fact in facts if fact.waiting_seconds is not None]
    if len(known) < 2:
        return []
    awaited = min(known, key=lambda fact: fact.waiting_seconds or 0.0)
    waiting = [fact for fact in known if (fact.waiting_seconds or 0.0) >= _UNEVEN * fact.step_seconds > 0]
    return [
        f"in each step rank {fact.rank} waits {1000 * (fact.waiting_seconds or 0.0):.1f} ms for rank {awaited.rank}, "
        "which is later to exchange gradients or other values"
        for fact in waiting
    ]
