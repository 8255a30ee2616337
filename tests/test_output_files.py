"""Reports in files: any number of them, each written whole or not at all."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import CLEAN, HAZARD, Synclint

from synclint.files.atomic_files import replace_file

REPOSITORY = Path(__file__).parent.parent


@pytest.fixture
def hazard(tmp_path: Path) -> Path:
    path = tmp_path / "loss.py"
    path.write_text(HAZARD)
    return path


def test_one_run_prints_one_report_and_writes_others(run: Synclint, hazard: Path, tmp_path: Path) -> None:
    result = run("--output-format", "concise", "--output-file", "sarif=a.sarif", "--output-file", "junit=b.xml", ".")
    assert result.status == 1
    assert result.out.startswith("loss.py:5:12: SYN101 nonzero: ")
    assert json.loads((tmp_path / "a.sarif").read_text())["version"] == "2.1.0"
    assert ElementTree.parse(tmp_path / "b.xml").getroot().tag == "testsuites"


def test_a_file_without_a_format_takes_the_place_of_the_output(run: Synclint, hazard: Path, tmp_path: Path) -> None:
    result = run("--output-format", "json", "--output-file", "report.json", ".")
    assert (result.status, result.out) == (1, "1 wait in the training step (1 of 1 file).\n")
    assert json.loads((tmp_path / "report.json").read_text())[0]["code"] == "SYN101"
    assert run("--output-file", "report.txt", "--quiet", ".").out == ""
    assert "\nloss.py:5:12: SYN101" in (tmp_path / "report.txt").read_text()


@pytest.mark.parametrize(
    ("name", "format_named", "beginning"),
    [
        ("a.sarif", None, '{\n  "$schema"'),
        ("a.sarif.json", None, '{\n  "$schema"'),
        ("a.json", None, '[\n{"code": "SYN101"'),
        ("a.HTML", None, "<!doctype html>"),
        ("a.md", None, "### synclint\n"),
        ("a.xml", None, "<?xml "),
        ("a.txt", None, "Offered to callers elsewhere, assumed to run in each step: 1 wait\n"),
        ("a.json", "gitlab", '[\n  {\n    "type": "issue"'),
        ("a.sarif", "gitlab", '{\n  "$schema"'),
    ],
)
def test_a_file_knows_its_format_by_its_name_unless_the_one_that_is_named_fits(
    run: Synclint, hazard: Path, tmp_path: Path, name: str, format_named: str | None, beginning: str
) -> None:
    given = ("--output-format", format_named) if format_named else ()
    assert run("--output-file", name, *given, ".").status == 1
    assert (tmp_path / name).read_text().startswith(beginning)


def test_a_file_that_names_another_format_leaves_what_is_printed_as_it_is(run: Synclint, hazard: Path) -> None:
    assert run("--output-file", "a.sarif", ".").out == run(".").out


def test_colour_is_for_the_terminal_not_for_files(
    run: Synclint, hazard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("--output-file", "text=a.txt", ".").out
    assert "\x1b" not in (tmp_path / "a.txt").read_text()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["sraif=a"], "unknown format 'sraif'; did you mean 'sarif'?"),
        (["nowhere/a.json"], "nowhere is not a directory"),
        (["json=a", "sarif=a"], "names the same file twice"),
        (["a", "b"], "given twice without a format"),
        (["json="], "names no file"),
    ],
)
def test_what_cannot_be_written_is_told_before_the_run(
    run: Synclint, given: list[str], said: str, tmp_path: Path
) -> None:
    result = run(*(part for value in given for part in ("--output-file", value)), "missing.py")
    assert result.status == 2
    assert said in result.err
    assert "missing.py" not in result.err
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_status_2_in_one_line_and_costs_no_other_report(
    run: Synclint, hazard: Path, tmp_path: Path
) -> None:
    result = run("--output-file", "sarif=/dev/full", "--output-file", "json=b.json", ".")
    assert result.status == 2
    assert "loss.py:5:12: SYN101" in result.out
    assert result.err == (
        "synclint: error: /dev/full: the sarif report could not be written: no space left on device\n"
    )
    assert json.loads((tmp_path / "b.json").read_text())


def test_an_unwritable_path_is_status_2_even_where_nothing_is_found(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CLEAN)
    (tmp_path / "taken").mkdir()
    result = run("--output-file", "html=taken", "a.py")
    assert result.status == 2
    assert "taken: the html report could not be written: is a directory" in result.err


def test_statistics_go_where_they_have_a_form(run: Synclint, hazard: Path) -> None:
    assert "no sarif form" in run("--statistics", "--output-format", "sarif", ".").err
    assert "give --output-file as FORMAT=PATH" in run("--statistics", "--output-file", "a.txt", ".").err
    assert run("--statistics", "--output-file", "sarif=a.sarif", ".").out.startswith("1  SYN101  nonzero")


def test_paths_for_a_server_start_at_the_top_of_its_checkout(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "training"
    inner.mkdir()
    (inner / "loss.py").write_text(HAZARD)
    monkeypatch.chdir(inner)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
    assert ",file=training/loss.py," in run("--output-format", "github", "loss.py").out
    (issue,) = json.loads(run("--output-format", "gitlab", "loss.py").out)
    assert issue["location"]["path"] == "training/loss.py"
    assert run("--output-format", "pylint", "loss.py").out.startswith("loss.py:5: ")
    monkeypatch.setenv("GITHUB_WORKSPACE", "/somewhere/else")
    assert ",file=loss.py," in run("--output-format", "github", "loss.py").out


@pytest.mark.parametrize("form", ["full", "concise"])
def test_nothing_printed_in_githubs_log_gives_the_runner_commands(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    hostile = HAZARD.replace("(target)\n", "(target)  # ##[stop-commands]x\n")
    (tmp_path / "::error::x.py").write_text(hostile)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    result = run("--output-format", form, ".", "##[error]gone.py")
    assert r"\x3a:error::x.py:5:12: SYN101" in result.out
    assert not any(line.startswith("::") for line in result.out.splitlines())
    assert "##[" not in result.out + result.err
    monkeypatch.delenv("GITHUB_ACTIONS")
    plain = run("--output-format", form, ".").out
    assert any(line.startswith("::error::x.py:5:12: SYN101") for line in plain.splitlines())


def test_a_file_that_could_not_be_checked_is_told_in_the_report(run: Synclint, tmp_path: Path) -> None:
    assert run("--output-file", "sarif=a.sarif", "gone.py").status == 2
    (sarif,) = json.loads((tmp_path / "a.sarif").read_text())["runs"]
    assert sarif["invocations"][0]["executionSuccessful"] is False


def test_the_configuration_may_choose_the_format_but_not_a_file(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "pyproject.toml").write_text('[tool.synclint]\noutput-format = "pylint"\n')
    assert run(".").out.startswith("loss.py:5: [SYN101(nonzero), ] ")
    (tmp_path / "pyproject.toml").write_text('[tool.synclint]\noutput-format = "pylint=../out"\n')
    assert run(".").status == 2
    (tmp_path / "pyproject.toml").write_text('[tool.synclint]\noutput-file = "../out"\n')
    assert run(".").status == 2
    assert not (tmp_path.parent / "out").exists()


def test_a_file_is_replaced_with_its_permissions_and_links_are_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    replace_file(link, "new ü \udcff")
    assert link.is_symlink()
    assert target.read_bytes() == b"new \xc3\xbc \\udcff"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_new_file_has_the_permissions_that_the_user_gives_files(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        replace_file(tmp_path / "new", "text")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_when_writing_fails_the_old_file_stays_and_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "report.json"
    target.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_files_are_written_whatever_becomes_of_the_output(tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    command = [sys.executable, "-m", "synclint", "--output-file", "json=a.json", "loss.py"]
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == ("synclint: error: the output could not be written: no space left on device\n")
    assert json.loads((tmp_path / "a.json").read_text())[0]["code"] == "SYN101"


def documented_commands() -> list[str]:
    """The calls of the program in the pages about reports that stand alone, without pipes and results."""
    found: list[str] = []
    for name in ("output-formats.md", "ci.md", "editors.md"):
        page = (REPOSITORY / "docs" / name).read_text(encoding="utf-8")
        for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL):
            found += [line for line in block.splitlines() if re.match(r"synclint [^|]*$", line)]
    return found


def test_the_documentation_shows_commands_for_reports() -> None:
    assert len(documented_commands()) >= 8


@pytest.mark.parametrize("command", documented_commands())
def test_each_command_of_the_documentation_works_as_it_stands(command: str, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "loss.py").write_text(HAZARD)
    environment = {
        **os.environ,
        "GITHUB_STEP_SUMMARY": str(tmp_path / "job_summary.md"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    result = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert result.stderr == ""
    assert result.returncode == (0 if "--exit-zero" in command else 1)
    for file in re.findall(r"[\w-]+\.(?:sarif|html|json|xml|md)\b", command):
        assert (tmp_path / file).stat().st_size > 0


def test_the_problem_matcher_in_the_documentation_reads_every_concise_line(
    run: Synclint, hazard: Path, tmp_path: Path
) -> None:
    page = (REPOSITORY / "docs" / "editors.md").read_text(encoding="utf-8")
    (block,) = (block for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL) if "problemMatcher" in block)
    (task,) = json.loads(block)["tasks"]
    pattern = task["problemMatcher"]["pattern"]
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": HAZARD}]
    (tmp_path / "nb.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    upload = "return x + torch.tensor(2.0, device=x.device)"
    upload = f"import torch\n\n\ndef scaled(x: torch.Tensor) -> torch.Tensor:\n    {upload}\n"
    (tmp_path / "upload.py").write_text(upload)
    read: list[tuple[str, ...]] = []
    lines = run("--output-format", "concise", "--quiet", "--unsafe-fixes", ".").out.splitlines()
    assert any(" [*] " in line for line in lines)
    for line in lines:
        matched = re.match(pattern["regexp"], line)
        assert matched is not None, line
        read.append(tuple(matched[pattern[name]] for name in ("file", "line", "column", "code")))
    assert ("loss.py", "5", "12", "SYN101") in read
    assert ("nb.ipynb", "5", "12", "SYN101") in read
    assert ("upload.py", "5", "16", "SYN401") in read


def test_an_ending_that_stands_for_no_format_is_refused_unless_a_format_for_programs_is_named(
    run: Synclint, hazard: Path, tmp_path: Path
) -> None:
    refused = run("--output-file", "report.zzz", ".")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == (
        "synclint: error: --output-file: 'report.zzz' implies no format; write FORMAT=PATH, such as json=report.zzz\n"
    )
    assert not (tmp_path / "report.zzz").exists()
    assert run("--output-format", "json", "--output-file", "report.zzz", ".").status == 1
    assert json.loads((tmp_path / "report.zzz").read_text())
