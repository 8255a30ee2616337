"""The profiler's trace, laid to the lines that asked for its work."""

from __future__ import annotations

from typing import Any

import pytest
from traced_runs import place, wait

from synclint.trace.call_watch import Calls, WatchedCall
from synclint.trace.device_side import Announcement, Trace, device_work, measured_waits
from synclint.trace.recorders import Interval, MeasuredWait, Window
from synclint.trace.records import Action, ObservedWait, Origin

BASE = 1_000_000_000
MAIN, AUTOGRAD = 10, 11


def event(cat: str, name: str, start: float, end: float, tid: int = MAIN, **arguments: object) -> dict[str, Any]:
    return {"ph": "X", "cat": cat, "name": name, "ts": start, "dur": end - start, "tid": tid, "args": arguments}


def sync(start: float, end: float, number: int, tid: int = MAIN) -> dict[str, Any]:
    return event("cuda_runtime", "cudaStreamSynchronize", start, end, tid, correlation=number)


def moment(microseconds: float) -> int:
    return BASE + round(1000 * microseconds)


def watched(line: int, start: float, end: float, first: int = 0, last: int = 0) -> WatchedCall:
    return WatchedCall(MAIN, moment(start), moment(end), first, last, place(line), None)


def announced(told: ObservedWait, at: float) -> Announcement:
    return Announcement(told, MAIN, moment(at))


def measure(
    events: list[dict[str, Any]],
    announcements: tuple[Announcement, ...] = (),
    calls: tuple[WatchedCall, ...] = (),
    intervals: tuple[Interval, ...] = (),
) -> list[MeasuredWait]:
    window = Window(2, moment(0), moment(10_000))
    return measured_waits(Trace(events, BASE), [window], announcements, Calls(calls), intervals)


UNKNOWN = wait(12, op="cudaStreamSynchronize", mechanism="unknown", via="")


def test_a_warning_that_comes_when_the_call_is_over_belongs_to_the_wait_within_it() -> None:
    events = [
        event("cpu_op", "aten::item", 100, 200),
        event("cpu_op", "aten::_local_scalar_dense", 101, 199),
        sync(110, 190, 1),
    ]
    (found,) = measure(events, (announced(UNKNOWN, 201),), (watched(12, 99, 205),))
    assert found.announced == UNKNOWN
    assert (found.wait.op, found.wait.mechanism) == ("aten::_local_scalar_dense", "scalar-read")
    assert (found.step, found.start, found.blocked) == (2, moment(110), 8e-5)


def test_without_a_watched_call_the_next_announcement_of_the_thread_is_meant() -> None:
    (found,) = measure([sync(110, 190, 1)], (announced(UNKNOWN, 201),))
    assert found.announced == UNKNOWN


def test_a_wait_that_nobody_announced_takes_no_announcement_from_a_later_call() -> None:
    # As in the constructor of DDP, whose C++ is heard at no line while calls are watched.
    events = [sync(50, 60, 1), sync(110, 190, 2)]
    (found,) = measure(events, (announced(UNKNOWN, 201),), (watched(12, 99, 205),))
    assert (found.announced, found.start) == (UNKNOWN, moment(110))


def test_an_announcement_is_of_one_wait() -> None:
    calls = (watched(12, 99, 250), watched(12, 260, 400))
    first, second = measure([sync(110, 190, 1), sync(300, 310, 2)], (announced(UNKNOWN, 201),), calls)
    assert [first.announced, second.announced] == [UNKNOWN, None]
    assert second.wait.place == place(12)


def test_what_was_announced_once_is_one_wait_however_often_the_driver_waits_for_it() -> None:
    events = [sync(110, 190, 1), sync(300, 310, 2)]
    (found,) = measure(events, (announced(UNKNOWN, 201),), (watched(12, 99, 400),))
    assert (found.announced, found.start, found.end) == (UNKNOWN, moment(110), moment(310))
    assert found.blocked == pytest.approx(9e-5)


def test_memory_that_is_given_back_is_announced_once_it_is_over() -> None:
    told = wait(14, op="cudaFree", mechanism="explicit")
    before = wait(12, op="cudaFree", mechanism="explicit")
    events = [
        event("cuda_runtime", "cudaLaunchKernel", 90, 100, correlation=4),
        event("kernel", "work", 100, 990, 7, correlation=4, stream=7),
        event("cuda_runtime", "cudaFree", 110, 1000, correlation=5),
    ]
    # What the call before has given back is not meant.
    (found,) = measure(events, (announced(before, 105), announced(told, 1010)))
    assert found.announced == told
    assert found.blocked == pytest.approx(8.9e-4)


def test_a_copy_without_a_synchronization_is_announced_once_it_is_over() -> None:
    copy = [
        event("cuda_runtime", "cudaMemcpyAsync", 110, 190, correlation=7),
        event("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 120, 180, 99, correlation=7),
    ]
    told = wait(12, op="cudaMemcpyAsync", mechanism="device-to-host-copy", via="")
    (found,) = measure(copy, (announced(UNKNOWN, 150), announced(told, 210)), (watched(12, 99, 205),))
    assert found.announced == told


def test_a_wait_that_nobody_announced_is_on_the_line_whose_call_holds_it() -> None:
    events = [event("cpu_op", "aten::unique_dim", 100, 200), sync(110, 190, 1)]
    (found,) = measure(events, (), (watched(8, 99, 205),))
    assert (found.announced, found.wait.place, found.wait.mechanism) == (None, place(8), "data-dependent-shape")


def test_a_wait_that_leads_to_no_line_is_left_out() -> None:
    assert measure([sync(110, 190, 1)]) == []


def test_a_wait_of_the_backward_pass_is_led_to_the_line_with_its_number() -> None:
    told = wait(9, op="cudaStreamSynchronize", mechanism="unknown", origin=Origin.BACKWARD, via="")
    numbers = {"Sequence number": 41, "Fwd thread id": 1}
    events = [
        event("cpu_op", "IndexBackward0", 500, 700, AUTOGRAD, **numbers),
        event("cpu_op", "aten::nonzero", 550, 650, AUTOGRAD),
        sync(560, 640, 3, AUTOGRAD),
    ]
    backward = Interval(Action.BACKWARD, 2, MAIN, moment(400), moment(900), place(9))
    calls = (watched(8, 100, 200, 40, 43), watched(12, 250, 300, 43, 44))
    (found,) = measure(events, (announced(told, 890),), calls, (backward,))
    assert found.announced == told
    assert (found.wait.forward, found.wait.place, found.wait.op) == (place(8), place(9), "aten::nonzero")


def test_an_explicit_wait_is_announced_before_it_begins() -> None:
    told = wait(12, op="cudaDeviceSynchronize", mechanism="explicit")
    events = [event("cuda_runtime", "cudaDeviceSynchronize", 110, 400, correlation=5)]
    (found,) = measure(events, (announced(told, 105),))
    assert (found.announced, found.wait.mechanism) == (told, "explicit")


def test_a_copy_and_the_synchronization_behind_it_are_one_wait() -> None:
    events = [
        event("cpu_op", "aten::copy_", 100, 300),
        event("cuda_runtime", "cudaMemcpyAsync", 110, 190, correlation=1),
        event("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 120, 189, 7, correlation=1, stream=7, bytes=4),
        sync(195, 205, 2),
    ]
    (found,) = measure(events, (announced(UNKNOWN, 301),), (watched(12, 99, 305),))
    assert (found.wait.mechanism, found.blocked) == ("device-to-host-copy", 9e-5)


def test_the_direction_of_a_copy_that_returned_at_once_tells_what_is_waited_for() -> None:
    events = [
        event("cpu_op", "aten::copy_", 100, 300),
        event("cuda_runtime", "cudaMemcpyAsync", 110, 112, correlation=1),
        event("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 120, 189, 7, correlation=1, stream=7, bytes=4),
        sync(195, 205, 2),
    ]
    (found,) = measure(events, (announced(UNKNOWN, 301),), (watched(12, 99, 305),))
    assert found.wait.mechanism == "host-to-device-copy"


def test_the_device_is_idle_from_the_end_of_its_work_to_the_next() -> None:
    kernel = {"stream": 7}
    events = [
        event("kernel", "before", 50, 180, 7, correlation=8, **kernel),
        sync(110, 190, 1),
        event("kernel", "after", 480, 500, 7, correlation=9, **kernel),
    ]
    (found,) = measure(events, (announced(UNKNOWN, 201),))
    assert found.idle == 3e-4


def test_a_wait_outside_of_the_profiled_steps_does_not_count() -> None:
    assert measure([sync(20_000, 20_100, 1)], (announced(UNKNOWN, 20_150),)) == []


def test_a_kernel_belongs_to_the_line_that_launched_it() -> None:
    events = [
        event("cuda_runtime", "cudaLaunchKernel", 110, 112, correlation=4),
        event("kernel", "gemm", 900, 950, 7, correlation=4, stream=7),
    ]
    window = Window(2, moment(0), moment(10_000))
    (work,) = device_work(Trace(events, BASE), [window], Calls((watched(8, 100, 120),)))
    assert (work.kind, work.place, work.start, work.asked) == ("kernel", place(8), moment(900), moment(110))


HOOKED = wait(30, op="cudaStreamSynchronize", mechanism="unknown", via="")
OF_BACKWARD = wait(9, op="cudaStreamSynchronize", mechanism="unknown", origin=Origin.BACKWARD, via="")
BACKWARD = Interval(Action.BACKWARD, 2, MAIN, moment(400), moment(900), place(9))


def test_a_wait_in_a_hook_is_announced_on_autograds_thread_and_others_when_the_pass_is_over() -> None:
    numbers = {"Sequence number": 41, "Fwd thread id": 1}
    events = [
        event("cpu_op", "IndexBackward0", 500, 700, AUTOGRAD, **numbers),
        sync(510, 520, 1, AUTOGRAD),
        event("cpu_op", "aten::item", 550, 600, AUTOGRAD),
        sync(560, 590, 2, AUTOGRAD),
        sync(650, 660, 3, AUTOGRAD),
    ]
    hooked = Announcement(HOOKED, AUTOGRAD, moment(601))
    over = (announced(OF_BACKWARD, 890), announced(OF_BACKWARD, 891))
    calls = (watched(8, 100, 200, 40, 43), watched(9, 395, 905))
    before, own, after = measure(events, (hooked, *over), calls, (BACKWARD,))
    assert (own.announced, own.wait.place, own.wait.forward) == (HOOKED, place(30), None)
    assert own.wait.op == "aten::item"
    assert [found.announced for found in (before, after)] == [OF_BACKWARD, OF_BACKWARD]
    assert [found.wait.forward for found in (before, after)] == [place(8), place(8)]


def test_waits_of_one_call_in_a_hook_are_announced_together_when_it_is_over() -> None:
    events = [sync(510, 520, 1, AUTOGRAD), sync(530, 540, 2, AUTOGRAD)]
    hooked = tuple(Announcement(HOOKED, AUTOGRAD, moment(at)) for at in (545, 546))
    found = measure(events, hooked, (), (BACKWARD,))
    assert [one.announced for one in found] == [HOOKED, HOOKED]


def test_an_explicit_wait_in_a_hook_is_announced_on_its_thread() -> None:
    told = wait(31, op="cudaDeviceSynchronize", mechanism="explicit")
    events = [event("cuda_runtime", "cudaDeviceSynchronize", 510, 600, AUTOGRAD, correlation=5)]
    (found,) = measure(events, (Announcement(told, AUTOGRAD, moment(505)),), (), (BACKWARD,))
    assert found.announced == told
