"""Which devices a function leaves open: they are those of tensors, or None unless somebody gives one."""

from __future__ import annotations

import ast

from synclint.analysis.domain.values import FunctionRecord
from synclint.analysis.syntax.walk import walk


class LeftOpen:
    """The names of the devices that a function leaves open, found when somebody asks."""

    __slots__ = ("_known", "_record")

    def __init__(self, record: FunctionRecord) -> None:
        self._record = record
        self._known: frozenset[str] | None = None

    def __call__(self) -> frozenset[str]:
        """The names."""
        if self._known is None:
            self._known = _left_open(self._record)
        return self._known


def _left_open(record: FunctionRecord) -> frozenset[str]:
    taken = record.node.args
    positional = [*taken.posonlyargs, *taken.args]
    given = [*zip(reversed(positional), reversed(taken.defaults), strict=False)]
    given += [(one, default) for one, default in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if default]
    found = {one.arg for one, default in given if isinstance(default, ast.Constant) and default.value is None}
    for part in record.nodes.of(ast.Assign):
        if isinstance(part.value, ast.Attribute) and part.value.attr == "device":
            found.update(name.id for name in walk(part.targets[0]) if isinstance(name, ast.Name))
    return frozenset(found)
