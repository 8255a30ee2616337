"""What the comparison of traced with plain runs tells; the runs themselves need a CUDA build of PyTorch."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

import compare_traced_runs

Answer = tuple[int, str, str]


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Callable[[Answer, Answer, int], None]:
    """Have the plain and the traced run end as given, the latter with a report of so many waits in five steps."""

    def answer(plain: Answer, traced: Answer, count: int = 5) -> None:
        def run(python: str, folder: Path, *arguments: str) -> Answer:
            if "trace" not in arguments:
                return plain
            line = (folder / "program.py").read_text(encoding="utf-8").splitlines().index("        l.item()") + 1
            report = {"steps": 5, "waits": [{"line": line, "count": count}, {"line": 1, "count": 2}]}
            (folder / "trace.json").write_text(json.dumps(report), encoding="utf-8")
            return traced

        monkeypatch.setattr(compare_traced_runs, "run", run)

    return answer


def told() -> list[str]:
    return list(compare_traced_runs.differences("python", compare_traced_runs.PROGRAMS["thread"], (), known=True))


def test_runs_that_are_alike_differ_in_nothing(answering: Callable[..., None]) -> None:
    answering((0, "ok\n", ""), (0, "ok\n", ""))
    assert told() == []


def test_status_output_and_errors_that_differ_are_told(answering: Callable[..., None]) -> None:
    answering((0, "ok\n", ""), (139, "", "a warning\n"))
    said = told()
    assert "status 0 became 139" in said and "-ok" in said and "+a warning" in said


def test_a_wait_that_is_counted_twice_is_told(answering: Callable[..., None]) -> None:
    answering((0, "", ""), (0, "", ""), 10)
    (said,) = told()
    assert "has waited [10] times in 5 steps" in said


def test_the_status_says_whether_anything_differs(
    answering: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    answering((0, "", ""), (0, "", ""))
    assert compare_traced_runs.main(["python"]) == 0
    answering((0, "", ""), (1, "", ""))
    assert compare_traced_runs.main(["python"]) == 1
    assert "thread --wait 0 --warmup 0: differs" in capsys.readouterr().out


def test_times_and_numbers_of_processes_are_no_difference() -> None:
    lines = ("W1126 01:30:33.741000 15582 torch/a.py:29] no", "W1126 02:31:12.113000 9 torch/a.py:29] no")
    assert len({compare_traced_runs.VARYING.sub("", line) for line in lines}) == 1
    lines = ("USDT:2026-11-26 01:32:58 16513:16513 a.cpp:52] start", "USDT:2026-11-26 01:33:25 4:5 a.cpp:52] start")
    assert len({compare_traced_runs.VARYING.sub("", line) for line in lines}) == 1
