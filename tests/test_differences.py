"""Differences that ``--diff`` prints: they apply, whatever is in the names and lines, and give nobody commands."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synclint.commands.differences import difference, shown_name

BEFORE = "".join(f"line {number}\n" for number in range(30))
needs_patch = pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")


def patched(folder: Path, name: str, before: str, lines: list[str]) -> str:
    """What `patch` makes of a file."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(before.encode())
    text = "".join(f"{line}\n" for line in lines).encode()
    subprocess.run(["patch", "-p0", "--binary", "--force"], input=text, cwd=folder, check=True, capture_output=True)
    return path.read_bytes().decode()


@needs_patch
@pytest.mark.parametrize(
    "name", ["a.py", "my file.py", "n/a\n+++ n/victim.py", 'quo"te.py', "back\\slash.py", "\x1b]0;x\a.py"]
)
def test_a_difference_applies_to_the_file_of_its_name(name: str, tmp_path: Path) -> None:
    after = BEFORE.replace("line 3\n", "line three\n").replace("line 28\n", "")
    victim = tmp_path / "n" / "victim.py"
    victim.parent.mkdir()
    victim.write_text(BEFORE)
    assert patched(tmp_path, name, BEFORE, list(difference(BEFORE, after, name))) == after
    assert victim.read_text() == BEFORE


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a.py", "a.py"), ("a b.py", "a b.py\t"), ("a\n.py", '"a\\n.py"'), ("\x1b.py", '"\\033.py"'), ("é.py", "é.py"),
     (" a.py", '" a.py"'), ("\u202e.py", '"\\342\\200\\256.py"')],
)  # fmt: skip
def test_names_are_written_as_git_writes_them(name: str, shown: str) -> None:
    assert shown_name(name) == shown


def is_command(line: str) -> bool:
    return line.strip().startswith("::")


@needs_patch
def test_lines_that_a_runner_would_obey_are_no_context_and_the_rest_applies(tmp_path: Path) -> None:
    before = BEFORE.replace("line 4\n", "  ::stop-commands::x\n").replace("line 7\n", "::error::y\n")
    after = before.replace("line 5\n", "line five\n").replace("line 8\n", "line eight\n")
    lines = list(difference(before, after, "a.py", is_obeyed=is_command))
    assert not any(map(is_command, lines))
    assert patched(tmp_path, "a.py", before, lines) == after


texts = st.lists(st.sampled_from(["a\n", "b\n", "::c\n", "\n", "d\r\n"]), max_size=14).map("".join)


@needs_patch
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(before=texts, after=texts, ends=st.tuples(st.booleans(), st.booleans()))
def test_any_difference_applies(
    before: str, after: str, ends: tuple[bool, bool], tmp_path_factory: pytest.TempPathFactory
) -> None:
    before, after = (text if end else text.removesuffix("\n") for text, end in zip((before, after), ends, strict=True))
    lines = list(difference(before, after, "a.py", is_obeyed=is_command))
    if before and after and lines:
        assert patched(tmp_path_factory.mktemp("any"), "a.py", before, lines) == after
