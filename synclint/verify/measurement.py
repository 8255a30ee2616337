"""What is measured of a case: plain records that the worker sends and the verdict reads."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum


class Side(str, Enum):
    """The two halves of a case: the code that waits and the same computation without the wait."""

    HAZARD = "hazard"
    TWIN = "twin"


class Witness(str, Enum):
    """Who says that a line made the host wait."""

    TRACE = "trace"
    DEBUG_MODE = "debug mode"
    STOPWATCH = "stopwatch"
    SIMULATED = "simulated"


CUDA_WITNESSES = (Witness.TRACE, Witness.DEBUG_MODE, Witness.STOPWATCH)
SIMULATED_WITNESSES = (Witness.SIMULATED,)


@dataclass(frozen=True)
class Wait:
    """One wait that a witness saw on a line; ``line`` is 0 where it belongs to no line of the case.

    ``what`` is the witness's own word for it ("cudaStreamSynchronize in aten::nonzero"), ``seconds``
    how long the host was held, where the witness can tell. Where ``certain`` is False the witness
    cannot say whether the driver waits.
    """

    function: str
    line: int
    what: str
    seconds: float | None = None
    certain: bool = True


@dataclass(frozen=True)
class LineTime:
    """The stopwatch's reading of one line, in seconds.

    ``queued`` is how long the line took while the device had ``remaining`` seconds of work before
    it, ``idle`` how long it takes while the device has none. ``disturbed`` when its runs did not agree:
    then nobody can say whether it waits.
    """

    function: str
    line: int
    queued: float
    idle: float
    remaining: float
    waited: bool
    disturbed: bool = False


@dataclass(frozen=True)
class WitnessReport:
    """What one witness saw of one side; ``unavailable`` says why where it could not look.

    ``function`` is the one that it looked at, None for all of them: a later report of the same witness
    on the same function takes the place of an earlier one.
    """

    witness: Witness
    side: Side
    waits: tuple[Wait, ...] = ()
    times: tuple[LineTime, ...] = ()
    unavailable: str | None = None
    function: str | None = None


@dataclass(frozen=True)
class Reached:
    """The lines of one function that ran."""

    side: Side
    function: str
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Comparison:
    """Whether both sides of a function returned equal results: ``difference`` is None when they did."""

    function: str
    difference: str | None


@dataclass(frozen=True)
class Cost:
    """Seconds per call with work queued on the device, the mean of ``calls`` calls.

    ``host`` is the time until the call returned, ``blocked`` the part of it that the same call does
    not take on an idle device, ``wall`` the time including the work itself.
    """

    side: Side
    function: str
    host: float
    blocked: float
    wall: float
    calls: int


class FailureKind(str, Enum):
    """Why a measurement ended early."""

    RAISED = "raised"
    OUT_OF_MEMORY = "out of memory"
    TIMED_OUT = "timed out"
    CRASHED = "crashed"


@dataclass(frozen=True)
class Failure:
    """What ended the measurement of a case: ``stage`` is what was being done ("hazard filtered, trace")."""

    kind: FailureKind
    stage: str
    message: str


@dataclass(frozen=True)
class Bar:
    """A stretch of a timeline; ``start`` and ``end`` in microseconds since the function was called."""

    start: float
    end: float
    label: str
    kind: str
    line: int = 0


@dataclass(frozen=True)
class Timeline:
    """What host and device did during one call; ``schematic`` when it is drawn from counts, not measured."""

    side: Side
    function: str
    host: tuple[Bar, ...]
    device: tuple[Bar, ...]
    schematic: bool = False


@dataclass(frozen=True)
class Measurement:
    """Everything that was measured of a case, however early it ended."""

    witness_reports: tuple[WitnessReport, ...] = ()
    reached: tuple[Reached, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    costs: tuple[Cost, ...] = ()
    timelines: tuple[Timeline, ...] = ()
    failures: tuple[Failure, ...] = ()

    def with_record(self, record: object) -> Measurement:
        """The measurement with one more record, in the field that holds its kind."""
        kept = _FIELDS[type(record)]
        others = tuple(known for known in getattr(self, kept) if not _is_superseded(known, record))
        return replace(self, **{kept: (*others, record)})


def _is_superseded(known: object, record: object) -> bool:
    if isinstance(known, WitnessReport) and isinstance(record, WitnessReport):
        subject = (record.witness, record.side, record.function)
        return record.function is not None and (known.witness, known.side, known.function) == subject
    if isinstance(known, Timeline) and isinstance(record, Timeline):
        return (known.side, known.function) == (record.side, record.function)
    return False


_FIELDS: dict[type, str] = {
    WitnessReport: "witness_reports",
    Reached: "reached",
    Comparison: "comparisons",
    Cost: "costs",
    Timeline: "timelines",
    Failure: "failures",
}


@dataclass(frozen=True)
class Environment:
    """Where the measurements were made. ``simulated`` results check a model of PyTorch, not a GPU.

    ``capabilities`` are what a build of PyTorch may have or lack and is no package of its own: "nccl".
    ``settings`` are the thresholds of the witnesses. ``packages`` are the releases of libraries that cases use;
    ``commit`` is that of the checkout that synclint runs from, "+changes" where it has any, None outside of one.
    """

    simulated: bool
    device: str
    torch: str
    python: str
    platform: str
    date: str
    driver: str | None = None
    cuda: str | None = None
    capabilities: tuple[str, ...] = ()
    settings: dict[str, float] = field(default_factory=dict, hash=False)
    cupti: int | None = None
    packages: dict[str, str] = field(default_factory=dict, hash=False)
    synclint: str = ""
    commit: str | None = None
