"""Numbers that are added up in a loop: the sum stays on the device, and is read once, after the loop."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import partial

from synclint.findings import Fix
from synclint.fixes.blocks import loop_after, may_be_left
from synclint.fixes.place import NoFixError, Place
from synclint.fixes.uses import bindings, ids_within, is_captured, loads, tensor_read

_NARROW = "the sum has to fit into the type of the added tensors, and all of them have to be on one device"
_ROUNDING = "the sum has the type of the added tensors, usually float32, and not Python's float64"


@dataclass(frozen=True)
class _Sum:
    """``name += ... x.item() ...`` in a loop, and the statement before it that sets it to a number."""

    name: str
    addition: ast.AugAssign
    start: ast.Assign
    loop: ast.For | ast.While


def accumulated(place: Place) -> Fix | None:
    """Add up tensors in place of the numbers that are read from them, where the sum is wanted after the loop only."""
    call = place.node
    found = _sum_around(place)
    tensor = tensor_read(call, "float", "int")
    if found is None or tensor is None:
        return None
    fact = place.fact(tensor)
    if not fact.is_tensor or fact.ndim or fact.device == "cpu":
        return None
    factors = _numbers_around(place, call, found.addition)
    if factors is None:
        return None
    starts_at_integer = isinstance(found.start.value, ast.Constant) and type(found.start.value.value) is int
    counts = fact.dtype in ("int", "bool") and not factors and starts_at_integer
    kept = place.text(tensor)
    if fact.dtype == "bool":
        kept = f"{place.primary(tensor)}.long()"
    elif fact.dtype != "int":
        kept = kept if _is_detached(tensor) else f"{place.primary(tensor)}.detach()"
    elif factors:
        kept = place.primary(tensor)
    number = "int" if counts else "float"
    return place.fix(
        f"Add up tensors, and read `{found.name}` after the loop",
        place.replaced(call, kept),
        place.inserted_after(found.loop, f"{found.name} = {number}({found.name})"),
        caveat=_NARROW if counts else _ROUNDING,
    )


def _is_detached(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "data"
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "detach"


def _sum_around(place: Place) -> _Sum | None:
    """The sum that a read is a part of, None where it is used for anything but to be read after the loop."""
    addition, scope = place.statement, place.function or place.file.tree
    if not isinstance(addition, ast.AugAssign) or not isinstance(addition.op, ast.Add):
        return None
    if not isinstance(addition.target, ast.Name) or isinstance(scope, ast.Lambda):
        return None
    name = addition.target.id
    loop = loop_after(place.file, addition, name, partial(_starts, name=name))
    bound = [node for node in bindings(scope, name) if node is not addition.target]
    if loop is None or loop.orelse or len(bound) != 1 or is_captured(scope, name):
        return None
    within = ids_within(loop)
    if any(id(load) in within for load in loads(scope, name)) or may_be_left(place.file, loop):
        return None
    if not any(load.lineno > loop.lineno for load in loads(scope, name)):
        return None
    start = place.file.statement_of(bound[0])
    assert isinstance(start, ast.Assign)
    return _Sum(name, addition, start, loop)


def _starts(statement: ast.stmt, name: str) -> bool:
    """Whether a statement sets a name to a number, and nothing else."""
    return (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
        and statement.targets[0].id == name
        and isinstance(statement.value, ast.Constant)
        and type(statement.value.value) in (int, float)
    )


def _numbers_around(place: Place, call: ast.expr, addition: ast.AugAssign) -> list[ast.expr] | None:
    """What the read number is multiplied with, divided by, or raised to; None where something else is done to it."""
    numbers: list[ast.expr] = []
    inner: ast.AST = call
    for around in place.file.ancestors(call):
        if around is addition:
            return numbers
        if not isinstance(around, ast.BinOp) or not isinstance(around.op, (ast.Mult, ast.Div, ast.Pow)):
            return None
        other = around.right if inner is around.left else around.left
        if isinstance(around.op, (ast.Div, ast.Pow)) and other is around.left:
            return None
        if not place.fact(other).is_number and not _is_length(other) and not _is_literal(other):
            return None
        numbers.append(other)
        inner = around
    raise NoFixError


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _is_length(node: ast.expr) -> bool:
    """Whether an expression is a number by the way it is written: ``len(x)``, ``x.size(0)``, ``x.shape[0]``."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name):
            return node.func.id == "len"
        return (
            isinstance(node.func, ast.Attribute)
            and node.func.attr in ("size", "numel")
            and bool(node.args or node.func.attr == "numel")
        )
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
