"""How often each rule was found, in which phases and how certainly, and how a run ended."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from synclint.findings import Confidence, Finding, Phase
from synclint.fixes.offers import is_offered
from synclint.report.phrases import BY_NATURE, CAPTURED, RUNS, counted, in_steps, needed
from synclint.report.terminal import Palette
from synclint.results.file_reports import FileReport
from synclint.results.priority import PHASE_ORDER
from synclint.rules.own import (
    ANALYSIS_LIMIT,
    BROKEN_CONTRACT,
    INTERNAL_ERROR,
    OWN,
    SYNTAX_ERROR,
    UNUSED_SUPPRESSION,
    USELESS_REGION,
)

_OWN_NOUNS = {
    SYNTAX_ERROR.code: "syntax error",
    UNUSED_SUPPRESSION.code: "unused suppression",
    ANALYSIS_LIMIT.code: "analysis limit",
    INTERNAL_ERROR.code: "internal error",
    BROKEN_CONTRACT.code: "broken contract",
    USELESS_REGION.code: "useless region",
}
_NOT_SHOWN = "not shown"


def counts(reports: Sequence[FileReport]) -> list[tuple[int, str, str]]:
    """How often each rule was found, its code and its name, the most frequent first."""
    counter = Counter((finding.code, finding.name) for report in reports for finding in report.findings)
    return sorted(((count, code, name) for (code, name), count in counter.items()), key=lambda row: (-row[0], row[1]))


def statistics_table(reports: Sequence[FileReport], palette: Palette) -> Iterator[str]:
    """One line for each rule with findings, the most frequent first; then one for each phase and confidence.

    Of these, lines of their own count what is not shown.
    """
    rules = [(count, f"{palette.code(code)}  {name}") for count, code, name in counts(reports)]
    parts = [rules, list(_phase_rows(reports)), list(_confidence_rows(reports))]
    digits = max((len(str(count)) for part in parts for count, _ in part), default=1)
    present = [part for part in parts if part]
    for number, part in enumerate(present):
        for count, text in part:
            yield f"{palette.strong(f'{count:>{digits}}')}  {text}"
        if number < len(present) - 1:
            yield ""


def _phase_rows(reports: Iterable[FileReport]) -> Iterator[tuple[int, str]]:
    reports = tuple(reports)
    shown = list(_waits(reports))
    captured = sum(finding.context.captured is not None for finding in shown)
    if captured:
        yield captured, CAPTURED
    by_phase = Counter(finding.context.runs for finding in shown if finding.context.captured is None)
    yield from ((by_phase[phase], RUNS[phase]) for phase in PHASE_ORDER if by_phase[phase])
    hidden = _hidden(reports)
    yield from ((hidden[phase], f"{RUNS[phase]}, {_NOT_SHOWN}") for phase in PHASE_ORDER if hidden[phase])
    if hidden[None]:
        yield hidden[None], f"{BY_NATURE}, {_NOT_SHOWN}"


def _hidden(reports: Iterable[FileReport]) -> Counter[Phase | None]:
    """What is not asked for, by phase; under None the steps of inference that cannot do without their waits."""
    contexts = [finding.context for report in reports for finding in report.unshown]
    return Counter(None if context.hot and context.by_nature else context.runs for context in contexts)


def _confidence_rows(reports: Iterable[FileReport]) -> Iterator[tuple[int, str]]:
    reports = tuple(reports)
    by_confidence = Counter(finding.confidence for finding in _waits(reports))
    hidden = Counter(finding.confidence for report in reports for finding in report.unsure)
    for counter, ending in ((by_confidence, ""), (hidden, f", {_NOT_SHOWN}")):
        for confidence in reversed(Confidence):
            if counter[confidence]:
                yield counter[confidence], f"of {confidence.value} confidence{ending}"


def _waits(reports: Iterable[FileReport]) -> Iterator[Finding]:
    return (finding for report in reports for finding in report.findings if finding.code not in OWN)


def statistics_json(reports: Sequence[FileReport]) -> str:
    """A list with an object for each rule, the most frequent first, those of which nothing is shown at the end.

    ``runs`` and ``confidence`` divide the ``count`` of what is shown; ``not_shown`` counts the rest by phase, and under
    the names of confidences what was not sure enough.
    """
    names: dict[str, str] = {}
    shown: dict[str, list[Finding]] = {}
    hidden: dict[str, Counter[str]] = {}
    for report in reports:
        for finding in chain(report.findings, report.unshown, report.unsure):
            names[finding.code] = finding.name
            hidden.setdefault(finding.code, Counter())
        for finding in report.findings:
            shown.setdefault(finding.code, []).append(finding)
        for finding in report.unshown:
            hidden[finding.code][finding.context.runs.value] += 1
        for finding in report.unsure:
            hidden[finding.code][finding.confidence.value] += 1
    rows = [
        {
            "code": code,
            "name": name,
            "count": len(shown.get(code, ())),
            "runs": Counter(f.context.runs.value for f in shown.get(code, ()) if code not in OWN),
            "confidence": Counter(f.confidence.value for f in shown.get(code, ())),
            "not_shown": dict(sorted(hidden[code].items())),
        }
        for code, name in sorted(names.items(), key=lambda item: (-len(shown.get(item[0], ())), item[0]))
    ]
    return json.dumps(rows, indent=2)


def summary(reports: Sequence[FileReport]) -> str:
    """The last line of a report: what is shown, and what was found as well but not asked for."""
    checked = [report for report in reports if report.problem is None]
    hidden = _hidden(checked)
    unsure = Counter(finding.confidence for report in checked for finding in report.unsure)
    shown = list(_shown(checked))
    if not (shown or hidden or unsure or any(report.accepted for report in checked)):
        return f"No waits found in {_number(len(checked), 'file')}."
    if shown:
        affected = sum(bool(report.findings) for report in checked)
        said = [f"{_listed(shown)} ({affected} of {_number(len(checked), 'file')})"]
    else:
        where = "in any step" if Phase.STEP not in hidden else "in the requested phases"
        said = [f"No waits {where} ({_number(len(checked), 'file')})"]
    if hidden:
        phases = [phase for phase in PHASE_ORDER if hidden[phase]]
        parts = [counted(hidden[phase], phase) for phase in sorted(phases, key=lambda phase: -hidden[phase])]
        parts += [needed(hidden[None])] if hidden[None] else []
        said.append(f"{', '.join(parts)} {_NOT_SHOWN} (--runs all)")
    if accepted := sum(len(report.accepted) for report in checked):
        said.append(f"{accepted} accepted in regions {_NOT_SHOWN} (--accepted)")
    if unsure:
        levels = [level for level in reversed(Confidence) if unsure[level]]
        count = ", ".join(f"{unsure[level]} of {level.value} confidence" for level in levels)
        said.append(f"{count} {_NOT_SHOWN} (--min-confidence {levels[-1].value})")
    return f"{'; '.join(said)}."


def fixable(reports: Sequence[FileReport], *, unsafe: bool) -> str:
    """How many findings can be fixed by which flag; empty where none can. ``unsafe`` says that unsafe fixes count."""
    fixes = [finding for report in reports for finding in report.findings if is_offered(finding, unsafe=True)]
    safe = sum(is_offered(finding, unsafe=False) for finding in fixes)
    more = len(fixes) - safe
    if not fixes:
        return ""
    if unsafe:
        return f"[*] {len(fixes)} fixable with --fix --unsafe-fixes{f', {safe} of them with --fix' if safe else ''}."
    if not safe:
        return f"[+] {more} fixable with --fix --unsafe-fixes."
    return f"[*] {safe} fixable with --fix{f', [+] {more} more with --unsafe-fixes' if more else ''}."


def _shown(checked: Sequence[FileReport]) -> Iterator[str]:
    """What is reported, counted by phase in the order in which it is told, and by what is no wait."""
    waits = list(_waits(checked))
    captured = sum(finding.context.captured is not None for finding in waits)
    phases = Counter(finding.context.runs for finding in waits if finding.context.captured is None)
    parts = [f"{captured} {CAPTURED}"] if captured else []
    if phases[Phase.STEP]:
        contexts = [finding.context for finding in waits if finding.context.captured is None]
        parts.append(f"{phases.pop(Phase.STEP)} {in_steps(context for context in contexts if context.hot)}")
    parts += [counted(phases[phase], phase) for phase in PHASE_ORDER if phases[phase]]
    for number, part in enumerate(parts):
        count, _, where = part.partition(" ")
        yield part if number else f"{_number(int(count), 'wait')} {where}"
    nouns = Counter(_OWN_NOUNS[f.code] for report in checked for f in report.findings if f.code in OWN)
    yield from (_number(nouns[noun], noun) for noun in _OWN_NOUNS.values() if nouns[noun])


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
