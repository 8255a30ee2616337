"""Reports as plain JSON values and back, without loss: what the cache keeps.

What is read back may have been tampered with, so that every value is looked at before it is believed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from synclint.findings import (
    Applicability,
    CallPlace,
    Confidence,
    Context,
    Edit,
    Finding,
    Fix,
    Phase,
    Position,
    Repetition,
    Severity,
    Span,
)
from synclint.results.file_reports import FileReport
from synclint.sources.embedded import Block, Embedded


def report_values(report: FileReport) -> dict[str, Any]:
    """A report without a problem as JSON values; where its source is the text of the file, that is left out."""
    return {
        "path": str(report.path),
        "findings": [_finding_values(finding) for finding in report.findings],
        "unshown": [_finding_values(finding) for finding in report.unshown],
        "unsure": [_finding_values(finding) for finding in report.unsure],
        "suppressed": [_finding_values(finding) for finding in report.suppressed],
        "accepted": [_finding_values(finding) for finding in report.accepted],
        "source": None if report.source and report.embedded is None else report.source,
        "embedded": _embedded_values(report.embedded) if report.embedded else None,
    }


def report_of(values: object, text_of: Callable[[Path], str]) -> FileReport:
    """The report that ``report_values`` was given. Raises ValueError, TypeError or KeyError for anything else.

    ``text_of`` tells the text of its file.
    """
    table = _table(values)
    path, source, embedded = Path(_text(table["path"])), table["source"], table["embedded"]
    return FileReport(
        path,
        tuple(_finding(item) for item in _items(table["findings"])),
        text_of(path) if source is None else _text(source),
        embedded=None if embedded is None else _embedded(embedded),
        unshown=tuple(_finding(item) for item in _items(table["unshown"])),
        unsure=tuple(_finding(item) for item in _items(table["unsure"])),
        suppressed=tuple(_finding(item) for item in _items(table["suppressed"])),
        accepted=tuple(_finding(item) for item in _items(table["accepted"])),
    )


def _finding_values(finding: Finding) -> dict[str, Any]:
    fix, context = finding.fix, finding.context
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "filename": finding.filename,
        "span": _span_values(finding.span),
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "mechanism": finding.mechanism,
        "context": [
            context.runs.value,
            context.reason,
            [list(loop[:3]) for loop in context.times],
            [list(call[:3]) for call in context.path],
            context.captured,
            context.assumed,
            context.trains,
            context.infers,
            context.by_nature,
            context.direct,
            context.may_train,
            context.optional,
            context.placed,
            context.aside,
            context.callers,
            context.interface,
            context.guesses,
            context.alternatives,
        ],
        "instead": finding.instead,
        "url": finding.url,
        "evidence": list(finding.evidence),
        "construct": finding.construct,
        "subject": finding.subject,
        "cause": finding.cause,
        "function": finding.function,
        "group": finding.group,
        "repeats": finding.repeats,
        "copy": finding.copy,
        "priority": finding.priority,
        "fix": _fix_values(fix) if fix else None,
        "cell": finding.cell,
    }


def _finding(values: object) -> Finding:
    table = _table(values)
    fix, cell = table["fix"], table["cell"]
    return Finding(
        code=_text(table["code"]),
        name=_text(table["name"]),
        message=_text(table["message"]),
        filename=_text(table["filename"]),
        span=_span(table["span"]),
        severity=Severity(table["severity"]),
        confidence=Confidence(table["confidence"]),
        mechanism=_text(table["mechanism"]),
        context=_context(table["context"]),
        instead=_text(table["instead"]),
        url=_text(table["url"]),
        evidence=_texts(table["evidence"]),
        construct=_text(table["construct"]),
        subject=_text(table["subject"]),
        cause=_text(table["cause"]),
        function=_text(table["function"]),
        group=_text(table["group"]),
        repeats=_truth(table["repeats"]),
        copy=_text(table["copy"]),
        priority=_quantity(table["priority"]),
        fix=None if fix is None else _fix(fix),
        cell=None if cell is None else _number(cell),
    )


def _context(values: object) -> Context:
    runs, reason, times, path, captured, *flags, callers, interface, guesses, alternatives = _items(values)
    assumed, trains, infers, by_nature, direct, may_train, optional, placed, aside = map(_truth, flags)
    return Context(
        Phase(runs),
        _text(reason),
        times=tuple(Repetition(*_place(item)) for item in _items(times)),
        path=tuple(CallPlace(*_place(item)) for item in _items(path)),
        captured=None if captured is None else _text(captured),
        assumed=assumed,
        trains=trains,
        infers=infers,
        by_nature=by_nature,
        direct=direct,
        may_train=may_train,
        optional=optional,
        placed=placed,
        aside=aside,
        callers=_number(callers),
        interface=_text(interface),
        guesses=_number(guesses),
        alternatives=_number(alternatives),
    )


def _place(values: object) -> tuple[str, str, int]:
    name, path, line = _items(values)
    return _text(name), _text(path), _number(line)


def _fix_values(fix: Fix) -> list[Any]:
    edits = [[_span_values(edit.span), edit.replacement, edit.path, edit.cell] for edit in fix.edits]
    return [fix.message, edits, fix.applicability.value, fix.caveat]


def _fix(values: object) -> Fix:
    message, edits, applicability, caveat = _items(values)
    return Fix(_text(message), tuple(map(_edit, _items(edits))), Applicability(applicability), _text(caveat))


def _edit(values: object) -> Edit:
    span, replacement, path, cell = _items(values)
    return Edit(_span(span), _text(replacement), _text(path), None if cell is None else _number(cell))


def _span_values(span: Span) -> list[int]:
    return [span.start.line, span.start.column, span.end.line, span.end.column]


def _span(values: object) -> Span:
    line, column, last_line, last_column = _numbers(values)
    return Span(Position(line, column), Position(last_line, last_column))


def _embedded_values(embedded: Embedded) -> dict[str, Any]:
    blocks = [[block.start, list(block.file_lines), list(block.indents), block.cell] for block in embedded.blocks]
    return {"module": embedded.module, "shown": embedded.shown, "blocks": blocks}


def _embedded(values: object) -> Embedded:
    table = _table(values)
    blocks = tuple(_block(item) for item in _items(table["blocks"]))
    return Embedded(_text(table["module"]), _text(table["shown"]), blocks)


def _block(values: object) -> Block:
    start, file_lines, indents, cell = _items(values)
    return Block(_number(start), _numbers(file_lines), _numbers(indents), None if cell is None else _number(cell))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(value)
    return value


def _quantity(value: object) -> float:
    if not isinstance(value, (int, float)):
        raise TypeError(value)
    return float(value)


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _items(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(value)
    return value


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(value)
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(_text, _items(value)))


def _numbers(value: object) -> tuple[int, ...]:
    return tuple(map(_number, _items(value)))
