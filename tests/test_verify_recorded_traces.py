"""Traces of PyTorch's CUDA build, recorded over a pretended CUDA runtime with ``scripts/record_trace.py``.

Its kernels do not compute, but the host code and Kineto are PyTorch's own: which calls a line makes, and
how they are written down, is what a GPU's trace holds.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from synclint.verify.cases import Case, load_rule_case
from synclint.verify.chrome_trace import has_cuda_events, ranges, waits
from synclint.verify.measurement import Side

HOME = Path(__file__).parent / "traces"
TRACE = HOME / "pretended-runtime-torch2.13.json"


@cache
def events() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(TRACE.read_text(encoding="utf-8"))["traceEvents"]
    return found


@cache
def case() -> Case:
    found = load_rule_case(HOME / "SYN900-recorded")
    assert isinstance(found, Case)
    return found


@pytest.mark.parametrize("side", Side)
def test_the_lines_seen_waiting_are_those_that_are_marked(side: Side) -> None:
    assert has_cuda_events(events())
    assert {wait.line for wait in waits(events(), side)} == set(case().source(side).marked)
    assert {known.function for known in ranges(events()) if known.side is side} == set(case().hazard.functions)


def calls_of(text: str) -> set[str]:
    """The runtime calls by which the line of the hazard that contains ``text`` waits."""
    line = next(n for n, code in enumerate(case().hazard.text.splitlines(), 1) if text in code)
    return {wait.what.split(",")[0].split(" in ")[0] for wait in waits(events(), Side.HAZARD) if wait.line == line}


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("x.nonzero()", "cudaStreamSynchronize"),
        ("host.copy_(", "cudaMemcpyAsync"),
        ("large.to(", "cudaMemcpyAsync"),
        ("done.synchronize", "cudaEventSynchronize"),
        ("accelerator.synchronize", "cudaDeviceSynchronize"),
        ("empty_cache", "cudaFree"),
    ],
)
def test_a_line_waits_by_the_call_that_cuda_documents(text: str, call: str) -> None:
    assert call in calls_of(text)


def test_the_sync_events_belong_to_calls_that_are_known() -> None:
    runtime = {e["args"]["correlation"] for e in events() if e["cat"] == "cuda_runtime"}
    syncs = [e for e in events() if e["cat"] == "cuda_sync"]
    assert {e["name"] for e in syncs} >= {"Stream Sync", "Event Sync", "Context Sync"}
    assert {e["args"]["correlation"] for e in syncs} <= runtime


def test_without_the_runtime_calls_the_sync_events_still_show_the_waits() -> None:
    # As where a library calls the driver, whose waiting calls Kineto does not write.
    runtime = {e["args"]["correlation"]: e["name"] for e in events() if e["cat"] == "cuda_runtime"}
    hidden = {number for number, name in runtime.items() if name.endswith("Synchronize")}
    left = [e for e in events() if not (e["cat"] == "cuda_runtime" and e["args"]["correlation"] in hidden)]
    found = {wait.line for wait in waits(left, Side.HAZARD) if "through the driver" in wait.what}
    assert len(found) >= 6
    assert found <= set(case().hazard.marked)
    assert waits(left, Side.TWIN) == ()
