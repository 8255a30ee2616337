"""Tests of the environment: what has an outcome only where somebody has set a variable."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, own_parts, walk
from synclint.catalog.names import names_in

_READS = frozenset({"os.environ.get", "os.getenv", "environ.get", "getenv"})
_ENVIRONMENTS = frozenset({"os.environ", "environ"})
_SIGNS = ("environ", "getenv")
_BY_LAUNCHERS = names_in("guards", "set-by-launchers")
_NUMBERS = {"int": int, "float": float, "bool": bool, "str": str}
_METHODS = frozenset({"lower", "upper", "strip"})
_Constant = str | int | float | bool | None


class _UnknownError(Exception):
    """What an expression stands for does not follow from the environment alone."""


def variable_behind(test: ast.expr, taken: bool, frame: Frame) -> str | None:
    """The variable of the environment that somebody has to set for a test to come out so; None without one."""
    if not _may_ask(frame):
        return None
    asked: list[str] = []
    try:
        usual = bool(_without(test, _named(frame), asked))
    except (_UnknownError, ValueError, TypeError):
        return None
    return asked[0] if asked and usual is not taken and _BY_LAUNCHERS.isdisjoint(asked) else None


def _may_ask(frame: Frame) -> bool:
    """Whether the text of a module, which is looked through once, has a sign of the environment."""
    known, source = frame.engine.readings.asking, frame.module.kept
    if source not in known:
        text = source.text
        known[source] = any(sign in text for sign in _SIGNS)
    return known[source]


def _named(frame: Frame) -> Mapping[str, ast.expr]:
    """What the names of a function, and those at the top of its module, are given from the environment."""
    known = frame.engine.readings.environment
    scopes: list[ast.AST] = [frame.module.tree]
    if frame.function is not None:
        scopes.append(frame.function.node)
    found: dict[str, ast.expr] = {}
    for scope in scopes:
        if scope not in known:
            known[scope] = _named_in(scope)
        found.update(known[scope])
    return found


def _named_in(scope: ast.AST) -> dict[str, ast.expr]:
    """The names that a scope gives something read from the environment, and nothing else."""
    nodes = list(_of_scope(scope))
    stored = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    found: dict[str, ast.expr] = {}
    for node in nodes:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name) and stored[target.id] == 1 and _reads(node.value):
                found[target.id] = node.value
    return found


def _of_scope(scope: ast.AST) -> Iterator[ast.AST]:
    """What stands in a scope, functions and classes within it left out."""
    return own_parts(getattr(scope, "body", ()) if not isinstance(scope, ast.Lambda) else ())


def _reads(node: ast.expr) -> bool:
    named = (dotted_name(one) for one in walk(node) if isinstance(one, (ast.Attribute, ast.Name)))
    return any(name in _READS or name in _ENVIRONMENTS for name in named)


def _without(node: ast.expr, named: Mapping[str, ast.expr], asked: list[str]) -> _Constant:
    """What an expression stands for where nothing is set in the environment; ``asked`` receives what it asks for.

    Raises ``_UnknownError`` where it asks for anything else.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, int, float, bool, type(None))):
        return node.value
    if isinstance(node, ast.Name) and node.id in named:
        return _without(named[node.id], {}, asked)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not _without(node.operand, named, asked)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _compared(node.left, node.ops[0], node.comparators[0], named, asked)
    if isinstance(node, ast.Call) and not node.keywords:
        return _called(node, named, asked)
    raise _UnknownError


def _called(node: ast.Call, named: Mapping[str, ast.expr], asked: list[str]) -> _Constant:
    path = dotted_name(node.func)
    if path in _READS and node.args:
        asked.append(_text(node.args[0]))
        return _without(node.args[1], named, asked) if len(node.args) > 1 else None
    if path in _NUMBERS and len(node.args) == 1:
        made: _Constant = _NUMBERS[path](_without(node.args[0], named, asked))
        return made
    if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS and not node.args:
        text = _without(node.func.value, named, asked)
        if isinstance(text, str):
            changed: str = getattr(text, node.func.attr)()
            return changed
    raise _UnknownError


def _compared(
    left: ast.expr, operator: ast.cmpop, right: ast.expr, named: Mapping[str, ast.expr], asked: list[str]
) -> bool:
    if isinstance(operator, (ast.In, ast.NotIn)):
        if dotted_name(right) in _ENVIRONMENTS:
            asked.append(_text(left))
            return isinstance(operator, ast.NotIn)
        if isinstance(right, (ast.Tuple, ast.List, ast.Set)):
            mine = _without(left, named, asked)
            is_in = mine in [_without(one, named, asked) for one in right.elts]
            return is_in is isinstance(operator, ast.In)
        raise _UnknownError
    mine, yours = _without(left, named, asked), _without(right, named, asked)
    if isinstance(operator, (ast.Eq, ast.Is)):
        return mine == yours
    if isinstance(operator, (ast.NotEq, ast.IsNot)):
        return mine != yours
    if isinstance(mine, (int, float)) and isinstance(yours, (int, float)):
        orders = {ast.Gt: mine > yours, ast.GtE: mine >= yours, ast.Lt: mine < yours, ast.LtE: mine <= yours}
        return orders[type(operator)]
    raise _UnknownError


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise _UnknownError
