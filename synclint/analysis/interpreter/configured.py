"""Flags of configurations: fields of records in records that are true or false by default.

``config.checks.is_strict`` is one where an annotation leads from a parameter, or from an attribute of the object whose
method runs, to a record, whose field is another one. What a record alone has may as well be what a step has computed.
"""

from __future__ import annotations

import ast

from synclint.analysis.domain.values import ClassRecord, Instance, Value, options
from synclint.analysis.interpreter.switches import kept_names
from synclint.analysis.objects import classes
from synclint.analysis.objects.record_classes import kind_of
from synclint.analysis.program.modules import Parameter
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name


def configured(asked: ast.Attribute, frame: Frame) -> Parameter | None:
    """The field of a configuration that an expression reads, as the parameter of its class that it is."""
    if not isinstance(asked.value, ast.Attribute):
        return None
    holder, owner = _class_of(asked.value.value, frame), _class_of(asked.value, frame)
    if holder is None or owner is None or kind_of(holder) is None or kind_of(owner) is None:
        return None
    if any(module.assigned_attributes["", asked.attr] for module in (owner.module, frame.module)):
        return None
    field = next((field for one in owner.ancestors if (field := _field(one, asked.attr)) is not None), None)
    return None if field is None else Parameter(asked.attr, "keyword", field.annotation, _default(field.value))


def _field(owner: ClassRecord, name: str) -> ast.AnnAssign | None:
    declared = (one for one in owner.node.body if isinstance(one, ast.AnnAssign))
    return next((one for one in declared if isinstance(one.target, ast.Name) and one.target.id == name), None)


def _default(value: ast.expr | None) -> ast.expr | None:
    """What a field holds if nobody says otherwise: ``True``, ``field(default=True)``."""
    if isinstance(value, ast.Call) and (dotted_name(value.func) or "").rpartition(".")[2] in ("field", "Field"):
        return next((keyword.value for keyword in value.keywords if keyword.arg == "default"), None)
    return value


def _class_of(node: ast.expr, frame: Frame) -> ClassRecord | None:
    """The one class of the project of which annotations say that an expression is an object."""
    function = frame.function
    if function is None:
        return None
    if isinstance(node, ast.Name):
        if node.id == function.receiver:
            return function.owner
        if node.id in function.stored_names:
            return None
        given = next((one.annotation for one in function.parameters if one.name == node.id), None)
        return None if given is None else _only_class(frame.engine.annotation(given, function))
    owner = _class_of(node.value, frame) if isinstance(node, ast.Attribute) else None
    if owner is None:
        return None
    assert isinstance(node, ast.Attribute)
    declaring = next((one for one in owner.ancestors if node.attr in one.annotations), None)
    if declaring is not None:
        return _only_class(frame.engine.annotation(declaring.annotations[node.attr], declaring))
    constructor = classes.find_method(owner, "__init__")
    kept = kept_names(constructor).get(node.attr) if constructor is not None else None
    if constructor is None or kept is None:
        return None
    given = next((one.annotation for one in constructor.parameters if one.name == kept), None)
    return None if given is None else _only_class(frame.engine.annotation(given, constructor))


def _only_class(value: Value) -> ClassRecord | None:
    found = {one.record for one in options(value) if isinstance(one, Instance) and one.record is not None}
    return found.pop() if len(found) == 1 else None
