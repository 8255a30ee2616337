"""What is printed on a terminal: lines that fit, pages without the signs of Markdown, and a help that has an order."""

from __future__ import annotations

import os
import pty
import re
import struct
import subprocess
import sys
import termios
from fcntl import ioctl
from pathlib import Path

import click
import pytest
from command_line import HAZARD, Synclint

from synclint.commands.check import check
from synclint.commands.config import show_config
from synclint.commands.option_groups import GROUPS
from synclint.report.rendered_pages import rendered_page
from synclint.report.terminal import Palette, width
from synclint.report.wrapping import wrapped
from synclint.rules.loading import load_rules

STYLE = re.compile(r"\x1b\[[0-9;]*m")


def on_a_terminal(*arguments: str, folder: Path, columns: int) -> str:
    """What the program writes on a terminal of so many columns."""
    leader, follower = pty.openpty()
    ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "synclint", *arguments],
        cwd=folder, stdout=follower, stderr=subprocess.DEVNULL, env={**environment, "TERM": "xterm"},
    )  # fmt: skip
    os.close(follower)
    read = b""
    try:
        while block := os.read(leader, 65536):
            read += block
    except OSError:  # what Linux says at the end
        pass
    os.close(leader)
    process.wait()
    return read.decode().replace("\r\n", "\n")


def test_the_report_fits_on_the_terminal_and_its_source_stays_whole(tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    shown = STYLE.sub("", on_a_terminal("loss.py", folder=tmp_path, columns=60)).splitlines()
    assert all(width(line) <= 60 for line in shown if "|" not in line), shown
    assert any(line.startswith("    ") and "results" in line for line in shown)
    piped = subprocess.run(
        [sys.executable, "-m", "synclint", "loss.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    ).stdout
    assert " ".join(piped.split()) == " ".join(" ".join(shown).split())
    assert any(len(line) > 100 for line in piped.splitlines())


@pytest.mark.parametrize("enabled", [False, True])
def test_broken_lines_say_the_same_and_hang_below_their_text(enabled: bool) -> None:
    colors = Palette(enabled)
    text = "Keep the shape and let a mask decide what goes into the sum of all"
    line = f"{colors.frame('   =')} {colors.help('help')}: {text}"
    shown = [STYLE.sub("", part) for part in wrapped([line], 44)]
    assert shown == [
        "   = help: Keep the shape and let a mask",
        "       decide what goes into the sum of all",
    ]


def test_lines_of_source_and_their_carets_are_not_broken() -> None:
    lines = [f"12 | {'x = y ' * 30}", f"   | {' ' * 100}^^^^^", "...| "]
    assert list(wrapped(lines, 60)) == lines


def test_a_page_is_rendered_on_a_terminal_and_stays_markdown_in_a_pipe(run: Synclint, tmp_path: Path) -> None:
    shown = STYLE.sub("", on_a_terminal("explain", "SYN101", folder=tmp_path, columns=70))
    assert shown.startswith("SYN101 nonzero\n")
    assert "```" not in shown
    assert "\n    positive = torch.nonzero(labels > 0).squeeze(1)\n" in shown
    assert run("explain", "SYN101").out.startswith("# SYN101 nonzero\n")


def test_every_page_fits_and_loses_no_word() -> None:
    for rule in load_rules():
        shown = list(rendered_page(rule.page, 80, Palette(enabled=False)))
        for line in shown:
            prose = line.startswith("  ") and not line.startswith("    ")
            assert width(line) <= 80 or not prose or "http" in line or "|" in line, line
        words = set(re.findall(r"\w+", re.sub(r"```\w+", "", rule.page)))
        assert words <= set(re.findall(r"\w+", "\n".join(shown))), rule.code


def test_the_help_lists_every_option_under_one_heading() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert len(grouped) == len(set(grouped))
    options = set()
    for command in (check, show_config):
        context = click.Context(command, info_name=command.name, help_option_names=["-h", "--help"])
        options |= {
            max(parameter.opts, key=len).lstrip("-")
            for parameter in command.get_params(context)
            if isinstance(parameter, click.Option)
        }
        shown = command.get_help(context)
        headings = [line.rstrip(":") for line in shown.splitlines() if re.fullmatch(r"[A-Z][\w ]+:", line)]
        assert headings == [heading for heading in GROUPS if heading in headings]
    assert set(grouped) == options
