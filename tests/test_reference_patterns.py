"""Every row of NVIDIA's list of patterns that do, or seem to, synchronize has a case or a reason for none.

The list is that of "Writing Sync-Free Code" in NVIDIA's guide to CUDA graphs for PyTorch, in its order.
The cases are run too, on the simulated device, and wait at the lines that are marked.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from analysis_case import MAIN, load_cases
from marked_sources import marked

from synclint.verify.recording import record_syncs
from synclint.verify.simulated import simulated_device

ROWS = range(1, 77)

WITHOUT_A_CASE = {
    37: "indexing a tensor on the host with an index on the device raises an error",
    61: "the backward pass of three-argument where reads nothing: its gradients are where and zeros",
    66: "the backward pass of an embedding waited only in builds with CUB before 1.16",
    71: "DistributedDataParallel timed itself with blocking events only before torch 2.0",
}

SYNC_FREE = {
    *(1, 2, 7, 9, 10, 15, 18, 20, 28, 30, 33, 34, 36, 38, 42, 48, 49, 50, 51, 52, 54, 55, 58, 59, 63, 68, 76),
}

CONTRADICTED = {
    15: "an unpinned tensor is staged by the driver, which may hold the host",
    18: "an unpinned tensor is staged by the driver, which may hold the host",
    67: "a collective of NCCL makes the stream wait, not the host",
    69: "waiting for a collective of NCCL makes the stream wait, not the host",
}

NOT_RUN = {
    3: "an event that was never recorded is complete",
    19: "builds without CUDA lack the legacy constructors",
    67: "needs a process group of NCCL",
    68: "needs a process group of NCCL",
    69: "needs a process group of NCCL",
    70: "needs a process group of NCCL",
}

# A driver, not PyTorch, decides whether an unpinned copy with non_blocking=True waits.
_UP_TO_THE_DRIVER = "SYN406"

_NAME = re.compile(r"nvidia-(\d\d)-[a-z-]+$")

CASES = {
    int(match[1]): case for case in load_cases() if case.topic == "nvidia_list" and (match := _NAME.match(case.name))
}


@pytest.fixture(scope="module")
def device() -> Iterator[torch.device]:
    with simulated_device() as device:
        yield device


def _marks(row: int) -> dict[int, str]:
    source = CASES[row].files[MAIN]
    return {place.line: place.code for place in marked(MAIN, source, cold=False, library_versions={})}


def _arguments(row: int, device: torch.device) -> dict[str, Any]:
    """Values for the parameters that the cases have, by name; some rows need special ones."""
    size = 16
    mask = (torch.arange(size * size, device=device) % 2 == 0).view(size, size)
    arguments = {
        **{name: torch.rand(size, size, device=device) for name in ("x", "g", "t", "a", "b")},
        "m": mask,
        "xf": torch.rand(size, size, device=device, requires_grad=True),
        "y": torch.rand(3, device=device),
        "r": torch.ones(3, dtype=torch.int64, device=device),
        "bounds": torch.arange(2, 9, device=device),
        "loss": torch.full((), 0.5, device=device),
        "found_inf": {"cuda:0": torch.zeros((), device=device)},
        "limit": 1.0,
        "n": size,
        "numbers": [0.1, 0.2],
        "array": np.arange(4.0),
        "event": torch.cuda.Event(),
        "stream": torch.cuda.Stream(),
    }
    special = {23: {"x": torch.ones(1, device=device)}, 50: {"x": mask.clone()}}
    return arguments | special.get(row, {})


def _only_function(row: int) -> Callable[..., object]:
    """The function of a case, its lines numbered as in the case."""
    names: dict[str, Any] = {"__name__": f"nvidia_row_{row}"}
    exec(compile(CASES[row].files[MAIN], MAIN, "exec", dont_inherit=True), names)
    (function,) = (
        value for value in names.values() if inspect.isfunction(value) and value.__module__ == names["__name__"]
    )
    return function


def test_every_row_has_a_case_or_a_reason_for_none() -> None:
    assert sorted(CASES.keys() | WITHOUT_A_CASE.keys()) == list(ROWS)
    assert not CASES.keys() & WITHOUT_A_CASE.keys()


@pytest.mark.parametrize("row", sorted(CASES))
def test_case_marks_a_wait_where_the_list_says_so(row: int) -> None:
    said = row not in SYNC_FREE
    assert bool(_marks(row)) == (said if row not in CONTRADICTED else not said)


@pytest.mark.parametrize("row", sorted(CASES.keys() - NOT_RUN.keys()))
def test_case_waits_at_its_marked_lines_when_it_runs(row: int, device: torch.device) -> None:
    function = _only_function(row)
    values = _arguments(row, device)
    arguments = {name: values[name] for name in inspect.signature(function).parameters}
    with record_syncs() as syncs:
        function(**arguments)
    waited = {(sync.line, sync.certain) for sync in syncs}
    assert waited == {(line, code != _UP_TO_THE_DRIVER) for line, code in _marks(row).items()}
