"""The classes of a project that derive from one, and the methods with which they begin."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.values import ClassRecord, FunctionValue
from synclint.analysis.state.frames import Interpreter

_MOST_DESCENDANTS = 256


def descendants(engine: Interpreter, record: ClassRecord) -> Iterator[ClassRecord]:
    """The classes of the project that derive from one, so far as they are known, those next to it first."""
    waiting, seen = deque([record]), {record}
    while waiting and len(seen) <= _MOST_DESCENDANTS:
        for subclass in engine.subclasses(waiting.popleft()):
            if subclass not in seen:
                seen.add(subclass)
                waiting.append(subclass)
                yield subclass


def definitions_below(engine: Interpreter, record: ClassRecord, name: str) -> list[FunctionValue]:
    """The methods of this name with which subclasses begin to have one, where the class itself has none."""
    found: dict[ClassRecord, FunctionValue] = {}
    for current in descendants(engine, record):
        if (method := current.methods.get(name)) is not None and found.keys().isdisjoint(current.ancestors):
            found[current] = FunctionValue(method, instance_of(current))
    return list(found.values())
