"""What is found in one file is printed before the next is reported, in an order that nothing can change."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import CLEAN, HAZARD, Run, Synclint, plant_two_shares

from synclint.commands.reports import format_for_single_files, print_one_by_one
from synclint.config import Options
from synclint.results.file_reports import FileReport
from synclint.running import reporting
from synclint.running.runner import check_files
from synclint.running.survey import CodeFile

LINE_FORMATS = (
    ("full", "--sort", "path"),
    ("grouped", "--sort", "path"),
    ("concise",),
    ("github",),
    ("pylint",),
)
NAMES = ("a.py", "b.py", "c.py")
Report = Callable[..., FileReport]


@pytest.fixture
def hazards(tmp_path: Path) -> tuple[str, ...]:
    """Three files with a finding each."""
    for name in NAMES:
        (tmp_path / name).write_text(HAZARD)
    return NAMES


def interrupt_at(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let the user press Ctrl-C when the file of this name is being reported."""
    report: Report = reporting._report

    def interrupted(file: CodeFile, *arguments: object) -> FileReport:
        if file.path.name == name:
            raise KeyboardInterrupt
        return report(file, *arguments)

    monkeypatch.setattr(reporting, "_report", interrupted)


@pytest.mark.parametrize("form", LINE_FORMATS, ids=" ".join)
@pytest.mark.parametrize("cache", [(), ("--no-cache",)], ids=["cache", "no-cache"])
def test_a_file_is_printed_before_the_next_is_reported(
    run: Synclint,
    hazards: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    own_cache: Path,
    form: tuple[str, ...],
    cache: tuple[str, ...],
) -> None:
    first, *_ = hazards
    whole = run(first, "--no-cache", "--quiet", "--output-format", *form)
    interrupt_at(monkeypatch, "b.py")
    result = run(".", *cache, "--output-format", *form)
    assert result == Run(130, whole.out, "\nsynclint: error: interrupted\n")
    assert "a.py" in result.out
    assert not list(own_cache.glob("*.json"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("--output-format", "json"),
        ("--output-format", "sarif"),
        ("--output-format", "full"),
        ("--output-format", "grouped"),
        ("--output-format", "concise", "--sort", "priority"),
        ("--statistics",),
        ("--output-file", "json=all.json"),
        ("--add-ignore",),
    ],
)
def test_what_is_told_of_all_files_together_is_told_whole_or_not_at_all(
    run: Synclint,
    tmp_path: Path,
    hazards: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
) -> None:
    interrupt_at(monkeypatch, "b.py")
    assert run(".", *arguments) == Run(130, "", "\nsynclint: error: interrupted\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == [*hazards]
    assert all((tmp_path / name).read_text() == HAZARD for name in hazards)


@pytest.mark.parametrize("form", LINE_FORMATS, ids=" ".join)
def test_the_number_of_jobs_changes_no_byte_of_it(run: Synclint, tmp_path: Path, form: tuple[str, ...]) -> None:
    plant_two_shares(tmp_path)
    inner = tmp_path / "inner"
    inner.mkdir()
    # Files of another configuration are analysed apart, and told where they stand among the others.
    (inner / "synclint.toml").write_text("cold = true\n")
    for path in (tmp_path / "b.py", tmp_path / "zz.py", inner / "b.py", tmp_path / "inner.py"):
        path.write_text(HAZARD)
    (tmp_path / "broken.py").write_text("def f(:\n")
    (tmp_path / "deep.py").write_text(f"import torch\nx = {'not ' * 3000}y\n")
    one = run(".", "--no-cache", "--jobs", "1", "--output-format", *form)
    assert one.out.index("broken.py") < one.out.index("deep.py") < one.out.index("inner.py") < one.out.index("zz.py")
    assert run(".", "--no-cache", "--jobs", "2", "--output-format", *form) == one
    assert run("zz.py", "inner", ".", "--no-cache", "--jobs", "2", "--output-format", *form) == one
    assert run(".", "--output-format", *form) == one  # fills the cache
    assert run(".", "--output-format", *form) == one


def test_files_come_in_the_order_of_their_paths_whatever_configuration_they_follow(
    run: Synclint, tmp_path: Path
) -> None:
    inner = tmp_path / "m"
    inner.mkdir()
    (inner / "synclint.toml").write_text("cold = true\n")
    for path in (tmp_path / "a.py", tmp_path / "z.py", inner / "a.py", inner / "z.py"):
        path.write_text(HAZARD)
    lines = run(".", "--quiet", "--output-format", "concise").out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["a.py", "m/a.py", "m/z.py", "z.py"]


def test_no_source_is_kept_once_its_file_has_been_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text(CLEAN)
    (tmp_path / "b.py").write_text(HAZARD)
    files = [tmp_path / "a.py", tmp_path / "b.py"]
    clean, found = check_files(files, files, Options()).reports
    assert (clean, found.source) == (FileReport(files[0]), HAZARD)
    form = format_for_single_files("full", "path", (), statistics=False)
    assert form is not None
    told = print_one_by_one(iter([clean, found]), form, tmp_path, quiet=True)
    assert told == (clean, replace(found, source=""))
    assert "kept = torch.nonzero(target)" in capsys.readouterr().out


def test_a_reader_that_goes_away_costs_the_next_run_nothing(tmp_path: Path, own_cache: Path) -> None:
    for number in range(20):
        (tmp_path / f"m{number:02}.py").write_text(HAZARD if number % 2 else CLEAN)
    command = [sys.executable, "-m", "synclint", "--isolated", "."]
    reading, writing = os.pipe()
    os.close(reading)
    gone = subprocess.run(command, cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (gone.returncode, gone.stderr) == (0, b"")
    assert len(list(own_cache.glob("*.json"))) == 1
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert again.returncode == 1 and "\n10 waits in the training step" in again.stdout
