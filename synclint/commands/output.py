"""How every command speaks: lines on standard output, complaints on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from synclint.report.terminal import Palette, escape, wants_color


def palette() -> Palette:
    """The colours for standard output as it is connected now."""
    return Palette(wants_color(sys.stdout))


def write(lines: Iterable[str]) -> None:
    """Print lines; colour has been decided already, so nothing is stripped."""
    for line in lines:
        click.echo(line, color=True)


def complain(kind: str, message: str) -> None:
    """Say in one line on standard error what went wrong."""
    click.echo(f"synclint: {kind}: {escape(message)}", err=True)
