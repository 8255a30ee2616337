"""What the linter says: plain, frozen, comparable records that every report reads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class Confidence(str, Enum):
    """How strong the weakest piece of evidence behind a finding is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def rank(self) -> int:
        """0 for low, 1 for medium, 2 for high."""
        return _CONFIDENCE_ORDER.index(self)

    def at_least(self, other: Confidence) -> bool:
        """Whether this confidence is the same as ``other`` or stronger."""
        return self.rank >= other.rank


_CONFIDENCE_ORDER = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


class Severity(str, Enum):
    """What a finding costs where it stands: an error stops the run, a warning a step, info seldom either."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Position(NamedTuple):
    """A place in a file: ``line`` and ``column`` count from 1, columns in characters."""

    line: int
    column: int


class Span(NamedTuple):
    """A stretch of source: ``end`` is the position just after its last character."""

    start: Position
    end: Position


@dataclass(frozen=True)
class Edit:
    """A replacement of the text within ``span``; ``safe`` when it cannot change results."""

    span: Span
    replacement: str
    message: str
    safe: bool


@dataclass(frozen=True)
class Context:
    """Whether the line runs often, why we think so, and the calls that lead to it from the outside in."""

    hot: bool
    reason: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """One piece of advice about one expression.

    ``instead`` says what to write in place of it; ``evidence`` is the chain of inferences,
    one sentence each, that ``explain --why`` prints. With a ``cell``, ``span`` and ``fix`` count from
    the beginning of that cell of a notebook; cells are numbered from 1, Markdown cells included.
    """

    code: str
    name: str
    message: str
    filename: str
    span: Span
    severity: Severity
    confidence: Confidence
    mechanism: str
    context: Context
    instead: str = ""
    url: str = ""
    evidence: tuple[str, ...] = ()
    fix: Edit | None = None
    cell: int | None = None
