"""Whatever is wrong with the input is told in one line; the other files are still checked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from command_line import CLEAN, HAZARD, Run, Synclint, plant_two_shares
from sleeping import until_all_sleep

from synclint.files.bounded_files import read_at_most


def only_line(text: str) -> str:
    (line,) = text.splitlines()
    return line


def test_a_file_that_does_not_parse_is_a_finding_at_its_position(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("x = 1\ndef f(:\n    pass\n")
    (tmp_path / "loss.py").write_text(HAZARD)
    result = run(".", "--output-format", "concise")
    assert result.status == 1
    assert result.out.startswith("broken.py:2:7: SYN000 syntax-error: invalid syntax")
    assert "loss.py:5:12: SYN101" in result.out
    assert result.err == ""


def test_a_syntax_error_is_reported_whatever_is_selected_unless_it_is_ignored(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def f(:\n")
    assert run("broken.py", "--select", "SYN101").status == 1
    assert run("broken.py", "--ignore", "syntax-error").status == 0


def test_a_missing_path_is_status_2_and_the_others_are_checked(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    result = run("nowhere.py", "loss.py")
    assert result.status == 2
    assert "SYN101" in result.out
    assert result.err == "synclint: error: nowhere.py: no such file or directory\n"


def test_a_directory_without_python_files_is_a_warning(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    result = run("docs")
    assert result == Run(0, "", "synclint: warning: docs: no Python files found below this directory\n")


def test_an_unreadable_file_is_status_2_and_the_others_are_checked(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "secret.py").write_text(CLEAN)

    def refuse(path: Path, most: int, kind: str) -> bytes:
        if path.name == "secret.py":
            raise PermissionError(13, "Permission denied")
        return read_at_most(path, most, kind)

    monkeypatch.setattr("synclint.sources.decoding.read_at_most", refuse)
    result = run(".")
    assert result.status == 2
    assert "SYN101" in result.out
    assert result.err == "synclint: error: secret.py: permission denied\n"


def test_exit_zero_does_not_hide_that_a_file_was_not_checked(run: Synclint) -> None:
    assert run("nowhere.py", "--exit-zero").status == 2


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"x = 1\ny = '\xe9'\n", "line 2 is not valid utf-8 (byte 0xe9); "),
        (b"# -*- coding: utf-8 -*-\n\n\ny = '\xff'\n", "line 4 is not valid utf-8 (byte 0xff); "),
        (b"# coding: klingon\nx = 1\n", "its coding line cannot be used: unknown encoding: klingon"),
        (b"# coding: rot13\nx = 1\n", "its coding line cannot be used: "),
    ],
)
def test_bad_encoding_is_status_2_in_one_line(run: Synclint, tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / "bad.py").write_bytes(data)
    result = run("bad.py")
    assert result.status == 2
    assert only_line(result.err).startswith(f"synclint: error: bad.py: {told}")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + HAZARD.encode(),
        b"\xef\xbb\xbf# coding: utf-8\n" + HAZARD.encode(),
        HAZARD.replace("\n", "\r\n").encode(),
        b"# coding: latin-1\n# \xe9\n" + HAZARD.encode(),
        HAZARD.replace("\n\n\n", "\n\x0c\n").encode(),
    ],
    ids=["bom", "bom-and-coding-line", "crlf", "latin-1", "form-feed"],
)
def test_encodings_and_line_ends_of_python_are_read(run: Synclint, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "loss.py").write_bytes(data)
    result = run("loss.py")
    assert result.status == 1
    assert "|     kept = torch.nonzero(target)\n" in result.out


@pytest.mark.parametrize("source", ["", "\n", "# nothing\n", "\ufeff"])
def test_a_file_with_nothing_in_it_is_clean(run: Synclint, tmp_path: Path, source: str) -> None:
    (tmp_path / "empty.py").write_text(source, encoding="utf-8")
    assert run("empty.py").status == 0


@pytest.mark.parametrize("source", [b"x = 1\0\n", b"x = '\0'\n" + HAZARD.encode()])
def test_nul_bytes_are_a_syntax_error(run: Synclint, tmp_path: Path, source: bytes) -> None:
    (tmp_path / "nul.py").write_bytes(source)
    result = run("nul.py", "--output-format", "concise")
    assert result.status == 1
    assert "SYN000" in result.out


def test_what_is_nested_too_deeply_is_told_in_one_line(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "deep.py").write_text("import torch\nx = " + "not " * 20_000 + "torch\n")
    (tmp_path / "loss.py").write_text(HAZARD)
    result = run(".")
    assert result.status == 1
    assert "SYN101" in result.out
    assert "nested too deeply to be parsed" in result.out


def test_more_brackets_than_python_allows_are_a_syntax_error(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "lists.py").write_text("import torch\nx = " + "[" * 6000 + "]" * 6000 + "\n")
    result = run(".")
    assert result.status == 1
    assert "SYN000" in result.out
    assert "too many nested" in result.out


def test_warnings_about_the_checked_code_stay_inside(tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD + "PATTERN = '\\d'\n")
    command = [sys.executable, "-W", "always", "-m", "synclint", "."]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert (result.returncode, result.stderr) == (1, b"")


def test_an_internal_error_costs_one_file_and_leaves_a_log(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from synclint.analysis.project import ProjectAnalysis

    (tmp_path / "loss.py").write_text(HAZARD)
    (tmp_path / "odd.py").write_text(CLEAN)
    analyse = ProjectAnalysis.analyse

    def fail(project: ProjectAnalysis, path: Path, source: str) -> object:
        if path.name == "odd.py":
            raise ZeroDivisionError("an invented mistake")
        analyse(project, path, source)
        return None

    monkeypatch.setattr(ProjectAnalysis, "analyse", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = run("loss.py", "odd.py", "--output-format", "concise", "--exit-zero")
    assert (result.status, result.err) == (2, "")
    assert result.out.startswith("loss.py:5:12: SYN101")
    line = result.out.splitlines()[1]
    assert line.startswith("odd.py:1:1: SYN003 internal-error: internal error ")
    assert "(ZeroDivisionError)" in line
    (log,) = tmp_path.glob("synclint-*.log")
    assert str(log) in line
    assert "an invented mistake" in log.read_text(encoding="utf-8")


def test_a_mistake_outside_any_file_is_told_without_a_traceback(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("synclint.running.discovery.discover", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = run(".")
    assert result.status == 2
    assert only_line(result.err).startswith("synclint: error: internal error ")


def test_escape_sequences_in_names_and_sources_are_shown_not_obeyed(run: Synclint, tmp_path: Path) -> None:
    name = "evil\x1b[2J.py"
    (tmp_path / name).write_text(HAZARD.replace("(target)\n", "(target)  # \x1b]0;owned\x07\n"))
    result = run(".")
    assert "\x1b" not in result.out
    assert r"evil\x1b[2J.py:5:12" in result.out
    assert r"# \x1b]0;owned\x07" in result.out
    assert "\x1b" not in run(f"missing{name}").err


def test_file_names_that_are_not_text_are_reported(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.py")).write_text(HAZARD)
    command = [sys.executable, "-m", "synclint", "."]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert result.returncode == 1
    assert b"\n" + rb"bad\udcff.py:5:12: SYN101" in result.stdout


def test_a_terminal_that_cannot_show_a_character_gets_its_number(tmp_path: Path) -> None:
    (tmp_path / "漢.py").write_text(HAZARD)
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    command = [sys.executable, "-m", "synclint", "."]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, env=environment)
    assert result.returncode == 1
    assert b"\n" + rb"\u6f22.py:5:12: SYN101" in result.stdout


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "many.py").write_text(
        "import torch\n" + "".join(f"def f{n}(x: torch.Tensor): return torch.nonzero(x)\n" for n in range(2000))
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "synclint", "many.py"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    heading = b"Offered to callers elsewhere, assumed to run in each step: 2000 waits\n"
    assert process.stdout.readline() == heading
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def wait_for_reader(pipe: Path, process: subprocess.Popen[str]) -> int:
    """Open a pipe for writing once the program reads from it."""
    while process.poll() is None:
        with suppress(OSError):
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.05)
    raise AssertionError(f"the program ended too soon: {process.communicate()}")


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("whole_group", [True, False], ids=["from-the-terminal", "to-the-process"])
def test_an_interrupt_ends_the_run_with_one_line(tmp_path: Path, jobs: str, whole_group: bool) -> None:
    plant_two_shares(tmp_path)
    pipe = tmp_path / "never_ends.py"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-m", "synclint", ".", pipe, "--jobs", jobs],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    writing = wait_for_reader(pipe, process)
    until_all_sleep(process.pid)
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    os.close(writing)
    assert process.returncode == 130
    assert out == ""
    assert err.strip() == "synclint: error: interrupted"
