"""What the code around a place does with a name: where it is bound, and whether what it names is written to."""

from __future__ import annotations

import ast
from functools import lru_cache

from synclint.analysis.syntax.walk import children

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_SPECIAL = frozenset({"__setitem__", "__iadd__", "set_", "resize_", "share_memory_"})


@lru_cache(maxsize=16)  # several questions are asked of the function around a finding, one after the other
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


def bindings(scope: ast.AST, name: str) -> list[ast.AST]:
    """The nodes that bind a name within a function: assigned names, parameters, and names that are declared."""
    found: list[ast.AST] = [
        node
        for node in nodes_of(scope)
        if (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.arg) and node.arg == name)
        or (isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names)
    ]
    return found


def is_captured(scope: ast.AST, name: str) -> bool:
    """Whether a function within this one uses a name."""
    return any(
        isinstance(inner, ast.Name) and inner.id == name
        for node in nodes_of(scope)
        if isinstance(node, _FUNCTIONS)
        for inner in ast.walk(node)
    )


def loads(scope: ast.AST, name: str) -> list[ast.Name]:
    """The places in a function where a name is read."""
    return [
        node
        for node in nodes_of(scope)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]


def is_written_to(scope: ast.AST, name: str) -> bool:
    """Whether anything in a function writes into what a name stands for: its elements, or by a method in place.

    What functions do that are handed the object is not known; that they write to it is not assumed.
    """
    for node in nodes_of(scope):
        if isinstance(node, ast.AugAssign) and root_name(node.target) == name:
            return True
        if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            if root_name(node) == name:
                return True
        if isinstance(node, ast.Call):
            method = node.func
            if isinstance(method, ast.Attribute) and root_name(method.value) == name and _in_place(method.attr):
                return True
            if any(word.arg == "out" and root_name(word.value) == name for word in node.keywords):
                return True
    return False


def _in_place(method: str) -> bool:
    return method in _SPECIAL or (method.endswith("_") and not method.endswith("__"))


def is_name_free(scope: ast.AST, name: str) -> bool:
    """Whether a name means nothing in a function, nor in the functions within it."""
    return not any(
        (isinstance(node, ast.Name) and node.id == name)
        or (isinstance(node, ast.arg) and node.arg == name)
        or (isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names)
        for node in ast.walk(scope)
    )
