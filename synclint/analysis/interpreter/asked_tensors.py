"""Parameters of which nothing tells that they are tensors but a question: ``if isinstance(value, torch.Tensor)``."""

from __future__ import annotations

import ast

from synclint.analysis.domain.tensors import with_origin
from synclint.analysis.domain.values import FunctionRecord, Origin, Unknown, Value
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, operands


def as_asked(value: Value, before: Value, name: str, frame: Frame) -> Value:
    """What a parameter is where a function has found it to be a tensor, of which nothing was known ``before``.

    What calls give it tells whether it ever is.
    """
    record = frame.function
    if record is None or not isinstance(before, Unknown) or not frame.engine.runs_on_text:
        return value
    if name not in parameters_asked(record):
        return value
    text = f"parameter `{name}` of `{record.name}` is asked whether it is a tensor"
    return with_origin(value, Origin(text, record.module, record.node, parameter=name))


def parameters_asked(record: FunctionRecord) -> frozenset[str]:
    """The parameters of which a function asks whether they are tensors, while they are what calls give them."""
    names = {parameter.name for parameter in record.parameters}
    return frozenset(
        call.args[0].id
        for call in record.nodes.of(ast.Call)
        if call.args and isinstance(call.args[0], ast.Name) and call.args[0].id in names and _asks_for_tensors(call)
        if record.first_bindings.get(call.args[0].id, (call.lineno, call.col_offset)) >= (call.lineno, call.col_offset)
    )


def _asks_for_tensors(call: ast.Call) -> bool:
    called = (dotted_name(call.func) or "").rpartition(".")[2]
    if called == "is_tensor":
        return True
    return called == "isinstance" and len(call.args) == 2 and any(map(_names_tensor, _classes(call.args[1])))


def _classes(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, (ast.Tuple, ast.List)):
        return node.elts
    return [*operands(node)] if isinstance(node, ast.BinOp) else [node]


def _names_tensor(node: ast.expr) -> bool:
    return (dotted_name(node) or "").endswith("Tensor")
