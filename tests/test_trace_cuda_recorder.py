"""The recorder of CUDA devices: on which thread it profiles, and what it keeps from the program's standard error."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.profiler import ProfilerAction

from synclint.trace import cuda_recorder, kineto_log
from synclint.trace.cuda_recorder import CudaRecorder
from synclint.trace.ownership import default_ownership
from synclint.trace.records import Device, Schedule
from synclint.trace.settings import Settings


class PretendedProfile:
    """As much of ``torch.profiler.profile`` as the recorder uses: which thread did what."""

    made: list[PretendedProfile]

    def __init__(self, *, schedule: Callable[[int], ProfilerAction], **options: object) -> None:
        self._schedule = schedule
        self.options = options
        self.step_num = 0
        self.calls: list[tuple[str, str]] = []
        PretendedProfile.made.append(self)

    @property
    def current_action(self) -> ProfilerAction:
        return self._schedule(self.step_num)

    def _note(self, name: str) -> None:
        self.calls.append((name, threading.current_thread().name))

    def start(self) -> None:
        self._note("start")

    def step(self) -> None:
        self.step_num += 1
        self._note("step")

    def stop(self) -> None:
        self._note("stop")


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> CudaRecorder:
    """A recorder on a machine with CUDA, which the program has not used yet; ``_begin`` is its first use."""
    PretendedProfile.made = []
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    monkeypatch.setattr(torch.cuda, "_lazy_call", lambda call: None)
    monkeypatch.setattr(cuda_recorder, "profile", PretendedProfile)
    made = CudaRecorder(Settings(Device.CUDA, Schedule(wait=0, warmup=0, active=2)), default_ownership())
    made.start(lambda wait: None)
    return made


def elsewhere(call: Callable[[], object]) -> None:
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()


def test_no_stacks_are_asked_for(recorder: CudaRecorder) -> None:
    # They hold the lines at which functions begin, and in some releases of Python 3.12 not all of the calls.
    recorder._begin()
    (profile,) = PretendedProfile.made
    assert not {"with_stack", "with_modules"} & profile.options.keys()


def test_the_profiler_starts_on_the_main_thread_wherever_the_device_is_first_used(recorder: CudaRecorder) -> None:
    elsewhere(recorder._begin)
    assert PretendedProfile.made == []
    recorder.step(1)
    recorder.stop()
    (made,) = PretendedProfile.made
    assert made.calls == [("start", "MainThread"), ("stop", "MainThread")]


def test_steps_of_another_thread_are_not_profiled_and_the_report_says_so(recorder: CudaRecorder) -> None:
    recorder._begin()
    elsewhere(lambda: recorder.step(1))
    recorder.stop()
    (made,) = PretendedProfile.made
    assert made.calls == [("start", "MainThread"), ("stop", "MainThread")]
    (note,) = recorder.measured(()).notes
    assert "on a thread of their own" in note


def test_a_profiler_that_the_program_has_on_already_is_left_alone(
    recorder: CudaRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.autograd, "_profiler_enabled", lambda: True)
    recorder._begin()
    recorder.stop()
    assert PretendedProfile.made == []
    (note,) = recorder.measured(()).notes
    assert "uses PyTorch's profiler itself" in note


def test_a_schedule_without_warm_up_is_no_reason_to_warn_the_program(recorder: CudaRecorder) -> None:
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        # As a recording does, whose source of warnings needs a device.
        warnings.filters.insert(0, cuda_recorder_filter())  # type: ignore[attr-defined]
        recorder._begin()
    recorder.stop()
    assert shown == []


def cuda_recorder_filter() -> Any:  # noqa: ANN401 -- an entry of warnings.filters
    from synclint.verify.cuda_recording import _IGNORING_OUR_OWN

    return _IGNORING_OUR_OWN


def test_what_pytorch_says_once_it_still_says_to_the_program(recorder: CudaRecorder) -> None:
    shown = torch.profiler.profiler._WARNINGS_SHOWN
    before = set(shown)
    with recorder._our_own():
        torch.profiler.profiler._WARNINGS_SHOWN.add("said to synclint")
    assert shown == before


def test_kineto_says_nothing_for_a_while_and_then_what_it_said_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KINETO_LOG_LEVEL", raising=False)
    level = kineto_log._level()
    assert level is not None, "this build of PyTorch does not show Kineto's level"
    level.value = 4
    with kineto_log.quiet_kineto():
        assert level.value == 99
    assert level.value == 4


def test_a_level_that_the_user_has_chosen_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINETO_LOG_LEVEL", "1")
    level = kineto_log._level()
    assert level is not None
    before = level.value
    with kineto_log.quiet_kineto(), kineto_log.quiet_beginning():
        assert (level.value, os.environ["KINETO_LOG_LEVEL"]) == (before, "1")
    assert os.environ["KINETO_LOG_LEVEL"] == "1"


def test_processes_that_the_program_starts_meanwhile_inherit_no_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KINETO_LOG_LEVEL", raising=False)
    with kineto_log.quiet_kineto():
        with kineto_log.quiet_beginning():
            assert os.environ["KINETO_LOG_LEVEL"] == "99"
        assert "KINETO_LOG_LEVEL" not in os.environ
