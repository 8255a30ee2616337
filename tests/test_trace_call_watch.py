"""Which line calls PyTorch when, and what the watch leaves as it was."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest
import torch

from synclint.trace.call_watch import CallWatch
from synclint.trace.ownership import default_ownership


@pytest.fixture
def watch() -> CallWatch:
    return CallWatch(default_ownership())


def modes() -> list[object]:
    depth = torch._C._len_torch_function_stack()
    return [torch._C._get_function_stack_at(index) for index in range(depth)]


def test_a_call_is_found_by_its_time_and_by_the_number_of_its_operator(watch: CallWatch) -> None:
    x = torch.ones(1000, requires_grad=True)
    watch.on()
    try:
        line = sys._getframe().f_lineno + 1
        made = x.exp()
        moment = time.time_ns()
        made.sum()
    finally:
        watch.off()
    calls = watch.calls()
    found = calls.making(made.grad_fn._sequence_nr())
    assert found is not None and (found.place.file, found.place.line) == (__file__, line)
    assert calls.at(threading.get_native_id(), (found.start + found.end) / 2) == found
    assert calls.at(threading.get_native_id(), moment) != found
    assert calls.at(None, moment) is None and calls.making(-1) is None


def names() -> list[str]:
    return [type(mode).__name__ for mode in modes()]


def test_a_device_for_a_block_may_begin_before_and_end_while_it_is_on(watch: CallWatch) -> None:
    with torch.device("cpu"):
        watch.on()
        assert names() == ["_Mode", "DeviceContext"]
    assert names() == ["_Mode"]
    with torch.device("cpu"):
        watch.off()
        assert names() == ["DeviceContext"]
    assert names() == []


def test_a_default_device_may_be_set_before_and_unset_while_it_is_on(watch: CallWatch) -> None:
    torch.set_default_device("cpu")
    try:
        watch.on()
        assert names() == ["DeviceContext", "_Mode"]
    finally:
        torch.set_default_device(None)
    assert names() == ["_Mode"]
    watch.off()
    assert names() == []


def test_an_exception_comes_through_as_it_is(watch: CallWatch) -> None:
    watch.on()
    try:
        with pytest.raises(RuntimeError, match="shape"):
            torch.ones(2, 3) @ torch.ones(2, 3)
    finally:
        watch.off()
    assert modes() == []


COMPILED = """\
import warnings

import torch

from synclint.trace.call_watch import CallWatch
from synclint.trace.ownership import default_ownership


def double(values):
    return (values.exp() + 1) * 2


warnings.simplefilter("error")
watch = CallWatch(default_ownership(()))
compiled = torch.compile(double, backend="eager", fullgraph=True)
values = torch.ones(3)
watch.on()
watched = compiled(values)
watch.off()
assert torch.equal(watched, double(values)) and torch.equal(compiled(values), double(values))
"""


def test_what_is_first_compiled_while_calls_are_watched_is_compiled_in_one_piece() -> None:
    # By itself: what is compiled leaves traces in a process that other tests would see.
    ended = subprocess.run([sys.executable, "-c", COMPILED], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
