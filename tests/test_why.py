"""What ``explain --why`` says of a line: the chain behind a finding, and why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from synclint.analysis.project import Project
from synclint.analysis.why import Explanation, explain_line
from synclint.cli import cli

SOURCE = """\
import torch
from torch import Tensor


def threshold(scores: Tensor) -> Tensor:
    level = torch.quantile(scores, 0.5)
    if level > 0:
        return scores
    order = torch.arange(4)
    return order[0].item() * scores


def compiled(scores: Tensor) -> Tensor:
    if torch.jit.is_scripting():
        print(scores)
    return scores
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    written = tmp_path / "thresholds.py"
    written.write_text(SOURCE)
    return written


def explanation(path: Path, line: int) -> Explanation:
    return explain_line(Project([path]), path, SOURCE, line)


def test_chain_leads_from_the_condition_to_the_parameter(path: Path) -> None:
    (event,) = explanation(path, 7).events
    assert event.construct == "condition"
    assert f"returned by `torch.quantile` at {path}:6" in event.evidence


def test_silence_is_explained_by_where_the_tensor_lives(path: Path) -> None:
    found = explanation(path, 10)
    assert not found.events
    (order,) = [conclusion for conclusion in found.conclusions if conclusion.text == "order"]
    assert order.description == "an integer tensor on the CPU"
    assert order.evidence == (f"returned by `torch.arange` at {path}:9",)


def test_expression_in_a_branch_that_never_runs_has_no_conclusion(path: Path) -> None:
    found = explanation(path, 15)
    assert not found.events
    assert {conclusion.description for conclusion in found.conclusions} == {None}


def test_command_prints_the_chain(path: Path) -> None:
    result = CliRunner().invoke(cli, ["explain", "--why", f"{path}:7"])
    assert result.exit_code == 0, result.output
    assert "SYN301" in result.output
    assert "returned by `torch.quantile`" in result.output


@pytest.mark.parametrize("place", ["thresholds.py", "thresholds.py:0", "thresholds.py:x"])
def test_place_without_a_line_is_wrong_use(place: str) -> None:
    result = CliRunner().invoke(cli, ["explain", "--why", place])
    assert result.exit_code == 2
    assert "FILE:LINE" in result.output


def test_line_behind_the_end_is_wrong_use(path: Path) -> None:
    result = CliRunner().invoke(cli, ["explain", "--why", f"{path}:400"])
    assert result.exit_code == 2
    assert "there is no line 400" in result.output
