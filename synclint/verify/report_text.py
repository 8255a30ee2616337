"""The terminal's table: one row per case, then why each that is not confirmed is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synclint.verify.cases import CaseKind
from synclint.verify.measurement import CUDA_WITNESSES, SIMULATED_WITNESSES, Environment, Witness
from synclint.verify.run import Result, Verification
from synclint.verify.verdict import Outcome, counted, totals

NOTHING = "–"

SIMULATED_NOTE = "simulated device: this checks our model of PyTorch; only a GPU checks the model"


def witnesses_of(environment: Environment) -> Sequence[Witness]:
    """The witnesses that a device has, in the order in which they are shown."""
    return SIMULATED_WITNESSES if environment.simulated else CUDA_WITNESSES


def witness_cell(result: Result, witness: Witness) -> str:
    """Marked lines seen waiting of all marked lines, and how many others were seen: "3/3 +1"."""
    count = counted(result.verdict, witness)
    if count is None:
        return NOTHING
    seen, marked, others = count
    return f"{seen}/{marked}" + (f" +{others}" if others else "")


def equal_cell(result: Result) -> str:
    """Whether both sides returned the same."""
    return {True: "yes", False: "no", None: NOTHING}[result.verdict.equal_results]


def cost_cell(result: Result) -> str:
    """How many times longer the hazard held the host than its twin."""
    ratio = result.verdict.cost_ratio
    return NOTHING if ratio is None else f"×{ratio:.3g}"


def title_cell(result: Result) -> str:
    """The code and the name of a rule, the id of a catalogue entry."""
    case = result.case
    return case.id if case.kind is CaseKind.CATALOGUE else f"{case.id} {case.name}"


def header_lines(environment: Environment) -> list[str]:
    """Where the measurements were made, and what they are worth."""
    parts = [environment.device]
    if environment.driver:
        parts.append(f"driver {environment.driver}")
    if environment.cuda:
        parts.append(f"CUDA {environment.cuda}")
    parts += [f"torch {environment.torch}", f"Python {environment.python}", environment.date]
    lines = [", ".join(parts)]
    if environment.simulated:
        lines.append(SIMULATED_NOTE)
    return lines


def table(verification: Verification) -> list[tuple[str, ...]]:
    """The rows of the table, its heading first; the last cell of a row is the verdict."""
    witnesses = witnesses_of(verification.environment)
    cost = () if verification.environment.simulated else ("cost",)
    rows = [("rule", "lines", *(witness.value for witness in witnesses), "equal results", *cost, "verdict")]
    for result in verification.results:
        marked = sum(line.marked for line in result.verdict.lines)
        rows.append(
            (
                title_cell(result),
                str(marked) if result.verdict.lines else NOTHING,
                *(witness_cell(result, witness) for witness in witnesses),
                equal_cell(result),
                *((cost_cell(result),) if cost else ()),
                result.verdict.outcome.value,
            )
        )
    return rows


def aligned(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, str]]:
    """Each row as text up to its last cell, padded, and the last cell."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return [("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]) for row in rows]


def explanations(verification: Verification) -> Iterator[tuple[str, Sequence[str]]]:
    """For each case with something to explain, a heading and what there is to say."""
    for result in verification.results:
        verdict = result.verdict
        if verdict.applicable and verdict.outcome in (Outcome.CONTRADICTED, Outcome.INCONCLUSIVE):
            yield f"{title_cell(result)} is {verdict.outcome.value}", verdict.reasons
    if skipped := [result for result in verification.results if not result.verdict.applicable]:
        yield (
            "not applicable here",
            [f"{title_cell(result)}: {'; '.join(result.verdict.reasons)}" for result in skipped],
        )
    for result in verification.results:
        notes = (*result.verdict.disagreements, *result.verdict.unavailable)
        if notes and result.verdict.outcome is not Outcome.INCONCLUSIVE:
            yield f"{title_cell(result)}: the witnesses disagree", notes


def summary(verification: Verification) -> str:
    """The last line: how many cases came to what."""
    counts = totals(verification.verdicts)
    parts = [f"{count} {outcome.value}" for outcome, count in counts.items() if count]
    if skipped := sum(not verdict.applicable for verdict in verification.verdicts):
        parts.append(f"{skipped} not applicable here")
    text = ", ".join(parts) or "nothing verified"
    if verification.environment.simulated:
        text += " (simulated)"
    if verification.interrupted:
        text += "; interrupted before the end"
    return text
