"""The names that one round of a loop may read from the one before: those read before the round gives them a value.

What a round makes of all others is the same whatever they were before it. The answer errs to the side of too many.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from synclint.analysis.syntax.walk import children, walk

_Loop = ast.For | ast.AsyncFor | ast.While
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SIMPLE = (ast.Expr, ast.Assert, ast.Delete)
_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Raise)


def carried_names(loop: _Loop) -> frozenset[str]:
    """The names that a round of a loop may read before it binds them; what functions within it read is among them."""
    reads = _Reads()
    if isinstance(loop, ast.While):
        bound = reads.of_expression(loop.test, frozenset())
    else:
        bound = reads.of_expression(loop.target, frozenset())
    reads.of_body(loop.body, bound)
    return frozenset(reads.found)


def captured_names(body: Iterable[ast.stmt]) -> frozenset[str]:
    """The names that functions within a body read, when they are called, of those around them."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _FUNCTIONS):
            names = (inner for inner in walk(node) if isinstance(inner, ast.Name))
            found.update(name.id for name in names if isinstance(name.ctx, ast.Load))
        else:
            waiting += children(node)
    return frozenset(found)


class _Reads:
    """Goes through a round; ``bound`` are the names bound on every path to a place, None where it is unreachable."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def of_body(self, body: Iterable[ast.stmt], bound: frozenset[str]) -> frozenset[str] | None:
        reached: frozenset[str] | None = bound
        for statement in body:
            if reached is None:
                return None
            reached = self._of_statement(statement, reached)
        return reached

    def _of_statement(self, node: ast.stmt, bound: frozenset[str]) -> frozenset[str] | None:
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            if node.value is not None:
                bound = self.of_expression(node.value, bound)
            for target in node.targets if isinstance(node, ast.Assign) else (node.target,):
                bound = self.of_expression(target, bound)
            return bound
        if isinstance(node, ast.AugAssign):
            bound = self.of_expression(node.value, bound)
            if isinstance(node.target, ast.Name):
                self._read(node.target.id, bound)
            return self.of_expression(node.target, bound)
        if isinstance(node, ast.If):
            bound = self.of_expression(node.test, bound)
            return _either(self.of_body(node.body, bound), self.of_body(node.orelse, bound))
        if isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                bound = self.of_expression(item.context_expr, bound)
                if item.optional_vars is not None:
                    bound = self.of_expression(item.optional_vars, bound)
            # It may end what is raised within it.
            ended = self.of_body(node.body, bound)
            return bound if ended is None else ended
        if isinstance(node, _LEAVING):
            for child in children(node):
                self.of_expression(child, bound)
            return None
        if isinstance(node, _SIMPLE):
            for child in children(node):
                bound = self.of_expression(child, bound)
            return bound
        self._of_compound(node, bound)
        return bound | {node.name} if isinstance(node, _DEFINITIONS) else bound

    def _of_compound(self, node: ast.stmt, bound: frozenset[str]) -> None:
        """What may be left anywhere: none of what is bound in it is bound behind it."""
        if isinstance(node, ast.While):
            bound = self.of_expression(node.test, bound)
            self.of_body(node.body, bound)
            self.of_body(node.orelse, bound)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            bound = self.of_expression(node.iter, bound)
            self.of_body(node.orelse, bound)
            self.of_body(node.body, self.of_expression(node.target, bound))
        elif isinstance(node, ast.Try):
            ended = self.of_body(node.body, bound)
            self.of_body(node.orelse, bound if ended is None else ended)
            for handler in node.handlers:
                if handler.type is not None:
                    self.of_expression(handler.type, bound)
                self.of_body(handler.body, bound if handler.name is None else bound | {handler.name})
            self.of_body(node.finalbody, bound)
        else:
            self._of_other(node)

    def of_expression(self, node: ast.AST, bound: frozenset[str]) -> frozenset[str]:
        """Note what an expression or a target reads; what is bound after it."""
        stored: set[str] = set()
        stack: list[ast.AST] = [node]
        while stack:
            inner = stack.pop()
            if isinstance(inner, ast.Name):
                if isinstance(inner.ctx, ast.Store):
                    stored.add(inner.id)
                else:
                    self._read(inner.id, bound)
            elif isinstance(inner, ast.Lambda):
                self._of_other(inner)
            elif isinstance(inner, _COMPREHENSIONS):
                self._of_comprehension(inner, bound)
            elif isinstance(inner, ast.NamedExpr):
                stack.append(inner.value)
            else:
                stack += children(inner)
        return bound | stored if stored else bound

    def _of_other(self, node: ast.AST) -> None:
        for inner in walk(node):
            if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Store):
                self._read(inner.id, frozenset())

    def _of_comprehension(self, node: ast.AST, bound: frozenset[str]) -> None:
        assert isinstance(node, _COMPREHENSIONS)
        self.of_expression(node.generators[0].iter, bound)
        own = {name.id for clause in node.generators for name in walk(clause.target) if isinstance(name, ast.Name)}
        for inner in walk(node):
            if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Store):
                if inner.id not in own:
                    self._read(inner.id, bound)

    def _read(self, name: str, bound: frozenset[str]) -> None:
        if name not in bound:
            self.found.add(name)


def _either(first: frozenset[str] | None, second: frozenset[str] | None) -> frozenset[str] | None:
    if first is None or second is None:
        return second if first is None else first
    return first & second
