"""The table of both devices in docs/verification.md."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from synclint.verify.cases import rule_folders

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

import generate_verification_table as generator

TABLE = generator.DOCUMENT.read_text(encoding="utf-8").split(generator.BEGIN)[1].split(generator.END)[0]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines() if re.match(r"\| SYN\d", line)
]


def test_every_rule_has_its_row() -> None:
    assert [row[0].replace(" ", "-", 1) for row in ROWS] == [folder.name for folder in rule_folders()]


def test_the_simulated_device_saw_every_line_that_claims_to_wait() -> None:
    told = [row for row in ROWS if row[2] != "–"]
    assert len(told) >= 40
    assert [row[0] for row in told if row[2] != f"{row[1]}/{row[1]}"] == []


def line(seen_by: list[str], marked: bool = True) -> dict[str, object]:
    return {"marked": marked, "seen_by": seen_by}


def evidence(path: Path, verdict: str, witnesses: list[str], lines: list[dict[str, object]]) -> Path:
    case = {"id": "SYN1", "name": "x", "kind": "rule", "verdict": verdict, "witnesses": witnesses, "lines": lines}
    path.write_text(json.dumps({"cases": [case]}), encoding="utf-8")
    return path


def test_the_first_run_that_proves_a_rule_speaks_for_it(tmp_path: Path) -> None:
    simulated = evidence(
        tmp_path / "simulated.json", "confirmed", ["simulated"], [line(["simulated"]), line(["simulated"])]
    )
    witnesses = ["trace", "stopwatch"]
    failed = evidence(tmp_path / "zeros.json", "inconclusive", witnesses, [line([]), line([])])
    proved = evidence(
        tmp_path / "ones.json",
        "confirmed",
        witnesses,
        [line(["trace", "stopwatch"]), line(["stopwatch"]), line(["trace"], marked=False)],
    )
    last = generator.table(simulated, [failed, proved]).splitlines()[-1]
    assert last == "| SYN1 x | 2 | 2/2 | 1/2 | – | 2/2 | confirmed |"


def test_without_files_the_usage_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["generate_verification_table.py"])
    with pytest.raises(SystemExit, match=r"SIMULATED\.json"):
        generator.main()
