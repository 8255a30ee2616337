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


class Phase(str, Enum):
    """How often a line runs: with each step of the program's main work, or in which part beside it.

    ``interval`` is every so many steps, ``data`` the preparation of samples, in a loader's workers as a rule;
    ``once`` is at the start, at the end, on request, and in case of an error.
    """

    STEP = "step"
    INTERVAL = "interval"
    EVAL = "eval"
    EPOCH = "epoch"
    DATA = "data"
    ONCE = "once"
    BENCHMARK = "benchmark"
    TEST = "test"


class CallPlace(NamedTuple):
    """A call on the way to a line: the ``function`` that it stands in, empty at the top of a module, and its place.

    With a ``cell`` the line counts from the beginning of that cell of a notebook.
    """

    function: str
    path: str
    line: int
    cell: int | None = None

    def __str__(self) -> str:
        where = short_place(self.path, self.line, self.cell)
        return f"`{self.function}`, {where}" if self.function else where


class Repetition(NamedTuple):
    """A loop within a phase: the line runs once for ``each`` of what the loop at this place goes through.

    ``each`` is a noun in the singular, such as "parameter"; ``cell`` is the same as for calls.
    """

    each: str
    path: str
    line: int
    cell: int | None = None

    def __str__(self) -> str:
        return f"once for each {self.each} ({short_place(self.path, self.line, self.cell)})"


def short_place(path: str, line: int, cell: int | None = None) -> str:
    """Where something stands, without its folders."""
    name = path[max(path.rfind("/"), path.rfind("\\")) + 1 :]  # asked for each call: paths would take their time
    return f"{name}:{line}" if cell is None else f"{name}, cell {cell}, line {line}"


@dataclass(frozen=True)
class Context:
    """How often a line runs, why we think so, and what leads to it, from the outside in.

    ``times`` are the loops that multiply it within its phase, ``path`` the calls. ``captured`` says what records the
    line instead of running it, such as "the CUDA graph at train.py:30": to wait there is an error, not a cost.
    ``assumed`` says that the phase is an assumption, because nothing in the project calls the function; ``trains`` that
    the step is known to be one of training, ``direct`` that the line stands in the training loop itself, and ``infers``
    that the step is one of inference, where results are what the program is there for. ``by_nature`` says that this
    wait belongs to inference, or to what selects its results: it is counted, and shown where all is asked for.
    """

    runs: Phase
    reason: str
    times: tuple[Repetition, ...] = ()
    path: tuple[CallPlace, ...] = ()
    captured: str | None = None
    assumed: bool = False
    trains: bool = False
    infers: bool = False
    by_nature: bool = False
    direct: bool = False

    @property
    def hot(self) -> bool:
        """Whether the line runs with each step."""
        return self.runs is Phase.STEP


@dataclass(frozen=True)
class Finding:
    """One piece of advice about one expression.

    ``instead`` says what to write in place of it; ``evidence`` is the chain of inferences,
    one sentence each, that ``explain --why`` prints. ``construct`` is the id of the catalogue's entry, ``subject`` the
    operand that decides, as written. ``cause`` is the place where what is waited for comes from, the same for findings
    with one root cause, and empty where that is not known.

    ``function`` is the qualified name of what the expression stands in, empty at the top of a module.
    ``group`` is the same for findings of a file that have one cause and are told as one, ``repeats`` says that another
    place of the group stands for this one, and ``priority`` orders what is told to people, greatest first (see
    ``synclint.results.priority``). With a ``cell``, ``span`` and ``fix`` count from the beginning of that cell of a
    notebook; cells are numbered from 1, Markdown cells included.
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
    construct: str = ""
    subject: str = ""
    cause: str = ""
    function: str = ""
    group: str = ""
    repeats: bool = False
    priority: float = 0.0
    fix: Edit | None = None
    cell: int | None = None
