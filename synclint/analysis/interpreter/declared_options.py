"""Options that a record of settings declares, with what they are by default: ``compiles: bool = False``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from synclint.analysis.domain.values import ClassRecord, Instance, ModuleRecord, options
from synclint.analysis.objects.record_classes import fields_of
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name


def declared_option(test: ast.Attribute, taken: bool, frame: Frame) -> str | None:
    """The field of a record that has to be set for a test of it to come out so; None where it is so by default."""
    if dotted_name(test.value) is None:
        return None
    records = [one.record for one in options(frame.engine.evaluate(test.value, frame)) if isinstance(one, Instance)]
    if any(module.assigned_attributes["", test.attr] for module in (frame.module, *_modules_of(records))):
        return None  # what a step sets is none
    usual = {_usual(record, test.attr) for record in records if record is not None}
    if usual != {not taken}:
        return None
    return test.attr if taken else f"{test.attr}=False"


def _usual(record: ClassRecord, name: str) -> bool | None:
    """What a field of a record is by default; None where that is neither true nor false."""
    field = next((one for one in fields_of(record) if one.name == name), None)
    if field is None:
        return None
    for statement in field.owner.node.body:
        if isinstance(statement, ast.AnnAssign) and dotted_name(statement.target) == name:
            value = _default(statement.value)
            return value.value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else None
    return None


def _default(value: ast.expr | None) -> ast.expr | None:
    """What a field holds if nobody says otherwise: ``True``, ``field(default=True)``."""
    if isinstance(value, ast.Call) and (dotted_name(value.func) or "").rpartition(".")[2] in ("field", "Field"):
        return next((keyword.value for keyword in value.keywords if keyword.arg == "default"), None)
    return value


def _modules_of(records: Iterable[ClassRecord | None]) -> Iterator[ModuleRecord]:
    return (record.module for record in records if record is not None)
