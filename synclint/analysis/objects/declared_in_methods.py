"""Attributes that a method declares as tensors before they are any: ``self.rows: Tensor | None = None``.

What is assigned to them tells where they are; the declaration, that they are tensors where nothing else tells that.
"""

from __future__ import annotations

import ast

from synclint.analysis.domain.values import (
    Alternatives,
    ClassRecord,
    FunctionRecord,
    Nothing,
    Tensor,
    Unknown,
    Value,
    options,
)
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.state.frames import Interpreter
from synclint.analysis.syntax.walk import dotted_name, is_none

_UNTOLD = frozenset({Nothing, Unknown})


def only_declares(node: ast.AnnAssign, declared: Value, function: FunctionRecord | None) -> bool:
    """Whether a statement of a method declares an attribute as a tensor that it does not have yet."""
    return _attribute(node, function) is not None and _is_tensor(declared)


def as_declared(value: Value, engine: Interpreter, record: ClassRecord, name: str) -> Value:
    """What is assigned to an attribute, or the tensor that a method declares it to be where nothing tells more."""
    if not isinstance(value, (Nothing, Alternatives)) or any(type(one) not in _UNTOLD for one in options(value)):
        return value
    for current in record.ancestors:
        for method in current.assigners.get(name, ()):
            annotations = _declarations(method).get(name, ())
            said = next(filter(_is_tensor, (engine.annotation(one, method) for one in annotations)), None)
            if said is not None:
                return said
    return value


@text_fact
def _declarations(method: FunctionRecord) -> dict[str, tuple[ast.expr, ...]]:
    """The attributes that a method declares before they are anything, and as what."""
    found: dict[str, tuple[ast.expr, ...]] = {}
    for node in method.nodes.of(ast.AnnAssign):
        if (name := _attribute(node, method)) is not None:
            found[name] = (*found.get(name, ()), node.annotation)
    return found


def _attribute(node: ast.AnnAssign, method: FunctionRecord | None) -> str | None:
    """The attribute of its object that a statement of a method sets to None."""
    if method is None or method.receiver is None or node.value is None or not is_none(node.value):
        return None
    if not isinstance(node.target, ast.Attribute) or dotted_name(node.target.value) != method.receiver:
        return None
    return node.target.attr


def _is_tensor(declared: Value) -> bool:
    kinds = {type(option) for option in options(declared)}
    return Tensor in kinds and kinds <= {Tensor, Nothing}
