"""The pre-commit hook, run by pre-commit itself on a scratch repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CLEAN, HAZARD

REPOSITORY = Path(__file__).parent.parent
COPIED = """import torch


def run(x: torch.Tensor, device: torch.device) -> torch.Tensor:
    pinned = x.pin_memory()
    return pinned.to(device)
"""
SHIPPED = ("synclint", "rules", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def hook_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as a repository of its own, as pre-commit clones it, with what is not committed yet."""
    folder = tmp_path_factory.mktemp("synclint")
    for name in SHIPPED:
        source = REPOSITORY / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "The hook")
    return folder


@pytest.fixture
def user_repository(hook_repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that uses the hook."""
    folder = tmp_path_factory.mktemp("user")
    git(folder, "init", "--quiet")
    (folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {hook_repository}\n  rev: {git(hook_repository, 'rev-parse', 'HEAD')}\n"
        "  hooks:\n  - id: synclint\n"
    )
    (folder / "notes.txt").write_text("torch.nonzero(target)\n")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Start")
    return folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """pre-commit's own store, so that no other run of it is touched."""
    return tmp_path_factory.mktemp("pre-commit")


def pre_commit(folder: Path, cache: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PRE_COMMIT_HOME": str(cache), "PRE_COMMIT_COLOR": "never"}
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_staged_sync_stops_the_commit_and_its_removal_lets_it_pass(user_repository: Path, cache: Path) -> None:
    (user_repository / "loss.py").write_text(HAZARD)
    git(user_repository, "add", "loss.py")
    stopped = pre_commit(user_repository, cache, "run")
    assert stopped.returncode == 1, stopped.stdout + stopped.stderr
    assert "hook id: synclint" in stopped.stdout
    assert "exit code: 1" in stopped.stdout
    assert "loss.py:5:12: SYN101 nonzero: " in stopped.stdout

    (user_repository / "loss.py").write_text(CLEAN)
    git(user_repository, "add", "loss.py")
    passed = pre_commit(user_repository, cache, "run")
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert "Passed" in passed.stdout


def test_try_repo_runs_the_hook_over_all_files(hook_repository: Path, user_repository: Path, cache: Path) -> None:
    (user_repository / "again.py").write_text(HAZARD)
    git(user_repository, "add", "again.py")
    result = pre_commit(user_repository, cache, "try-repo", str(hook_repository), "synclint", "--all-files")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "again.py:5:12: SYN101 nonzero: " in result.stdout
    assert "notes.txt" not in result.stdout


def test_what_is_not_staged_does_not_count(user_repository: Path, cache: Path) -> None:
    path = user_repository / "partly.py"
    path.write_text(CLEAN)
    git(user_repository, "add", "partly.py")
    path.write_text(HAZARD)
    (user_repository / "untracked.py").write_text(HAZARD)
    passed = pre_commit(user_repository, cache, "run")
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert path.read_text() == HAZARD

    git(user_repository, "add", "partly.py")
    path.write_text(CLEAN)
    stopped = pre_commit(user_repository, cache, "run")
    assert stopped.returncode == 1, stopped.stdout + stopped.stderr
    assert "partly.py:5:12: SYN101 nonzero: " in stopped.stdout
    assert "untracked.py" not in stopped.stdout
    assert path.read_text() == CLEAN


def test_a_renamed_file_is_checked_under_its_new_name_and_a_deleted_one_is_not(
    user_repository: Path, cache: Path
) -> None:
    for name in ("old_name.py", "doomed.py"):
        (user_repository / name).write_text(HAZARD)
    git(user_repository, "add", "old_name.py", "doomed.py")
    git(user_repository, "commit", "--quiet", "--no-verify", "--message", "Hazards")
    git(user_repository, "mv", "old_name.py", "new name.py")
    git(user_repository, "rm", "--quiet", "doomed.py")
    result = pre_commit(user_repository, cache, "run")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "new name.py:5:12: SYN101 nonzero: " in result.stdout
    assert "old_name.py" not in result.stdout
    assert "doomed.py" not in result.stdout


def test_a_staged_notebook_is_checked_by_cell(user_repository: Path, cache: Path) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Loss"]},
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": HAZARD.splitlines(keepends=True),
        },
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (user_repository / "loss.ipynb").write_text(json.dumps(notebook))
    git(user_repository, "add", "loss.ipynb")
    result = pre_commit(user_repository, cache, "run")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "loss.ipynb:cell 2, line 5, column 12: SYN101 nonzero: " in result.stdout


def test_the_fixing_hook_mends_what_it_can_and_passes_when_it_is_run_again(
    hook_repository: Path, user_repository: Path, cache: Path
) -> None:
    cell: dict[str, object] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    notebook = {"cells": [{**cell, "source": [COPIED]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (user_repository / "copied.py").write_text(COPIED)
    (user_repository / "copied.ipynb").write_text(json.dumps(notebook))
    git(user_repository, "add", "copied.py", "copied.ipynb")
    arguments = ("try-repo", str(hook_repository), "synclint-fix", "--all-files")
    changed = pre_commit(user_repository, cache, *arguments)
    assert changed.returncode == 1, changed.stdout + changed.stderr
    assert "files were modified by this hook" in changed.stdout
    mended = COPIED.replace(".to(device)", ".to(device, non_blocking=True)")
    assert (user_repository / "copied.py").read_text() == mended
    assert "".join(json.loads((user_repository / "copied.ipynb").read_text())["cells"][0]["source"]) == mended

    git(user_repository, "add", "copied.py", "copied.ipynb")
    passed = pre_commit(user_repository, cache, *arguments)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert (user_repository / "copied.py").read_text() == mended


def test_the_hooks_file_is_what_pre_commit_expects() -> None:
    manifest = REPOSITORY / ".pre-commit-hooks.yaml"
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(manifest)]
    assert subprocess.run(command, check=False).returncode == 0
