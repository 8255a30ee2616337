"""Numbers that each round of a loop computes from its element of a tensor: computed of all before it, and read once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from synclint.findings import Edit, Fix
from synclint.fixes.blocks import bound_within, reaching_value
from synclint.fixes.numbers import is_python_number
from synclint.fixes.place import Place
from synclint.fixes.uses import is_name, is_name_free, is_written_to, tensor_read

_ONE_DIMENSION = "the loop has to go through a tensor of one dimension, and what it writes to that is not seen"
_HELD_BY_THE_HOST = frozenset({"sequence", "mapping", "array", "text"})
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
# What these return has the same number everywhere where the tensor has it, or has it in another type.
_COPIES = frozenset({"expand", "expand_as", "repeat", "unsqueeze", "view", "reshape", "flatten", "clone", "detach"})
_TYPES = frozenset({"float", "double", "half", "bfloat16", "long", "int"})


@dataclass(frozen=True)
class _Loop:
    """``for i, t in enumerate(tensor)``, or the same without ``i``."""

    node: ast.For
    tensor: ast.Name
    element: ast.Name
    index: ast.Name | None


def read_of_each(place: Place) -> Fix | None:
    """``for i, t in enumerate(ts): … f(t).item()`` with ``f(ts).tolist()`` before the loop, and element ``i`` in it."""
    tensor, scope = tensor_read(place.node), place.function
    loop = next((one for one in map(_taken_apart, _loops(place)) if one is not None), None)
    if tensor is None or loop is None or scope is None:
        return None
    fact, name = place.fact(loop.tensor), loop.tensor.id
    if not fact.kinds.isdisjoint(_HELD_BY_THE_HOST) or fact.device == "cpu" or (fact.ndim or 1) != 1:
        return None
    if is_written_to(scope, name) or name in bound_within(loop.node):
        return None
    whole = _of_all(place, loop, tensor)
    values = f"{_given_name(place) or loop.element.id}_values"
    if whole is None or not all(is_name_free(scope, free) for free in (values, f"{loop.element.id}_value")):
        return None
    if loop.index is None and place.binds("zip"):
        return None
    text = ast.unparse(whole)
    text = text if isinstance(whole, (ast.Name, ast.Call)) else f"({text})"
    return place.fix(
        "Read all of them before the loop",
        place.inserted_before(loop.node, f"{values} = {text}.tolist()"),
        *_picked(place, loop, values),
        caveat=_ONE_DIMENSION,
    )


def _loops(place: Place) -> Iterator[ast.For]:
    """The innermost loop around the finding."""
    for around in place.file.ancestors(place.node):
        if isinstance(around, ast.For):
            if place.statement is not around:
                yield around
            return
        if isinstance(around, (ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.comprehension)):
            return


def _taken_apart(loop: ast.For) -> _Loop | None:
    match loop:
        case ast.For(
            ast.Tuple([ast.Name() as index, ast.Name() as element]), ast.Call(ast.Name("enumerate"), [tensor], [])
        ):
            return _Loop(loop, tensor, element, index) if isinstance(tensor, ast.Name) else None
        case ast.For(ast.Name() as element, ast.Name() as tensor):
            return _Loop(loop, tensor, element, None)
    return None


def _given_name(place: Place) -> str:
    """The name that the finding is given, by itself."""
    match place.statement:
        case ast.Assign([ast.Name(name)], value) if value is place.node:
            return name
    return ""


def _of_all(place: Place, loop: _Loop, node: ast.expr) -> ast.expr | None:
    """What is computed from the element, computed from the whole tensor; None where it is anything else."""
    match node:
        case ast.Name(name) if name == loop.element.id:
            return ast.Name(loop.tensor.id)
        case ast.Name(name) if name in bound_within(loop.node):
            value = reaching_value(place.file, node)
            return _of_all(place, loop, value) if value is not None and value.lineno > loop.node.lineno else None
        case ast.BinOp(left, op, right) if isinstance(op, _ARITHMETIC):
            made = [_of_all(place, loop, part) for part in (left, right)]
            if made == [None, None]:
                return None
            first, second = (one or _number(place, loop, part) for one, part in zip(made, (left, right), strict=True))
            return ast.BinOp(first, op, second) if first is not None and second is not None else None
        case ast.UnaryOp(ast.USub() as op, operand):
            inner = _of_all(place, loop, operand)
            return ast.UnaryOp(op, inner) if inner is not None else None
        case ast.Subscript(owner, ast.Constant(int())) if not is_name(owner, loop.element.id):
            return _of_all(place, loop, owner)
        case ast.Call(ast.Attribute(owner, method)) if method in _COPIES:
            return _of_all(place, loop, owner)
        case ast.Call(ast.Attribute(owner, method), [], []) if method in _TYPES:
            inner = _of_all(place, loop, owner)
            return ast.Call(ast.Attribute(inner, method), [], []) if inner is not None else None
    return None


def _number(place: Place, loop: _Loop, node: ast.expr) -> ast.expr | None:
    """A number that is the same in all rounds."""
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    is_one = is_python_number(place, node) or place.fact(node).is_number
    is_plain = isinstance(node, (ast.Constant, ast.Name))
    return node if is_one and is_plain and names.isdisjoint(bound_within(loop.node)) else None


def _picked(place: Place, loop: _Loop, values: str) -> Iterator[Edit]:
    """The edits by which each round takes its number."""
    if loop.index is not None:
        yield place.replaced(place.node, f"{values}[{loop.index.id}]")
        return
    yield place.replaced(loop.node.target, f"{loop.element.id}, {loop.element.id}_value")
    yield place.replaced(loop.node.iter, f"zip({loop.tensor.id}, {values})")
    yield place.replaced(place.node, f"{loop.element.id}_value")
