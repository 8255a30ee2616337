"""Which files a run checks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from synclint.running.discovery import discover


def plant(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def names(folder: Path, *paths: Path) -> list[str]:
    found = discover(paths or (folder,))
    assert found.problems == ()
    return [path.relative_to(folder).as_posix() for path in found.files]


def test_directories_are_searched_for_python_files_in_sorted_order(tmp_path: Path) -> None:
    plant(tmp_path, {"b.py": "", "a/z.py": "", "a/deep/er/c.py": "", "a/stub.pyi": "", "notes.txt": ""})
    assert names(tmp_path) == ["a/deep/er/c.py", "a/z.py", "b.py"]


def test_directories_that_ruff_leaves_out_are_left_out(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {f"{name}/x.py": "" for name in (".venv", "venv", "node_modules", "build", "dist", ".git", ".tox")},
    )
    plant(tmp_path, {"__pycache__/x.py": "", "site-packages/x.py": "", ".github/scripts/x.py": ""})
    assert names(tmp_path) == [".github/scripts/x.py"]


def test_a_directory_that_would_be_left_out_is_checked_when_named(tmp_path: Path) -> None:
    plant(tmp_path, {"build/x.py": ""})
    assert names(tmp_path, tmp_path / "build") == ["build/x.py"]


def test_gitignore_excludes_files_and_directories(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "generated/\n*_pb2.py\n/top.py\n", "generated/a.py": "", "m/x_pb2.py": ""})
    plant(tmp_path, {"top.py": "", "m/top.py": "", "kept.py": ""})
    assert names(tmp_path) == ["kept.py", "m/top.py"]


def test_a_nested_gitignore_overrules_the_ones_above(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "*_old.py\n", "a/.gitignore": "!keep_old.py\nlocal.py\n"})
    plant(tmp_path, {"a/keep_old.py": "", "a/b_old.py": "", "a/local.py": "", "local.py": "", "keep_old.py": ""})
    assert names(tmp_path) == ["a/keep_old.py", "local.py"]


def test_what_a_gitignore_excludes_cannot_be_included_again_below(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "out/\n", "out/.gitignore": "!a.py\n", "out/a.py": "", "b.py": ""})
    assert names(tmp_path) == ["b.py"]


def test_the_gitignore_of_the_repository_holds_for_a_directory_inside_it(tmp_path: Path) -> None:
    plant(tmp_path, {".git/info/exclude": "scratch.py\n", ".gitignore": "*_pb2.py\n/src/private/\n"})
    plant(tmp_path, {"src/a.py": "", "src/a_pb2.py": "", "src/private/x.py": "", "src/scratch.py": ""})
    assert names(tmp_path, tmp_path / "src") == ["src/a.py"]


def test_a_gitignore_above_the_repository_does_not_count(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "*.py\n", "repository/.git/HEAD": "", "repository/a.py": ""})
    assert names(tmp_path, tmp_path / "repository") == ["repository/a.py"]


def test_an_ignored_directory_is_checked_when_named(tmp_path: Path) -> None:
    plant(tmp_path, {".git/HEAD": "", ".gitignore": "third_party/\n", "third_party/lib/a.py": "", "b.py": ""})
    assert names(tmp_path, tmp_path / "third_party") == ["third_party/lib/a.py"]


def test_a_pattern_that_git_cannot_read_does_not_cost_the_others(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "!\n///\nb.py\n", "a.py": "", "b.py": ""})
    assert names(tmp_path) == ["a.py"]


def test_a_named_file_is_checked_whatever_it_is_called_or_ignored(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "*\n", "script": "", "ignored.py": ""})
    assert names(tmp_path, tmp_path / "script", tmp_path / "ignored.py") == ["ignored.py", "script"]


def test_a_file_reached_twice_is_checked_once(tmp_path: Path) -> None:
    plant(tmp_path, {"src/a.py": "", "src/b.py": ""})
    (tmp_path / "src" / "link.py").symlink_to("b.py")
    assert names(tmp_path, tmp_path / "src" / "b.py", tmp_path / "src", tmp_path) == ["src/a.py", "src/b.py"]


def test_the_order_of_the_arguments_does_not_change_the_order_of_the_files(tmp_path: Path) -> None:
    plant(tmp_path, {"a/1.py": "", "b/2.py": ""})
    assert names(tmp_path, tmp_path / "b", tmp_path / "a") == names(tmp_path, tmp_path / "a", tmp_path / "b")


def test_links_to_directories_are_not_followed(tmp_path: Path) -> None:
    plant(tmp_path, {"src/a.py": "", "elsewhere/b.py": ""})
    (tmp_path / "src" / "loop").symlink_to("..", target_is_directory=True)
    (tmp_path / "src" / "out").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert names(tmp_path, tmp_path / "src") == ["src/a.py"]


def test_links_that_lead_nowhere_or_in_a_circle_are_passed_over(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": ""})
    (tmp_path / "gone.py").symlink_to("missing.py")
    (tmp_path / "circle.py").symlink_to("circle.py")
    assert names(tmp_path) == ["a.py"]


def test_a_directory_and_a_pipe_with_python_names_are_not_taken_for_files(tmp_path: Path) -> None:
    plant(tmp_path, {"package.py/inside.py": ""})
    os.mkfifo(tmp_path / "pipe.py")
    assert names(tmp_path) == ["package.py/inside.py"]


def test_paths_stay_as_the_user_wrote_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, {"src/a.py": ""})
    monkeypatch.chdir(tmp_path)
    assert [*discover([Path("src")]).files] == [Path("src/a.py")]
    assert [*discover([Path()]).files] == [Path("src/a.py")]


def test_a_missing_path_is_a_problem_and_the_others_are_found(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": ""})
    found = discover([tmp_path / "nowhere", tmp_path / "a.py"])
    assert found.files == {tmp_path / "a.py": tmp_path / "a.py"}
    assert found.problems == (f"{tmp_path / 'nowhere'}: no such file or directory",)


def test_a_directory_without_python_files_is_worth_a_warning(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    found = discover([tmp_path / "docs"])
    assert found.problems == ()
    assert found.warnings == (f"{tmp_path / 'docs'}: no Python files found below this directory",)


def test_a_circle_of_links_is_a_problem_of_one_line(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    (problem,) = discover([tmp_path / "circle"]).problems
    assert "too many levels of symbolic links" in problem
    assert "\n" not in problem
