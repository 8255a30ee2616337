"""How every command speaks: lines on standard output, complaints on standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable

import click

from synclint.report.terminal import Palette, escape, inert, wants_color


def palette() -> Palette:
    """The colours for standard output as it is connected now."""
    return Palette(wants_color(sys.stdout))


def write(lines: Iterable[str], *, verbatim: bool = False) -> None:
    """Print lines; colour has been decided already, so nothing is stripped.

    In a log of GitHub Actions nothing that is printed can give its runner commands, unless the lines are
    for a program and ``verbatim``.
    """
    for line in lines:
        click.echo(line if verbatim else _logged(line), color=True)


def complain(kind: str, message: str) -> None:
    """Say in one line on standard error what went wrong; nothing can be said where that cannot be written to."""
    with contextlib.suppress(OSError):
        click.echo(_logged(f"synclint: {kind}: {escape(message)}"), err=True)


def _logged(line: str) -> str:
    return inert(line) if os.environ.get("GITHUB_ACTIONS") == "true" else line
