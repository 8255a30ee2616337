"""A whole run, with a worker that answers at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from verify_cases import rule_case

from synclint.verify import run
from synclint.verify.cases import Case
from synclint.verify.measurement import Environment, Measurement


class Workshop:
    def __init__(self, device: str, limit: float) -> None:
        self.heard: list[str] = []

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def start(self) -> Environment:
        return Environment(False, "GPU", "2.13.0", "3.11.7", "Linux x86_64", "2026-11-22T00:00:00Z")

    def measure(self, case: Case, trace: Path | None, announce: Callable[[str], None]) -> Measurement:
        announce("hazard total, stopwatch")
        return Measurement()


def test_every_step_is_announced_from_the_start_of_the_device_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "Workshop", Workshop)
    heard: list[tuple[int, str]] = []
    run.verify_cases([rule_case(tmp_path)] * 2, "cuda", 5.0, announce=lambda at, stage: heard.append((at, stage)))
    assert heard == [
        (0, "starting the device"),
        (0, "example"),
        (0, "example, hazard total, stopwatch"),
        (1, "example"),
        (1, "example, hazard total, stopwatch"),
    ]
