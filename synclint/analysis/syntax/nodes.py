"""The nodes of a body, in order and by their kinds: many questions concern the calls in it, or the names, alone."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from synclint import frozen
from synclint.analysis.syntax.walk import walk

N = TypeVar("N", bound=ast.AST)


class Nodes(tuple[ast.AST, ...]):
    """The nodes of a body, each before those below it."""

    @frozen.remembered
    def _by_kind(self) -> dict[type[ast.AST], list[ast.AST]]:
        found: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        for node in self:
            found[type(node)].append(node)
        return dict(found)

    def of(self, kind: type[N]) -> Sequence[N]:
        """Those of one kind, in the same order."""
        return self._by_kind.get(kind, ())  # type: ignore[return-value]


@lru_cache(maxsize=64)  # a loop is asked one thing after the other when it is first run
def nodes_in(loop: ast.For | ast.AsyncFor | ast.While) -> Nodes:
    """The nodes of the body of a loop."""
    return Nodes(walk(loop.body))
