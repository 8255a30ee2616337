"""How every command speaks: lines on standard output, complaints on standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable

import click

from synclint.report.terminal import Palette, escape, inert, inert_document, wants_color

# Set to something by the runners of GitHub, which others follow, of Azure Pipelines, and of TeamCity.
_RUNNERS = ("GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")


def palette(*, marks_unsafe: bool = False) -> Palette:
    """The colours for standard output as it is connected now, and whether unsafe fixes are marked as fixes."""
    return Palette(wants_color(sys.stdout), marks_unsafe)


def write(lines: Iterable[str], *, verbatim: bool = False) -> None:
    """Print lines; colour has been decided already, so nothing is stripped.

    In the log of a runner, such as that of GitHub Actions, nothing from the files can give it commands. Lines and
    documents for a program are ``verbatim``: they say the same, and what they tell the runner themselves stays.
    """
    for line in lines:
        click.echo(_logged(line, verbatim=verbatim), color=True)


def complain(kind: str, message: str) -> None:
    """Say in one line on standard error what went wrong; nothing can be said where that cannot be written to."""
    with contextlib.suppress(OSError):
        click.echo(_logged(f"synclint: {kind}: {escape(message)}"), err=True)


def _logged(line: str, *, verbatim: bool = False) -> str:
    if not any(map(os.environ.get, _RUNNERS)):
        return line
    return inert_document(line) if verbatim else inert(line)
