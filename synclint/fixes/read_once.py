"""Integers of the device that are used as sizes, bounds and indices: read once, before the first use."""

from __future__ import annotations

import ast
from functools import partial

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.uses import bindings, is_captured, is_name_free, is_written_to, loads

_SIZES = frozenset({"arange", "zeros", "ones", "empty", "full", "rand", "randn", "randint", "linspace", "eye"})
_SIZED_METHODS = frozenset(
    {
        "view", "reshape", "expand", "repeat", "new_zeros", "new_ones", "new_empty", "new_full", "narrow", "topk",
        "unfold",
    }
)  # fmt: skip
_ONE_INTEGER = "it has to be a tensor of one integer, to which nobody writes meanwhile"
_BRANCHES = (ast.If, ast.IfExp, ast.Try, ast.While, ast.BoolOp, ast.Lambda, ast.Match)
_LOOPS = (ast.For, ast.AsyncFor, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def read_once(place: Place) -> Fix | None:
    """Read a device integer into a number of Python's that its uses share; one wait stays."""
    for name in _operands(place):
        key = ("read once", id(place.function), name)
        found = place.shared(key, partial(_read_before_uses, name=name))
        if found is not None:
            return found
    return None


def _operands(place: Place) -> list[str]:
    """The names of tensors in the expression of the finding that the host reads as integers."""
    names = (node for node in ast.walk(place.node) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return list(dict.fromkeys(node.id for node in names if _is_read(place, node)))


def _is_read(place: Place, node: ast.Name) -> bool:
    """Whether the host needs the value of a tensor where its name stands."""
    fact = place.fact(node)
    if not fact.is_certain or fact.device == "cpu" or fact.dtype not in ("int", "unknown") or fact.ndim:
        return False
    around = place.file.parent(node)
    if isinstance(around, ast.Slice):
        return True
    if isinstance(around, ast.Subscript):
        return node is around.slice and place.fact(around.value).kinds == {"sequence"}
    if isinstance(around, (ast.Tuple, ast.List)):
        around = place.file.parent(around)
    if not isinstance(around, ast.Call) or node is around.func:
        return False
    if isinstance(around.func, ast.Name):
        return around.func.id == "range"
    if not isinstance(around.func, ast.Attribute):
        return False
    module, _, function = place.qualified(around.func).rpartition(".")
    if module == "torch":
        return function in _SIZES
    return around.func.attr in _SIZED_METHODS and place.fact(around.func.value).is_tensor


def _read_before_uses(place: Place, name: str) -> Fix | None:
    scope = place.function
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    bound = bindings(scope, name)
    if len(bound) != 1 or is_captured(scope, name) or is_written_to(scope, name):
        return None
    value = f"{name}_value"
    if not is_name_free(scope, value):
        return None
    uses = [node for node in loads(scope, name) if _is_read(place, node)]
    if _certain_reads(place, uses, scope) < 2:
        return None
    line = f"{value} = {name}.item()"
    binding = place.file.statement_of(bound[0]) if isinstance(bound[0], ast.Name) else None
    if isinstance(binding, ast.Assign) and binding in scope.body:
        inserted = place.inserted_after(binding, line)
    elif isinstance(bound[0], ast.arg):
        first = scope.body[1] if _is_docstring(scope.body[0]) and len(scope.body) > 1 else scope.body[0]
        inserted = place.inserted_before(first, line)
    else:
        return None
    edits = [place.replaced(node, value) for node in uses]
    return place.fix(f"Read `{name}` once", inserted, *edits, caveat=_ONE_INTEGER)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _certain_reads(place: Place, uses: list[ast.Name], scope: ast.AST) -> int:
    """How many reads there are in each run of a function, at least: in a loop that has a round there are several."""
    count = 0
    for node in uses:
        weight, inner = 1, node
        for around in place.file.ancestors(node):
            if around is scope:
                count += weight
                break
            if isinstance(around, _BRANCHES):
                break
            # What a loop goes through is evaluated once, and what is in it perhaps not at all.
            if isinstance(around, _LOOPS) and inner is not getattr(around, "iter", None):
                weight = 0
            inner = around  # type: ignore[assignment]
    return count
