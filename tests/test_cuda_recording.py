"""Recording on a CUDA device, whose part torch's own functions and warnings play here."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import types
import warnings
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from torch._ops import OpOverload, OpOverloadPacket

from synclint.verify import recording
from synclint.verify.cuda_recording import CudaWatch, unheard
from synclint.verify.recording import record_syncs


@dataclass
class PretendedCuda:
    """The sync debug mode of a device, and what it prints."""

    mode: int = 0

    def set_mode(self, mode: int) -> None:
        self.mode = mode

    def synchronizing_operation(self) -> None:
        if self.mode:
            warnings.warn("called a synchronizing CUDA operation (Triggered internally)", UserWarning, stacklevel=2)


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> PretendedCuda:
    pretended = PretendedCuda()
    monkeypatch.setattr(torch.version, "cuda", "12.6")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_sync_debug_mode", lambda: torch._C._cuda_get_sync_debug_mode())
    monkeypatch.setattr(torch.cuda, "set_sync_debug_mode", lambda mode: torch._C._cuda_set_sync_debug_mode(mode))
    monkeypatch.setattr(torch._C, "_cuda_get_sync_debug_mode", lambda: pretended.mode, raising=False)
    monkeypatch.setattr(torch._C, "_cuda_set_sync_debug_mode", pretended.set_mode, raising=False)
    for name in ("_cuda_synchronize", "_accelerator_synchronizeDevice", "_cuda_emptyCache", "_accelerator_emptyCache"):
        monkeypatch.setattr(torch._C, name, lambda *arguments: None, raising=False)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device=None: torch._C._cuda_synchronize())
    monkeypatch.setattr(recording, "_sources", [])
    return pretended


def test_a_line_in_a_loop_is_recorded_every_time(cuda: PretendedCuda) -> None:
    with record_syncs() as syncs:
        for _ in range(3):
            cuda.synchronizing_operation()
    assert [sync.op for sync in syncs] == ["cudaStreamSynchronize"] * 3
    assert {(sync.file, sync.simulated) for sync in syncs} == {(__file__, False)}


def test_the_warnings_are_not_shown(cuda: PretendedCuda) -> None:
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        with record_syncs():
            cuda.synchronizing_operation()
            warnings.warn("something else", UserWarning, stacklevel=1)
    assert [str(warning.message) for warning in shown] == ["something else"]


def test_a_mode_that_was_on_before_keeps_its_warnings(cuda: PretendedCuda) -> None:
    cuda.mode = 1
    with warnings.catch_warnings(record=True) as shown:
        with record_syncs() as syncs:
            cuda.synchronizing_operation()
        assert cuda.mode == 1
    assert len(shown) == len(syncs) == 1


def test_everything_is_as_before_when_the_last_recording_ends(cuda: PretendedCuda) -> None:
    def state() -> tuple[object, ...]:
        patched = (vars(torch.Tensor).get("to"), vars(torch.Tensor).get("copy_"), torch._C._cuda_synchronize)
        operators = (OpOverload.__call__, OpOverloadPacket.__call__, torch.Event)
        return (*patched, *operators, warnings.showwarning, list(warnings.filters), cuda.mode)

    before = state()
    with record_syncs():
        with record_syncs():
            pass
        assert cuda.mode == 1
    assert state() == before


def test_an_explicit_synchronize_is_recorded(cuda: PretendedCuda) -> None:
    with record_syncs() as syncs:
        torch.cuda.synchronize()
    assert [(sync.op, sync.mechanism) for sync in syncs] == [("cudaDeviceSynchronize", "explicit")]


def test_waits_for_the_whole_device_are_recorded_by_whatever_name(cuda: PretendedCuda) -> None:
    early = torch.cuda.synchronize
    with record_syncs() as syncs:
        early()
        torch.accelerator.synchronize(0)
        torch._C._cuda_emptyCache()
    assert [(sync.op, sync.mechanism) for sync in syncs] == [
        ("cudaDeviceSynchronize", "explicit"),
        ("cudaDeviceSynchronize", "explicit"),
        ("cudaFree", "explicit"),
    ]


def test_a_cache_that_holds_nothing_to_give_back_is_emptied_without_a_wait(
    cuda: PretendedCuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = [100, 100, 100, 40]  # before and after each of two calls
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda device: held.pop(0))
    with record_syncs() as syncs:
        torch._C._cuda_emptyCache()
        torch._C._cuda_emptyCache()
    assert [(sync.op, sync.mechanism) for sync in syncs] == [("cudaFree", "explicit")]
    assert held == []


def test_the_synchronize_of_an_event_of_any_accelerator_is_recorded(cuda: PretendedCuda) -> None:
    before = torch.Event(device="cpu")
    with record_syncs() as syncs:
        event = torch.Event(device="cpu")
        assert isinstance(event, torch.Event) and isinstance(before, torch.Event)
        with suppress(RuntimeError):  # a CPU has no events
            event.synchronize()
    assert [sync.op for sync in syncs] == ["cudaEventSynchronize"]


def test_operators_called_by_their_names_in_torch_ops_are_heard(
    cuda: PretendedCuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Warnings of C++ become Python's only below a generated function. This one stands for such a function.
    below: list[bool] = []

    def generated(relay: torch.Tensor) -> object:
        below.append(True)
        try:
            return type(relay).__torch_function__(generated, (), (relay,))
        finally:
            below.pop()

    def call(operator: object, /, *arguments: object) -> str:
        if below:
            cuda.synchronizing_operation()
        return "the result"

    monkeypatch.setattr(torch, "abs", generated)
    monkeypatch.setattr(OpOverload, "__call__", call)
    with record_syncs() as syncs:
        assert torch.ops.aten.nonzero.default(torch.ones(2)) == "the result"
    assert [(sync.op, sync.file) for sync in syncs] == [("cudaStreamSynchronize", __file__)]


def test_operators_called_by_their_names_give_what_they_give(cuda: PretendedCuda) -> None:
    x = torch.tensor([0.0, 2.0], requires_grad=True)
    with record_syncs():
        found = torch.ops.aten.nonzero(x)
        squared = torch.ops.aten.pow.Tensor_Scalar(x, 2)
    assert found.tolist() == [[1]]
    squared.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [0.0, 4.0]


def test_a_warning_of_an_operator_that_we_pass_on_is_one_of_the_line_that_calls_it_each_time(
    cuda: PretendedCuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    def call(operator: object, /, *arguments: object) -> None:
        # From the frame of whoever calls, as PyTorch's C++ does.
        warnings.warn("sizes differ", UserWarning, stacklevel=2)

    monkeypatch.setattr(OpOverload, "__call__", call)
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("default")
        with record_syncs():
            torch.ops.aten.nonzero.default(torch.ones(2))
            torch.ops.aten.nonzero.default(torch.ones(2))
    assert [one.filename for one in shown] == [__file__, __file__]
    assert len({one.lineno for one in shown}) == 2


def test_waits_in_functions_of_distributed_are_heard_on_the_line_that_calls_them(
    cuda: PretendedCuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    relayed: list[bool] = []

    def generated(relay: torch.Tensor) -> object:
        relayed.append(True)
        return type(relay).__torch_function__(generated, (), (relay,))

    monkeypatch.setattr(torch, "abs", generated)
    monkeypatch.setattr(torch.distributed, "_broadcast_coalesced", lambda *given: cuda.synchronizing_operation())
    with record_syncs() as syncs:
        torch.distributed._broadcast_coalesced(None, [], 0)
    assert relayed == [True]
    assert [sync.file for sync in syncs] == [__file__]


def test_c_plus_plus_prints_errors_alone_while_gloo_exchanges_tensors_of_the_device(
    cuda: PretendedCuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    from torch.distributed import distributed_c10d

    from synclint.verify import distributed_warnings

    class Group:
        def __init__(self, backend: str) -> None:
            self.backend = backend

        def _get_backend(self, device: torch.device) -> Group:
            assert device.type == "cuda"
            return self

        def name(self) -> str:
            return self.backend

    level = distributed_warnings._level()
    assert level is not None, "this build of PyTorch does not show c10's level"
    before = level.value
    groups: dict[Group, object] = {Group("nccl"): None}
    monkeypatch.setattr(type(distributed_c10d._world), "pg_map", property(lambda world: groups))
    with record_syncs():
        assert level.value == before
    groups[Group("gloo")] = None
    with record_syncs():
        assert level.value == 2
    assert level.value == before


class Statistics:
    """Those of ``DistributedDataParallel``, which keeps some of each other step and of none before the first."""

    def __init__(self) -> None:
        self.ints_map: dict[str, int] = {}
        self.steps = 0

    def _get_ddp_logging_data(self) -> Statistics:
        return self

    def keep(self) -> None:
        self.steps += 1
        if self.steps % 2 == 0:
            self.ints_map = {**self.ints_map, "forward_compute_time_start": self.steps}


@pytest.mark.parametrize(("device", "waits"), [("cuda", 2), ("cpu", 0)])
def test_statistics_of_a_distributed_model_are_waits_where_they_are_kept(
    cuda: PretendedCuda, monkeypatch: pytest.MonkeyPatch, device: str, waits: int
) -> None:
    statistics = Statistics()

    def before_forward(module: object) -> str:
        statistics.keep()
        return "what it gives"

    parallel = torch.nn.parallel.DistributedDataParallel
    monkeypatch.setattr(parallel, "_pre_forward", before_forward)
    model: Any = types.SimpleNamespace(logger=statistics, device_type=device)
    with record_syncs() as syncs:
        assert [parallel._pre_forward(model) for _ in range(5)] == ["what it gives"] * 5
    assert [(sync.op, sync.mechanism) for sync in syncs] == [("cudaEventSynchronize", "explicit")] * waits
    assert parallel._pre_forward is before_forward


@dataclass
class PretendedTensor:
    """As much of a tensor as decides about a copy."""

    is_cuda: bool
    pinned: bool = False

    def is_pinned(self) -> bool:
        return self.pinned

    def numel(self) -> int:
        return 8


@pytest.mark.parametrize(
    ("source", "target", "recorded"),
    [
        (PretendedTensor(False), PretendedTensor(True), [("host-to-device-copy", False)]),
        (PretendedTensor(False, pinned=True), PretendedTensor(True), []),
        (PretendedTensor(True), PretendedTensor(False), [("device-to-host-copy", True)]),
        (PretendedTensor(True), PretendedTensor(False, pinned=True), []),
        (PretendedTensor(True), PretendedTensor(True), []),
    ],
    ids=[
        "pageable upload",
        "pinned upload",
        "download into pageable",
        "download into pinned",
        "on the device",
    ],
)
def test_copies_without_blocking_wait_for_pageable_memory_only(
    cuda: PretendedCuda,
    monkeypatch: pytest.MonkeyPatch,
    source: PretendedTensor,
    target: PretendedTensor,
    recorded: list[tuple[str, bool]],
) -> None:
    def move(tensor: object, *arguments: object, **options: object) -> PretendedTensor:
        return target

    monkeypatch.setattr(torch.Tensor, "to", move)
    with record_syncs() as syncs:
        torch.Tensor.to(source, "cuda", non_blocking=True)
    assert [(sync.mechanism, sync.certain) for sync in syncs] == recorded


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("copy_", (PretendedTensor(False), True)),
        ("to", ("cuda", torch.float32, True)),
        ("to", (torch.float32, True)),
        ("to", (PretendedTensor(True), True, False)),
        ("cuda", (None, True)),
    ],
)
def test_non_blocking_may_be_given_by_position(
    cuda: PretendedCuda, monkeypatch: pytest.MonkeyPatch, method: str, arguments: tuple[object, ...]
) -> None:
    monkeypatch.setattr(torch.Tensor, method, lambda tensor, *given: PretendedTensor(True))
    receiver = PretendedTensor(method == "copy_")
    with record_syncs() as syncs:
        getattr(torch.Tensor, method)(receiver, *arguments)
        getattr(torch.Tensor, method)(receiver, *(False if given is True else given for given in arguments))
    assert [sync.mechanism for sync in syncs] == ["host-to-device-copy"]


def test_a_module_that_is_moved_without_blocking_is_recorded(
    cuda: PretendedCuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Module.to gives non_blocking on to its parameters by position.
    monkeypatch.setattr(torch.Tensor, "to", lambda tensor, *given: tensor)
    judged: list[object] = []
    monkeypatch.setattr(CudaWatch, "_judge_copy", lambda watch, source, target: judged.append(source))
    with record_syncs():
        torch.nn.Linear(2, 2).to("cpu", non_blocking=True)
    assert len(judged) == 2


def test_waits_are_heard_in_a_program_that_silences_all_warnings(cuda: PretendedCuda) -> None:
    with warnings.catch_warnings(), record_syncs() as syncs:
        warnings.simplefilter("ignore")
        cuda.synchronizing_operation()
        warnings.resetwarnings()
        warnings.filterwarnings("error")
        cuda.synchronizing_operation()
        with warnings.catch_warnings(record=True) as shown:
            warnings.simplefilter("always")
            cuda.synchronizing_operation()
    assert len(syncs) == 3 and shown == []


def test_waits_are_heard_where_warnings_go_to_a_log(cuda: PretendedCuda, caplog: pytest.LogCaptureFixture) -> None:
    logging.captureWarnings(True)
    try:
        with record_syncs() as syncs:
            cuda.synchronizing_operation()
    finally:
        logging.captureWarnings(False)
    assert len(syncs) == 1 and caplog.records == []


def test_a_recording_outlasts_the_block_of_filters_in_which_it_began(cuda: PretendedCuda) -> None:
    recording_ = record_syncs()
    with warnings.catch_warnings():
        syncs = recording_.__enter__()
    warnings.simplefilter("ignore")
    try:
        cuda.synchronizing_operation()
        recording.renew_cuda_recording()
        cuda.synchronizing_operation()
    finally:
        recording_.__exit__(None, None, None)
    assert len(syncs) == 1


def test_a_program_finds_the_mode_that_it_has_chosen_and_its_waits_are_recorded_in_any(cuda: PretendedCuda) -> None:
    with record_syncs() as syncs:
        assert torch.cuda.get_sync_debug_mode() == 0
        with warnings.catch_warnings(record=True) as shown:
            torch.cuda.set_sync_debug_mode(1)
            cuda.synchronizing_operation()
            torch.cuda.set_sync_debug_mode(0)
            cuda.synchronizing_operation()
        assert torch.cuda.get_sync_debug_mode() == 0
        torch.cuda.set_sync_debug_mode(2)
        assert (torch.cuda.get_sync_debug_mode(), cuda.mode) == (2, 2)
    assert cuda.mode == 2
    assert (len(syncs), len(shown)) == (2, 1)


def test_what_the_mode_says_of_itself_is_not_shown(cuda: PretendedCuda, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def set_mode(mode: int) -> None:
        cuda.set_mode(mode)
        if not told:  # PyTorch says it once
            told.append("Synchronization debug mode is a prototype feature and does not yet")
            warnings.warn(told[0], UserWarning, stacklevel=2)

    monkeypatch.setattr(torch._C, "_cuda_set_sync_debug_mode", set_mode)
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        with record_syncs():
            assert told
    assert shown == []


def test_a_program_that_turns_warnings_into_errors_does_not_die_of_that_of_the_debug_mode(
    cuda: PretendedCuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    def set_mode(mode: int) -> None:
        warnings.warn("Synchronization debug mode is a prototype feature", UserWarning, stacklevel=2)
        cuda.set_mode(mode)

    monkeypatch.setattr(torch._C, "_cuda_set_sync_debug_mode", set_mode)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with record_syncs() as syncs:
            cuda.synchronizing_operation()
            with pytest.raises(UserWarning, match="of the program"):
                warnings.warn("of the program", UserWarning, stacklevel=1)
    assert len(syncs) == 1


def test_a_program_that_records_its_own_waits_finds_none_of_ours(cuda: PretendedCuda) -> None:
    with record_syncs() as syncs:
        with unheard():
            torch.cuda.synchronize()
        torch.cuda.synchronize()
    assert len(syncs) == 1


def test_a_wait_is_laid_to_no_frame_of_what_watches_calls() -> None:
    program = "from synclint.verify.recording import publish, record_syncs\nwith record_syncs() as syncs:\n    wait()\n"
    watching = str(Path(recording.__file__).parents[1] / "trace" / "call_watch.py")
    names: dict[str, Any] = {}
    exec(compile("def wait():\n    publish('aten::item', 'scalar-read', simulated=True)\n", watching, "exec"), names)
    names["publish"] = recording.publish
    exec(compile(program, "program.py", "exec"), names)
    (sync,) = names["syncs"]
    assert (sync.file, sync.line, [frame.file for frame in sync.stack][-1]) == ("program.py", 3, "program.py")


def test_what_the_recorder_does_on_one_thread_silences_no_warning_of_another(cuda: PretendedCuda) -> None:
    def warn() -> None:
        warnings.warn("of the program", UserWarning, stacklevel=1)

    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        with record_syncs(), unheard():
            warn()
            other = threading.Thread(target=warn)
            other.start()
            other.join()
    assert len(shown) == 1


class OnDevice(torch.Tensor):  # type: ignore[misc]
    """A tensor that says that it is on a device; what is called of it is called by its name, as under a mode."""

    is_cuda = True

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:  # noqa: ANN401
        with torch._C.DisableTorchFunctionSubclass():
            return getattr(torch._VF, function.__name__)(*args, **(kwargs or {}))


def test_rows_that_are_found_along_a_dimension_are_waited_for_once(cuda: PretendedCuda) -> None:
    rows = torch.ones(3, 2).as_subclass(OnDevice)
    with record_syncs() as syncs:
        torch._VF.unique_dim(rows, 0)
        torch._VF.unique_consecutive(rows)  # the debug mode warns of this one
        torch._VF.unique_consecutive(rows, dim=0)
        torch._VF.unique_dim(torch.ones(3, 2), 0)
    assert [(sync.op, sync.mechanism) for sync in syncs] == [
        ("aten::unique_dim", "data-dependent-shape"),
        ("aten::unique_consecutive", "data-dependent-shape"),
    ]


COMPILED = """\
import warnings

import torch

from synclint.verify.operator_warnings import hearing_operators

compiled = torch.compile(lambda values: torch.std(values), backend="aot_eager")
values = torch.ones(1, requires_grad=True)  # of one value there is no deviation: C++ warns


def shown():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compiled(values)
    return [(one.filename, one.lineno, str(one.message)) for one in caught]


shown()  # compiles it
plain = shown()
assert "degrees of freedom" in plain[0][2], plain
with hearing_operators():
    heard = shown()
assert heard == plain, (heard, plain)
"""


def test_warnings_of_compiled_code_are_those_of_a_run_without_a_recording() -> None:
    # By itself: what is compiled leaves traces in a process that other tests would see.
    ended = subprocess.run([sys.executable, "-c", COMPILED], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
