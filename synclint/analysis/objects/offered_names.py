"""What a module offers to those who look up names in it: ``models.__dict__[name]``, ``getattr(models, name)``."""

from __future__ import annotations

from synclint.analysis.domain.callables import MOST_CALLABLES
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import UNKNOWN, ClassValue, FunctionValue, Value
from synclint.analysis.state.frames import Frame


def any_of(name: str, frame: Frame) -> Value:
    """Any of a module's own functions and classes, where these are few; without any, of those that it imports."""
    module = frame.engine.project.module(name)
    if module is None:
        return UNKNOWN
    frame.engine.run_module(module)
    offered = [
        value
        for key, value in sorted(module.scope.items())
        if isinstance(value, (FunctionValue, ClassValue)) and not key.startswith("_")
    ]
    found = [value for value in offered if value.record.module is module] or offered
    return join_all(found) if 0 < len(found) <= MOST_CALLABLES else UNKNOWN
