"""What is done on a CUDA device, done on a pretended one: it has a clock, and waiting for it takes time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from pretend_gpu import CYCLES_PER_SECOND, PretendGpu, measure_case, pretend_gpu
from verify_cases import WAITING, rule_case

from synclint.verify import chrome_trace, cuda_survey
from synclint.verify.cases import Case
from synclint.verify.measurement import CUDA_WITNESSES, LineTime, Measurement, Side, Timeline, Witness, WitnessReport
from synclint.verify.trace import read_trace
from synclint.verify.verdict import Outcome, Verdict, counted, judge


@pytest.fixture
def gpu() -> Iterator[PretendGpu]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with pretend_gpu() as pretended:
        yield pretended
    torch.set_num_threads(threads)


def verified(case: Case, trace: Path | None = None) -> tuple[Measurement, Verdict]:
    found = measure_case(case, trace)
    return found, judge(case, found, CUDA_WITNESSES)


def test_three_witnesses_agree_on_a_mask_read(gpu: PretendGpu, tmp_path: Path) -> None:
    found, verdict = verified(rule_case(tmp_path))
    assert (verdict.outcome, verdict.reasons, verdict.disagreements) == (Outcome.CONFIRMED, (), ())
    assert [counted(verdict, witness) for witness in CUDA_WITNESSES] == [(1, 1, 0)] * 3
    assert {cost.side for cost in found.costs} == set(Side)
    assert verdict.cost_ratio is not None and verdict.cost_ratio > 1


def test_the_debug_mode_does_not_see_a_device_wide_synchronize(gpu: PretendGpu, tmp_path: Path) -> None:
    hazard = (
        "def total(x):\n    torch.cuda.synchronize()  # sync: SYN901\n    return torch.where(x > 0, x, 0.0).sum()\n"
    )
    _, verdict = verified(rule_case(tmp_path, hazard=hazard))
    assert verdict.outcome is Outcome.CONFIRMED
    assert verdict.disagreements == ("hazard.py:13: seen by trace and stopwatch, not by debug mode",)


def test_a_hazard_that_does_not_wait_is_contradicted(gpu: PretendGpu, tmp_path: Path) -> None:
    hazard = "def total(x):\n    return torch.where(x > 0, x, 0.0).sum()  # sync: SYN901\n"
    assert verified(rule_case(tmp_path, hazard=hazard))[1].outcome is Outcome.CONTRADICTED


def test_a_twin_that_waits_is_contradicted(gpu: PretendGpu, tmp_path: Path) -> None:
    _, verdict = verified(rule_case(tmp_path, twin="def total(x):\n    return x[x > 0].sum()\n"))
    assert verdict.outcome is Outcome.CONTRADICTED
    assert "sync_free.py:2 must not wait, but does: trace: cudaStreamSynchronize" in verdict.reasons[0]


def test_waits_are_told_although_the_gpu_lowered_its_clock(gpu: PretendGpu, tmp_path: Path) -> None:
    gpu.slowness = 2.0
    assert verified(rule_case(tmp_path))[1].outcome is Outcome.CONFIRMED


def test_waits_are_told_although_the_gpu_raised_its_clock(gpu: PretendGpu, tmp_path: Path) -> None:
    gpu.slowness = 0.5
    assert verified(rule_case(tmp_path))[1].outcome is Outcome.CONFIRMED


def test_the_calibration_finds_the_clock(gpu: PretendGpu) -> None:
    assert cuda_survey.calibrate().rate == pytest.approx(CYCLES_PER_SECOND, rel=0.05)


def test_the_trace_is_kept_and_gives_a_timeline_of_host_and_device(gpu: PretendGpu, tmp_path: Path) -> None:
    path = tmp_path / "SYN901.json.gz"
    found, _ = verified(rule_case(tmp_path), path)
    assert any(event.get("cat") == "cpu_op" for event in read_trace(path))
    assert [known.name for known in tmp_path.glob("*.json*")] == ["SYN901.json.gz"]
    hazard, twin = sorted(found.timelines, key=lambda drawn: drawn.side)
    assert _kinds(hazard, "host") == {"line", "wait"}
    assert _kinds(twin, "host") == {"line"}
    assert "queued" in _kinds(hazard, "device")


def _kinds(drawn: Timeline, lane: str) -> set[str]:
    return {bar.kind for bar in (drawn.host if lane == "host" else drawn.device)}


def test_a_trace_without_cuda_events_is_no_witness(
    gpu: PretendGpu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_survey, "record_trace", lambda *arguments: [])
    _, verdict = verified(rule_case(tmp_path))
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "no trace: the trace contains no CUDA events" in verdict.reasons[0]
    assert counted(verdict, Witness.STOPWATCH) == (1, 1, 0)


def test_a_profiler_that_fails_does_not_take_the_other_witnesses_along(
    gpu: PretendGpu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> None:
        raise RuntimeError("another profiler is running")

    monkeypatch.setattr(cuda_survey, "record_trace", refuse)
    _, verdict = verified(rule_case(tmp_path))
    assert "the profiler failed: RuntimeError: another profiler is running" in verdict.reasons[0]
    assert counted(verdict, Witness.DEBUG_MODE) == (1, 1, 0)


def test_the_stopwatch_says_nothing_of_a_line_that_fills_the_queue_of_launches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched = {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": 1, "dur": 1}
    monkeypatch.setattr(cuda_survey, "record_trace", lambda *arguments: [launched])
    monkeypatch.setattr(chrome_trace, "full_queues", lambda events, side: {("case", 5)})
    sent: list[object] = []
    survey: Any = SimpleNamespace(announce=lambda step: None, send=sent.append)
    program: Any = SimpleNamespace(side=Side.HAZARD, functions=("case", "other"))
    held = {
        (Side.HAZARD, name): tuple(LineTime(name, line, 0.005, 0.0, 0.005, waited=True) for line in (5, 6))
        for name in ("case", "other")
    }
    cuda_survey._trace(survey, [program], cuda_survey.Ruler(1e9), None, held)
    assert [time.disturbed for time in held[Side.HAZARD, "case"]] == [True, False]
    assert [time.disturbed for time in held[Side.HAZARD, "other"]] == [False, False]
    told = [one for one in sent if isinstance(one, WitnessReport) and one.witness is Witness.STOPWATCH]
    assert [(one.function, one.times) for one in told] == [("case", held[Side.HAZARD, "case"])]


@pytest.mark.filterwarnings("ignore:called a synchronizing CUDA operation")
def test_the_debug_mode_is_put_back(gpu: PretendGpu, tmp_path: Path) -> None:
    gpu.set_debug_mode("warn")
    verified(rule_case(tmp_path, hazard=WAITING))
    assert gpu.debug_mode == 1


def test_launches_do_not_block_and_kernels_are_loaded_before_anything_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CUDA_LAUNCH_BLOCKING", "1")
    monkeypatch.setenv("CUDA_MODULE_LOADING", "LAZY")
    cuda_survey.prepare_environment()
    assert "CUDA_LAUNCH_BLOCKING" not in os.environ
    assert os.environ["CUDA_MODULE_LOADING"] == "EAGER"
