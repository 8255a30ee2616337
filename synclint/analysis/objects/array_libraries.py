"""Whether a file works with tensors alone, or with arrays and data frames as well, by what it imports."""

from __future__ import annotations

from synclint.analysis.domain.values import Symbol
from synclint.analysis.state.frames import Frame
from synclint.catalog.names import names_in

_ARRAY_LIBRARIES = names_in("libraries", "of-arrays")


def uses_torch(frame: Frame) -> bool:
    """Whether a file imports torch itself."""
    return "torch" in _roots(frame) or frame.engine.from_star(frame.module, "torch") is not None


def uses_arrays(frame: Frame) -> bool:
    """Whether a file imports a library of arrays or of data frames."""
    return not _roots(frame).isdisjoint(_ARRAY_LIBRARIES)


def _roots(frame: Frame) -> frozenset[str]:
    """The libraries of which a file imports anything at its top; looked for again when more names are bound there."""
    scope, known = frame.module.scope, frame.engine.readings.libraries
    count, roots = known.get(frame.module, (0, frozenset()))
    if count != len(scope):
        roots = frozenset(value.name.partition(".")[0] for value in scope.values() if isinstance(value, Symbol))
        known[frame.module] = len(scope), roots
    return roots
