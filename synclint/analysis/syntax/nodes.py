"""The nodes of a body, in order and by their kinds: many questions concern the calls in it, or the names, alone."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar

from synclint import frozen

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
