"""Which tensors have the same shape because of how they were made, and which have a dimension at least."""

from __future__ import annotations

import ast

from synclint.fixes.blocks import block_of, reaching_value
from synclint.fixes.numbers import only_value
from synclint.fixes.place import Place
from synclint.fixes.uses import bindings, nodes_of

_LONGEST_CHAIN = 6
# What these give has a dimension at least.
_STACKED = frozenset({"torch.stack", "torch.cat", "torch.concat", "torch.hstack", "torch.vstack", "torch.atleast_1d"})
# What these give has the shape of what they are given, element by element.
_LIKE = frozenset(
    {
        "torch.zeros_like", "torch.ones_like", "torch.empty_like", "torch.full_like", "torch.rand_like",
        "torch.randn_like", "torch.isnan", "torch.isinf", "torch.isfinite", "torch.abs", "torch.sigmoid", "torch.exp",
        "torch.logical_not",
    }
)  # fmt: skip
_ELEMENTWISE = frozenset(
    {
        "clone", "detach", "abs", "exp", "log", "sqrt", "square", "sigmoid", "tanh", "float", "double", "half", "long",
        "int", "bool", "isnan", "isinf", "isfinite", "clamp", "neg", "logical_not", "contiguous", "cpu", "cuda",
    }
)  # fmt: skip
# The same that keep the type, too.
_SAME_TYPE = frozenset({"clone", "detach", "abs", "neg", "contiguous", "cpu", "cuda"})
_SIZED = frozenset({"zeros", "ones", "empty", "rand", "randn"})


def are_alike(place: Place, x: ast.expr, y: ast.expr, mask: ast.expr) -> bool:
    """Whether two tensors have one shape and one type, and a mask that shape."""
    shapes = {_shape(place, part, _LONGEST_CHAIN) for part in (x, y, mask)}
    types = {_type(place, part, _LONGEST_CHAIN) for part in (x, y)}
    return len(shapes) == len(types) == 1 and None not in shapes | types


def has_shape_of(place: Place, tensor: ast.expr, mask: ast.expr) -> bool:
    """Whether a mask has the shape of a tensor."""
    shape = _shape(place, mask, _LONGEST_CHAIN)
    return shape is not None and shape == _shape(place, tensor, _LONGEST_CHAIN)


def _shape(place: Place, node: ast.expr, depth: int) -> str | None:
    """A text that is the same for expressions of the same shape; None where nothing is known of it."""
    if not depth:
        return None
    if isinstance(node, ast.Name):
        return _of_name(place, node, depth)
    if isinstance(node, ast.UnaryOp):
        return _shape(place, node.operand, depth - 1)
    if isinstance(node, (ast.BinOp, ast.Compare)):
        parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.left, *node.comparators]
        shapes = {_shape(place, part, depth - 1) for part in parts if not place.fact(part).is_number}
        return shapes.pop() if len(shapes) == 1 else None
    if not isinstance(node, ast.Call):
        return None
    name = place.qualified(node.func)
    if name in _LIKE and node.args:
        return _shape(place, node.args[0], depth - 1)
    if name.removeprefix("torch.") in _SIZED and name.startswith("torch."):
        sizes = node.args[0].elts if len(node.args) == 1 and isinstance(node.args[0], ast.Tuple) else node.args
        is_fixed = bool(sizes) and all(isinstance(size, ast.Constant) for size in sizes)
        return f"({', '.join(map(place.text, sizes))})" if is_fixed else None
    if name or not isinstance(node.func, ast.Attribute):
        return None
    return _shape(place, node.func.value, depth - 1) if node.func.attr in _ELEMENTWISE else None


def _type(place: Place, node: ast.expr, depth: int) -> str | None:
    """The same for the types of elements."""
    if not depth:
        return None
    if isinstance(node, ast.Name):
        value = only_value(place, node)
        if value is not None and not isinstance(value, ast.Name):
            found = _type(place, value, depth - 1)
            return found if found is not None else _only_name(place, node)
        return _only_name(place, node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _type(place, node.operand, depth - 1)
    if not isinstance(node, ast.Call):
        return None
    name = place.qualified(node.func)
    words = {word.arg: word.value for word in node.keywords}
    if name.startswith("torch.") and (name in _LIKE or name.removeprefix("torch.") in _SIZED):
        if "dtype" in words:
            return place.text(words["dtype"])
        return _type(place, node.args[0], depth - 1) if name.endswith("_like") and node.args else "default"
    if name or not isinstance(node.func, ast.Attribute) or node.func.attr not in _SAME_TYPE:
        return None
    return _type(place, node.func.value, depth - 1)


def _of_name(place: Place, name: ast.Name, depth: int) -> str | None:
    value = only_value(place, name)
    if value is not None and not isinstance(value, ast.Name):
        found = _shape(place, value, depth - 1)
        if found is not None:
            return found
    elif value is None:
        value = reaching_value(place.file, name)
        if value is not None:
            return _shape(place, value, depth - 1) if not _mentions(value, name.id) else None
    return _only_name(place, name)


def _only_name(place: Place, name: ast.Name) -> str | None:
    """What a name is called, where it always stands for the same."""
    scope = place.file.function_of(name)
    return name.id if scope is not None and len(bindings(scope, name.id)) == 1 else None


def _mentions(node: ast.expr, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node))


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
