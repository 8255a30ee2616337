"""A file that could be checked only in part says so in a finding, and keeps what was found in it."""

from __future__ import annotations

import ast
import json
import subprocess
from pathlib import Path

import pytest
from command_line import HAZARD, Synclint

from synclint.analysis.interpreter import expressions
from synclint.config.format_names import FORMAT_NAMES

LIMIT = 200
# What comes after these statements is beyond the limit of the tests.
LONG = "x = 1\n" * LIMIT
HAZARD_LINES = len(HAZARD.splitlines())


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that a file of a few hundred lines exceeds."""
    monkeypatch.setattr("synclint.analysis.interpreter.engine.MOST_STATEMENTS", LIMIT)


@pytest.fixture
def mistaken(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """An analysis that fails at every set."""

    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("an invented mistake")

    monkeypatch.setitem(expressions._HANDLERS, ast.Set, fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("logs")))


def places(run: Synclint, *arguments: str) -> list[str]:
    """``path:line code`` for each finding, with nothing said beside them."""
    result = run("check", "--output-format", "concise", "--quiet", *arguments)
    assert result.err == ""
    lines = [line.split(":", 3) for line in result.out.splitlines()]
    return [f"{path}:{line} {said.split()[0]}" for path, line, _, said in lines]


def called_first(code: str) -> str:
    """A module that runs its function before ``code``, once, so that with ``--cold`` a wait is found in line 5."""
    return f"{HAZARD}loss(torch.zeros(3, device='cuda'), torch.zeros(3, device='cuda'))\n{code}"


@pytest.mark.usefixtures("limited")
def test_what_was_found_before_the_limit_is_reported_and_the_place_where_it_was_reached(
    run: Synclint, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text(called_first(f"{LONG}for y in z: torch.nonzero(x)\n"))
    (tmp_path / "b.py").write_text(HAZARD)
    first = HAZARD_LINES + 2
    counted = 2 + 1  # the import, the function and its call, which was followed when the top was run first
    limit = f"a.py:{first + LIMIT - counted} SYN002"
    assert places(run, ".", "--cold") == ["a.py:5 SYN101", limit, "b.py:5 SYN101"]
    assert places(run, "a.py") == [limit]
    result = run(".", "--cold")
    assert result.status == 1
    assert "1 wait in the training step, 1 that runs once and 1 analysis limit (2 of 2 files)" in result.out


@pytest.mark.usefixtures("limited")
def test_the_limit_is_told_where_the_file_itself_was_not_where_what_it_calls_was(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\nif torch:\n    import b\n    b.f()\n")
    (tmp_path / "b.py").write_text("import torch\n\ndef f():\n" + "    x = 1\n" * LIMIT)
    assert places(run, "a.py") == ["a.py:4 SYN002"]


@pytest.mark.usefixtures("limited")
def test_the_limit_can_be_ignored_but_not_deselected(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"import torch\n{LONG}")
    assert places(run, "a.py", "--select", "SYN101") == [f"a.py:{LIMIT + 1} SYN002"]
    assert run("a.py", "--ignore", "analysis-limit").status == 0
    assert run("a.py", "--exit-zero").status == 0


@pytest.mark.usefixtures("mistaken")
def test_an_internal_error_is_told_where_it_happened_and_nothing_silences_it(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(called_first("# synclint: ignore-file\n\ny = {x}\n"))
    (tmp_path / "b.py").write_text(HAZARD)
    told = f"a.py:{HAZARD_LINES + 4} SYN003"
    assert places(run, ".") == [told, "b.py:5 SYN101"]
    for arguments in (("--ignore", "SYN0"), ("--ignore", "internal-error"), ("--select", "SYN101"), ("--exit-zero",)):
        assert run("a.py", *arguments).status == 2
        assert places(run, "a.py", *arguments) == [told]


@pytest.mark.usefixtures("limited")
def test_comments_suppress_what_was_found_and_none_is_called_useless(run: Synclint, tmp_path: Path) -> None:
    suppressed = called_first(LONG).replace("(target)\n", "(target)  # synclint: ignore[nonzero]\n", 1)
    source = f"{suppressed}for y in z: torch.nonzero(x)  # synclint: ignore[nonzero]\n# synclint: off\n"
    (tmp_path / "a.py").write_text(source)
    assert [place.split()[1] for place in places(run, "a.py", "--cold")] == ["SYN002"]
    assert run("a.py", "--cold", "--prune-ignores").status == 1
    assert run("a.py", "--cold", "--add-ignore").status == 1
    assert (tmp_path / "a.py").read_text() == source


def test_a_baseline_keeps_the_entries_of_what_was_not_checked(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text(called_first(f"{LONG}torch.zeros(3, device='cuda').nonzero()\n"))
    baseline = ("--cold", "--baseline", "base.json", "a.py")
    assert run(*baseline, "--write-baseline").status == 0
    before = (tmp_path / "base.json").read_text()
    assert len(json.loads(before)["entries"]) == 2
    monkeypatch.setattr("synclint.analysis.interpreter.engine.MOST_STATEMENTS", LIMIT)
    for mode in ("--write-baseline", "--prune-baseline"):
        result = run("--no-cache", *baseline, mode)
        assert result.status == 1
        assert ("SYN002" in result.out, "SYN101" in result.out, "warning" in result.err) == (True, False, False)
        assert (tmp_path / "base.json").read_text() == before


def test_changed_lines_of_a_file_are_not_passed_over_because_it_was_not_checked(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(f"import torch\n{LONG}")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "first")
    (tmp_path / "a.py").write_text(f"import torch\n{LONG}x = 2\n")
    monkeypatch.setattr("synclint.analysis.interpreter.engine.MOST_STATEMENTS", LIMIT)
    assert places(run, ".", "--diff-base", "HEAD") == [f"a.py:{LIMIT + 1} SYN002"]


@pytest.mark.usefixtures("mistaken", "limited")
def test_every_format_shows_both(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"import torch\n{LONG}")
    (tmp_path / "b.py").write_text("import torch\ny = {x}\n")
    for name in FORMAT_NAMES:
        result = run(".", "--output-format", name)
        assert (result.status, result.err) == (2, ""), name
        for code in ("SYN002", "SYN003"):
            assert code in result.out, name
    assert run(".", "--statistics").status == 2


@pytest.mark.usefixtures("mistaken", "limited")
def test_sarif_calls_a_run_unsuccessful_in_which_the_linter_failed(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"import torch\n{LONG}")
    (tmp_path / "b.py").write_text("import torch\ny = {x}\n")
    for name, successful in (("a.py", True), ("b.py", False)):
        (sarif,) = json.loads(run(name, "--output-format", "sarif").out)["runs"]
        assert sarif["invocations"][0]["executionSuccessful"] is successful


@pytest.mark.usefixtures("mistaken", "limited")
def test_a_limit_is_kept_for_the_next_run_and_a_mistake_is_not(run: Synclint, own_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\ny = {x}\n")
    assert run("a.py") != run("a.py")  # each has a log file of its own
    assert not list(own_cache.glob("*.json"))
    (tmp_path / "a.py").write_text(f"import torch\n{LONG}")
    assert run("a.py") == run("a.py")
    assert len(list(own_cache.glob("*.json"))) == 1


@pytest.mark.usefixtures("limited")
def test_the_limit_of_a_notebook_is_told_by_its_cell(run: Synclint, tmp_path: Path) -> None:
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
        for source in ("import torch", LONG)
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook))
    out = run("a.ipynb", "--output-format", "concise").out
    assert out.startswith(f"a.ipynb:cell 2, line {LIMIT}, column 1: SYN002 analysis-limit: ")


def test_the_pages_say_what_to_do(run: Synclint) -> None:
    for code, name in (("SYN002", "analysis-limit"), ("SYN003", "internal-error")):
        page = run("explain", name)
        assert (page.status, page.out.splitlines()[0]) == (0, f"# {code} {name}")
        assert "## What to do" in page.out


@pytest.mark.usefixtures("limited")
def test_why_cannot_be_asked_of_a_file_beyond_the_limit(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"import torch\n{LONG}")
    result = run("explain", "--why", "a.py:2")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("synclint: error: a.py: takes too much work, or is nested too deeply; ")
