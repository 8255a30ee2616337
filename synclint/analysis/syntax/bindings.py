"""Which names a node of a tree binds."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

# The nodes that bind a name which is no node of its own, and the field that it is in.
_NAMING: dict[type[ast.AST], str] = {
    ast.arg: "arg",
    ast.FunctionDef: "name",
    ast.AsyncFunctionDef: "name",
    ast.ClassDef: "name",
    ast.ExceptHandler: "name",
    ast.MatchAs: "name",
    ast.MatchStar: "name",
    ast.MatchMapping: "rest",
}
BINDING: frozenset[type[ast.AST]] = frozenset({ast.Name, ast.Global, ast.Nonlocal, ast.alias, *_NAMING})


def bound_by(node: ast.AST) -> Sequence[str]:
    """The names that a node binds, or declares to be another scope's."""
    if type(node) not in BINDING:
        return ()
    if isinstance(node, ast.Name):
        return () if isinstance(node.ctx, ast.Load) else (node.id,)
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return node.names
    if isinstance(node, ast.alias):
        return (node.asname or node.name.partition(".")[0],)
    name = getattr(node, _NAMING[type(node)])
    return (name,) if name else ()


def bound_pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is bound to what: one by one where both are written out."""
    if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        if len(target.elts) == len(value.elts):
            for one, given in zip(target.elts, value.elts, strict=True):
                yield from bound_pairs(one, given)
            return
    yield target, value
