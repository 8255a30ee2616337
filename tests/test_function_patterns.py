"""What the configuration says of functions by name reaches the analysis."""

from __future__ import annotations

from pathlib import Path

from synclint.analysis.project import ProjectAnalysis

SOURCE = """\
from torch import Tensor
from fastloader import batch_on_gpu


def report(loss: Tensor) -> float:
    return loss.item()


class Model:
    def __init__(self, weight: Tensor) -> None:
        self.scale = weight.max().item()


def count() -> int:
    labels = batch_on_gpu()
    return int(labels.max())
"""


def hot_lines(project: ProjectAnalysis) -> set[int]:
    return {event.span.start.line for event in project.check(Path("steps.py"), SOURCE) if event.context.hot}


def test_without_patterns_only_the_function_is_hot() -> None:
    assert hot_lines(ProjectAnalysis()) == {6}


def test_function_that_is_said_to_be_cold_is_cold() -> None:
    assert hot_lines(ProjectAnalysis(cold_functions=["*.report"])) == set()


def test_constructor_that_is_said_to_be_hot_is_hot() -> None:
    assert hot_lines(ProjectAnalysis(hot_functions=["steps.Model.__init__"])) == {6, 11}


def test_result_of_a_device_function_is_a_tensor_on_the_device() -> None:
    assert hot_lines(ProjectAnalysis(device_functions=["fastloader.batch_on_*"])) == {6, 16}
