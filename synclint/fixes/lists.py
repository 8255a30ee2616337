"""Which expressions are evident from the text to be lists or tuples: no annotation proves it."""

from __future__ import annotations

import ast

from synclint.fixes.blocks import reaching_value
from synclint.fixes.numbers import is_python_integer, only_value
from synclint.fixes.place import Place
from synclint.fixes.uses import bindings, is_captured, nodes_of

_MAKERS = frozenset({"list", "sorted", "tuple"})
# What is asked of a dictionary by these puts nothing into it.
_READERS = frozenset({"items", "values", "keys", "get", "pop"})
_FILLERS = frozenset({"append", "extend", "insert"})


def is_list(place: Place, data: ast.expr) -> bool:
    """Whether data is evidently a list or tuple, and no array of NumPy."""
    if isinstance(data, (ast.List, ast.Tuple, ast.ListComp)):
        return True
    if isinstance(data, ast.Name):
        value = only_value(place, data) or reaching_value(place.file, data)
        if value is not None:
            return not isinstance(value, ast.Name) and is_list(place, value)
        return _is_value_of_lists(place, data)
    if isinstance(data, ast.BinOp) and isinstance(data.op, (ast.Mult, ast.Add)):
        # `[0] + x` and `[0] * x` are arrays where `x` is one.
        parts = (data.left, data.right)
        are_parts = [is_list(place, part) for part in parts]
        if isinstance(data.op, ast.Add):
            return all(are_parts)
        return any(are_parts) and any(is_python_integer(place, part) for part in parts)
    if not isinstance(data, ast.Call):
        return False
    if isinstance(data.func, ast.Name):
        return data.func.id in _MAKERS and not place.binds(data.func.id)
    return isinstance(data.func, ast.Attribute) and data.func.attr == "tolist"


def _is_value_of_lists(place: Place, name: ast.Name) -> bool:
    """Whether a loop binds a name to the values of a dictionary that holds nothing but lists."""
    scope = place.file.function_of(name)
    bound = bindings(scope, name.id) if scope is not None else []
    if scope is None or len(bound) != 1:
        return False
    loop = next((n for n in place.file.ancestors(bound[0]) if isinstance(n, ast.For)), None)
    if loop is None or not isinstance(loop.iter, ast.Call) or not isinstance(loop.iter.func, ast.Attribute):
        return False
    method, owner, target = loop.iter.func.attr, loop.iter.func.value, loop.target
    if method == "items" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        target = target.elts[1]
    elif method != "values":
        return False
    if target is not bound[0] or not isinstance(owner, ast.Name) or is_captured(scope, owner.id):
        return False
    value = only_value(place, owner)
    if not isinstance(value, ast.Dict) or not all(isinstance(one, ast.List) for one in value.values):
        return False
    uses = [n for n in nodes_of(scope) if isinstance(n, ast.Name) and n.id == owner.id and isinstance(n.ctx, ast.Load)]
    return all(_keeps_lists(place, use) for use in uses)


def _keeps_lists(place: Place, use: ast.Name) -> bool:
    """Whether a dictionary of lists still is one after a use: it is read, or a list is put into it."""
    around = place.file.parent(use)
    if isinstance(around, ast.Compare):
        return True
    if isinstance(around, ast.Subscript) and around.value is use:
        outer = place.file.parent(around)
        if isinstance(around.ctx, ast.Load):
            return isinstance(outer, ast.Attribute) and outer.attr in _FILLERS
        return isinstance(outer, ast.Assign) and isinstance(outer.value, ast.List)
    if not isinstance(around, ast.Attribute):
        return False
    call = place.file.parent(around)
    if not isinstance(call, ast.Call) or call.func is not around:
        return False
    if around.attr == "setdefault":
        return len(call.args) == 2 and isinstance(call.args[1], ast.List)
    return around.attr in _READERS
