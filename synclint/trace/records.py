"""What a traced run leaves: plain, frozen records, for every device the same.

Recorders make ``ObservedWait``; a run adds its steps, what it spent its time on, and a header. ``assembly``
makes a report of them, and ``run_files`` keeps them. Seconds everywhere; lines count from 1, steps from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Device(str, Enum):
    """What a run was traced on: a CUDA device, or the simulated one, which counts and does not measure."""

    CUDA = "cuda"
    SIMULATED = "sim"


class Origin(str, Enum):
    """Which thread waited: one that runs Python, or one of autograd's, which leaves no Python frame."""

    PYTHON = "python"
    BACKWARD = "backward"


@dataclass(frozen=True)
class CodeLine:
    """A line of Python, with the function that it stands in; line 0 of no file where nobody can tell."""

    file: str
    line: int
    function: str = ""


NOWHERE = CodeLine("", 0)


@dataclass(frozen=True)
class ObservedWait:
    """One wait of the host for the device.

    ``place`` is the innermost line of the user's code, ``library`` the line of the library beneath it that waits, None
    where the user's line calls PyTorch directly. ``stack`` is the Python stack from the outside in. ``op`` is the
    operator or the CUDA function that waits, ``via`` the public function of PyTorch that was called, ``mechanism`` one
    of the catalogue's or "unknown". ``operators`` are those being run, from the outside in; empty on CUDA.

    ``forward`` is the line whose operator a wait in ``backward`` belongs to, where that is known. ``thread`` is the
    waiting thread's name. ``blocked`` are the seconds for which the host was held, None where nobody measured them.
    ``certain`` is False where the driver decides whether it waits; ``allowed`` says that the program accepts it, by a
    region. ``code`` is the rule that speaks of such waits,
    empty where it is not known yet, or none does.
    """

    place: CodeLine
    op: str
    mechanism: str
    library: CodeLine | None = None
    stack: tuple[CodeLine, ...] = ()
    via: str = ""
    operators: tuple[str, ...] = ()
    origin: Origin = Origin.PYTHON
    forward: CodeLine | None = None
    thread: str = "MainThread"
    blocked: float | None = None
    certain: bool = True
    allowed: bool = False
    code: str = ""


@dataclass(frozen=True)
class WaitSite:
    """Waits that are alike but for when they happened.

    ``counts`` are (step, waits in it), in the order of the steps; what comes after the last completed step has
    the next number. ``blocked`` are the seconds of those ``measured``, together; ``idle`` how long the device had
    nothing to do after them, None where nobody knows. ``only_profiled`` tells that nobody but the profiler sees them:
    other steps may have had them, too.
    """

    wait: ObservedWait
    counts: tuple[tuple[int, int], ...]
    measured: int = 0
    blocked: float = 0.0
    idle: float | None = 0.0
    only_profiled: bool = False

    @property
    def count(self) -> int:
        """How often it happened in the whole run."""
        return sum(count for _, count in self.counts)


@dataclass(frozen=True)
class Step:
    """A step that was completed: its number, how long it took, and whether the profiler was recording it.

    ``busy`` are the seconds for which the device had something to do meanwhile, None where that is not known.
    """

    number: int
    seconds: float
    profiled: bool = False
    busy: float | None = None


class Action(str, Enum):
    """Where a step's time goes, in the order in which people ask."""

    LOADER = "waiting for the loader"
    UPLOAD = "copies to the device"
    WAIT = "waits"
    FORWARD = "forward"
    BACKWARD = "backward"
    OPTIMIZER = "optimizer"
    COLLECTIVE = "collectives"


@dataclass(frozen=True)
class ActionTime:
    """What the calls of one kind took together in one step; ``place`` where the user's code makes them."""

    action: Action
    step: int
    seconds: float
    calls: int = 1
    place: CodeLine = NOWHERE


@dataclass(frozen=True)
class LoaderFacts:
    """How a ``DataLoader`` that the run iterated over was made; ``place`` is where the run asked for its batches."""

    place: CodeLine
    num_workers: int
    pin_memory: bool
    persistent_workers: bool
    prefetch_factor: int | None
    batch_size: int | None


@dataclass(frozen=True)
class DatasetPart:
    """What a dataset spends on one function that it calls, in seconds per batch; ``place`` is where that begins.

    ``loader`` is the line of the user's that asks for the batches. A function of C has a name and no line.
    """

    loader: CodeLine
    place: CodeLine
    seconds: float


@dataclass(frozen=True)
class Copies:
    """Copies between host and device that one line makes, over all steps.

    ``kind`` is as Kineto names it ("HtoD", "DtoH"); ``pinned`` tells whether the host's memory was.
    """

    place: CodeLine
    kind: str
    pinned: bool
    count: int
    bytes: int
    seconds: float


@dataclass(frozen=True)
class Stretch:
    """A bar of the drawn step: ``start`` and ``end`` in seconds since the step began.

    ``row`` is "host" or "device", ``kind`` "wait", "loader", "forward", "backward", "optimizer", "kernel" or "copy".
    """

    row: str
    kind: str
    start: float
    end: float
    label: str
    place: CodeLine = NOWHERE
    stack: tuple[CodeLine, ...] = ()


@dataclass(frozen=True)
class DrawnStep:
    """One step with what host and device did; ``schematic`` where lengths are invented and only the order is true."""

    number: int
    seconds: float
    stretches: tuple[Stretch, ...]
    schematic: bool = False


@dataclass(frozen=True)
class Schedule:
    """Which steps the profiler records; the same numbers as of ``torch.profiler.schedule``."""

    skip_first: int = 0
    wait: int = 1
    warmup: int = 1
    active: int = 3
    repeat: int = 1


DEFAULT_SCHEDULE = Schedule()


@dataclass(frozen=True)
class Header:
    """What was run, where, and how it ended.

    ``command`` is what a shell would have been given without the tracer, ``exit_status`` what it then ended with, None
    while it runs. ``notes`` are sentences about what could not be seen. ``rank`` counts from 0.
    ``other_processes`` were started and not recorded.
    """

    device: Device
    device_name: str
    command: tuple[str, ...]
    folder: str
    versions: tuple[tuple[str, str], ...]
    schedule: Schedule = DEFAULT_SCHEDULE
    rank: int = 0
    world_size: int = 1
    started: float = 0.0
    exit_status: int | None = None
    ended_by: str = ""
    notes: tuple[str, ...] = ()
    other_processes: int = 0


@dataclass(frozen=True)
class Run:
    """Everything that a traced run left.

    ``files`` are the user's files that ran, ``reached`` their lines that did; a file that is missing in ``reached`` was
    not followed line by line, and the others were followed to the end only if they were ``reached_to_the_end``, which
    they were not where some of them ran ``compiled``.
    """

    header: Header
    steps: tuple[Step, ...] = ()
    waits: tuple[WaitSite, ...] = ()
    actions: tuple[ActionTime, ...] = ()
    loaders: tuple[LoaderFacts, ...] = ()
    dataset_parts: tuple[DatasetPart, ...] = ()
    copies: tuple[Copies, ...] = ()
    drawn: tuple[DrawnStep, ...] = ()
    files: tuple[str, ...] = ()
    reached: tuple[tuple[str, tuple[int, ...]], ...] = ()
    reached_to_the_end: bool = True
    compiled: bool = False
