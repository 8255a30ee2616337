"""Verify a list of cases: the parts that can be judged without a device, and those that need one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from synclint.verify.cases import BrokenCase, Case, not_applicable
from synclint.verify.isolation import DeviceUnavailableError, Workshop
from synclint.verify.journal import Journal
from synclint.verify.measurement import (
    CUDA_WITNESSES,
    SIMULATED_WITNESSES,
    Environment,
    Measurement,
    Side,
    Timeline,
)
from synclint.verify.timeline import schematic
from synclint.verify.verdict import (
    Outcome,
    Verdict,
    broken_verdict,
    inapplicable_verdict,
    judge,
    static_verdict,
)


@dataclass(frozen=True)
class Result:
    """A case with what was measured of it and what that proves; ``trace`` is its Chrome trace, if kept."""

    case: Case | BrokenCase
    verdict: Verdict
    measured: Measurement = field(default_factory=Measurement)
    trace: Path | None = None

    @property
    def timelines(self) -> tuple[Timeline, ...]:
        """The measured timelines, or on the simulated device schematic ones."""
        if self.measured.timelines:
            return self.measured.timelines
        return schematic(self.measured)


@dataclass(frozen=True)
class Verification:
    """Everything that one run found out; ``interrupted`` when the user stopped it before its end."""

    environment: Environment
    results: tuple[Result, ...]
    interrupted: bool = False

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts, in the order of the cases."""
        return tuple(result.verdict for result in self.results)


def installed_version(package: str) -> str | None:
    """The release of an installed package; "unknown" where it does not say, None where it is not there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown" if find_spec(package) is not None else None


def verify_cases(
    cases: Sequence[Case | BrokenCase],
    device: str,
    limit: float,
    traces: Path | None = None,
    announce: Callable[[int, str], None] = lambda position, stage: None,
    journal: Journal | None = None,
) -> Verification:
    """Measure the cases one after the other on ``device`` ("cuda" or "sim"), at most ``limit`` seconds each.

    Chrome traces, which CUDA alone gives, are kept in the folder ``traces``. ``announce`` hears the
    number of the case and the step that begins. What was measured before an interruption, or before
    the device was lost for good, is kept; what the ``journal`` knows is not measured again. Raises
    DeviceUnavailableError when there is no device to begin with.
    """
    results: list[Result] = []
    interrupted = False
    with Workshop(device, limit) as workshop:
        announce(0, "starting the device")
        environment = workshop.start()
        if environment.simulated:
            traces = None
        if traces is not None:
            traces.mkdir(exist_ok=True)
        try:
            for position, case in enumerate(cases):
                announce(position, case.name)
                results.append(_verify(case, workshop, environment, traces, position, announce, journal))
        except KeyboardInterrupt:
            interrupted = True
    return Verification(environment, tuple(results), interrupted)


def _verify(
    case: Case | BrokenCase,
    workshop: Workshop,
    environment: Environment,
    traces: Path | None,
    position: int,
    announce: Callable[[int, str], None],
    journal: Journal | None,
) -> Result:
    if isinstance(case, BrokenCase):
        return Result(case, broken_verdict(case))
    if case.proof == "static":
        return Result(case, static_verdict())

    def installed(name: str) -> str | None:
        return "built in" if name in environment.capabilities else installed_version(name)

    if (why := not_applicable(case, installed)) is not None:
        return Result(case, inapplicable_verdict(why))
    trace = None if traces is None else traces / f"{case.id}.json.gz"
    expected = SIMULATED_WITNESSES if environment.simulated else CUDA_WITNESSES
    measured = journal.known(case, environment) if journal is not None else None
    if measured is not None:
        return Result(case, judge(case, measured, expected), measured, _existing(trace))
    try:
        measured = workshop.measure(case, trace, lambda stage: announce(position, f"{case.name}, {stage}"))
    except DeviceUnavailableError as error:
        lost = f"not measured: the device was lost and did not come back: {error}"
        return Result(case, Verdict(Outcome.INCONCLUSIVE, (lost,)))
    if journal is not None:
        # A disk that is full is complained of when the report is written; the verdicts are not lost for it.
        with suppress(OSError):
            journal.keep(case, environment, measured)
    return Result(case, judge(case, measured, expected), measured, _existing(trace))


def _existing(trace: Path | None) -> Path | None:
    return trace if trace is not None and trace.exists() else None


def waiting_lines(result: Result, side: Side) -> dict[int, tuple[str, ...]]:
    """The lines of a side that were seen waiting, and the witnesses that saw it, in words."""
    return {
        line.line: tuple(witness.value for witness in line.seen)
        for line in result.verdict.lines
        if line.side is side and line.seen
    }
