"""Which expressions are evident from the text to be Python numbers.

An annotation is no proof: ``numpy.float64`` is a subclass of ``float``, and ``torch.tensor`` keeps its type, where a
Python number gets the default type.
"""

from __future__ import annotations

import ast

from synclint.fixes.place import Place
from synclint.fixes.source_files import FUNCTIONS
from synclint.fixes.uses import bindings

_MAKES_INT = frozenset({"int", "len", "ord"})
_MAKES_NUMBER = frozenset({"float", *_MAKES_INT})
_SIZES = frozenset({"size", "numel", "dim", "ndimension", "nelement"})
_QUIET = frozenset({*_MAKES_NUMBER, "bool", "min", "max", "abs", "round"})
_ACTING = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_DEEPEST = 8
# Products of a few such numbers fit into float32, which ends at 3.4e38, and those of sizes into int64.
_LARGEST = 1e9
# The types of integers, by the names that torch gives them.
WHOLE_TYPES = frozenset(
    f"torch.{name}" for name in ("long", "int", "int64", "int32", "int16", "short", "int8", "uint8")
)


def is_python_number(place: Place, node: ast.expr, depth: int = _DEEPEST) -> bool:
    """Whether an expression is a Python integer, float or boolean for certain."""
    return is_python_integer(place, node, depth) or _is_number(place, node, depth)


def _is_number(place: Place, node: ast.expr, depth: int) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float))
    if not depth:
        return False
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and is_python_number(place, node.operand, depth - 1)
    if isinstance(node, ast.BinOp):
        # A negative number to the power of a fraction is complex, and complex numbers are never compared here.
        if isinstance(node.op, (ast.Pow, ast.MatMult)):
            return False
        return all(is_python_number(place, part, depth - 1) for part in (node.left, node.right))
    if isinstance(node, ast.IfExp):
        return all(is_python_number(place, part, depth - 1) for part in (node.body, node.orelse))
    if isinstance(node, ast.Call):
        name = _builtin(place, node)
        if name in _MAKES_NUMBER:
            return True
        if name in ("min", "max", "abs", "round") and node.args and not node.keywords:
            return all(is_python_number(place, argument, depth - 1) for argument in node.args)
        return place.qualified(node.func).startswith("math.")
    if isinstance(node, ast.Attribute):
        return place.qualified(node) in ("math.pi", "math.e", "math.tau", "math.inf", "math.nan")
    if isinstance(node, ast.Name):
        value = only_value(place, node)
        return value is not None and is_python_number(place, value, depth - 1)
    return False


def is_python_integer(place: Place, node: ast.expr, depth: int = _DEEPEST) -> bool:
    """Whether an expression is a Python integer, and no boolean, for certain."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) and not isinstance(node.value, bool)
    if not depth:
        return False
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, (ast.USub, ast.UAdd)) and is_python_integer(place, node.operand, depth - 1)
    if isinstance(node, ast.BinOp):
        if not isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)):
            return False
        return all(is_python_integer(place, part, depth - 1) for part in (node.left, node.right))
    if isinstance(node, ast.Call):
        name = _builtin(place, node)
        if name in _MAKES_INT:
            return True
        is_size = isinstance(node.func, ast.Attribute) and node.func.attr in _SIZES
        return is_size and place.fact(node.func.value).is_tensor and place.fact(node).is_integer  # type: ignore[attr-defined]
    if isinstance(node, ast.Subscript):
        shape = node.value
        return (
            isinstance(shape, ast.Attribute)
            and shape.attr == "shape"
            and place.fact(shape.value).is_tensor
            and not isinstance(node.slice, (ast.Slice, ast.Tuple))
        )
    if isinstance(node, ast.Attribute):
        return node.attr == "ndim" and place.fact(node.value).is_tensor
    if isinstance(node, ast.Name):
        loop = _only_loop(place, node)
        if loop is not None:
            return _counts(place, loop, node.id, depth - 1)
        value = only_value(place, node)
        return value is not None and is_python_integer(place, value, depth - 1)
    return False


def _builtin(place: Place, call: ast.Call) -> str:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name if name and not place.binds(name) else ""


def _bound_once(place: Place, name: ast.Name) -> ast.AST | None:
    """The node that binds a local name, where it is bound at one place of its function only."""
    around = (node for node in place.file.ancestors(name) if isinstance(node, (*FUNCTIONS, ast.ClassDef)))
    scope = next(around, None)
    found = bindings(scope, name.id) if isinstance(scope, FUNCTIONS) else []
    return found[0] if len(found) == 1 else None


def only_value(place: Place, name: ast.Name) -> ast.expr | None:
    """The expression that a local name stands for, where there is only one."""
    bound = _bound_once(place, name)
    statement = place.file.parent(bound) if bound is not None else None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.targets[0] is bound:
        return statement.value
    if isinstance(statement, ast.AnnAssign) and statement.target is bound:
        return statement.value
    if isinstance(statement, ast.Tuple) and isinstance(statement.ctx, ast.Store):  # `a, b = 1, 2`
        whole = place.file.parent(statement)
        value = whole.value if isinstance(whole, ast.Assign) and whole.targets == [statement] else None
        if isinstance(value, ast.Tuple) and len(value.elts) == len(statement.elts):
            if not any(isinstance(part, ast.Starred) for part in (*value.elts, *statement.elts)):
                return value.elts[next(index for index, part in enumerate(statement.elts) if part is bound)]
    return None


def _only_loop(place: Place, name: ast.Name) -> ast.For | ast.comprehension | None:
    """The loop that binds a name, where nothing else does."""
    for node in place.file.ancestors(name):
        for clause in getattr(node, "generators", ()):
            if name.id in {n.id for n in ast.walk(clause.target) if isinstance(n, ast.Name)}:
                return clause if isinstance(clause, ast.comprehension) else None
    bound = _bound_once(place, name)
    for node in place.file.ancestors(bound) if bound is not None else ():
        if isinstance(node, ast.For):
            return node
        if isinstance(node, ast.stmt):
            return None
    return None


def _counts(place: Place, loop: ast.For | ast.comprehension, name: str, depth: int) -> bool:
    """Whether a loop binds a name to integers: it goes through a range, or numbers what it goes through."""
    if not isinstance(loop.iter, ast.Call):
        return False
    function = _builtin(place, loop.iter)
    if function == "range":
        arguments = loop.iter.args
        return isinstance(loop.target, ast.Name) and all(is_python_integer(place, a, depth) for a in arguments)
    if function == "enumerate" and len(loop.iter.args) == 1 and not loop.iter.keywords:
        target = loop.target
        return isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name) and target.elts[0].id == name
    return False


def is_bounded(place: Place, node: ast.expr, depth: int = _DEEPEST) -> bool:
    """Whether an expression is a Python number that is far from the end of the types of integers and floats.

    ``torch.tensor`` makes infinity of a float that is too large, where ``torch.full`` raises an error.
    """
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and abs(node.value) < _LARGEST
    if not depth:
        return False
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return is_bounded(place, node.operand, depth - 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        return all(is_bounded(place, part, depth - 1) for part in (node.left, node.right))
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.FloorDiv, ast.Mod)):
        return is_python_integer(place, node, depth) and is_bounded(place, node.left, depth - 1)
    if isinstance(node, ast.IfExp):
        return all(is_bounded(place, part, depth - 1) for part in (node.body, node.orelse))
    if isinstance(node, ast.Name):
        value = only_value(place, node)
        if value is not None:
            return is_bounded(place, value, depth - 1)
        return _only_loop(place, node) is not None and is_python_integer(place, node, depth)
    if isinstance(node, ast.Call) and _builtin(place, node) in ("min", "max", "abs", "round", "float", "sqrt"):
        return bool(node.args) and all(is_bounded(place, argument, depth - 1) for argument in node.args)
    if isinstance(node, ast.Call) and place.qualified(node.func) in ("math.sqrt", "math.sin", "math.cos", "math.log"):
        return all(is_bounded(place, argument, depth - 1) for argument in node.args)
    if isinstance(node, ast.Attribute) and place.qualified(node) in ("math.pi", "math.e", "math.tau"):
        return True
    return is_size(place, node)


def is_size(place: Place, node: ast.expr) -> bool:
    """Whether an expression is the size of something for certain: an integer, and not negative."""
    if isinstance(node, ast.Call):
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr in _SIZES
        return _builtin(place, node) in ("len", "ord") or (is_method and is_python_integer(place, node))
    if isinstance(node, ast.Name):
        value = only_value(place, node)
        return value is not None and not isinstance(value, ast.Name) and is_size(place, value)
    return isinstance(node, (ast.Subscript, ast.Attribute)) and is_python_integer(place, node)


def is_quiet(place: Place, node: ast.expr) -> bool:
    """Whether a number can be computed a little later or earlier: nothing that is called for it changes anything."""
    return not any(
        isinstance(inner, _ACTING) or (isinstance(inner, ast.Call) and not _is_quiet_call(place, inner))
        for inner in ast.walk(node)
    )


def _is_quiet_call(place: Place, call: ast.Call) -> bool:
    is_of_size = isinstance(call.func, ast.Attribute) and call.func.attr in _SIZES
    return is_of_size or _builtin(place, call) in _QUIET or place.qualified(call.func).startswith("math.")


def is_positive(node: ast.expr) -> bool:
    """Whether an expression is a literal integer greater than zero."""
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value > 0
