"""Finds functions that stand within others, of which there is no record as long as these have not been run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.domain.values import FunctionRecord, ModuleRecord
from synclint.analysis.program import modules
from synclint.analysis.syntax.walk import children

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def inner_function(module: ModuleRecord, line: int, column: int) -> FunctionRecord | None:
    """The record of the function within another one that begins at a place; None where there is none.

    Those of classes that functions define have records of their own only where these have been run.
    """
    for record in tuple(module.by_node.values()):
        if isinstance(record, modules.FunctionRecord) and _holds(record.node, line):
            found = _within(record, line, column)
            if found is not None:
                return found
    return None


def _holds(node: ast.stmt | ast.expr, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _within(outer: FunctionRecord, line: int, column: int) -> FunctionRecord | None:
    for node in _directly_within(outer.node):
        if not _holds(node, line):
            continue
        record = outer.module.by_node.get(id(node))
        if record is None:
            name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
            record = FunctionRecord(name, f"{outer.qualified_name}.{name}", outer.module, node, None, outer)
        if not isinstance(record, modules.FunctionRecord):
            continue
        if (node.lineno, node.col_offset) == (line, column):
            outer.module.by_node[id(node)] = record
            return record
        found = _within(record, line, column)
        if found is not None:
            outer.module.by_node[id(node)] = record
            return found
    return None


def _directly_within(outer: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda]:
    """The functions that a function defines itself, not those that these or its classes define."""
    waiting: list[ast.AST] = list(children(outer))
    while waiting:
        node = waiting.pop()
        if isinstance(node, _FUNCTIONS):
            yield node
        elif not isinstance(node, ast.ClassDef):
            waiting += children(node)
