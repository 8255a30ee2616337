"""Only the lines that have changed since a git revision."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from command_line import HAZARD, Synclint

BODY = "    kept = torch.nonzero(target)\n"
CHANGED = HAZARD.replace(BODY, BODY + BODY.replace("kept", "more"))  # has findings in lines 5 and 6


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
    (repository / "loss.py").write_text(CHANGED)
    assert lines(run, "--diff-base", "HEAD") == ["loss.py:6"]
    git(repository, "add", ".")
    assert lines(run, "--diff-base", "HEAD") == ["loss.py:6"]


def test_a_finding_over_several_lines_is_reported_when_one_of_them_has_changed(run: Synclint, repository: Path) -> None:
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
def test_an_unknown_revision_is_status_2_and_says_how_to_get_it(run: Synclint, repository: Path, revision: str) -> None:
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


def test_a_renamed_file_in_which_something_changed_shows_that(run: Synclint, repository: Path) -> None:
    (repository / "sub").mkdir()
    git(repository, "mv", "loss.py", "sub/losses.py")
    (repository / "sub" / "losses.py").write_text(CHANGED)
    assert lines(run, "--diff-base", "HEAD") == ["sub/losses.py:6"]


def test_a_new_file_that_is_like_no_other_is_new_as_a_whole(run: Synclint, repository: Path) -> None:
    git(repository, "rm", "--quiet", "loss.py")
    (repository / "fresh.py").write_text("import torch\n" + "x = 1\n" * 50 + HAZARD)
    git(repository, "add", ".")
    assert lines(run, "--diff-base", "HEAD") == ["fresh.py:56"]


def test_line_ends_that_git_translates_are_no_change(run: Synclint, repository: Path) -> None:
    git(repository, "config", "core.autocrlf", "true")
    (repository / "loss.py").write_bytes(CHANGED.replace("\n", "\r\n").encode())
    assert lines(run, "--diff-base", "HEAD") == ["loss.py:6"]


@pytest.mark.parametrize("attribute", ["-diff", "binary", "working-tree-encoding=UTF-16"])
def test_no_attribute_hides_what_has_changed(run: Synclint, repository: Path, attribute: str) -> None:
    (repository / ".gitattributes").write_text(f"*.py {attribute}\n")
    (repository / "loss.py").write_text(CHANGED)
    assert lines(run, "--diff-base", "HEAD") == ["loss.py:6"]


@pytest.mark.parametrize("name", [":(top)x.py", ":!x.py", "*.py", "-x.py", "a\nb.py", "\udcff.py"])
def test_odd_names_are_compared_like_others(run: Synclint, repository: Path, name: str) -> None:
    def found() -> list[str]:
        printed = run(".", "--diff-base", "HEAD", "--output-format", "concise", "--quiet")
        assert printed.err == ""
        return re.findall(r":(\d+):12: SYN101", printed.out)

    (repository / name).write_text(HAZARD)
    git(repository, "add", "--", f":(literal){name}")
    git(repository, "commit", "--quiet", "-m", "odd")
    assert found() == []
    (repository / name).write_text(CHANGED)
    assert found() == ["6"]
    git(repository, "rm", "--quiet", "--cached", "--", f":(literal){name}")
    assert found() == ["5", "6"]


def test_ignored_files_have_not_changed(run: Synclint, repository: Path) -> None:
    (repository / ".gitignore").write_text("made*.py\n")
    (repository / "made.py").write_text(HAZARD)
    (repository / "new.py").write_text(HAZARD)
    assert lines(run, "made.py", "new.py", "--diff-base", "HEAD") == ["new.py:5"]


def test_what_is_in_a_submodule_is_left_to_its_own_repository(run: Synclint, repository: Path) -> None:
    inner = repository / "inner"
    inner.mkdir()
    git(inner, "init", "--quiet")
    (inner / "x.py").write_text(HAZARD)
    git(inner, "add", ".")
    git(inner, "commit", "--quiet", "-m", "inner")
    git(repository, "add", "inner")
    (inner / "y.py").write_text(HAZARD)
    assert lines(run, ".", "--diff-base", "HEAD") == []


def test_settings_of_pathspecs_in_the_environment_change_nothing(
    run: Synclint, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    (repository / "new.py").write_text(HAZARD)
    assert lines(run, "--diff-base", "HEAD") == ["new.py:5"]


def test_a_revision_with_a_null_character_is_unknown(run: Synclint, repository: Path) -> None:
    result = run("check", "--diff-base", "a\0b")
    assert result.status == 2
    assert "git knows no revision" in result.err


# What a hostile repository asks for. Each has git run a program that leaves a mark, wherever git obeys it.


@pytest.fixture
def trap(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that leaves a file of the name ``ran`` beside it."""
    program = tmp_path_factory.mktemp("trap") / "program"
    program.write_text(f"#!/bin/sh\ntouch {program.with_name('ran')}\nexit 1\n")
    program.chmod(0o755)
    return program


# Keys of .git/config, and the attributes that would bring them into play; {} stands for the program.
CONFIGURED = {
    "clean": ({"filter.x.clean": "{}", "filter.x.required": "true"}, "*.py filter=x"),
    "process": ({"filter.x.process": "{}"}, "*.py filter=x"),
    "smudge": ({"filter.x.smudge": "{}"}, "*.py filter=x"),
    "external diff": ({"diff.external": "{}"}, ""),
    "driver": ({"diff.x.command": "{}"}, "*.py diff=x"),
    "textconv": ({"diff.x.textconv": "{}"}, "*.py diff=x"),
    "merge": ({"merge.x.driver": "{}"}, "*.py merge=x"),
    "monitor": ({"core.fsmonitor": "{}"}, ""),
    "pager": ({"core.pager": "{}", "pager.ls-tree": "{}", "pager.cat-file": "{}"}, ""),
    "alias": ({f"alias.{name}": "!{}" for name in ("rev-parse", "ls-files", "ls-tree", "cat-file", "diff")}, ""),
    "signature": ({"gpg.program": "{}", "log.showSignature": "true"}, ""),
    "editor": ({"core.editor": "{}", "sequence.editor": "{}", "core.askPass": "{}"}, ""),
    "alternates": ({"core.alternateRefsCommand": "{}", "credential.helper": "!{}"}, ""),
}


@pytest.mark.parametrize("way", CONFIGURED)
@pytest.mark.parametrize("included", ["config", "include", "worktree"])
def test_programs_that_the_repository_configures_are_not_run(
    run: Synclint, repository: Path, trap: Path, way: str, included: str
) -> None:
    keys, attributes = CONFIGURED[way]
    file = repository / ".git" / ("config" if included == "config" else "config.worktree")
    if included == "include":
        git(repository, "config", "include.path", "config.worktree")
    elif included == "worktree":
        git(repository, "config", "core.repositoryFormatVersion", "1")
        git(repository, "config", "extensions.worktreeConfig", "true")
    for key, value in keys.items():
        git(repository, "config", "--file", str(file), key, value.format(trap))
    (repository / ".gitattributes").write_text(f"{attributes}\n")
    (repository / "loss.py").write_text(CHANGED)
    os.utime(repository / "loss.py", (1, 1))  # the index cannot tell that it has not changed
    assert lines(run, "--diff-base", "HEAD") == ["loss.py:6"]
    assert not trap.with_name("ran").exists()


@pytest.mark.parametrize("place", ["hooks", "core.hooksPath"])
def test_hooks_of_the_repository_are_not_run(run: Synclint, repository: Path, trap: Path, place: str) -> None:
    folder = repository / ".git" / "hooks" if place == "hooks" else trap.parent
    for name in ("post-index-change", "post-checkout", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman"):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(trap)
    if place != "hooks":
        git(repository, "config", "core.hooksPath", str(folder))
    trap.with_name("ran").unlink(missing_ok=True)
    (repository / "loss.py").write_text(CHANGED)
    assert lines(run, "--diff-base", "HEAD") == ["loss.py:6"]
    assert not trap.with_name("ran").exists()


REMOTES = {
    "ssh": {"remote.origin.url": "ssh://host/x", "core.sshCommand": "{}"},
    "ext": {"remote.origin.url": "ext::{}", "protocol.allow": "always", "protocol.ext.allow": "always"},
    "upload": {"remote.origin.url": "/tmp", "remote.origin.uploadpack": "{}"},
    "proxy": {"remote.origin.url": "git://127.0.0.1/x", "core.gitProxy": "{}"},
    "vcs": {"remote.origin.url": "{}", "remote.origin.vcs": "ext", "protocol.ext.allow": "always"},
}


@pytest.mark.parametrize("way", REMOTES)
@pytest.mark.parametrize("missing", ["HEAD:loss.py", "HEAD^{tree}"])
def test_what_a_repository_lacks_is_not_fetched(
    run: Synclint, repository: Path, trap: Path, way: str, missing: str
) -> None:
    told = subprocess.run(["git", "rev-parse", missing], cwd=repository, check=True, capture_output=True, text=True)
    name = told.stdout.strip()
    (repository / "loss.py").write_text(CHANGED)
    (repository / ".git" / "objects" / name[:2] / name[2:]).unlink()
    settings = {"core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "1"}
    for key, value in {**settings, **REMOTES[way]}.items():
        git(repository, "config", key, value.format(trap))
    result = run("check", "--diff-base", "HEAD")
    assert result.status == 2
    if missing == "HEAD:loss.py":
        assert "the repository lacks loss.py as it was in" in result.err
    assert len(result.err.splitlines()) == 1
    assert not trap.with_name("ran").exists()


def test_a_program_called_git_in_the_project_is_not_run(
    run: Synclint, repository: Path, trap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "git").symlink_to(trap)
    (repository / "loss.py").write_text(CHANGED)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    assert lines(run, "--diff-base", "HEAD") == ["loss.py:6"]
    assert not trap.with_name("ran").exists()


def test_a_bare_repository_among_the_files_of_a_project_is_not_asked(
    run: Synclint, repository: Path, trap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = repository / "data"
    bare.mkdir()
    git(bare, "init", "--quiet", "--bare")
    git(bare, "config", "core.bare", "false")
    git(bare, "config", "core.worktree", ".")
    git(bare, "config", "core.fsmonitor", str(trap))
    (bare / "x.py").write_text(HAZARD)
    monkeypatch.chdir(bare)
    result = run("check", "--diff-base", "HEAD")
    assert result.status == 2
    assert len(result.err.splitlines()) == 1
    assert not trap.with_name("ran").exists()


def test_git_that_does_not_end_is_ended(run: Synclint, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(repository / "endless")
    monkeypatch.setattr("synclint.adoption.git.LONGEST_SECONDS", 0.5)
    git(repository, "config", "include.path", "../endless")
    result = run("check", "--diff-base", "HEAD")
    assert result.status == 2
    assert result.err == "synclint: error: git rev-parse did not end within 0.5 s\n"
