"""Which way a copy inside a function goes, by where what the function is given is: what that asks of parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.syntax.walk import first_name
from synclint.catalog.summaries import Need
from synclint.libraries.conditions import FunctionNode, Needs, is_as_given
from synclint.libraries.origins import parameters_behind, values_of_names

_UPLOAD, _DOWNLOAD = "host-to-device-copy", "device-to-host-copy"
_TAKING_DATA = frozenset({"tensor", "as_tensor", "asarray", "new_tensor"})
_MOVING = frozenset({"to", "cuda", "type_as"})
_FETCHING = frozenset({"cpu", "numpy", "tolist"})
_CPU = "'cpu'"


def needs_of_copy(function: FunctionNode, node: ast.expr, mechanism: str) -> Needs | None:
    """What parameters have to be for an expression in a function to copy in the way of a ``mechanism``.

    None where it does so only if some arguments of one call are on the device and some are not, or where nobody can
    say.
    """
    if mechanism == _UPLOAD:
        if _is_index_of_its_own(function, node) or _is_within_one_object(function, node):
            return None
        return frozenset(_needs_of_upload(function, node))
    return _needs_of_download(function, node) if mechanism == _DOWNLOAD else frozenset()


def _is_index_of_its_own(function: FunctionNode, node: ast.expr) -> bool:
    """Whether a tensor is indexed with what was computed from itself, and so lies where it does."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    names = [one for one in parts if isinstance(one, ast.Name)]
    values = values_of_names(function)
    is_fetched = any(
        isinstance(inner, ast.Attribute) and inner.attr in _FETCHING
        for name in names
        for value in values.get(name.id, ())
        for inner in ast.walk(value)
    )
    behind = parameters_behind(function, names, node)
    return bool(behind & parameters_behind(function, [node.value], node)) and not is_fetched


def _is_within_one_object(function: FunctionNode, node: ast.expr) -> bool:
    """Whether what an object holds is brought to where other parts of the same object are: they move together."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "to":
        return False
    receiver = next((one.arg for one in (*function.args.posonlyargs, *function.args.args)), None)
    targets = [*node.args[:1], *(one.value for one in node.keywords if one.arg == "device")]
    held = [node.func.value]
    if isinstance(held[0], ast.Name):
        held = [one for one in values_of_names(function).get(held[0].id, ()) if isinstance(one, ast.expr)]
    return (
        bool(held)
        and all(first_name(one) == receiver for one in held)
        and parameters_behind(function, targets, node) == {receiver}
    )


def _needs_of_upload(function: FunctionNode, node: ast.expr) -> Iterator[Need]:
    """That data which is a parameter is on the host."""
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        data, kind = parts if isinstance(node.ctx, ast.Load) else [], "on the CPU"
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name = node.func.attr
        data = [node.func.value] if name in _MOVING else node.args[:1] if name in (*_TAKING_DATA, "copy_") else []
        kind = "not on the device" if name in _TAKING_DATA else "on the CPU"
    else:
        return
    for value in data:
        if isinstance(value, ast.Name) and is_as_given(function, value.id, node):
            yield Need(value.id, kind)


def _needs_of_download(function: FunctionNode, node: ast.expr) -> Needs | None:
    """That the place to which data is copied is the CPU, and not where another argument or a module is."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return frozenset()
    if node.func.attr == "copy_":
        return frozenset() if _is_made_in(function, node.func.value) else None
    if node.func.attr != "to":
        return frozenset()
    named = next((one.value for one in node.keywords if one.arg == "device"), None)
    target = named or (node.args[0] if node.args else node)
    if isinstance(target, ast.Name) and is_as_given(function, target.id, target):
        return frozenset({Need(target.id, "==", _CPU)})
    sources = [target, *(values_of_names(function).get(target.id, ()) if isinstance(target, ast.Name) else ())]
    is_elsewhere = any(isinstance(one, ast.Attribute) and one.attr == "device" for one in sources)
    return None if is_elsewhere else frozenset()


def _is_made_in(function: FunctionNode, target: ast.expr) -> bool:
    """Whether what is copied into is what a function has made, and neither an argument nor a part of an object."""
    if not isinstance(target, ast.Name) or is_as_given(function, target.id, target):
        return False
    return all(isinstance(one, ast.Call) for one in values_of_names(function).get(target.id, ()))
