"""The comparison of runs after the commits of a repository."""

import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.commits import History, main, steps_of

MODEL = "import torch\n\n\ndef kept(mask):\n    return torch.nonzero(mask)\n"
TRAIN = """\
import torch
from model import kept

for step in range(10):
    mask = torch.ones(3, device="cuda")
    print(kept(mask))
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    folder.mkdir()
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }

    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True)

    git("init", "--quiet")
    for files, gone in (
        ({"model.py": MODEL, "train.py": TRAIN, "old.py": "import torch\n"}, ()),
        ({"README": "no code"}, ()),
        ({"model.py": MODEL.replace("torch.nonzero(mask)", "mask + 1")}, ("old.py",)),
        ({"pack/new.py": "import torch\n\n\ndef read(x: torch.Tensor):\n    return x.item()\n"}, ()),
    ):
        for name, text in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        for name in gone:
            (folder / name).unlink()
        git("add", "--all")
        git("commit", "--quiet", "--message", "one more")
    return folder


def test_commits_that_change_python_files_are_told_from_the_oldest_on(clone: Path) -> None:
    history = History(clone / ".git", "")
    assert [commit.paths for commit in history.last(9)] == [
        ("model.py", "old.py", "train.py"),
        ("model.py", "old.py"),
        ("pack/new.py",),
    ]
    assert [commit.paths for commit in history.last(1)] == [("pack/new.py",)]
    assert [commit.paths for commit in History(clone / ".git", "pack/").last(9)] == [("pack/new.py",)]


def test_the_files_of_each_commit_are_checked_with_memory_and_without(clone: Path, tmp_path: Path) -> None:
    history, folder = History(clone / ".git", ""), tmp_path / "files"
    steps = list(steps_of(history, history.last(9), folder, tmp_path / "cache"))
    assert [step.difference for step in steps] == ["", ""]
    assert all(step.cpu > 0 and step.cpu_without > 0 for step in steps)
    names = {str(path.relative_to(folder)) for path in folder.rglob("*.py")}
    assert names == {"model.py", "train.py", str(Path("pack", "new.py"))}
    assert "nonzero" not in (folder / "model.py").read_text(encoding="utf-8")


def test_what_the_runs_have_cost_is_written_for_each_repository(clone: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, [f"mine={clone}", "--output", str(tmp_path / "pages")])
    assert done.exit_code == 0, done.output
    page = (tmp_path / "pages" / "COMMITS.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith("| mine")]
    name, commits, quick, part, differences = (cell.strip() for cell in row.strip("|").split("|"))
    assert (name, commits, differences) == ("mine", "2", "0")
    assert 0 <= int(quick) <= 2
    assert float(part) > 0
    assert str(tmp_path) not in page


def test_what_is_no_repository_is_said_in_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, [str(tmp_path), "--output", str(tmp_path)])
    assert done.exit_code == 1
    assert "not a git repository" in done.output
    assert not (tmp_path / "COMMITS.md").exists()


def test_a_repository_without_python_files_has_nothing_to_compare(clone: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, [str(clone), "--under", "docs/", "--output", str(tmp_path)])
    assert done.exit_code == 1
    assert "fewer than two commits" in done.output
