"""Parameters of which nothing tells that they are tensors but a question: ``if isinstance(value, torch.Tensor)``."""

from __future__ import annotations

import ast

from synclint.analysis.domain.tensors import with_origin
from synclint.analysis.domain.values import FunctionRecord, Origin, Tensor, Unknown, Value
from synclint.analysis.objects.parameters import classes_asked_for
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.state.frames import Frame


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


@text_fact
def parameters_asked(record: FunctionRecord) -> frozenset[str]:
    """The parameters of which a function asks whether they are tensors, while they are what calls give them."""
    calls = (call for call in record.nodes.of(ast.Call) if call.args)
    asked = (call.args[0] for call in calls if any(name.endswith("Tensor") for name in classes_asked_for(call)))
    return frozenset(one.id for one in asked if isinstance(one, ast.Name) and _is_given(one, record))


def _is_given(name: ast.Name, record: FunctionRecord) -> bool:
    """Whether a name still stands for what a parameter was given: `value = float(value)` reads it before that."""
    if all(parameter.name != name.id for parameter in record.parameters):
        return False
    return name.id not in record.first_bindings or record.first_bindings[name.id][0] >= name.lineno


def passed(node: ast.expr, value: Value, frame: Frame) -> bool:
    """Whether what is asked for is a tensor by which a call replaces a default of None: ``model(x, y)``.

    As far as can be told it is one. That it may be missing is said of calls which give nothing for it.
    """
    if frame.engine.runs_on_text or frame.function is None or not isinstance(value, Tensor):
        return False
    name = node.id if isinstance(node, ast.Name) else None
    return any(
        parameter.name == name and isinstance(parameter.default, ast.Constant) and parameter.default.value is None
        for parameter in frame.function.parameters
    )
