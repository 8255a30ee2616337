"""The steps that every device shares: warm a case up, see which lines run, compare its results.

Each step reports as it goes, so that what was measured before a hang or a crash is kept, and a
function that fails is left out of the steps that follow while the others go on.
"""

from __future__ import annotations

import secrets
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch

from synclint.verify.equality import difference
from synclint.verify.line_hook import ReachedLines, observing_lines
from synclint.verify.measurement import Comparison, Failure, FailureKind, Reached, Side
from synclint.verify.programs import Program

Record = object


@dataclass
class Survey:
    """One case being measured.

    ``send`` takes every record as soon as it exists, ``announce`` the name of the step that begins;
    ``drain`` waits for the device, ``recover`` brings it back after an exception.
    """

    send: Callable[[Record], None]
    announce: Callable[[str], None]
    drain: Callable[[], None]
    recover: Callable[[], None]
    failed: set[tuple[Side, str]] = field(default_factory=set)
    # Seconds of the quickest warm-up call of a function, by which the later steps choose their number of calls.
    lasting: dict[tuple[Side, str], float] = field(default_factory=dict)

    def attempt(self, program: Program, function: str, step: str, action: Callable[[], object]) -> bool:
        """Do one step for one function; an exception is reported, and the function fails."""
        stage = f"{program.side.value} {function}, {step}"
        self.announce(stage)
        try:
            action()
        except (Exception, SystemExit) as error:
            self.failed.add((program.side, function))
            self.send(failure(error, stage, program.filename))
            self.recover()
            return False
        return True

    def remaining(self, program: Program) -> list[str]:
        """The functions of a side that have not failed yet."""
        return [function for function in program.functions if (program.side, function) not in self.failed]


def fresh_seed() -> int:
    """A seed nobody has used, so that each run has random inputs of its own."""
    return secrets.randbits(31)


def failure(error: BaseException, stage: str, filename: str) -> Failure:
    """What an exception says, and the line of ``filename`` from which it came."""
    frames = traceback.extract_tb(error.__traceback__)
    line = next((frame.lineno for frame in reversed(frames) if frame.filename == filename), None)
    first = next(iter(str(error).strip().splitlines()), "")
    text = f"{type(error).__name__}: {first}" if first else type(error).__name__
    out_of_memory = isinstance(error, (MemoryError, torch.cuda.OutOfMemoryError))
    kind = FailureKind.OUT_OF_MEMORY if out_of_memory else FailureKind.RAISED
    return Failure(kind, stage, text if line is None else f"{text} (line {line})")


def warm_up(survey: Survey, programs: Sequence[Program], calls: int) -> None:
    """Call every function ``calls`` times on fresh inputs, and report the lines that the first call ran."""
    for program in programs:
        for function in program.functions:

            def action(program: Program = program, function: str = function) -> None:
                observer = ReachedLines()
                run = program.prepare(function, fresh_seed())
                with observing_lines(program.filename, program.starts, observer):
                    run()
                survey.send(Reached(program.side, function, tuple(sorted(observer.lines))))
                for _ in range(calls - 1):
                    run = program.prepare(function, fresh_seed())
                    began = time.perf_counter()
                    run()
                    survey.drain()
                    key = (program.side, function)
                    taken = time.perf_counter() - began
                    survey.lasting[key] = min(taken, survey.lasting.get(key, taken))

            survey.attempt(program, function, "warm-up", action)


def compare_results(survey: Survey, hazard: Program, twin: Program) -> None:
    """Call both sides of every function on equal inputs, and report what differs between their results."""
    for function in survey.remaining(twin):
        if (Side.HAZARD, function) in survey.failed:
            continue
        seed = fresh_seed()
        expected: list[object] = []

        def run_hazard(function: str = function, seed: int = seed, kept: list[object] = expected) -> None:
            kept.append(hazard.prepare(function, seed)())

        def run_twin(function: str = function, seed: int = seed, kept: list[object] = expected) -> None:
            result = twin.prepare(function, seed)()
            # A result may be on its way to the host still, in a copy that nobody waited for.
            survey.drain()
            found = difference(kept[0], result)
            text = None if found is None else f"{found} (hazard and twin, seed {seed})"
            survey.send(Comparison(function, text))

        if survey.attempt(hazard, function, "results", run_hazard):
            survey.attempt(twin, function, "results", run_twin)
