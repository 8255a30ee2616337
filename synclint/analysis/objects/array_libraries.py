"""Whether code works with tensors alone, or with arrays and data frames as well, by what it imports and mentions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.domain.values import FunctionRecord, Symbol
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import walk
from synclint.catalog.names import names_in

_ARRAY_LIBRARIES = names_in("libraries", "of-arrays")


def uses_torch(frame: Frame) -> bool:
    """Whether a file imports torch itself."""
    return "torch" in _roots(frame) or frame.engine.from_star(frame.module, "torch") is not None


def uses_arrays(frame: Frame) -> bool:
    """Whether a file imports a library of arrays or of data frames, and the function that runs may work with that.

    One that mentions libraries of torch's and none of arrays works with tensors.
    """
    if _roots(frame).isdisjoint(_ARRAY_LIBRARIES):
        return False
    mentioned = _mentioned(frame.function, frame) if frame.function is not None else frozenset()
    return not mentioned.isdisjoint(_ARRAY_LIBRARIES) or not any(name.startswith("torch") for name in mentioned)


def _roots(frame: Frame) -> frozenset[str]:
    """The libraries of which a file imports anything at its top; looked for again when more names are bound there."""
    scope, known = frame.module.scope, frame.engine.readings.libraries
    count, roots = known.get(frame.module, (0, frozenset()))
    if count != len(scope):
        roots = frozenset(value.name.partition(".")[0] for value in scope.values() if isinstance(value, Symbol))
        known[frame.module] = len(scope), roots
    return roots


def _text_of(record: FunctionRecord) -> Iterator[ast.AST | list[ast.stmt]]:
    """What a function says: its body, and the annotations of its parameters and of what it returns."""
    node = record.node
    yield node.body
    if not isinstance(node, ast.Lambda):
        yield node.args
        if node.returns is not None:
            yield node.returns


def _mentioned(record: FunctionRecord, frame: Frame) -> frozenset[str]:
    """The libraries of which a function mentions anything that its file has imported."""
    known = frame.engine.readings.mentioned_libraries
    if record.node not in known:
        scope = record.module.scope
        names = {node.id for part in _text_of(record) for node in walk(part) if isinstance(node, ast.Name)}
        values = (scope.get(name) for name in names)
        known[record.node] = frozenset(value.name.partition(".")[0] for value in values if isinstance(value, Symbol))
    return known[record.node]
