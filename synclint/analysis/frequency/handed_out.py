"""Loops over batches that hand out what they make of each: what is printed or written, and of which nothing is left."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from synclint.analysis.frequency import names
from synclint.analysis.frequency.loops import rounds
from synclint.analysis.results.facts import Evidence
from synclint.analysis.syntax.walk import first_name, last_name, own_parts, walk

# What hands something to a person or to a file.
_OUT = frozenset(
    {
        "print", "write", "writelines", "writerow", "writerows", "imwrite", "imsave", "imshow", "save", "save_image",
        "savefig", "savetxt", "tofile", "dump", "info",
    }
)  # fmt: skip
_SIZES = frozenset({"shape", "dtype", "device", "ndim"})
# What compares with what should have come out, beside losses.
_COMPARES = frozenset({"eq", "ne", "accuracy"})
_Loop = ast.For | ast.AsyncFor | ast.While
_OVER_BATCHES = (Evidence.BATCHES, Evidence.VALIDATION)


def hands_results_out(
    node: ast.FunctionDef | ast.AsyncFunctionDef, loops: Iterable[_Loop], lists: frozenset[str]
) -> bool:
    """Whether a function is there for what its loops make of each batch, which they print or write.

    An evaluation compares with what should have come out, and says at its end what the rounds have added up to. What
    ``lists`` hold are no batches.
    """
    if any(isinstance(part, ast.Return) and part.value is not None for part in own_parts(node.body)):
        return False
    return all(_hands_out(loop, node) for loop in loops if rounds(loop, lists).evidence in _OVER_BATCHES)


def _hands_out(loop: _Loop, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    parts = [*own_parts(loop.body)]
    called = {last_name(part.func) for part in parts if isinstance(part, ast.Call)}
    if not any(isinstance(part, ast.Call) and _gives_out(part) for part in parts):
        return False
    if not called.isdisjoint(_COMPARES) or any(names.is_loss(name, "") for name in called):
        return False
    made = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    if isinstance(loop, (ast.For, ast.AsyncFor)):
        made |= {part.id for part in walk(loop.target) if isinstance(part, ast.Name)}
    if any(map(_adds_up, parts)) or any(_keeps(part, made) for part in parts):
        return False
    closed = {id(closing.value) for part in own_parts(function.body) if (closing := _closing(part)) is not None}
    end = loop.end_lineno or loop.lineno
    return not any(
        isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in made and id(part) not in closed
        for part in own_parts(function.body)
        if getattr(part, "lineno", 0) > end
    )


def _gives_out(call: ast.Call) -> bool:
    """Whether a call hands out more than the sizes of something: ``print(x.shape)``."""
    if last_name(call.func) not in _OUT:
        return False
    if isinstance(call.func, ast.Attribute) and not call.args and not call.keywords:
        return True
    waiting: list[ast.AST] = [*call.args, *(each.value for each in call.keywords)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Name):
            return True
        if not (isinstance(part, ast.Attribute) and part.attr in _SIZES):
            waiting += ast.iter_child_nodes(part)
    return False


def _adds_up(part: ast.AST) -> bool:
    """Whether a statement adds to what the rounds before have made, beside counting them."""
    return isinstance(part, ast.AugAssign) and not isinstance(part.value, ast.Constant)


def _keeps(part: ast.AST, made: set[str]) -> bool:
    """Whether a statement gives something from elsewhere what a round has made: ``results.append(found)``."""
    if isinstance(part, ast.Assign):
        targets = [target for target in part.targets if isinstance(target, (ast.Attribute, ast.Subscript))]
        return any(root is not None and root not in made for root in map(first_name, targets))
    if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Call)):
        return False
    call = part.value
    root = first_name(call.func) if isinstance(call.func, ast.Attribute) else None
    if root is None or root in made or last_name(call.func) in _OUT:
        return False
    given = (inner for argument in (*call.args, *(each.value for each in call.keywords)) for inner in walk(argument))
    return any(isinstance(inner, ast.Name) and inner.id in made for inner in given)


def _closing(part: ast.AST) -> ast.Attribute | None:
    """The method of something that a call closes: ``log.close``."""
    function = part.func if isinstance(part, ast.Call) else None
    return function if isinstance(function, ast.Attribute) and function.attr == "close" else None
