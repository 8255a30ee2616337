"""The worker's side of CUDA: what it opens, what it measures, and what it says where there is no device."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from pretend_gpu import CYCLES_PER_SECOND, PretendGpu, pretend_gpu
from verify_cases import rule_case

from synclint.verify import cuda_survey, worker
from synclint.verify.measurement import CUDA_WITNESSES, Failure, FailureKind, Measurement
from synclint.verify.verdict import Outcome, judge
from synclint.verify.worker import Stage, Unable

NOT_RECORDS = (Stage,)


class Connection:
    """Keeps what the worker sends."""

    def __init__(self) -> None:
        self.sent: list[object] = []

    def send(self, record: object) -> None:
        self.sent.append(record)

    @property
    def measured(self) -> Measurement:
        found = Measurement()
        for record in self.sent:
            if not isinstance(record, NOT_RECORDS):
                found = found.with_record(record)
        return found


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> None:
    """A PyTorch that was built for CUDA and finds a device."""
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: f"Pretended GPU {device.index}")
    monkeypatch.setattr(cuda_survey, "calibrate", lambda: cuda_survey.Ruler(CYCLES_PER_SECOND))
    monkeypatch.setattr(cuda_survey, "driver_version", lambda: "580.1")


@pytest.fixture
def gpu() -> Iterator[PretendGpu]:
    with pretend_gpu() as pretended:
        yield pretended


def open_cuda() -> worker._Device:
    opened = worker._open_cuda()
    assert isinstance(opened, worker._Device)
    return opened


def refusal() -> str:
    opened = worker._open_cuda()
    assert isinstance(opened, Unable)
    assert len(opened.message.splitlines()) == 1
    return opened.message


def test_a_case_is_measured_on_cuda_and_told_step_by_step(gpu: PretendGpu, build: None, tmp_path: Path) -> None:
    case, connection = rule_case(tmp_path), Connection()
    opened = open_cuda()
    opened.measure(case, None, connection)  # type: ignore[arg-type]
    assert judge(case, connection.measured, CUDA_WITNESSES).outcome is Outcome.CONFIRMED
    stages = [record.name for record in connection.sent if isinstance(record, Stage)]
    steps = ["loading", "hazard total, warm-up", "hazard total, debug mode", "hazard total, stopwatch", "trace"]
    assert [stage for stage in stages if stage in steps] == steps
    assert (opened.environment.simulated, opened.environment.driver) == (False, "580.1")


def test_the_device_that_is_current_is_measured_where_there_are_several(
    build: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 1)
    opened = open_cuda()
    assert opened.device == torch.device("cuda", 1)
    assert opened.environment.device == "Pretended GPU 1"


def test_a_case_that_runs_out_of_memory_is_told_as_such_and_the_device_is_kept(
    gpu: PretendGpu, build: None, tmp_path: Path
) -> None:
    twin = "import torch\n\n\ndef total(x):\n    raise torch.cuda.OutOfMemoryError('CUDA out of memory')\n"
    connection = Connection()
    open_cuda().measure(rule_case(tmp_path, twin=twin), None, connection)  # type: ignore[arg-type]
    assert [failure.kind for failure in connection.measured.failures] == [FailureKind.OUT_OF_MEMORY]


def test_a_device_that_does_not_recover_is_lost(
    gpu: PretendGpu, build: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost() -> None:
        raise RuntimeError("CUDA error: unspecified launch failure")

    monkeypatch.setattr(cuda_survey, "recover", lost)
    connection = Connection()
    twin = "def total(x):\n    raise ValueError('a kernel failed')\n"
    with pytest.raises(worker._DeviceLostError, match="unspecified launch failure"):
        open_cuda().measure(rule_case(tmp_path, twin=twin), None, connection)  # type: ignore[arg-type]
    assert isinstance(connection.sent[-1], Failure)


def test_a_pytorch_without_cuda_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.version, "cuda", None)
    assert "was built without CUDA" in refusal()


def test_a_pytorch_for_rocm_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.version, "hip", "6.2.41133")
    assert "is for ROCm" in refusal()


def test_devices_that_the_environment_hides_are_explained(build: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert refusal().endswith("finds no CUDA device; CUDA_VISIBLE_DEVICES is ''")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    assert refusal().endswith("finds no CUDA device")


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("CUDA error: CUDA-capable device(s) is/are busy or unavailable", "in exclusive mode"),
        ("CUDA error: out of memory", "other processes hold its memory"),
    ],
)
def test_a_device_that_cannot_be_had_is_told_in_one_line(said: str, hint: str) -> None:
    advice = "\nCUDA kernel errors might be asynchronously reported\nCompile with `TORCH_USE_CUDA_DSA`"
    text = worker._in_one_line(RuntimeError(said + advice))
    assert text.startswith(f"RuntimeError: {said}; ")
    assert hint in text and "\n" not in text


def test_the_driver_is_unknown_where_its_tool_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*arguments: object, **options: object) -> None:
        raise FileNotFoundError("nvidia-smi")

    monkeypatch.setattr(subprocess, "run", missing)
    assert cuda_survey.driver_version() is None


def test_the_driver_is_unknown_where_its_tool_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*arguments: object, **options: object) -> None:
        raise subprocess.CalledProcessError(9, "nvidia-smi")

    monkeypatch.setattr(subprocess, "run", failing)
    assert cuda_survey.driver_version() is None


def test_the_driver_of_several_gpus_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said = SimpleNamespace(stdout="580.65.06\n580.65.06\n")
    monkeypatch.setattr(subprocess, "run", lambda *arguments, **options: said)
    assert cuda_survey.driver_version() == "580.65.06"
