"""Which masks have the shape of a tensor because they are computed from it, and which tensors have a dimension."""

from __future__ import annotations

import ast

from synclint.fixes.blocks import block_of, reaching_value
from synclint.fixes.evidence import is_read_only, is_returned
from synclint.fixes.numbers import is_python_number
from synclint.fixes.place import Place
from synclint.fixes.uses import bindings, is_captured, loads, nodes_of

_LONGEST_CHAIN = 6
# What these give has a dimension at least.
_STACKED = frozenset({"torch.stack", "torch.cat", "torch.concat", "torch.hstack", "torch.vstack", "torch.atleast_1d"})
_TESTS = frozenset({"isnan", "isinf", "isfinite", "isposinf", "isneginf"})
_LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)


def is_like(place: Place, mask: ast.expr, tensor: ast.expr) -> bool:
    """Whether a mask has the shape of a tensor because it is computed from it, element by element."""
    if isinstance(mask, ast.Compare) and len(mask.ops) == 1:
        parts = [mask.left, mask.comparators[0]]
        others = [part for part in parts if place.text(part) != place.text(tensor)]
        return len(others) < len(parts) and all(is_python_number(place, other) for other in others)
    if isinstance(mask, ast.UnaryOp):
        return isinstance(mask.op, ast.Invert) and is_like(place, mask.operand, tensor)
    if isinstance(mask, ast.BinOp):
        is_logical = isinstance(mask.op, _LOGICAL)
        return is_logical and all(is_like(place, part, tensor) for part in (mask.left, mask.right))
    if not isinstance(mask, ast.Call) or mask.keywords:
        return False
    name = place.qualified(mask.func)
    if name.startswith("torch.") and name.removeprefix("torch.") in _TESTS and len(mask.args) == 1:
        return place.text(mask.args[0]) == place.text(tensor)
    is_test = isinstance(mask.func, ast.Attribute) and mask.func.attr in _TESTS and not mask.args
    return is_test and place.text(mask.func.value) == place.text(tensor)  # type: ignore[attr-defined]


def stays(place: Place, tensor: ast.expr, since: ast.stmt) -> bool:
    """Whether a name stands for the same tensor, of the same shape, from a statement on: nothing else gets hold of it.

    Its elements may be written to.
    """
    scope = place.function
    if not isinstance(tensor, ast.Name) or scope is None or is_captured(scope, tensor.id):
        return False
    if any(since.lineno < getattr(node, "lineno", 0) for node in bindings(scope, tensor.id)):
        return False
    later = (use for use in loads(scope, tensor.id) if since.lineno < use.lineno)
    return all(
        isinstance(place.file.parent(use), ast.Subscript) or is_read_only(place, use) or is_returned(place, use)
        for use in later
    )


def has_a_dimension(place: Place, node: ast.expr, depth: int = _LONGEST_CHAIN) -> bool:
    """Whether a tensor has one dimension or more for certain: a mask without any selects in another way."""
    fact = place.fact(node)
    if not fact.is_tensor or not depth:
        return False
    if fact.ndim is not None:
        return fact.ndim > 0
    if isinstance(node, ast.UnaryOp):
        return has_a_dimension(place, node.operand, depth - 1)
    if isinstance(node, ast.BinOp):
        return any(has_a_dimension(place, part, depth - 1) for part in (node.left, node.right))
    if isinstance(node, ast.Compare):
        return any(has_a_dimension(place, part, depth - 1) for part in (node.left, *node.comparators))
    if isinstance(node, ast.Call):
        return place.qualified(node.func) in _STACKED
    if isinstance(node, ast.Name):
        value = reaching_value(place.file, node)
        if value is not None and has_a_dimension(place, value, depth - 1):
            return True
        return _is_asked_for_a_size(place, node.id)
    return False


def _is_asked_for_a_size(place: Place, name: str) -> bool:
    """Whether a function asks for ``x.shape[0]``, which nothing without dimensions has, of the one thing of a name."""
    scope = place.function
    if scope is None or isinstance(scope, ast.Lambda) or len(bindings(scope, name)) != 1:
        return False
    always = [*scope.body, *_block_of_binding(place, scope, name)]
    asked = place.file.once(("asked for sizes", id(scope)), lambda: _asked_for_sizes(place, scope))
    return any(statement in always for statement in asked.get(name, ()))


def _asked_for_sizes(place: Place, scope: ast.AST) -> dict[str, list[ast.stmt | None]]:
    """The statements of a function that ask for ``x.shape[0]``, by the names of what they ask."""
    found: dict[str, list[ast.stmt | None]] = {}
    for node in nodes_of(scope):
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Attribute)
            and node.value.attr == "shape"
            and isinstance(node.value.value, ast.Name)
            and isinstance(node.slice, ast.Constant)
        ):
            found.setdefault(node.value.value.id, []).append(place.file.statement_of(node))
    return found


def _block_of_binding(place: Place, scope: ast.AST, name: str) -> list[ast.stmt]:
    """The statements beside the one that binds a name: all of them run where it does."""
    statement = place.file.statement_of(bindings(scope, name)[0])
    return block_of(place.file, statement) if statement is not None else []
