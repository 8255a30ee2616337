"""Checking again whenever something changes."""

from __future__ import annotations

import builtins
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import CLEAN, HAZARD, Synclint

from synclint.commands.watch import matters


@pytest.mark.parametrize(
    ("name", "changes"),
    [("a.py", True), ("nb.ipynb", True), ("pyproject.toml", True), (".synclint.toml", True), ("a.txt", False)],
)
def test_only_what_can_change_the_report_begins_a_check(name: str, changes: bool) -> None:
    assert matters(Path("src") / name) is changes


def test_each_change_is_followed_by_a_check_and_the_last_gives_the_status(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "loss.py"
    path.write_text(HAZARD)

    def changes(*paths: Path, **settings: object) -> Iterator[object]:
        assert paths == (Path("loss.py"),)
        yield set()
        path.write_text(CLEAN)
        yield {("modified", str(path))}
        yield set()

    monkeypatch.setattr("watchfiles.watch", changes)
    result = run("--watch", "--output-format", "concise", "loss.py")
    assert result.status == 0
    first, second = (line for line in result.out.splitlines() if line.startswith(("1 wait", "No waits")))
    assert first.startswith("1 wait in the training step")
    assert second == "No waits found in 1 file."
    assert result.err.count("watching for changes") == 2


def test_without_the_library_one_line_says_what_to_install(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    imported = builtins.__import__

    def without(name: str, *arguments: object) -> object:
        if name == "watchfiles":
            raise ImportError(name)
        return imported(name, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    result = run("--watch", "loss.py")
    assert (result.status, result.out) == (2, "")
    assert result.err == "synclint: error: --watch needs watchfiles; install it with `pip install 'synclint[watch]'`\n"


def test_standard_input_cannot_be_watched(run: Synclint) -> None:
    assert "--watch needs files" in run("--watch", "-").err


def test_a_real_change_is_seen_and_an_interrupt_ends_it(tmp_path: Path) -> None:
    path = tmp_path / "loss.py"
    path.write_text(HAZARD)
    process = subprocess.Popen(
        [sys.executable, "-m", "synclint", "--watch", "--output-format", "concise", "."],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        assert "watching for changes" in process.stderr.readline()
        path.write_text(CLEAN)
        assert "watching for changes" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, last_words = process.stdout.read(), process.stderr.read()
    finally:
        process.kill()
        process.wait()
    assert "SYN101 nonzero" in out
    assert out.rstrip().endswith("No waits found in 1 file.")
    assert last_words == ""
