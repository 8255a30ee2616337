"""Only the lines that have changed since a git revision."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from command_line import HAZARD, Synclint
from hypothesis import given
from hypothesis import strategies as st

from synclint.diff_base import parse_diff

BODY = "    kept = torch.nonzero(target)\n"


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, run: Synclint) -> Path:
    """A repository with one commit on ``main``, in which ``loss.py`` has a finding in line 5."""
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    (tmp_path / "loss.py").write_text(HAZARD)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    return tmp_path


def lines(run: Synclint, *arguments: str) -> list[str]:
    """Where the findings are."""
    result = run("check", *arguments, "--output-format", "concise", "--quiet")
    assert result.err == ""
    return [":".join(line.split(":")[:2]) for line in result.out.splitlines()]


def test_what_has_not_changed_is_not_reported(run: Synclint, repository: Path) -> None:
    (repository / "loss.py").write_text("# a comment\n" + HAZARD)
    assert lines(run, "--diff-base", "HEAD") == []


def test_changed_lines_are_reported_staged_or_not(run: Synclint, repository: Path) -> None:
    (repository / "loss.py").write_text(HAZARD.replace(BODY, BODY + BODY.replace("kept", "more")))
    assert lines(run, "--diff-base", "HEAD") == ["loss.py:6"]
    git(repository, "add", ".")
    assert lines(run, "--diff-base", "HEAD") == ["loss.py:6"]


def test_a_finding_over_several_lines_is_reported_when_one_of_them_has_changed(
    run: Synclint, repository: Path
) -> None:
    spread = HAZARD.replace("(target)\n", "(\n        target\n    )\n")
    (repository / "loss.py").write_text(spread)
    git(repository, "commit", "--quiet", "-am", "spread")
    (repository / "loss.py").write_text(spread.replace("        target\n", "        target + 1\n"))
    assert lines(run, "--diff-base", "HEAD") == ["loss.py:5"]


def test_files_that_git_does_not_know_yet_are_new_as_a_whole(run: Synclint, repository: Path) -> None:
    (repository / 'größe "2".py').write_text(HAZARD)
    assert lines(run, "--diff-base", "HEAD") == ['größe "2".py:5']
    git(repository, "add", ".")
    assert lines(run, "--diff-base", "HEAD") == ['größe "2".py:5']


def test_a_renamed_file_shows_only_what_changed_in_it(run: Synclint, repository: Path) -> None:
    git(repository, "mv", "loss.py", "losses.py")
    assert lines(run, "--diff-base", "HEAD") == []


def test_what_the_base_has_gained_since_is_not_ours(run: Synclint, repository: Path) -> None:
    git(repository, "checkout", "--quiet", "-b", "topic")
    (repository / "topic.py").write_text(HAZARD)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "topic")
    git(repository, "checkout", "--quiet", "main")
    (repository / "loss.py").write_text(HAZARD.replace(BODY, ""))
    git(repository, "commit", "--quiet", "-am", "main goes on")
    git(repository, "checkout", "--quiet", "topic")
    assert lines(run, "--diff-base", "main") == ["topic.py:5"]


def test_paths_count_from_the_top_of_the_repository(
    run: Synclint, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "sub").mkdir()
    (repository / "sub" / "new.py").write_text(HAZARD)
    monkeypatch.chdir(repository / "sub")
    assert lines(run, ".", "--diff-base", "HEAD") == ["new.py:5"]


def test_lines_of_a_notebook_are_those_of_its_file(run: Synclint, repository: Path) -> None:
    def notebook(*lines: str) -> str:
        source = ",\n".join(f'    "{line}\\n"' for line in lines)
        head = '{\n "cells": [\n  {\n   "cell_type": "code", "execution_count": null, "metadata": {},\n'
        tail = '   ]\n  }\n ],\n "metadata": {},\n "nbformat": 4\n}\n'
        return f'{head}   "outputs": [],\n   "source": [\n{source}\n{tail}'

    before = ["import torch", "def f(x: torch.Tensor) -> None:", "    torch.nonzero(x)", "    pass"]
    (repository / "a.ipynb").write_text(notebook(*before))
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "notebook")
    (repository / "a.ipynb").write_text(notebook(*before[:3], "    torch.unique(x)"))
    result = run(".", "--diff-base", "HEAD", "--output-format", "concise", "--quiet")
    assert "SYN102" in result.out
    assert "SYN101" not in result.out


@pytest.mark.parametrize("revision", ["nowhere", "--output=stolen", "-1", "", "HEAD:loss.py"])
def test_an_unknown_revision_is_status_2_and_says_how_to_get_it(
    run: Synclint, repository: Path, revision: str
) -> None:
    result = run("check", f"--diff-base={revision}")
    assert result.status == 2
    assert f"git knows no revision {revision!r}; fetch it first" in result.err
    assert not (repository / "stolen").exists()


def test_outside_of_a_repository_it_is_status_2(run: Synclint) -> None:
    result = run("check", "--diff-base", "HEAD")
    assert result.status == 2
    assert "--diff-base needs a git repository" in result.err


def test_without_git_it_is_status_2(run: Synclint, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    result = run("check", "--diff-base", "HEAD")
    assert result.status == 2
    assert "--diff-base needs git, which is not installed" in result.err


def test_programs_that_the_repository_configures_are_not_run(run: Synclint, repository: Path) -> None:
    for key in ("diff.external", "core.fsmonitor", "diff.py.textconv"):
        git(repository, "config", key, f"touch {repository / 'ran'}; false")
    (repository / ".gitattributes").write_text("*.py diff=py\n")
    (repository / "loss.py").write_text(HAZARD.replace(BODY, BODY + BODY))
    assert lines(run, "--diff-base", "HEAD") != []
    assert not (repository / "ran").exists()


DIFF = b"""\
diff --git a/a.py b/a.py
index 1..2 100644
--- a/a.py
+++ b/a.py
@@ -3,2 +3,0 @@ def f():
--- a/not/a/header.py
-x
@@ -8,0 +7,2 @@
+++ b/not/a/header.py
+@@ -1 +1 @@
@@ -20 +21 @@
-x
\\ No newline at end of file
+y
\\ No newline at end of file
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git "a/t\\303\\266\\"\\t.py" "b/t\\303\\266\\"\\t.py"
--- "a/t\\303\\266\\"\\t.py"
+++ "b/t\\303\\266\\"\\t.py"
@@ -0,0 +1,3 @@
+1
+2
+3
diff --git a/with space.py b/with space.py
--- a/with space.py
+++ b/with space.py\t
@@ -1 +1 @@
-1
+2
"""


def test_a_diff_is_read_by_its_counts_whatever_its_lines_look_like() -> None:
    assert dict(parse_diff(DIFF)) == {
        "a.py": (range(7, 9), range(21, 22)),
        'tö"\t.py': (range(1, 4),),
        "with space.py": (range(1, 2),),
    }


@given(
    st.lists(st.sampled_from(["", "a", "+", "++ b/x", "@@ -1 +1 @@", "diff --git a/x b/x", "\\"])),
    st.lists(st.sampled_from(["", "a", "-", "-- a/x", "@@ -1 +1 @@", "diff --git a/x b/x", "\\"])),
)
def test_changed_text_is_never_taken_for_the_diff_itself(added: list[str], removed: list[str]) -> None:
    body = "".join([*(f"-{line}\n" for line in removed), *(f"+{line}\n" for line in added)])
    diff = f"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,{len(removed)} +1,{len(added)} @@\n{body}"
    after = "diff --git a/z b/z\n--- a/z\n+++ b/z\n@@ -1 +9 @@\n-x\n+y\n"
    found = dict(parse_diff((diff + after).encode()))
    assert found.keys() == {"a", "z"}
    assert found["z"] == (range(9, 10),)
    assert sum(map(len, found["a"])) == len(added)
