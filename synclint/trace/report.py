"""The report about a traced run: the records that every format, and the linter, read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from synclint.findings import Confidence, Phase
from synclint.trace.records import CodeLine, DatasetPart, DrawnStep, Header, LoaderFacts


class Status(str, Enum):
    """What became of a finding of the linter in a run."""

    CONFIRMED = "confirmed"
    # The line waited, and nothing tells which of the findings there did.
    UNDECIDED = "undecided"
    NOT_OBSERVED = "not observed"
    # The line was not seen to run, while lines were watched; they were not watched to the end.
    NOT_SEEN = "not seen"
    NOT_REACHED = "not reached"


@dataclass(frozen=True)
class StaticFinding:
    """A finding of the linter in a file that ran: ``first`` to ``last`` are the lines of its statement.

    ``file`` is absolute; ``runs`` is the phase that the linter concluded, ``instead`` what to write instead.
    ``suppressed`` means that a comment in the source suppresses it. ``calls`` are the lines of the calls that lead to
    it, as (file, line); ``later_in`` are the functions of a library that wait for it later (``Entry.later_in``), which
    reports do not keep.
    """

    file: str
    line: int
    first: int
    last: int
    code: str
    name: str
    message: str
    mechanism: str
    confidence: Confidence
    runs: Phase
    suppressed: bool = False
    instead: str = ""
    calls: tuple[tuple[str, int], ...] = ()
    later_in: tuple[str, ...] = ()


@dataclass(frozen=True)
class JudgedFinding:
    """A finding and its outcome in the run: how often it was seen waiting, in total and per step, and for how long.

    ``blocked_ms`` is per step, None where nothing was measured.
    """

    finding: StaticFinding
    status: Status
    count: int = 0
    per_step: float = 0.0
    blocked_ms: float | None = None


@dataclass(frozen=True)
class ReportedWait:
    """The waits of one line, by library line, mechanism and operator.

    ``text`` is the line's source. ``per_step`` is the mean over the counted steps, see ``TraceReport``; ``blocked_ms``
    and ``idle_ms`` are milliseconds per step, None where nothing was measured. ``runs`` is the phase that the linter
    concluded for it, None where it predicted no wait. ``backward`` means that it waits in the backward pass of this
    line's operator, or, where that is not known, in the backward pass that this line starts. ``ranks`` saw it.
    ``in_library`` means that an installed package other than PyTorch waits by itself: no rule says what the code that
    uses it could do about that. ``instead`` says what to write instead, empty where nothing general can be said.
    ``contract`` is the function that is declared sync-free within which it happened, outside of regions that accept it.
    """

    place: CodeLine
    text: str
    count: int
    per_step: float
    mechanism: str
    op: str
    code: str
    runs: Phase | None
    library: CodeLine | None
    library_text: str
    blocked_ms: float | None
    idle_ms: float | None
    backward: bool
    certain: bool
    stack: tuple[CodeLine, ...]
    via: str
    ranks: tuple[int, ...] = ()
    in_library: bool = False
    instead: str = ""
    contract: str = ""

    @property
    def predicted(self) -> bool:
        """Whether the linter has a finding for it."""
        return self.runs is not None


@dataclass(frozen=True)
class ActionRow:
    """A row of the table of where a step goes: the seconds over all counted steps, and ``percent`` of their time."""

    action: str
    calls: int
    total: float
    percent: float
    is_wait: bool = False

    @property
    def mean(self) -> float:
        """Seconds of one call."""
        return self.total / self.calls if self.calls else 0.0


@dataclass(frozen=True)
class Hint:
    """Advice on what takes time: the setting or the rule that helps."""

    about: str
    text: str


@dataclass(frozen=True)
class RankFacts:
    """One process of a merged run; seconds per step.

    ``shared_seconds`` are spent where processes synchronize: in collectives, and in the backward pass, in which
    gradients are exchanged. ``waiting_seconds`` is how much longer that takes than in the process in which it is
    shortest, for which the others wait.
    """

    rank: int
    steps: int
    step_seconds: float
    shared_seconds: float | None
    waiting_seconds: float | None


@dataclass(frozen=True)
class StepTimes:
    """What the counted steps took over the run, in seconds.

    Each of ``seconds`` is the mean of ``every`` steps, from the step with the number ``first`` on. The profiled steps
    are among them, and take longer.
    """

    first: int
    every: int
    seconds: tuple[float, ...]
    median: float
    longest: float
    longest_step: int


@dataclass(frozen=True)
class TraceReport:
    """A traced run, ready to be reported.

    ``steps`` is the number of completed steps, ``counted_steps`` the number on which the figures per step are based:
    the first is left out if there are others, because it includes what comes before the loop. ``missed`` are the waits
    of the user's lines that no finding predicted; where there are steps, those within them. ``shared_seconds`` are
    those of ``RankFacts``, None for a single process. ``busy`` is the share of the profiled steps, from 0 to 1, for
    which the device had something to do, None where nobody measured it or too many of its records are missing.
    """

    header: Header
    steps: int
    counted_steps: int
    step_seconds: float | None
    waits: tuple[ReportedWait, ...]
    missed: tuple[ReportedWait, ...]
    findings: tuple[JudgedFinding, ...]
    actions: tuple[ActionRow, ...] = ()
    hints: tuple[Hint, ...] = ()
    loaders: tuple[LoaderFacts, ...] = ()
    drawn: tuple[DrawnStep, ...] = ()
    ranks: tuple[RankFacts, ...] = ()
    shared_seconds: float | None = None
    checked: bool = True
    notes: tuple[str, ...] = ()
    busy: float | None = None
    times: StepTimes | None = None
    dataset_parts: tuple[DatasetPart, ...] = ()
