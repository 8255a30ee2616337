"""What the code around a place does with a name: where it is bound, and whether what it names is written to."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from synclint.analysis.syntax.bindings import bound_by
from synclint.analysis.syntax.walk import children

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_NAMES_AS_DATA = frozenset({"locals", "vars", "eval", "exec"})
_SPECIAL = frozenset({"__setitem__", "__iadd__", "set_", "resize_", "share_memory_"})


@lru_cache(maxsize=1024)  # several questions are asked of the function around a finding, one after the other
def nodes_of(scope: ast.AST) -> tuple[ast.AST, ...]:
    """The nodes of a function or module, those of functions and classes within it left out."""
    found: list[ast.AST] = []
    waiting = children(scope)
    while waiting:
        node = waiting.pop()
        found.append(node)
        if not isinstance(node, _FUNCTIONS):
            waiting += children(node)
    return tuple(found)


def root_name(node: ast.AST) -> str | None:
    """The name that a chain of attributes, subscripts and method calls begins with."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def path_of(node: ast.AST) -> str | None:
    """``a.b.c`` as a path; None for what is no chain of attributes of a name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def is_name(node: ast.expr, name: str) -> bool:
    """Whether an expression is a name, by itself."""
    return isinstance(node, ast.Name) and node.id == name


def tensor_read(node: ast.AST | None, *conversions: str) -> ast.expr | None:
    """What ``t.item()`` reads, or one of some ``conversions`` such as ``float(t)``; None for anything else."""
    match node:
        case ast.Call(ast.Attribute(tensor, "item"), [], []):
            return tensor
        case ast.Call(ast.Name(name), [tensor], []) if name in conversions and not isinstance(tensor, ast.Starred):
            return tensor
    return None


def bindings(scope: ast.AST, name: str) -> list[ast.AST]:
    """The nodes that bind a name within a function, or in a function within it that says so."""
    return list(_index_of(scope).bindings.get(name, ()))


def is_captured(scope: ast.AST, name: str) -> bool:
    """Whether a function within this one uses a name, or anything asks for the names by themselves."""
    return name in _index_of(scope).captured or _index_of(scope).is_asked_for_names


def loads(scope: ast.AST, name: str) -> list[ast.Name]:
    """The places in a function where a name is read."""
    return list(_index_of(scope).loads.get(name, ()))


def is_written_to(scope: ast.AST, name: str) -> bool:
    """Whether anything in a function writes into what a name stands for: its elements, or by a method in place.

    What functions do that are handed the object is not known; that they write to it is not assumed.
    """
    return name in _index_of(scope).written_to


@lru_cache(maxsize=256)
def ids_within(node: ast.AST) -> frozenset[int]:
    """The identities of the nodes within one."""
    return frozenset(map(id, ast.walk(node)))


def is_name_free(scope: ast.AST, name: str) -> bool:
    """Whether a name means nothing in a function, nor in the functions within it."""
    return name not in _index_of(scope).used


@lru_cache(maxsize=1024)
def _index_of(scope: ast.AST) -> _Index:
    """The index of a scope: findings in one function ask about it one after the other."""
    return _Index(scope)


class _Index:
    """What a function or module does with each name: a function with a thousand findings is gone through once."""

    def __init__(self, scope: ast.AST) -> None:
        self._scope = scope

    @cached_property
    def bindings(self) -> Mapping[str, Sequence[ast.AST]]:
        found: dict[str, list[ast.AST]] = {}
        for node in nodes_of(self._scope):
            for name in bound_by(node):
                found.setdefault(name, []).append(node)
            for inner in ast.walk(node) if isinstance(node, _FUNCTIONS) else ():
                for name in inner.names if isinstance(inner, (ast.Global, ast.Nonlocal)) else ():
                    found.setdefault(name, []).append(inner)
        return found

    @cached_property
    def loads(self) -> Mapping[str, Sequence[ast.Name]]:
        found: dict[str, list[ast.Name]] = {}
        for node in nodes_of(self._scope):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.setdefault(node.id, []).append(node)
        return found

    @cached_property
    def captured(self) -> frozenset[str]:
        functions = (node for node in nodes_of(self._scope) if isinstance(node, _FUNCTIONS))
        return frozenset(
            inner.id for function in functions for inner in ast.walk(function) if isinstance(inner, ast.Name)
        )

    @cached_property
    def is_asked_for_names(self) -> bool:
        return not _NAMES_AS_DATA.isdisjoint(self.loads)

    @cached_property
    def used(self) -> frozenset[str]:
        everything = tuple(ast.walk(self._scope))
        read = {node.id for node in everything if isinstance(node, ast.Name)}
        return frozenset(read.union(*map(bound_by, everything)))

    @cached_property
    def written_to(self) -> frozenset[str]:
        return frozenset(name for node in nodes_of(self._scope) for name in _written_by(node) if name is not None)


def _written_by(node: ast.AST) -> Iterator[str | None]:
    """The names of what a node writes into."""
    if isinstance(node, ast.AugAssign):
        yield root_name(node.target)
    if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
        yield root_name(node)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and _in_place(node.func.attr):
            yield root_name(node.func.value)
        yield from (root_name(word.value) for word in node.keywords if word.arg == "out")


def _in_place(method: str) -> bool:
    return method in _SPECIAL or (method.endswith("_") and not method.endswith("__"))
