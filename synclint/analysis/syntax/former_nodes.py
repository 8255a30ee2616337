"""Nodes of bodies that functions had before edits: what was concluded from them may still be told, with its place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from weakref import ref


class FormerNodes:
    """The nodes of a module that are not in its tree any more, as long as anybody holds them."""

    def __init__(self) -> None:
        self._nodes: list[ref[ast.AST]] = []

    def add(self, nodes: Iterable[ast.AST]) -> None:
        """Let nodes be known that are about to leave the tree."""
        self._nodes += map(ref, nodes)

    def move(self, lines: Callable[[int], int]) -> None:
        """Move nodes with the lines on which they stood to where these are in another text of the module."""
        held = [(known, node) for known in self._nodes if (node := known()) is not None]
        self._nodes = [known for known, _ in held]
        for _, node in held:
            if hasattr(node, "lineno"):
                moving: ast.stmt = node  # type: ignore[assignment]
                moving.lineno = lines(moving.lineno)
