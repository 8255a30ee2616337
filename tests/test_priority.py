"""What people are told first: phases, what multiplies a wait, how sure it is, and one cause before its repetitions."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from synclint.findings import Confidence, Context, Finding, Phase, Position, Repetition, Severity, Span
from synclint.results.priority import PHASE_ORDER, priority, spread

PARAMETER, LAYER, MICRO = (Repetition(each, "a.py", 1) for each in ("parameter", "layer", "micro batch"))


def finding(
    phase: Phase = Phase.STEP,
    times: tuple[Repetition, ...] = (),
    confidence: Confidence = Confidence.HIGH,
    mechanism: str = "scalar-read",
    captured: str | None = None,
    assumed: bool = False,
    severity: Severity = Severity.WARNING,
) -> Finding:
    span = Span(Position(1, 1), Position(1, 2))
    context = Context(phase, "", times=times, captured=captured, assumed=assumed)
    return Finding("SYN201", "item", "", "a.py", span, severity, confidence, mechanism, context)


def of(given: Finding, *, avoidable: bool = False) -> float:
    return priority(given, avoidable=avoidable)


STRONGEST = {"times": (PARAMETER, PARAMETER, PARAMETER), "mechanism": "data-dependent-shape"}
WEAKEST = {"confidence": Confidence.LOW, "mechanism": "input-pipeline", "assumed": True, "severity": Severity.INFO}


def test_no_finding_of_one_phase_comes_before_one_of_an_earlier_phase() -> None:
    assert set(PHASE_ORDER) == set(Phase)
    for earlier, later in pairwise(PHASE_ORDER):
        assert of(finding(earlier, **WEAKEST)) > of(finding(later, **STRONGEST), avoidable=True)  # type: ignore[arg-type]


def test_what_fails_within_a_captured_graph_comes_before_all_that_costs_time() -> None:
    captured = finding(Phase.ONCE, captured="the CUDA graph at a.py:3", **WEAKEST)  # type: ignore[arg-type]
    assert of(captured) > of(finding(Phase.STEP, **STRONGEST), avoidable=True)  # type: ignore[arg-type]


def test_priorities_fit_the_scale_from_0_to_1000() -> None:
    highest = of(finding(captured="x", **STRONGEST), avoidable=True)  # type: ignore[arg-type]
    assert 0 <= of(finding(PHASE_ORDER[-1], **WEAKEST)) < highest <= 1000  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (finding(times=(PARAMETER,)), finding(times=(LAYER,))),
        (finding(times=(LAYER,)), finding(times=(MICRO,))),
        (finding(times=(MICRO,)), finding()),
        (finding(times=(LAYER, LAYER)), finding(times=(LAYER,))),
        (finding(times=(PARAMETER,), confidence=Confidence.MEDIUM), finding()),
        (finding(), finding(confidence=Confidence.MEDIUM)),
        (finding(confidence=Confidence.MEDIUM), finding(confidence=Confidence.LOW)),
        (finding(), finding(assumed=True)),
        (finding(mechanism="data-dependent-shape"), finding(mechanism="device-to-host-copy")),
    ],
    ids=range(9),
)
def test_within_a_phase_what_costs_more_and_is_surer_comes_first(more: Finding, less: Finding) -> None:
    assert of(more) > of(less)


def test_what_the_host_could_do_without_comes_before_what_it_needs() -> None:
    assert of(finding(), avoidable=True) > of(finding())


def test_repetitions_and_further_causes_of_a_function_stand_back_but_keep_their_phase() -> None:
    step, evaluation = of(finding()), of(finding(Phase.EVAL))
    told = spread([step, step, step, evaluation], [False, True, False, False], ["f", "f", "f", "g"])
    first, repeated, second, other_phase = told
    assert first == step
    assert first > second > repeated > other_phase == evaluation
    assert spread([step] * 2, [False] * 2, ["f", "g"]) == [step] * 2


def test_what_people_are_told_first_does_not_depend_on_equal_neighbours() -> None:
    given = [replace(finding(), code=code) for code in ("SYN101", "SYN102")]
    assert of(given[0]) == of(given[1])
