"""What the linter says: plain, frozen, comparable records that every report reads."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from synclint.frozen import dataclass


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
    """What a finding costs where it stands: an error stops the run, a warning a step, info rarely either."""

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
    """A replacement of the text within ``span``.

    ``path`` is the resolved path of the file where that is another one than the finding's; with a ``cell`` the span
    counts from the beginning of that cell of a notebook.
    """

    span: Span
    replacement: str
    path: str = ""
    cell: int | None = None


class Applicability(str, Enum):
    """Whether a fix leaves what the program computes as it is, or changes it in a way that the fix states."""

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True)
class Fix:
    """Edits that belong together: all of them are made, or none.

    ``message`` says in the imperative what they do. ``caveat`` is one sentence about what can differ afterwards: an
    unsafe fix has one, a safe one has none.
    """

    message: str
    edits: tuple[Edit, ...]
    applicability: Applicability = Applicability.SAFE
    caveat: str = ""

    @property
    def is_safe(self) -> bool:
        """Whether the program computes the same with it."""
        return self.applicability is Applicability.SAFE


class Phase(str, Enum):
    """How often a line runs: with each step of the program's main work, or in which other part.

    ``interval`` is every N steps, ``data`` the preparation of samples, in a loader's workers as a rule;
    ``once`` is at the start, at the end, on request, and in case of an error. ``unreached`` is code to which nothing
    leads that the project runs.
    """

    STEP = "step"
    INTERVAL = "interval"
    EVAL = "eval"
    EPOCH = "epoch"
    DATA = "data"
    ONCE = "once"
    BENCHMARK = "benchmark"
    TEST = "test"
    UNREACHED = "unreached"


class CallPlace(NamedTuple):
    """A call on the way to a line: the ``function`` that it stands in, empty at the top of a module, and its place.

    With a ``cell`` the line counts from the beginning of that cell of a notebook.
    """

    function: str
    path: str
    line: int
    cell: int | None = None

    def __str__(self) -> str:
        where = place_in_words(self.path, self.line, self.cell)
        return f"`{self.function}`, {where}" if self.function else where


class Repetition(NamedTuple):
    """A loop within a phase: the line runs once for ``each`` of what the loop at this place goes through.

    ``each`` is a noun in the singular, such as "parameter", and "round" where nothing says what a round is for;
    ``cell`` is the same as for calls.
    """

    each: str
    path: str
    line: int
    cell: int | None = None

    def __str__(self) -> str:
        return self.at(place_in_words(self.path, self.line, self.cell))

    def at(self, where: str) -> str:
        """How often the loop repeats a line, with its place in words."""
        if self.each == "round":
            return f"in each iteration of the loop at {where}"
        return f"once for each {self.each} ({where})"


def place_in_words(path: str, line: int, cell: int | None = None) -> str:
    """Where something stands, with the path as the run has it: names such as ``utils.py`` occur often."""
    return f"{path}:{line}" if cell is None else f"{path}, cell {cell}, line {line}"


@dataclass(frozen=True)
class Context:
    """How often a line runs, why we think so, and what leads to it, from the outside in.

    ``times`` are the loops that multiply it within its phase, ``path`` the calls. ``captured`` says what records the
    line instead of running it, such as "the CUDA graph at train.py:30": to wait there is an error, not a cost.
    ``assumed`` says that the phase is an assumption, because nothing in the project calls the function; ``trains`` that
    the step is known to be one of training, ``direct`` that the line stands in the training loop itself, and ``infers``
    that the step is one of inference, where results are what the program is there for. ``aside`` says that it is known
    to be none of those that the project is there for: in one that trains, a step of inference, and in one that does
    not, what neither trains nor infers, such as that of a tool. ``by_nature`` says that this wait belongs to inference,
    or to what selects its results: it is counted, and shown where all is asked for. ``may_train`` says that names speak
    of a training step where no loop shows one, ``optional`` that the line runs only if an option is set that is off by
    default. ``callers`` counts the functions that are seen to call the one with the line. ``interface`` is the abstract
    method that the function implements: of several that do, such as backends, a run takes one. ``guesses`` counts the
    calls on the way that may mean methods of other classes, ``alternatives`` the methods of which one of the calls on
    the way means one, the most of any call. ``placed`` says that what is waited for is known to be
    where the host has to wait for it, on the device if it is read and on the CPU if it goes up, or is likely to be, as
    in a project that trains.
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
    may_train: bool = False
    optional: bool = False
    callers: int = 0
    interface: str = ""
    guesses: int = 0
    alternatives: int = 1
    placed: bool = False
    aside: bool = False

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
    ``group`` is the same for findings that have one cause and are told as one, ``repeats`` says that another place of
    the group stands for this one, ``copy`` is the same for what one rule says of the same statement in functions of the
    same name, as where one script was made from another, and ``priority`` orders what is told to people, greatest first
    (see ``synclint.results.priority``). With a ``cell``, ``span`` counts from the beginning of that cell of a notebook;
    cells are numbered from 1, Markdown cells included.
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
    copy: str = ""
    priority: float = 0.0
    fix: Fix | None = None
    cell: int | None = None
