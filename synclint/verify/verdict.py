"""From what was measured to what it proves: pure functions, one verdict per case.

A line of the hazard that claims to wait must be seen waiting by the trace or by the stopwatch; these
measure what the hardware did. ``set_sync_debug_mode`` has documented blind spots, so that it alone
neither proves a wait nor refutes one. A line that must not wait contradicts its case when two
witnesses saw it wait, or the only one that looked. Whatever the witnesses disagree on is listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from synclint.verify.cases import BrokenCase, Case
from synclint.verify.cost import host_ratio
from synclint.verify.measurement import Measurement, Side, Wait, Witness


class Outcome(str, Enum):
    """What a case came to."""

    CONFIRMED = "confirmed"
    CONTRADICTED = "contradicted"
    INCONCLUSIVE = "inconclusive"
    STATIC = "static"


@dataclass(frozen=True)
class LineVerdict:
    """One line of a case: does it claim to wait, did it run, and which witnesses saw it wait.

    ``line`` is 0 for waits that belong to no line. ``possible`` when a witness saw something there of
    which only the driver knows whether it waits. ``disturbed`` when the stopwatch could not tell.
    """

    side: Side
    line: int
    code: str
    marked: bool
    ran: bool
    seen: tuple[Witness, ...]
    what: tuple[str, ...] = ()
    possible: bool = False
    disturbed: bool = False


@dataclass(frozen=True)
class Verdict:
    """What a case came to and why.

    ``witnesses`` are those that looked at both sides. ``applicable`` is False when the case has
    nothing to say on this machine: a package or a release is not there, or only a GPU could tell.
    """

    outcome: Outcome
    reasons: tuple[str, ...] = ()
    disagreements: tuple[str, ...] = ()
    lines: tuple[LineVerdict, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    unavailable: tuple[str, ...] = ()
    equal_results: bool | None = None
    cost_ratio: float | None = None
    applicable: bool = True


# The witnesses whose word proves a wait. The first of a device's must have looked for a case to be confirmed.
_PROOF = (Witness.TRACE, Witness.STOPWATCH, Witness.SIMULATED)


def static_verdict() -> Verdict:
    """The verdict on a hazard that no trace can show."""
    return Verdict(Outcome.STATIC, ("a property of the source, which no trace can show",))


def broken_verdict(case: BrokenCase) -> Verdict:
    """The verdict on a case that cannot be read."""
    return Verdict(Outcome.INCONCLUSIVE, (case.problem,))


def inapplicable_verdict(why: str) -> Verdict:
    """The verdict on a case that cannot be run on this machine, or says nothing about this release."""
    return Verdict(Outcome.INCONCLUSIVE, (why,), applicable=False)


def judge(case: Case, measured: Measurement, expected: Sequence[Witness]) -> Verdict:
    """The verdict on a case that was run; ``expected`` are the witnesses of the device, the proof first."""
    looked = _witnesses_that_looked(case, measured, expected)
    lines = tuple(_lines(case, measured))
    undecidable = [
        f"{_place(case, line)}: only the driver knows whether it waits; run it on a GPU"
        for line in lines
        if line.marked and line.possible and not line.seen
    ]
    contradictions = [
        *(text for line in lines for text in _contradiction(case, line, looked)),
        *(
            f"{comparison.function} returns different results: {comparison.difference}"
            for comparison in measured.comparisons
            if comparison.difference is not None
        ),
    ]
    doubts = [
        *(f"{failure.stage}: {failure.kind.value}: {failure.message}" for failure in measured.failures),
        *(text for line in lines for text in _doubt(case, line, looked)),
        *(_unreached(case, line) for line in lines if line.marked and not line.ran and not measured.failures),
    ]
    if expected[0] not in looked and not measured.failures:
        doubts.append(f"no {expected[0].value}: {_why_absent(measured, expected[0])}")
    if contradictions:
        outcome = Outcome.CONTRADICTED
    elif doubts or undecidable:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.CONFIRMED
    return Verdict(
        outcome=outcome,
        reasons=(*contradictions, *doubts, *undecidable),
        disagreements=tuple(text for line in lines for text in _disagreement(case, line, looked)),
        lines=lines,
        witnesses=looked,
        unavailable=tuple(
            f"{witness.value}: {_why_absent(measured, witness)}" for witness in expected if witness not in looked
        ),
        equal_results=_equal_results(case, measured),
        cost_ratio=host_ratio(measured.costs),
        applicable=not undecidable or bool(contradictions or doubts),
    )


def exit_status(verdicts: Sequence[Verdict]) -> int:
    """0 when nothing that could be run was left unproved, else 1."""
    unproved = (Outcome.CONTRADICTED, Outcome.INCONCLUSIVE)
    return int(any(verdict.outcome in unproved and verdict.applicable for verdict in verdicts))


def _witnesses_that_looked(case: Case, measured: Measurement, expected: Sequence[Witness]) -> tuple[Witness, ...]:
    sides = [side for side in Side if case.source(side).functions]
    looked = {(report.witness, report.side) for report in measured.witness_reports if report.unavailable is None}
    return tuple(witness for witness in expected if all((witness, side) in looked for side in sides))


def _why_absent(measured: Measurement, witness: Witness) -> str:
    said = (
        report.unavailable
        for report in measured.witness_reports
        if report.witness is witness and report.unavailable is not None
    )
    return next(said, "the measurement ended before it")


def _lines(case: Case, measured: Measurement) -> list[LineVerdict]:
    verdicts = []
    for side in Side:
        source = case.source(side)
        text = source.text.splitlines()
        seen = _sightings(measured, side)
        ran = {line for reached in measured.reached if reached.side is side for line in reached.lines}
        possible = _possible_waits(measured, side)
        disturbed = _disturbed_lines(measured, side)
        for line in sorted(ran | set(seen) | set(source.marked)):
            waits = seen.get(line, {})
            verdicts.append(
                LineVerdict(
                    side=side,
                    line=line,
                    code=text[line - 1].strip() if 0 < line <= len(text) else "",
                    marked=line in source.marked,
                    ran=line in ran,
                    seen=tuple(witness for witness in Witness if witness in waits),
                    what=_in_order(waits),
                    possible=line in possible,
                    disturbed=line in disturbed,
                )
            )
    return verdicts


def _in_order(waits: Mapping[Witness, Sequence[str]]) -> tuple[str, ...]:
    """What the witnesses said of a line, each statement once."""
    return tuple(dict.fromkeys(f"{witness.value}: {what}" for witness in Witness for what in waits.get(witness, ())))


def _sightings(measured: Measurement, side: Side) -> dict[int, dict[Witness, list[str]]]:
    """For each line, which witnesses saw it wait, and in what words."""
    seen: dict[int, dict[Witness, list[str]]] = {}

    def saw(witness: Witness, line: int, what: str) -> None:
        seen.setdefault(line, {}).setdefault(witness, []).append(what)

    for report in measured.witness_reports:
        if report.side is not side:
            continue
        for wait in report.waits:
            if wait.certain:
                saw(report.witness, wait.line, _in_words(wait))
        for time in report.times:
            if time.waited:
                saw(
                    report.witness,
                    time.line,
                    f"held {time.queued * 1000:.1f} ms by {time.remaining * 1000:.1f} ms of queued work",
                )
    return seen


def _possible_waits(measured: Measurement, side: Side) -> set[int]:
    return {
        wait.line
        for report in measured.witness_reports
        if report.side is side
        for wait in report.waits
        if not wait.certain
    }


def _disturbed_lines(measured: Measurement, side: Side) -> set[int]:
    return {
        time.line
        for report in measured.witness_reports
        if report.side is side
        for time in report.times
        if time.disturbed
    }


def _in_words(wait: Wait) -> str:
    return wait.what if wait.seconds is None else f"{wait.what} ({wait.seconds * 1000:.2f} ms)"


def _contradiction(case: Case, line: LineVerdict, looked: Sequence[Witness]) -> list[str]:
    if line.marked:
        if line.ran and looked and not line.seen and not line.possible and not line.disturbed:
            return [f"{_place(case, line)} is marked as waiting, but no witness saw it wait"]
        return []
    if len(line.seen) >= 2 or (line.seen and len(looked) <= 1):
        return [f"{_place(case, line)} must not wait, but does: {'; '.join(line.what)}"]
    return []


def _doubt(case: Case, line: LineVerdict, looked: Sequence[Witness]) -> list[str]:
    if line.marked and line.ran and not line.seen and line.disturbed:
        return [f"{_place(case, line)}: no witness saw it wait, and the stopwatch was disturbed; run it again"]
    if line.marked and line.seen and not any(witness in _PROOF for witness in line.seen):
        return [f"{_place(case, line)}: only the {line.seen[0].value} saw it wait"]
    if not line.marked and len(line.seen) == 1 and len(looked) > 1:
        return [f"{_place(case, line)} must not wait; one witness alone saw it wait: {'; '.join(line.what)}"]
    return []


def _unreached(case: Case, line: LineVerdict) -> str:
    return f"{_place(case, line)} is marked as waiting, but never ran"


def _disagreement(case: Case, line: LineVerdict, looked: Sequence[Witness]) -> list[str]:
    silent = [Witness.STOPWATCH] if line.disturbed else []
    blind = [witness.value for witness in looked if witness not in (*line.seen, *silent)]
    if not line.seen or not (blind or silent):
        return []
    parts = [f"seen by {' and '.join(witness.value for witness in line.seen)}"]
    parts += [f"not by {' and '.join(blind)}"] if blind else []
    parts += ["the stopwatch was disturbed"] if silent else []
    return [f"{_place(case, line)}: {', '.join(parts)}"]


def sightings(case: Case, verdict: Verdict) -> tuple[str, ...]:
    """For each line that waits or claims to, what each witness saw there, in its own words."""
    return tuple(
        f"{_place(case, line)}: {'; '.join(_words_of_witnesses(line, verdict.witnesses))}"
        for line in verdict.lines
        if line.seen or line.marked or line.disturbed
    )


def _words_of_witnesses(line: LineVerdict, looked: Sequence[Witness]) -> list[str]:
    words = list(line.what)
    for witness in looked:
        if line.disturbed and witness is Witness.STOPWATCH:
            words.append(f"{witness.value}: disturbed")
        elif witness not in line.seen:
            words.append(f"{witness.value}: nothing")
    return words or ["no witness looked"]


def _place(case: Case, line: LineVerdict) -> str:
    name = case.source(line.side).name
    return f"{name}:{line.line}" if line.line else f"{name}, outside its lines,"


def _equal_results(case: Case, measured: Measurement) -> bool | None:
    if not case.compares_results or not measured.comparisons:
        return None
    return all(comparison.difference is None for comparison in measured.comparisons)


def counted(verdict: Verdict, witness: Witness) -> tuple[int, int, int] | None:
    """Of one witness: marked lines seen waiting, marked lines, and other lines seen waiting.

    None when the witness did not look at both sides.
    """
    if witness not in verdict.witnesses:
        return None
    marked = [line for line in verdict.lines if line.marked]
    return (
        sum(witness in line.seen for line in marked),
        len(marked),
        sum(witness in line.seen for line in verdict.lines if not line.marked),
    )


def totals(verdicts: Sequence[Verdict]) -> Mapping[Outcome, int]:
    """How many cases came to each outcome, without those that cannot be run on this machine."""
    return {
        outcome: sum(verdict.outcome is outcome and verdict.applicable for verdict in verdicts) for outcome in Outcome
    }
