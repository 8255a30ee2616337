"""Parameters that a function asserts to be on the CPU, or pins: whoever calls it brings them there before."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import on_device
from synclint.analysis.domain.values import Alternatives, Device, FunctionRecord, Tensor, Value
from synclint.analysis.objects.pinned_names import pinned_in
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.syntax.walk import dotted_name


@text_fact
def asserted_on_host(record: FunctionRecord) -> frozenset[str]:
    """The names of a function that it asserts or needs to be on the CPU, and what they stand for.

    ``t = data``, and at last ``assert t.is_cpu``, says so of ``data`` as well, though a branch may copy it before.
    """
    body = record.node.body
    if not isinstance(body, list):
        return _NONE
    asserted = {name for one in body if isinstance(one, ast.Assert) for name in _on_the_cpu(one.test)}
    pinned = pinned_in(record, body) if "pin_memory" in record.module.source else _NONE
    if not asserted:
        return pinned
    for statement in record.nodes.of(ast.Assign):
        named = [target.id for target in statement.targets if isinstance(target, ast.Name)]
        if isinstance(statement.value, ast.Name) and not asserted.isdisjoint(named):
            asserted.add(statement.value.id)
    return pinned.union(asserted)


_NONE: frozenset[str] = frozenset()


def on_host(value: Value) -> Value:
    """What is given, tensors being on the CPU."""
    if isinstance(value, Tensor):
        return on_device(value, Device.CPU)
    if isinstance(value, Alternatives) and any(isinstance(option, Tensor) for option in value.options):
        return join_all(map(on_host, value.options))
    return value


def _on_the_cpu(test: ast.expr) -> Iterator[str]:
    """The names of which a test asks whether they are on the CPU: ``x.is_cpu``, ``x.device.type == "cpu"``."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for part in test.values:
            yield from _on_the_cpu(part)
    elif isinstance(test, ast.Attribute) and test.attr == "is_cpu" and isinstance(test.value, ast.Name):
        yield test.value.id
    elif isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq) and len(test.ops) == 1:
        name, _, asked = (dotted_name(test.left) or "").partition(".")
        if asked in ("device", "device.type") and _names_the_cpu(test.comparators[0]):
            yield name


def _names_the_cpu(node: ast.expr) -> bool:
    """Whether an expression is ``"cpu"``, or ``torch.device("cpu")``."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and dotted_name(node.func) in ("torch.device", "device"):
        node = node.args[0]
    return isinstance(node, ast.Constant) and node.value == "cpu"
