"""Measure a case on the simulated device: one witness, which reports every wait with its stack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from synclint.verify.cases import Case
from synclint.verify.measurement import Wait, Witness, WitnessReport
from synclint.verify.programs import Program
from synclint.verify.recording import SyncRecord, record_syncs
from synclint.verify.survey import Survey, compare_results, fresh_seed, warm_up


def drain() -> None:
    """A simulated device is always done."""


def recover() -> None:
    """A simulated device is never lost."""


def measure(survey: Survey, case: Case, programs: tuple[Program, Program]) -> None:
    """Run every step. Costs and times are not measured: there is nothing to wait for."""
    hazard, twin = programs
    warm_up(survey, programs, calls=1)
    if case.compares_results:
        compare_results(survey, hazard, twin)
    for program in programs:
        for function in survey.remaining(program):
            survey.attempt(program, function, "simulated", _simulated(survey, program, function))


def _simulated(survey: Survey, program: Program, function: str) -> Callable[[], None]:
    def action() -> None:
        run = program.prepare(function, fresh_seed())
        with record_syncs() as syncs:
            run()
        found = waits(syncs, function, program.filename, program.starts)
        survey.send(WitnessReport(Witness.SIMULATED, program.side, found))

    return action


def waits(syncs: Sequence[SyncRecord], function: str, filename: str, starts: Mapping[int, int]) -> tuple[Wait, ...]:
    """The recorded waits, each on the innermost line of ``filename`` in its stack."""
    return tuple(
        Wait(
            function,
            _line(sync, filename, starts),
            f"{sync.op}, {sync.mechanism}",
            certain=sync.certain,
        )
        for sync in syncs
    )


def _line(sync: SyncRecord, filename: str, starts: Mapping[int, int]) -> int:
    for frame in reversed(sync.stack):
        if frame.file == filename:
            return starts.get(frame.line, frame.line)
    return 0
