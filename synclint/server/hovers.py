"""What an editor shows of the expression under the cursor: what was concluded of it, and the rule's page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from synclint.analysis.domain.values import Device
from synclint.api import Finding, SynclintError, explain
from synclint.findings import Position, Span
from synclint.report.terminal import escape
from synclint.results.expression_facts import FileFacts, TensorFact

CALLERS_UNKNOWN = "*Concluded from this file and what it imports; the code that calls it is not known yet.*"
_DEVICES = {
    Device.CPU: "the CPU",
    Device.DEVICE: "the GPU",
    Device.EITHER: "the CPU or the GPU",
    Device.UNKNOWN: "not known, taken to be the GPU",
}
_SPECIAL = re.compile(r"([\\*_{}\[\]()#+!|<>~$&])")


def fact_at(known: FileFacts, position: Position) -> tuple[Span, TensorFact] | None:
    """The smallest expression around a position of which something is known, and what that is."""
    around = [
        (key.span, fact)
        for key, fact in known.facts.items()
        if key.span.start <= position <= key.span.end and (fact.description or fact.instance_of)
    ]
    return min(around, key=lambda item: _size(item[0]), default=None)


def hover_text(expression: str, fact: TensorFact | None, findings: Sequence[Finding], remark: str = "") -> str:
    """Markdown about an expression, as written, and the findings at its place; nothing where nothing is known.

    The ``remark`` is made about what is said of the expression.
    """
    parts = ["\n\n".join(filter(None, (_fact_text(expression, fact), remark)))] if fact is not None else []
    for code in dict.fromkeys(finding.code for finding in findings):
        parts += [f"**{_prose(finding.message)}**" for finding in findings if finding.code == code]
        try:
            parts.append(explain(code).page.rstrip())
        except SynclintError:  # what the program reports of itself has no page
            continue
    return "\n\n---\n\n".join(part for part in parts if part)


def _fact_text(expression: str, fact: TensorFact) -> str:
    said = fact.description or f"a `{fact.instance_of}`"
    context = fact.context
    more = [
        f"element type: {fact.dtype.value}" if fact.is_tensor and fact.dtype is not None else "",
        f"dimensions: {fact.rank}" if fact.rank is not None else "",
        f"device: {_DEVICES[fact.device]}" if fact.is_tensor and fact.device is not None else "",
        f"confidence: {fact.confidence.value}" if fact.confidence is not None else "",
        ", ".join(filter(None, (f"runs: {context.runs.value}", context.reason))) if context is not None else "",
    ]
    facts = [f"- {_prose(line)}" for line in (*more, *fact.evidence) if line]
    return "\n".join([f"{_code(expression)} is {_prose(said)}", "", *facts])


def _size(span: Span) -> tuple[int, int]:
    start, end = span
    return end.line - start.line, end.column - start.column


def _code(text: str) -> str:
    shown = " ".join(escape(text).split()).replace("`", "'")
    return f"`{shown if len(shown) <= 80 else shown[:79] + '…'}`"


def _prose(text: str) -> str:
    """Text from the checked files, which may hold anything, as prose with code spans and nothing else."""
    pieces = escape(text).split("`")
    if len(pieces) % 2 == 0:
        return _SPECIAL.sub(r"\\\1", "'".join(pieces))
    return "`".join(piece if index % 2 else _SPECIAL.sub(r"\\\1", piece) for index, piece in enumerate(pieces))
