"""Recording on a CUDA device, whose part torch's own functions and warnings play here."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import pytest
import torch

from synclint.verify import recording
from synclint.verify.recording import record_syncs


@dataclass
class PretendedCuda:
    """The sync debug mode of a device, and what it prints."""

    mode: int = 0
    modes: list[object] = field(default_factory=list)

    def set_mode(self, mode: int | str) -> None:
        self.mode = {"default": 0, "warn": 1, "error": 2}.get(str(mode), 0) if isinstance(mode, str) else mode
        self.modes.append(mode)

    def synchronizing_operation(self) -> None:
        if self.mode:
            warnings.warn(
                "called a synchronizing CUDA operation (Triggered internally)", UserWarning, stacklevel=2
            )


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> PretendedCuda:
    pretended = PretendedCuda()
    monkeypatch.setattr(torch.version, "cuda", "12.6")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_sync_debug_mode", lambda: pretended.mode)
    monkeypatch.setattr(torch.cuda, "set_sync_debug_mode", pretended.set_mode)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device=None: None)
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
        patched = (vars(torch.Tensor).get("to"), vars(torch.Tensor).get("copy_"), torch.cuda.synchronize)
        return (*patched, warnings.showwarning, list(warnings.filters), cuda.mode)

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
