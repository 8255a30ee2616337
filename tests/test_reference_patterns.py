"""Every row of NVIDIA's list of patterns that do, or seem to, synchronize has a case or a reason for none.

The list is that of "Writing Sync-Free Code" in NVIDIA's guide to CUDA graphs for PyTorch, in its order.
"""

from __future__ import annotations

import re

import pytest
from analysis_case import load_cases

ROWS = range(1, 77)

WITHOUT_A_CASE = {
    37: "indexing a tensor on the host with an index on the device raises an error",
    61: "the backward pass of three-argument where reads nothing: its gradients are where and zeros",
    66: "the backward pass of an embedding waited only in builds with CUB before 1.16",
    71: "DistributedDataParallel timed itself with blocking events only before torch 2.0",
}

CONTRADICTED = {
    15: "an unpinned tensor is staged by the driver, which may hold the host",
    18: "an unpinned tensor is staged by the driver, which may hold the host",
    67: "a collective of NCCL makes the stream wait, not the host",
    69: "waiting for a collective of NCCL makes the stream wait, not the host",
}

_NAME = re.compile(r"nvidia-(\d\d)-[a-z-]+$")

CASES = {
    int(match[1]): case
    for case in load_cases()
    if case.topic == "nvidia_list" and (match := _NAME.match(case.name))
}

SYNC_FREE = {
    *(1, 2, 7, 9, 10, 20, 28, 30, 33, 34, 36, 38, 42, 48, 49, 50, 51, 52, 54, 55, 58, 59, 63, 68, 76),
}


def test_every_row_has_a_case_or_a_reason_for_none() -> None:
    assert sorted(CASES.keys() | WITHOUT_A_CASE.keys()) == list(ROWS)
    assert not CASES.keys() & WITHOUT_A_CASE.keys()


@pytest.mark.parametrize("row", sorted(CASES.keys() - CONTRADICTED.keys()))
def test_case_marks_a_wait_where_the_list_says_so(row: int) -> None:
    waits = any("# sync:" in source for source in CASES[row].files.values())
    assert waits == (row not in SYNC_FREE)


@pytest.mark.parametrize("row", sorted(CONTRADICTED))
def test_case_differs_from_the_list_where_pytorch_does(row: int) -> None:
    serious = any("# sync: SYN4" in source for source in CASES[row].files.values())
    assert serious == (row in (15, 18))
