"""From measurements to verdicts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from synclint.verify.cases import BrokenCase, Case, CaseKind, Source
from synclint.verify.measurement import (
    CUDA_WITNESSES,
    SIMULATED_WITNESSES,
    Comparison,
    Failure,
    FailureKind,
    LineTime,
    Measurement,
    Reached,
    Side,
    Wait,
    Witness,
    WitnessReport,
)
from synclint.verify.verdict import (
    Outcome,
    Verdict,
    broken_verdict,
    counted,
    exit_status,
    inapplicable_verdict,
    judge,
    static_verdict,
)

CODE = "a = f(x)\nb = x.item()  # sync: SYN201\n"
HAZARD = Source("hazard.py", "/r/hazard.py", CODE, ("case",), {2: ("SYN201",)})
TWIN = Source("sync_free.py", "/r/sync_free.py", "a = f(x)\n", ("case",))
CASE = Case("SYN201", "item", CaseKind.RULE, HAZARD, TWIN)

RAN = (Reached(Side.HAZARD, "case", (1, 2)), Reached(Side.TWIN, "case", (1,)))
EQUAL = (Comparison("case", None),)
ALL = frozenset(CUDA_WITNESSES)


def reports(seen: dict[tuple[Side, int], frozenset[Witness]]) -> tuple[WitnessReport, ...]:
    """What each witness says when ``seen`` names who saw which line wait."""
    said = []
    for witness in CUDA_WITNESSES:
        for side in Side:
            lines = [line for (where, line), who in seen.items() if where is side and witness in who]
            if witness is Witness.STOPWATCH:
                times = tuple(LineTime("case", line, 0.005, 0.0, 0.005, True) for line in lines)
                said.append(WitnessReport(witness, side, times=times))
            else:
                said.append(WitnessReport(witness, side, tuple(Wait("case", line, "sync") for line in lines)))
    return tuple(said)


def verdict(
    marked: frozenset[Witness] = ALL,
    unmarked: frozenset[Witness] = frozenset(),
    twin: frozenset[Witness] = frozenset(),
    comparisons: tuple[Comparison, ...] = EQUAL,
    failures: tuple[Failure, ...] = (),
) -> Verdict:
    said = reports({(Side.HAZARD, 2): marked, (Side.HAZARD, 1): unmarked, (Side.TWIN, 1): twin})
    measured = Measurement(witness_reports=said, reached=RAN, comparisons=comparisons, failures=failures)
    return judge(CASE, measured, CUDA_WITNESSES)


def test_three_witnesses_that_agree_confirm() -> None:
    found = verdict()
    assert (found.outcome, found.reasons, found.disagreements) == (Outcome.CONFIRMED, (), ())
    assert found.equal_results is True


@pytest.mark.parametrize("proof", [Witness.TRACE, Witness.STOPWATCH])
def test_a_wait_that_the_debug_mode_is_blind_to_is_confirmed_and_shown(
    proof: Witness,
) -> None:
    found = verdict(marked=ALL - {Witness.DEBUG_MODE} if proof is Witness.TRACE else frozenset({proof}))
    assert found.outcome is Outcome.CONFIRMED
    assert "debug mode" in found.disagreements[0]


def test_the_debug_mode_alone_proves_nothing() -> None:
    found = verdict(marked=frozenset({Witness.DEBUG_MODE}))
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "only the debug mode" in found.reasons[0]


def test_a_hazard_that_does_not_wait_is_contradicted() -> None:
    found = verdict(marked=frozenset())
    assert found.outcome is Outcome.CONTRADICTED
    assert found.reasons == ("hazard.py:2 is marked as waiting, but no witness saw it wait",)


@pytest.mark.parametrize("place", ["unmarked", "twin"])
def test_a_line_that_must_not_wait_and_does_is_contradicted(place: str) -> None:
    found = verdict(**{place: frozenset({Witness.TRACE, Witness.STOPWATCH})})  # type: ignore[arg-type]
    assert found.outcome is Outcome.CONTRADICTED
    assert ":1 must not wait, but does" in found.reasons[0]


@pytest.mark.parametrize("place", ["unmarked", "twin"])
@pytest.mark.parametrize("witness", CUDA_WITNESSES)
def test_one_witness_against_two_leaves_it_open(place: str, witness: Witness) -> None:
    found = verdict(**{place: frozenset({witness})})  # type: ignore[arg-type]
    assert found.outcome is Outcome.INCONCLUSIVE
    assert f"one witness alone saw it wait: {witness.value}: " in found.reasons[0]


def test_different_results_contradict() -> None:
    found = verdict(comparisons=(Comparison("case", "result: 1 and 2"),))
    assert (found.outcome, found.equal_results) == (Outcome.CONTRADICTED, False)
    assert found.reasons == ("case returns different results: result: 1 and 2",)


def test_a_failure_leaves_it_open_and_what_was_seen_is_kept() -> None:
    found = verdict(failures=(Failure(FailureKind.TIMED_OUT, "twin case, cost", "did not finish within 5 s"),))
    assert found.outcome is Outcome.INCONCLUSIVE
    assert found.reasons == ("twin case, cost: timed out: did not finish within 5 s",)
    assert counted(found, Witness.TRACE) == (1, 1, 0)


def test_a_contradiction_outweighs_a_failure_and_both_are_told() -> None:
    found = verdict(marked=frozenset(), failures=(Failure(FailureKind.RAISED, "twin case, cost", "E"),))
    assert found.outcome is Outcome.CONTRADICTED
    assert len(found.reasons) == 2


def test_without_a_trace_nothing_is_confirmed() -> None:
    said = tuple(
        replace(known, waits=(), unavailable="no CUPTI") if known.witness is Witness.TRACE else known
        for known in reports({(Side.HAZARD, 2): ALL})
    )
    found = judge(CASE, Measurement(said, RAN, EQUAL), CUDA_WITNESSES)
    assert (found.outcome, found.reasons) == (Outcome.INCONCLUSIVE, ("no trace: no CUPTI",))
    assert counted(found, Witness.TRACE) is None


def test_a_marked_line_that_never_ran_leaves_it_open() -> None:
    said = reports({})
    found = judge(CASE, Measurement(said, (Reached(Side.HAZARD, "case", (1,)),), EQUAL), CUDA_WITNESSES)
    assert (found.outcome, found.reasons) == (
        Outcome.INCONCLUSIVE,
        ("hazard.py:2 is marked as waiting, but never ran",),
    )


def test_the_simulated_device_is_a_witness_by_itself() -> None:
    def simulated(twin: tuple[Wait, ...]) -> Verdict:
        hazard = WitnessReport(Witness.SIMULATED, Side.HAZARD, (Wait("case", 2, "aten::item"),))
        said = (hazard, WitnessReport(Witness.SIMULATED, Side.TWIN, twin))
        return judge(CASE, Measurement(said, RAN, EQUAL), SIMULATED_WITNESSES)

    assert simulated(()).outcome is Outcome.CONFIRMED
    assert simulated((Wait("case", 1, "aten::item"),)).outcome is Outcome.CONTRADICTED


def disturbed(marked: bool, others: frozenset[Witness]) -> Verdict:
    """The stopwatch was disturbed on the line that claims to wait, or on that of the twin."""
    side, line = (Side.HAZARD, 2) if marked else (Side.TWIN, 1)
    hazard = others if marked else ALL
    said = [
        replace(known, times=(*known.times, LineTime("case", line, 0.017, 0.0, 0.0046, False, disturbed=True)))
        if known.witness is Witness.STOPWATCH and known.side is side
        else known
        for known in reports({(Side.HAZARD, 2): hazard - ({Witness.STOPWATCH} if marked else set())})
    ]
    return judge(CASE, Measurement(tuple(said), RAN, EQUAL), CUDA_WITNESSES)


def test_a_disturbed_stopwatch_contradicts_nobody() -> None:
    found = disturbed(marked=True, others=frozenset({Witness.TRACE, Witness.DEBUG_MODE}))
    assert found.outcome is Outcome.CONFIRMED
    assert found.disagreements == ("hazard.py:2: seen by trace and debug mode, the stopwatch was disturbed",)
    assert disturbed(marked=False, others=ALL).outcome is Outcome.CONFIRMED


def test_a_hazard_is_not_contradicted_while_the_stopwatch_is_disturbed() -> None:
    found = disturbed(marked=True, others=frozenset())
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "the stopwatch was disturbed" in found.reasons[0]


def test_a_later_report_on_a_function_takes_the_place_of_an_earlier_one() -> None:
    first = WitnessReport(Witness.STOPWATCH, Side.TWIN, function="case")
    second = replace(first, times=(LineTime("case", 1, 0.0, 0.0, 0.005, False),))
    other = replace(first, function="other")
    measured = Measurement().with_record(first).with_record(other).with_record(second)
    assert measured.witness_reports == (other, second)


def test_what_only_the_driver_knows_is_left_to_a_gpu() -> None:
    possible = Wait("case", 2, "aten::copy_", certain=False)
    reports = (
        WitnessReport(Witness.SIMULATED, Side.HAZARD, (possible,)),
        WitnessReport(Witness.SIMULATED, Side.TWIN, (replace(possible, line=1),)),
    )
    found = judge(CASE, Measurement(reports, RAN, EQUAL), SIMULATED_WITNESSES)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert found.reasons == ("hazard.py:2: only the driver knows whether it waits; run it on a GPU",)
    assert exit_status([found]) == 0


def test_a_wait_outside_every_line_is_told_as_such() -> None:
    said = (
        *reports({(Side.HAZARD, 2): ALL}),
        WitnessReport(Witness.TRACE, Side.TWIN, (Wait("case", 0, "cudaFree"),)),
    )
    found = judge(CASE, Measurement(said, RAN, EQUAL), CUDA_WITNESSES)
    assert "sync_free.py, outside its lines, must not wait" in found.reasons[0]


def test_the_exit_status_is_0_only_when_nothing_was_left_unproved() -> None:
    confirmed = Verdict(Outcome.CONFIRMED)
    assert exit_status([confirmed, static_verdict(), inapplicable_verdict("needs torchmetrics")]) == 0
    assert exit_status([confirmed, Verdict(Outcome.CONTRADICTED)]) == 1
    assert exit_status([confirmed, broken_verdict(BrokenCase("SYN9", "x", CaseKind.RULE, "missing"))]) == 1
