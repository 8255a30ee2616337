"""What the Tab key offers."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def offered(words: str, position: int) -> list[str]:
    environment = {
        **os.environ,
        "COMP_WORDS": words,
        "COMP_CWORD": str(position),
        "_SYNCLINT_COMPLETE": "bash_complete",
    }
    command = [sys.executable, "-c", "from synclint.cli import main; main()"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert result.stderr == ""
    return result.stdout.splitlines()


def test_commands_and_paths_are_offered_first() -> None:
    assert {"plain,check", "plain,rules", "plain,explain", "file,"} <= set(offered("synclint ", 1))


def test_options_of_the_default_command_are_offered_without_its_name() -> None:
    assert "plain,--output-file" in offered("synclint --output-", 1)
    assert offered("synclint --output-format s", 2) == ["plain,sarif"]
    assert "file,src/" in offered("synclint src/", 1)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell_can_be_made(shell: str) -> None:
    environment = {**os.environ, "_SYNCLINT_COMPLETE": f"{shell}_source"}
    command = [sys.executable, "-c", "from synclint.cli import main; main()"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert f"_SYNCLINT_COMPLETE={shell}_complete" in result.stdout
