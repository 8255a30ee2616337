"""Parameters of which nothing tells that they are tensors but a question: ``if isinstance(value, torch.Tensor)``."""

from __future__ import annotations

import ast

from synclint.analysis.domain.tensors import with_origin
from synclint.analysis.domain.values import FunctionRecord, Origin, Unknown, Value
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, operands


def as_asked(value: Value, before: Value, subject: ast.expr, frame: Frame) -> Value:
    """What a parameter is where a function has found it to be a tensor, of which nothing was known ``before``.

    What calls give it tells whether it ever is.
    """
    record = frame.function
    if record is None or not isinstance(before, Unknown) or not frame.engine.runs_on_text:
        return value
    if not isinstance(subject, ast.Name) or not _is_given(subject, record):
        return value
    text = f"parameter `{subject.id}` of `{record.name}` is asked whether it is a tensor"
    return with_origin(value, Origin(text, record.module, record.node, parameter=subject.id))


def parameters_asked(record: FunctionRecord) -> frozenset[str]:
    """The parameters of which a function asks whether they are tensors, while they are what calls give them."""
    asked = (call.args[0] for call in record.nodes.of(ast.Call) if call.args and _asks_for_tensors(call))
    return frozenset(one.id for one in asked if isinstance(one, ast.Name) and _is_given(one, record))


def _is_given(name: ast.Name, record: FunctionRecord) -> bool:
    """Whether a name still stands for what a parameter was given: `value = float(value)` reads it before that."""
    if all(parameter.name != name.id for parameter in record.parameters):
        return False
    return name.id not in record.first_bindings or record.first_bindings[name.id][0] >= name.lineno


def _asks_for_tensors(call: ast.Call) -> bool:
    called = call.func
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    is_of_classes = name == "isinstance" and len(call.args) == 2
    return name == "is_tensor" or (is_of_classes and any(map(_names_tensor, _classes(call.args[1]))))


def _classes(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, (ast.Tuple, ast.List)):
        return node.elts
    return [*operands(node)] if isinstance(node, ast.BinOp) else [node]


def _names_tensor(node: ast.expr) -> bool:
    return (dotted_name(node) or "").endswith("Tensor")
