"""Attributes that are looked up by a name that is put together: ``getattr(self, "loss_" + name)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.domain.callables import MOST_CALLABLES
from synclint.analysis.domain.values import ClassRecord, Instance, Value, options
from synclint.analysis.objects.attributes import attribute_of
from synclint.analysis.state.frames import Frame


def attributes_like(container: Value, name: ast.expr, node: ast.Call, frame: Frame) -> Iterator[Value]:
    """What the attributes of a project's object hold whose names begin and end as one that is put together does.

    Nothing where too many do.
    """
    start, end = _ends(name)
    if not start and not end:
        return
    for option in options(container):
        if isinstance(option, Instance) and option.record is not None:
            found = [one for one in _names(option.record) if one.startswith(start) and one.endswith(end)]
            if len(found) <= MOST_CALLABLES:
                yield from (attribute_of(option, one, node, frame) for one in sorted(found))


def _names(record: ClassRecord) -> frozenset[str]:
    """The names of the methods of a class and of the attributes that they assign."""
    return frozenset(record.all_methods).union(*(ancestor.assigners for ancestor in record.ancestors))


def _ends(name: ast.expr) -> tuple[str, str]:
    """The texts with which a name begins and ends, whatever stands between them; empty where nothing tells them."""
    if isinstance(name, ast.BinOp) and isinstance(name.op, ast.Add):
        return _ends(name.left)[0], _ends(name.right)[1]
    if isinstance(name, ast.JoinedStr) and name.values:
        return _ends(name.values[0])[0], _ends(name.values[-1])[1]
    if isinstance(name, ast.Constant) and isinstance(name.value, str):
        return name.value, name.value
    return "", ""
