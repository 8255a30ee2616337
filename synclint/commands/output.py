"""How every command speaks: lines on standard output, complaints on standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable
from typing import TypeVar

import click

from synclint.report.terminal import Palette, escape, inert, inert_document, wants_color

Command = TypeVar("Command", bound=Callable[..., object])

# Set to something by the runners of GitHub, which others follow, of Azure Pipelines, and of TeamCity.
_RUNNERS = ("GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")


def palette(*, marks_unsafe: bool = False) -> Palette:
    """The colours for standard output: as ``--color`` says, else as it is connected now.

    ``marks_unsafe`` says that fixes which are not safe are marked as well.
    """
    context = click.get_current_context(silent=True)
    asked = context.color if context is not None else None
    return Palette(wants_color(sys.stdout) if asked is None else asked, marks_unsafe)


def color_option(command: Command) -> Command:
    """Give a command the option that decides about colours."""
    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        expose_value=False,
        is_eager=True,
        callback=_choose_color,
        help="Colour the output: auto (the default) on a terminal, unless NO_COLOR is set.",
    )(command)


def _choose_color(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.color = {"always": True, "never": False}.get(value)


def write(lines: Iterable[str], *, verbatim: bool = False) -> None:
    """Print lines; colour has been decided already, so nothing is stripped.

    In the log of a runner, such as that of GitHub Actions, nothing from the files can give it commands. Lines and
    documents for a program are ``verbatim``: they say the same, and what they tell the runner themselves stays.
    """
    for line in lines:
        click.echo(_logged(line, verbatim=verbatim), color=True)


def write_difference(lines: Iterable[str]) -> None:
    """Print a difference: for a program as it is, so that it applies, and on a terminal escaped, as reports are.

    In the log of a runner a line that holds a command is changed even so: it does not apply then.
    """
    is_shown = sys.stdout.isatty()
    for line in lines:
        click.echo(_logged(escape(line.removesuffix("\r")) if is_shown else line), color=True)


def is_obeyed(line: str) -> bool:
    """Whether a runner, in whose log a line appears, would take it for a command."""
    return _logged(line) != line


def complain(kind: str, message: str) -> None:
    """Say in one line on standard error what went wrong; nothing can be said where that cannot be written to."""
    with contextlib.suppress(OSError):
        click.echo(_logged(f"synclint: {kind}: {escape(message)}"), err=True)


def _logged(line: str, *, verbatim: bool = False) -> str:
    if not any(map(os.environ.get, _RUNNERS)):
        return line
    return inert_document(line) if verbatim else inert(line)
