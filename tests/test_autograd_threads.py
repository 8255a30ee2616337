"""Waits on autograd's threads, which run hooks where tensors are on a device; threads of C stand in for them."""

from __future__ import annotations

import _thread
import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
import torch

import synclint
from synclint.trace.declared import DeclaredFunctions
from synclint.trace.observation import observed
from synclint.trace.ownership import default_ownership
from synclint.trace.records import ObservedWait, Origin
from synclint.verify import autograd_threads
from synclint.verify.recording import SyncRecord, hearing_syncs, publish

Result = TypeVar("Result")


@pytest.fixture(autouse=True)
def on_any_thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # Only autograd's own threads have a node, and a CPU gives it none.
    monkeypatch.setattr(torch._C, "_current_autograd_node", object)
    yield


def on_a_thread_of_c(call: Callable[[], Result]) -> Result:
    """What the call gives on a thread that Python has not started, as autograd's are."""
    results: queue.Queue[Result] = queue.Queue()
    _thread.start_new_thread(lambda: results.put(call()), ())
    return results.get(timeout=60)


def backward_with(hook: Callable[[], object]) -> None:
    weight = torch.ones(2, requires_grad=True)
    weight.register_hook(lambda gradient: on_a_thread_of_c(hook) and None)
    weight.sum().backward()


def look_at_gradient() -> bool:
    publish("cudaStreamSynchronize", "unknown", simulated=False)
    return True


def waits(run: Callable[[], None]) -> list[ObservedWait]:
    found: list[ObservedWait] = []
    ownership = default_ownership((str(Path(__file__).parent),))

    def take(sync: SyncRecord) -> None:
        found.append(observed(sync, ownership))

    with hearing_syncs(take):
        run()
    return found


@synclint.sync_free
def train_step() -> None:
    backward_with(look_at_gradient)


def allowing_step() -> None:
    with synclint.sync_allowed("gradients are looked at"):
        backward_with(look_at_gradient)


def test_a_wait_in_a_hook_is_one_of_its_line_and_of_the_function_that_started_the_pass() -> None:
    (wait,) = waits(train_step)
    assert wait.place.function == "look_at_gradient" and wait.origin is Origin.PYTHON
    functions = [place.function for place in wait.stack]
    assert functions.index("train_step") < functions.index(autograd_threads.RUNS_BACKWARD)
    assert functions.index(autograd_threads.RUNS_BACKWARD) < functions.index("look_at_gradient")
    assert DeclaredFunctions(Path(__file__).parent).around(wait.stack) == "train_step"


def test_a_region_around_the_pass_accepts_the_waits_of_its_hooks() -> None:
    assert [wait.allowed for wait in waits(allowing_step)] == [True]
    assert [wait.allowed for wait in waits(train_step)] == [False]


def test_a_region_within_the_hook_accepts_them_too() -> None:
    def hook() -> bool:
        with synclint.sync_allowed("now and then"):
            return look_at_gradient()

    assert [wait.allowed for wait in waits(lambda: backward_with(hook))] == [True]


def test_a_thread_that_python_has_started_works_for_itself() -> None:
    assert autograd_threads.starter() is None
    found: list[object] = []

    def hook() -> bool:
        thread = threading.Thread(target=lambda: found.append(autograd_threads.starter()))
        thread.start()
        thread.join()
        return True

    backward_with(hook)
    assert found == [None]


def test_of_several_passes_at_once_nobody_knows_which_it_is() -> None:
    inside, over = threading.Event(), threading.Event()

    def hold() -> bool:
        inside.set()
        return over.wait(60)

    other = threading.Thread(target=lambda: backward_with(hold))
    other.start()
    assert inside.wait(60)
    found: list[object] = []

    def note() -> bool:
        found.append(autograd_threads.starter())
        return True

    try:
        backward_with(note)
    finally:
        over.set()
        other.join()
    assert found == [None]
    backward_with(note)
    assert isinstance(found[1], autograd_threads.Starter)
    assert found[1].thread == threading.get_ident()
