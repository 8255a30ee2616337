"""Whether a place in a function is reached by every call, or by every call that leaves a parameter at its default.

By the text alone: what stands behind a condition about anything but a parameter's default is not on the default path,
nor is what follows a statement that may leave the function before it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
# The literals that parameters have by default, by the names of the parameters.
Defaults = Mapping[str, str]
_ALWAYS: Defaults = {}


def defaults_needed(function: FunctionNode, line: int, column: int) -> Defaults | None:
    """The parameters that have to keep their defaults for a place to be reached; None where that is not all it takes.

    ``line`` counts from 1, ``column`` from 0, in the characters of the line.
    """
    needed: dict[str, str] = {}
    body: Sequence[ast.stmt] = function.body
    known = _literal_defaults(function)
    while True:
        index = next((at for at, one in enumerate(body) if _holds(one, line, column)), None)
        if index is None:
            return None
        for earlier in body[:index]:
            if not _always_goes_on(earlier):
                return None
        inner = _within(body[index], line, column, known)
        if inner is None:
            return None
        body, more = inner
        needed.update(more)
        if not body:
            return needed


def _within(
    statement: ast.stmt, line: int, column: int, defaults: Defaults
) -> tuple[Sequence[ast.stmt], Defaults] | None:
    """The suite of a statement that holds a place, empty where its own expressions do; None behind a condition."""
    if isinstance(statement, ast.If):
        for suite, is_taken in ((statement.body, True), (statement.orelse, False)):
            if any(_holds(one, line, column) for one in suite):
                needed = _decided_by_default(statement.test, is_taken, defaults)
                return None if needed is None else (suite, needed)
        return _expression(statement, line, column)
    if isinstance(statement, (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)):
        if any(_holds(one, line, column) for one in statement.body):
            return statement.body, _ALWAYS
        return _expression(statement, line, column)
    if isinstance(statement, ast.Try):
        suites = (statement.body, statement.finalbody)
        found = next((suite for suite in suites if any(_holds(one, line, column) for one in suite)), None)
        return None if found is None else (found, _ALWAYS)
    if isinstance(statement, (ast.While, ast.Match, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        is_test = isinstance(statement, ast.While) and _holds(statement.test, line, column)
        return ((), _ALWAYS) if is_test else None
    if isinstance(statement, (ast.Raise, ast.Assert)):
        return ((), _ALWAYS) if isinstance(statement, ast.Assert) and _holds(statement.test, line, column) else None
    return _expression(statement, line, column)


def _expression(statement: ast.AST, line: int, column: int) -> tuple[Sequence[ast.stmt], Defaults] | None:
    """Whether a place in an expression is evaluated whenever the statement runs."""
    node: ast.AST = statement
    while True:
        inner = next((one for one in ast.iter_child_nodes(node) if _holds(one, line, column)), None)
        if inner is None or isinstance(inner, ast.stmt):
            return (), _ALWAYS
        if isinstance(node, ast.BoolOp) and inner is not node.values[0]:
            return None
        if isinstance(node, ast.IfExp) and inner is not node.test:
            return None
        if isinstance(inner, ast.Lambda) or (isinstance(node, ast.comprehension) and inner in node.ifs):
            return None
        if isinstance(inner, ast.GeneratorExp) or _has_condition(inner):
            return None
        node = inner


def _has_condition(node: ast.AST) -> bool:
    comprehensions = (ast.ListComp, ast.SetComp, ast.DictComp)
    return isinstance(node, comprehensions) and any(one.ifs for one in node.generators)


def _decided_by_default(test: ast.expr, is_taken: bool, defaults: Defaults) -> Defaults | None:
    """The parameters whose defaults make a condition true, or false where the other branch is meant."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _decided_by_default(test.operand, not is_taken, defaults)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is is_taken:
        needed: dict[str, str] = {}
        for value in test.values:
            more = _decided_by_default(value, is_taken, defaults)
            if more is None:
                return None
            needed.update(more)
        return needed
    if isinstance(test, ast.Name) and test.id in defaults:
        is_true = defaults[test.id] not in ("None", "False", "0", "''", "()", "[]")
        return {test.id: defaults[test.id]} if is_true is is_taken else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Name):
        name, against = test.left.id, test.comparators[0]
        is_none = isinstance(against, ast.Constant) and against.value is None
        if name in defaults and is_none and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
            holds = (defaults[name] == "None") is isinstance(test.ops[0], ast.Is)
            return {name: defaults[name]} if holds is is_taken else None
    return None


def _literal_defaults(function: FunctionNode) -> Defaults:
    """The defaults of parameters that are literals, unless the body gives them other values."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs: list[tuple[ast.arg, ast.expr | None]] = [
        *zip(positional[len(positional) - len(given.defaults) :], given.defaults, strict=True),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    stored = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return {
        parameter.arg: repr(default.value)
        for parameter, default in pairs
        if isinstance(default, ast.Constant) and parameter.arg not in stored
    }


def _always_goes_on(statement: ast.stmt) -> bool:
    """Whether what follows a statement runs after it, unless it raises."""
    return not any(isinstance(node, (ast.Return, ast.Break, ast.Continue)) for node in _own_nodes(statement))


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement, those of functions and classes in it aside."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        yield node
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            # What leaves a loop within a statement does not leave the function.
            waiting += [one for one in ast.walk(node) if isinstance(one, ast.Return)]
        else:
            waiting += ast.iter_child_nodes(node)


def _holds(node: ast.AST, line: int, column: int) -> bool:
    if not isinstance(node, (ast.stmt, ast.expr, ast.ExceptHandler)):  # such as a keyword, or a comprehension
        return any(_holds(inner, line, column) for inner in ast.iter_child_nodes(node))
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    start = min([(node.lineno, node.col_offset), *((one.lineno, 0) for one in decorators)])
    return start <= (line, column) < (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset + 1)
