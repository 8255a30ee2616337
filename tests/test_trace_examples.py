"""The articles' two programs, traced on the simulated device: each optimization takes away the waits it is about."""

from __future__ import annotations

import runpy
import sys
from collections import Counter
from pathlib import Path

import pytest
import torch  # noqa: F401 -- the trace needs it

from synclint.trace.assembly import assemble
from synclint.trace.ownership import default_ownership
from synclint.trace.records import Device
from synclint.trace.report import TraceReport
from synclint.trace.session import Session
from synclint.trace.settings import Settings

EXAMPLES = Path(__file__).parents[1] / "examples"
SMALL = ("--workers", "0", "--batch-size", "2", "--image-size", "16", "--steps", "3")


def traced(monkeypatch: pytest.MonkeyPatch, name: str, *arguments: str) -> TraceReport:
    """The report of an example's run in this process."""
    script = str(EXAMPLES / name)
    monkeypatch.setattr(sys, "argv", [script, *arguments])
    session = Session(
        Settings(Device.SIMULATED, printed=None), default_ownership((str(EXAMPLES),)), ("python", script)
    )
    session.start()
    try:
        runpy.run_path(script, run_name="__main__")
    finally:
        run = session.finish(0)
    return assemble(run, checked=False)


def statements(report: TraceReport) -> Counter[str]:
    """Waits in a step, by the start of the line that makes them."""
    counted: Counter[str] = Counter()
    for wait in report.waits:
        if wait.per_step:
            counted[wait.text.partition(" =")[0].partition("(")[0]] += round(wait.per_step)
    return counted


# A line that selects with a mask waits once, and again in the backward pass if gradients go through it.
SELECTING = {"target": 1, "logits": 2}
LOSS_WAITS = [
    {"background": 1, "target[background]": 1, "labels": 1, **SELECTING},
    {"labels": 1, **SELECTING},
    SELECTING,
    {},
]


@pytest.mark.parametrize("optimizations", range(4))
def test_each_optimization_of_the_loss_takes_away_one_of_its_three_operations(
    optimizations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = traced(monkeypatch, "segmentation_loss.py", *SMALL, "--optimizations", str(optimizations))
    assert statements(report) == LOSS_WAITS[optimizations]
    assert report.steps == 3


METRIC_SMALL = (*SMALL, "--width", "4", "--classes", "5", "--step-time", "device")


@pytest.mark.parametrize(
    ("optimizations", "loss_metric", "device_metric"),
    # Of torchmetrics 1.9: both metrics look for NaN twice, in the value and in the weight; one is given a number.
    [(0, 2, 3), (1, 2, 3), (2, 0, 1), (3, 0, 0)],
)
def test_each_optimization_of_the_metrics_takes_away_the_waits_it_is_about(
    optimizations: int, loss_metric: int, device_metric: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = traced(monkeypatch, "metric_collection.py", *METRIC_SMALL, "--optimizations", str(optimizations))
    waits = statements(report)
    assert waits['metrics["avg_loss"].update'] == loss_metric
    assert waits["step_time.update"] == device_metric
    assert waits.total() == loss_metric + device_metric
    beneath = {wait.library.file for wait in report.waits if wait.per_step and wait.library}
    assert all(file.endswith("torchmetrics/aggregation.py") for file in beneath)
    assert bool(beneath) == bool(waits)


def test_a_metric_of_numbers_on_the_host_waits_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    report = traced(monkeypatch, "metric_collection.py", *METRIC_SMALL[:-1], "host", "--no-metrics")
    assert statements(report) == {}


def test_lightnings_trainer_is_traced_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    report = traced(monkeypatch, "lightning_trainer.py")
    assert report.steps == 6
    assert statements(report)["self.history.append"] == 1


def test_the_trainer_of_transformers_is_traced_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    report = traced(monkeypatch, "transformers_trainer.py")
    assert report.steps == 6
    assert statements(report)["self.largest"] == 1
