"""What ``explain --why`` says of a line: the chain behind a finding, and why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from command_line import Synclint

from synclint.cli import cli
from synclint.running import shares

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


def explained(path: Path, line: int) -> list[str]:
    """What the command prints of a line, below the line itself."""
    result = CliRunner().invoke(cli, ["explain", "--why", f"{path}:{line}"])
    assert result.exit_code == 0, result.output
    return result.output.splitlines()[2:]


def test_chain_leads_from_the_condition_to_the_parameter(path: Path) -> None:
    lines = explained(path, 7)
    assert lines[0].startswith("SYN301 condition: `level > 0` is a 0-dim boolean tensor")
    assert f"    returned by `torch.quantile` at {path}:6" in lines
    assert "    reported" in lines


def test_silence_is_explained_by_where_the_tensor_lives(path: Path) -> None:
    lines = explained(path, 10)
    assert lines[0] == "Nothing on this line was found to make the host wait. What was concluded:"
    order = lines.index("`order` is an integer tensor on the CPU")
    assert lines[order + 1] == f"    returned by `torch.arange` at {path}:9"


def test_expression_in_a_branch_that_never_runs_has_no_conclusion(path: Path) -> None:
    told = explained(path, 15)[2:]
    assert told
    assert all("is never reached" in line for line in told)


HELPER = """def pick(x):
    if x > 0:
        return 1
    return 0
"""
CALLER = """import torch
from helper import pick


def train(model, loader, optimizer):
    start = torch.ones(3, device="cuda").sum().item()
    for batch in loader:
        loss = model(batch.cuda()).sum()
        loss.backward()
        optimizer.step()
        pick(loss)  # its branches are few
        print(loss.item())  # synclint: ignore[SYN201] shown on purpose
    return start
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "train.py").write_text(CALLER)
    return tmp_path


@pytest.mark.parametrize("is_checked", [False, True])
def test_callers_are_known_whether_the_project_has_been_checked_or_not(
    run: Synclint, project: Path, is_checked: bool
) -> None:
    asked = ("explain", "--why", "helper.py:2")
    if is_checked:
        run("check", ".")
    said = run(*asked).out
    assert "SYN301 condition: `x > 0` is a boolean tensor" in said
    assert "called from `train`, train.py:11" in said
    assert "    reported\n" in said
    (project / "train.py").write_text(CALLER.replace("pick(loss)", "pick(1)"))
    assert "Nothing on this line was found to make the host wait" in run(*asked).out


@pytest.mark.parametrize("form", ["full", "markdown", "html"])
def test_files_are_told_from_here_whoever_has_analysed_them(
    run: Synclint, project: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """Two shares know the loop, the one with the caller by the absolute path of the file."""
    monkeypatch.setattr(shares, "SHARE_BYTES", 1500)
    (project / "pick").mkdir()
    (project / "helper.py").rename(project / "pick" / "helper.py")
    looped = HELPER.replace("    if x", "    for each in x:\n        float(each)\n    if x")
    (project / "pick" / "helper.py").write_text(f"import torch\n{looped}")
    (project / "train.py").write_text(CALLER.replace("from helper", "from pick.helper"))
    told = f"once for each `each` ({Path('pick', 'helper.py')}:3)"
    assert told in run("check", "--output-format", form, ".").out.replace("<code>", "`").replace("</code>", "`")
    assert told in run("explain", "--why", str(Path("pick", "helper.py:4"))).out


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        (6, "found, not shown: reported with --runs once only"),
        (12, "found, not shown: a comment suppresses it"),
    ],
)
def test_what_check_hides_is_said_to_be_found(run: Synclint, project: Path, line: int, verdict: str) -> None:
    (project / "main.py").write_text("from train import train\n\nif __name__ == '__main__':\n    train(0, [], 0)\n")
    run("check", ".")
    assert f"    {verdict}\n" in run("explain", "--why", f"train.py:{line}").out


def test_a_comment_that_suppresses_nothing_is_reported_as_check_does(run: Synclint, project: Path) -> None:
    (project / "helper.py").write_text(HELPER.replace("return 0", "return 0  # synclint: ignore[SYN301] small"))
    run("check", ".")
    said = run("explain", "--why", "helper.py:4").out
    assert "SYN001 unused-suppression: " in said
    assert "    reported\n" in said
    assert "Nothing on this line was found" not in said


def test_a_rule_that_is_not_selected_is_said_to_be_left_out(run: Synclint, project: Path) -> None:
    (project / "synclint.toml").write_text('ignore = ["SYN301"]\n')
    run("check", ".")
    said = run("explain", "--why", "helper.py:2").out
    assert "    found, not shown: SYN301 is not selected for this file\n" in said


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
