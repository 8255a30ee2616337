"""What a run found out as JSON: the report for programs, and the evidence that is kept beside the rules."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from synclint.verify.cases import BrokenCase, CaseKind
from synclint.verify.journal import digest_of_programs
from synclint.verify.measurement import Side
from synclint.verify.run import Result, Verification
from synclint.verify.verdict import LineVerdict, Outcome, totals

FORMAT_VERSION = 1
# In the names of devices of a CUDA runtime that computes nothing.
_PRETENDED = "pretended"


def evidence(verification: Verification) -> dict[str, Any]:
    """The run as plain JSON values: where it was made, and for each case its verdict and its lines.

    Times are seconds. Every record says whether it comes from the simulated device.
    """
    return {
        "format": FORMAT_VERSION,
        "simulated": verification.environment.simulated,
        "environment": {
            **asdict(verification.environment),
            "capabilities": list(verification.environment.capabilities),
        },
        "interrupted": verification.interrupted,
        "totals": {outcome.value: count for outcome, count in totals(verification.verdicts).items()},
        "cases": [_case(result, verification.environment.simulated) for result in verification.results],
    }


def _case(result: Result, simulated: bool) -> dict[str, Any]:
    verdict = result.verdict
    return {
        "id": result.case.id,
        "name": result.case.name,
        "programs": None if isinstance(result.case, BrokenCase) else digest_of_programs(result.case),
        "kind": result.case.kind.value,
        "simulated": simulated,
        "verdict": verdict.outcome.value,
        "applicable": verdict.applicable,
        "reasons": list(verdict.reasons),
        "disagreements": list(verdict.disagreements),
        "witnesses": [witness.value for witness in verdict.witnesses],
        "unavailable": list(verdict.unavailable),
        "equal_results": verdict.equal_results,
        "cost_ratio": verdict.cost_ratio,
        "costs": [asdict(cost) for cost in result.measured.costs],
        "failures": [asdict(failure) for failure in result.measured.failures],
        "lines": [_line(line, result) for line in verdict.lines],
    }


def _line(line: LineVerdict, result: Result) -> dict[str, Any]:
    record: dict[str, Any] = {
        "side": line.side.value,
        "line": line.line,
        "code": line.code,
        "marked": line.marked,
        "ran": line.ran,
        "seen_by": [witness.value for witness in line.seen],
        "what": list(line.what),
    }
    if times := _times(result, line.side, line.line):
        record["stopwatch"] = times
    return record


def _times(result: Result, side: Side, line: int) -> list[dict[str, Any]]:
    return [
        {
            "queued": time.queued,
            "idle": time.idle,
            "remaining": time.remaining,
            "waited": time.waited,
            "disturbed": time.disturbed,
        }
        for report in result.measured.witness_reports
        if report.side is side
        for time in report.times
        if time.line == line
    ]


def evidence_name(verification: Verification) -> str:
    """The file name of a run's evidence, another one for each machine and release.

    "nvidia-h200-torch2.13.0-cuda13.0-driver580.1.json", "simulated-torch2.13.0.json".
    """
    environment = verification.environment
    return _name_of(asdict(environment), "simulated" if environment.simulated else environment.device)


def name_of(text: str) -> str:
    """The same of evidence as it was written."""
    environment = json.loads(text)["environment"]
    return _name_of(environment, environment["device"])


def _name_of(environment: Mapping[str, Any], device: str) -> str:
    parts = [re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-"), f"torch{environment['torch'].partition('+')[0]}"]
    parts += [f"{name}{said}" for name in ("cuda", "driver") if (said := environment.get(name))]
    return re.sub(r"[^A-Za-z0-9.-]+", "-", "-".join(parts)) + ".json"


def to_json(verification: Verification) -> str:
    """The evidence as text that ends in a newline; the same run gives the same text."""
    return json.dumps(evidence(verification), indent=1, sort_keys=False, ensure_ascii=False) + "\n"


@dataclass(frozen=True)
class KeptEvidence:
    """What a file of evidence from a real GPU says of the rules; ``programs`` are the hashes of what it measured."""

    device: str
    torch: str
    date: str
    outcomes: Mapping[str, Outcome]
    programs: Mapping[str, str | None]


def kept_evidence(folder: Path) -> tuple[KeptEvidence, ...]:
    """The evidence of real GPUs that ``folder`` holds, in the order of the file names.

    Raises ValueError, naming the file, for one that is malformed or comes from the simulated device, or
    from a runtime that pretends to be one: that proves nothing about a GPU and does not belong there.
    """
    return tuple(read_evidence(path) for path in sorted(folder.glob("*.json")))


def read_evidence(path: Path) -> KeptEvidence:
    """One file of evidence. Raises ValueError, as ``kept_evidence``."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["simulated"]:
            raise ValueError("it comes from the simulated device")
        environment = document["environment"]
        if _PRETENDED in str(environment["device"]).lower():
            raise ValueError("it comes from a pretended device")
        rules = [case for case in document["cases"] if case["kind"] == CaseKind.RULE.value]
        return KeptEvidence(
            device=environment["device"],
            torch=environment["torch"],
            date=environment["date"],
            outcomes={case["id"]: Outcome(case["verdict"]) for case in rules},
            programs={case["id"]: case.get("programs") for case in rules},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path.name} is not evidence of a GPU run: {error}") from None
