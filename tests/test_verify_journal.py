"""What was measured is on disk as soon as it is, and is not measured again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from verify_cases import rule_case

from synclint.verify import run
from synclint.verify.cases import Case
from synclint.verify.journal import Journal
from synclint.verify.measurement import (
    Bar,
    Comparison,
    Cost,
    Environment,
    Failure,
    FailureKind,
    LineTime,
    Measurement,
    Reached,
    Side,
    Timeline,
    Wait,
    Witness,
    WitnessReport,
)

MACHINE = Environment(False, "NVIDIA H200", "2.13.0", "3.11.7", "Linux x86_64", "2026-11-22T00:00:00Z", cuda="13.0")
MEASURED = Measurement(
    witness_reports=(
        WitnessReport(
            Witness.TRACE,
            Side.HAZARD,
            (Wait("case", 2, "cudaStreamSynchronize in aten::item", 0.005),),
            (LineTime("case", 2, 0.0051, 0.0001, 0.005, True),),
        ),
    ),
    reached=(Reached(Side.TWIN, "case", (1, 2)),),
    comparisons=(Comparison("case", None),),
    costs=(Cost(Side.HAZARD, "case", 0.1, 0.05, 0.2, 10),),
    timelines=(Timeline(Side.TWIN, "case", (Bar(0, 10, "line 1", "line", 1),), ()),),
)


def test_what_was_kept_is_known_as_it_was(tmp_path: Path) -> None:
    case = rule_case(tmp_path)
    Journal(tmp_path / "measured.jsonl", resume=False).keep(case, MACHINE, MEASURED)
    resumed = Journal(tmp_path / "measured.jsonl", resume=True)
    assert resumed.known(case, replace(MACHINE, date="2026-11-23T00:00:00Z")) == MEASURED
    assert Journal(tmp_path / "measured.jsonl", resume=False).known(case, MACHINE) is None


def test_other_programs_and_other_machines_are_measured_for_themselves(tmp_path: Path) -> None:
    case = rule_case(tmp_path)
    Journal(tmp_path / "measured.jsonl", resume=False).keep(case, MACHINE, MEASURED)
    resumed = Journal(tmp_path / "measured.jsonl", resume=True)
    edited = replace(case, twin=replace(case.twin, text=case.twin.text + "\n"))
    assert resumed.known(edited, MACHINE) is None
    assert resumed.known(case, replace(MACHINE, driver="580.1")) is None
    assert resumed.known(case, replace(MACHINE, packages={"torchmetrics": "1.6.1"})) is None


def test_what_failed_is_tried_again(tmp_path: Path) -> None:
    case = rule_case(tmp_path)
    failed = replace(MEASURED, failures=(Failure(FailureKind.TIMED_OUT, "trace", "did not finish within 60 s"),))
    Journal(tmp_path / "measured.jsonl", resume=False).keep(case, MACHINE, failed)
    assert Journal(tmp_path / "measured.jsonl", resume=True).known(case, MACHINE) is None


def test_a_line_that_was_cut_off_costs_that_line_alone(tmp_path: Path) -> None:
    path = tmp_path / "measured.jsonl"
    first, second = rule_case(tmp_path), replace(rule_case(tmp_path), id="SYN902")
    Journal(path, resume=False).keep(first, MACHINE, MEASURED)
    path.write_bytes(path.read_bytes() + path.read_bytes()[: len(path.read_bytes()) // 2])
    Journal(path, resume=True).keep(second, MACHINE, MEASURED)
    resumed = Journal(path, resume=True)
    assert resumed.known(first, MACHINE) == resumed.known(second, MACHINE) == MEASURED


def test_a_run_goes_on_where_an_interrupted_one_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Workshop:
        def __init__(self, device: str, limit: float) -> None:
            pass

        def __enter__(self) -> Workshop:
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def start(self) -> Environment:
            return MACHINE

        def measure(self, case: Case, trace: Path | None, announce: Callable[[str], None]) -> Measurement:
            asked.append(case.id)
            if asked == ["SYN901", "SYN902"]:
                raise KeyboardInterrupt
            return MEASURED

    monkeypatch.setattr(run, "Workshop", Workshop)
    cases = [replace(rule_case(tmp_path), id=code) for code in ("SYN901", "SYN902")]
    first = run.verify_cases(cases, "cuda", 5.0, journal=Journal(tmp_path / "m", resume=False))
    assert first.interrupted and len(first.results) == 1
    second = run.verify_cases(cases, "cuda", 5.0, journal=Journal(tmp_path / "m", resume=True))
    assert asked == ["SYN901", "SYN902", "SYN902"]
    assert [result.measured for result in second.results] == [MEASURED, MEASURED] and not second.interrupted
