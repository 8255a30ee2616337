"""For which methods a function asks the same thing: what has one of them has the others, too."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import count
from typing import NamedTuple

from synclint.analysis.syntax.walk import children, dotted_name, statements, suites, walk

_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_WITH_SUITES = (
    ast.If, ast.Try, ast.Match, ast.With, ast.AsyncWith, ast.For, ast.AsyncFor, ast.While,
)  # fmt: skip
_OF_THEIR_OWN = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# The expressions of which not everything is always evaluated.
_DIVIDED = frozenset({ast.IfExp, ast.BoolOp, ast.Lambda, *_COMPREHENSIONS})
_Arms = frozenset[int]


class AskedBeside(NamedTuple):
    """The other methods for which a function asks what it asks for one: ``always`` when it does so, and ``anywhere``.

    What stands in a branch around which the call does not stand may be asked of a thing of another kind.
    """

    always: tuple[str, ...] = ()
    anywhere: tuple[str, ...] = ()


def asked_together(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Mapping[ast.Call, AskedBeside]:
    """For each call of a method of something in a function, for which others that is asked."""
    asked: defaultdict[str, list[tuple[ast.Call, str, _Arms]]] = defaultdict(list)
    stored: Counter[str] = Counter(argument.arg for argument in walk(function.args) if isinstance(argument, ast.arg))
    for node, arms in _in_branches(function.body):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if (thing := dotted_name(node.func.value)) is not None:
                asked[thing].append((node, node.func.attr, arms))
        elif isinstance(node, (ast.Name, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            stored[dotted_name(node) or ""] += 1
    found: dict[ast.Call, AskedBeside] = {}
    for thing, calls in asked.items():
        names = {name for _, name, _ in calls}
        if len(names) < 2:
            continue
        is_one = _is_one_thing(thing, stored)
        always: dict[_Arms, set[str]] = {}
        for call, name, here in calls:
            if here not in always:
                always[here] = {other for _, other, there in calls if is_one and there <= here}
            found[call] = AskedBeside(tuple(sorted(always[here] - {name})), tuple(sorted(names - {name})))
    return found


def _is_one_thing(path: str, stored: Mapping[str, int]) -> bool:
    """Whether a dotted name stands for the same thing throughout a function, by how often it gives names a value."""
    root, *attributes = path.split(".")
    if stored.get(root, 0) > 1:
        return False
    begun = [".".join((root, *attributes[:end])) for end in range(1, len(attributes) + 1)]
    return not any(name in stored for name in begun)


def _in_branches(body: list[ast.stmt]) -> Iterator[tuple[ast.AST, _Arms]]:
    """The nodes of a body, with the branches in which they stand; what follows a way out is a branch as well."""
    numbers, leaving = count(), _leaving_in(body)
    waiting: list[tuple[ast.AST | list[ast.stmt], _Arms]] = [(body, frozenset())]
    while waiting:
        part, arms = waiting.pop()
        if isinstance(part, list):
            for statement in part:
                waiting.append((statement, arms))
                if isinstance(statement, _WITH_SUITES) and statement in leaving:
                    arms |= {next(numbers)}
            continue
        yield part, arms
        if isinstance(part, ast.expr) and type(part) not in _DIVIDED:
            waiting += [(one, arms) for one in children(part)]
            continue
        always, branches = _divided(part)
        waiting += ((one, arms) for one in always)
        waiting += ((one, arms | {number}) for branch in branches for number in (next(numbers),) for one in branch)


def _leaving_in(body: list[ast.stmt]) -> set[ast.stmt]:
    """The statements in a body that leave it, and those that hold one: what follows them may be left out."""
    found: set[ast.stmt] = set()
    for statement in reversed([*statements(body)]):  # those within another one stand behind it
        if isinstance(statement, _LEAVING) or any(not found.isdisjoint(suite) for suite in suites(statement)):
            found.add(statement)
    return found


def _divided(node: ast.AST) -> tuple[list[ast.AST | list[ast.stmt]], list[list[ast.AST | list[ast.stmt]]]]:
    """What is always evaluated of a node, and its branches."""
    if isinstance(node, ast.If):
        return [node.test], [[node.body], [node.orelse]]
    if isinstance(node, ast.IfExp):
        return [node.test], [[node.body], [node.orelse]]
    if isinstance(node, ast.BoolOp):
        return [*node.values[:1]], [[one] for one in node.values[1:]]
    if isinstance(node, ast.Match):
        return [node.subject], [[one] for one in node.cases]
    if isinstance(node, ast.match_case):
        return [node.body], []
    if isinstance(node, ast.Try):
        handlers: list[list[ast.AST | list[ast.stmt]]] = [[one.body] for one in node.handlers]
        return [node.finalbody], [[node.body], *handlers, [node.orelse]]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [*node.items, node.body], []
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return [node.target, node.iter, node.body], [[node.orelse]]
    if isinstance(node, ast.While):
        return [node.test, node.body], [[node.orelse]]
    if isinstance(node, _OF_THEIR_OWN):
        return [], [[*children(node)]]
    if isinstance(node, _COMPREHENSIONS) and any(one.ifs for one in node.generators):
        return [], [[*children(node)]]
    return [*children(node)], []
