"""The GitHub Action: its metadata is well formed, and its shell steps do what they say when run here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import CLEAN, HAZARD

REPOSITORY = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in ACTION["runs"]["steps"]}


@dataclass
class Runner:
    """A stand-in for GitHub's runner: it fills in expressions, and keeps what steps write to its files."""

    folder: Path

    def __post_init__(self) -> None:
        """Make the directories that a runner has."""
        for name in ("checkout", "temp"):
            (self.folder / name).mkdir()
        for name in ("env", "output", "summary"):
            (self.folder / name).touch()

    @property
    def checkout(self) -> Path:
        return self.folder / "checkout"

    def written(self, name: str) -> dict[str, str]:
        lines = (self.folder / name).read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def run(self, step: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run a step of the action with these inputs."""
        return self.run_with(step, {}, **inputs)

    def run_with(self, step: str, known: dict[str, str], **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run a step with what the runner knows besides."""
        defaults = {name: given.get("default", "") for name, given in ACTION["inputs"].items()}
        values = {f"inputs.{name}": value for name, value in {**defaults, **inputs}.items()}
        values |= {"github.action_path": str(REPOSITORY), **known}
        all_lines = "none" if values["inputs.only-new"] == "false" else ""

        def filled_in(text: str) -> str:
            text = text.replace("${{ inputs.only-new == 'false' && 'none' || '' }}", all_lines)
            return re.sub(r"\$\{\{ (\S+) \}\}", lambda expression: values[expression[1]], text)

        # Each step has files of its own for its outputs and its summary.
        for name in ("output", "summary"):
            (self.folder / name).write_text("")
        given = {name: filled_in(text) for name, text in STEPS[step].get("env", {}).items()}
        environment = {
            **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            "GITHUB_WORKSPACE": str(self.checkout),
            "GITHUB_ENV": str(self.folder / "env"),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "RUNNER_TEMP": str(self.folder / "temp"),
            **self.written("env"),
            **given,
        }
        # How the runner starts `shell: bash`.
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[step]["run"]]
        return subprocess.run(
            command,
            cwd=self.checkout / filled_in(STEPS[step].get("working-directory", ".")),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A runner on which the program stands installed already: the one that is tested."""
    made = Runner(tmp_path)
    (tmp_path / "env").write_text(f"SYNCLINT_PROGRAMS={Path(sys.executable).parent}\n")
    return made


def test_the_action_and_all_workflows_follow_githubs_schemas(tmp_path: Path) -> None:
    page = (REPOSITORY / "docs" / "ci.md").read_text(encoding="utf-8")
    workflow = next(block for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "runs-on" in block)
    (tmp_path / "workflow.yml").write_text(workflow)
    for schema, file in (
        ("vendor.github-actions", REPOSITORY / "action.yml"),
        ("vendor.github-workflows", tmp_path / "workflow.yml"),
        *(("vendor.github-workflows", path) for path in (REPOSITORY / ".github" / "workflows").glob("*.yml")),
    ):
        command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
        checked = subprocess.run(command, capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_installing_and_checking_annotates_summarises_and_writes_sarif(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    installed = runner.run("Install synclint")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    (runner.checkout / "loss.py").write_text(HAZARD)
    checked = runner.run("Check for waits")
    assert checked.returncode == 1, checked.stderr
    assert ",file=loss.py,line=5,endLine=5,col=12," in checked.stdout
    sarif = json.loads(Path(runner.written("output")["sarif"]).read_text())
    assert sarif["runs"][0]["results"][0]["ruleId"] == "SYN101"
    assert "SYN101 nonzero" in (tmp_path / "summary").read_text()


def test_a_clean_project_passes_and_is_uploaded_all_the_same(runner: Runner) -> None:
    (runner.checkout / "loss.py").write_text(CLEAN)
    assert runner.run("Check for waits").returncode == 0
    assert Path(runner.written("output")["sarif"]).is_file()


def test_paths_and_arguments_are_split_as_in_a_shell_and_nothing_in_them_is_run(runner: Runner) -> None:
    for name in ("a b.py", "other.py", "left_out.py"):
        (runner.checkout / name).write_text(HAZARD)
    checked = runner.run(
        "Check for waits", paths="'a b.py' other.py", args="--exit-zero --ignore 'SYN2,$(touch owned)'"
    )
    assert checked.returncode == 2
    assert "$(touch owned)" in checked.stderr
    checked = runner.run("Check for waits", paths="'a b.py' other.py", args="--exit-zero")
    assert checked.returncode == 0, checked.stderr
    assert re.findall(r",file=([^,]*),", checked.stdout) == ["a b.py", "other.py"]
    assert not (runner.checkout / "owned").exists()


def test_a_path_is_never_read_as_an_option(runner: Runner) -> None:
    (runner.checkout / "loss.py").write_text(HAZARD)
    (runner.checkout / "--exit-zero").write_text("")
    checked = runner.run("Check for waits", paths="--exit-zero loss.py")
    assert checked.returncode == 1, checked.stderr
    assert re.findall(r",file=([^,]*),", checked.stdout) == ["loss.py"]


def test_wrong_use_fails_and_leaves_nothing_to_upload(runner: Runner) -> None:
    assert runner.run("Check for waits", args="--no-such-option").returncode == 2
    assert runner.written("output") == {"exit-code": "2"}


@pytest.mark.parametrize("name", ["args", "paths"])
def test_an_unbalanced_quote_fails_and_says_so(runner: Runner, name: str) -> None:
    (runner.checkout / "loss.py").write_text(CLEAN)
    checked = runner.run("Check for waits", **{name: "--exit-zero --ignore 'SYN2"})
    assert checked.returncode == 2
    assert checked.stdout == (
        f"::error::synclint: the input `{name}` is not quoted as in a shell: no closing quotation\n"
    )
    assert runner.written("output") == {"exit-code": "2"}


def test_a_report_of_an_earlier_step_is_not_handed_out(runner: Runner) -> None:
    (runner.checkout / "loss.py").write_text(HAZARD)
    runner.run("Check for waits")
    first = Path(runner.written("output")["sarif"])
    assert runner.run("Check for waits", args="--no-such-option").returncode == 2
    assert "sarif" not in runner.written("output")
    assert first.is_file()


def test_findings_and_the_exit_status_are_outputs(runner: Runner) -> None:
    (runner.checkout / "loss.py").write_text(HAZARD)
    assert runner.run("Check for waits", args="--exit-zero").returncode == 0
    written = runner.written("output")
    assert (written["findings"], written["exit-code"]) == ("1", "0")
    assert runner.run("Check for waits").returncode == 1
    assert runner.written("output")["exit-code"] == "1"


def test_every_output_of_the_check_is_one_of_the_action(runner: Runner) -> None:
    (runner.checkout / "loss.py").write_text(HAZARD)
    runner.run("Check for waits")
    assert set(runner.written("output")) == {*ACTION["outputs"], "comment"}  # which a later step of the action reads


def test_the_check_runs_in_its_working_directory_and_paths_start_at_the_top(runner: Runner) -> None:
    inner = runner.checkout / "training"
    inner.mkdir()
    (inner / "loss.py").write_text(HAZARD)
    (inner / "synclint.toml").write_text('ignore = ["SYN101"]\n')
    (runner.checkout / "loss.py").write_text(HAZARD)
    assert runner.run("Check for waits", **{"working-directory": "training"}).returncode == 0
    (inner / "synclint.toml").unlink()
    checked = runner.run("Check for waits", **{"working-directory": "training"})
    assert re.findall(r",file=([^,]*),", checked.stdout) == ["training/loss.py"]


def test_arguments_reach_the_program_without_carriage_returns(runner: Runner, tmp_path: Path) -> None:
    """On Windows Python ends the lines of its standard output, but not its bytes, with a carriage return."""
    programs = tmp_path / "programs"
    programs.mkdir()
    python = programs / "python"
    windows = "import io, sys; sys.stdout = io.TextIOWrapper(sys.stdout.buffer, newline='\\r\\n'); exec(sys.argv[2])"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{windows}" "$@"\n')
    synclint = programs / "synclint"
    synclint.write_text("#!/bin/sh\nprintf '<%s>' \"$@\"\n")
    for program in (python, synclint):
        program.chmod(0o755)
    (tmp_path / "env").write_text(f"SYNCLINT_PROGRAMS={programs}\n")
    checked = runner.run("Check for waits", args="--ignore SYN2", paths="src 'a b'")
    assert checked.stdout.endswith("<--ignore><SYN2><--><src><a b>"), checked.stdout + checked.stderr


def test_inputs_reach_the_shell_only_through_the_environment() -> None:
    for step in STEPS.values():
        assert "${{" not in step.get("run", "")
