"""The page to look at: per case the verdict, the code with its waiting lines marked, and timelines."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template

from synclint.verify.cases import Case, CaseKind
from synclint.verify.measurement import Environment, Side, Timeline
from synclint.verify.report_text import (
    SIMULATED_NOTE,
    cost_cell,
    equal_cell,
    header_lines,
    summary,
    title_cell,
    witness_cell,
    witnesses_of,
)
from synclint.verify.run import Result, Verification, waiting_lines
from synclint.verify.svg import draw, span
from synclint.verify.verdict import Outcome, sightings, totals

_TEMPLATE = Path(__file__).parent / "report.html"

_SIDES = {Side.HAZARD: "Hazard", Side.TWIN: "Sync-free twin"}
_CATALOGUE_SIDES = {Side.HAZARD: "Waits", Side.TWIN: "Near misses that do not wait"}

_SCHEMATIC = "Schematic: drawn from the waits that were counted, lengths are not measured."
_MEASURED = "Measured by the profiler; grey is work that the verifier keeps queued, so that waits show."


def page(verification: Verification, evidence_file: str, traces: str) -> str:
    """The whole page, self-contained; ``evidence_file`` and the folder ``traces`` lie beside it."""
    environment = verification.environment
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        title="synclint verification" + (" (simulated)" if environment.simulated else ""),
        banner=_banner(environment),
        environment="".join(f"<p>{escape(line)}</p>" for line in header_lines(environment)[:1]),
        summary=escape(summary(verification)),
        tally=_tally(verification),
        evidence=escape(evidence_file, quote=True),
        head="".join(f"<th>{escape(cell)}</th>" for cell in _columns(environment)),
        rows="".join(_row(result, environment) for result in verification.results),
        cases="".join(_case(result, environment, traces) for result in verification.results),
    )


def _banner(environment: Environment) -> str:
    if not environment.simulated:
        return ""
    return f'<p class="banner" role="note"><strong>Simulated.</strong> {escape(SIMULATED_NOTE)}.</p>'


def _tally(verification: Verification) -> str:
    return "".join(
        f'<span class="share {outcome.value}" style="flex:{count}">{count} {outcome.value}</span>'
        for outcome, count in totals(verification.verdicts).items()
        if count
    )


def _columns(environment: Environment) -> list[str]:
    witnesses = [witness.value for witness in witnesses_of(environment)]
    cost = [] if environment.simulated else ["cost"]
    return ["rule", *witnesses, "equal results", *cost, "verdict"]


def _row(result: Result, environment: Environment) -> str:
    cost = [] if environment.simulated else [cost_cell(result)]
    cells = [
        *(witness_cell(result, witness) for witness in witnesses_of(environment)),
        equal_cell(result),
        *cost,
    ]
    link = f'<a href="#{_anchor(result)}">{escape(title_cell(result))}</a>'
    middle = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr><td>{link}</td>{middle}<td>{_badge(result)}</td></tr>"


def _anchor(result: Result) -> str:
    return escape(f"{result.case.kind.value}-{result.case.id}", quote=True)


def _badge(result: Result) -> str:
    outcome = result.verdict.outcome
    text = outcome.value if result.verdict.applicable else "not applicable here"
    return f'<span class="badge {outcome.value}">{text}</span>'


def _case(result: Result, environment: Environment, traces: str) -> str:
    verdict = result.verdict
    opened = " open" if _worth_opening(result) else ""
    simulated = ' <span class="badge simulated">simulated</span>' if environment.simulated else ""
    parts = [
        f'<details class="case" id="{_anchor(result)}"{opened}>',
        f"<summary><h2>{escape(title_cell(result))}</h2>{_badge(result)}{simulated}",
        f"{_cost_note(result)}</summary>",
        _list("reasons", verdict.reasons),
        _list("disagreements", (*verdict.disagreements, *verdict.unavailable)),
    ]
    if isinstance(result.case, Case):
        parts.append(_list("sightings", sightings(result.case, verdict)))
        parts.append(_sides(result.case, result))
        parts += _timelines(result.timelines)
    if result.trace is not None:
        link = escape(f"{traces}/{result.trace.name}", quote=True)
        parts.append(f'<p><a href="{link}">Chrome trace</a>, for Perfetto or chrome://tracing</p>')
    parts.append("</details>")
    return "".join(parts)


def _worth_opening(result: Result) -> bool:
    return result.case.kind is CaseKind.RULE or result.verdict.outcome is Outcome.CONTRADICTED


def _cost_note(result: Result) -> str:
    ratio = result.verdict.cost_ratio
    if ratio is None:
        return ""
    return f'<span class="cost">blocks the host {ratio:.3g} times as long as its twin</span>'


def _list(kind: str, lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="{kind}">{items}</ul>' if items else ""


def _sides(case: Case, result: Result) -> str:
    titles = _SIDES if case.kind is CaseKind.RULE else _CATALOGUE_SIDES
    return f'<div class="pair">{"".join(_code(case, result, side, titles[side]) for side in Side)}</div>'


def _code(case: Case, result: Result, side: Side, title: str) -> str:
    source = case.source(side)
    waiting = waiting_lines(result, side)
    rows = []
    for number, text in enumerate(source.text.splitlines(), start=1):
        kind = "waits" if number in waiting else "claimed" if number in source.marked else ""
        seen = "".join(f'<span class="witness">{escape(name)}</span>' for name in waiting.get(number, ()))
        rows.append(
            f'<tr class="{kind}"><td class="number">{number}</td>'
            f'<td><span class="seen">{seen}</span><code>{escape(text)}</code></td></tr>'
        )
    return (
        f"<figure><figcaption>{title} <code>{escape(source.name)}</code></figcaption>"
        f'<div class="scroll"><table class="code">{"".join(rows)}</table></div></figure>'
    )


def _timelines(timelines: tuple[Timeline, ...]) -> Iterable[str]:
    if not timelines:
        return
    functions = dict.fromkeys(drawn.function for drawn in timelines if drawn.side is Side.HAZARD)
    note = _SCHEMATIC if timelines[0].schematic else _MEASURED
    yield f'<h3>Host and device</h3><p class="note">{note}</p>'
    for function in functions:
        both = [drawn for drawn in timelines if drawn.function == function]
        length = span(both)
        figures = "".join(
            f"<figure><figcaption>{_SIDES[drawn.side]} <code>{escape(function)}</code></figcaption>"
            f"{draw(drawn, length)}</figure>"
            for drawn in both
        )
        yield f'<div class="pair">{figures}</div>'
