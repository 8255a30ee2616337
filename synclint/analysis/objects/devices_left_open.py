"""Which devices a function leaves open: they are those of tensors, or None unless somebody gives one.

Nor does a function bring anything to a GPU by the names that it gives to the CPU alone.
"""

from __future__ import annotations

import ast
from collections import defaultdict

from synclint.analysis.domain.values import FunctionRecord
from synclint.analysis.syntax.walk import last_name, walk


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
    values: defaultdict[str, list[ast.expr]] = defaultdict(list)
    for part in record.nodes.of(ast.Assign):
        named = [name.id for name in walk(part.targets[0]) if isinstance(name, ast.Name)]
        if isinstance(part.value, ast.Attribute) and part.value.attr == "device":
            found.update(named)
        for name in named:
            values[name].append(part.value)
    return frozenset(found.union(name for name, held in values.items() if all(map(_is_host, held))))


def _is_host(value: ast.expr) -> bool:
    """Whether an expression is the CPU: ``"cpu"``, ``torch.device("cpu")``."""
    if isinstance(value, ast.Call) and last_name(value.func) == "device" and len(value.args) == 1:
        value = value.args[0]
    return isinstance(value, ast.Constant) and value.value == "cpu"
