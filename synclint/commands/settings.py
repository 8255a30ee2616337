"""The settings as options of a command, and their values as the user gave them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from synclint.commands.output import complain
from synclint.config.configurations import Configurations
from synclint.config.files import ConfigurationError
from synclint.config.kinds import Kind, Place, Shape, WrongValueError
from synclint.config.options import Setting, settings

Command = TypeVar("Command", bound=Callable[..., object])

# Nobody means a longer number, and Python refuses to read one of thousands of digits.
_MOST_DIGITS = 9
_SHORT = {"jobs": ("-j",)}


def setting_options(command: Command) -> Command:
    """Give a command one option for each setting, and those that say which files configure."""
    for setting in reversed(list(settings())):
        if setting.kind.shape is not Shape.TABLES:
            command = _option(setting)(command)
    command = click.option(
        "--isolated", is_flag=True, help="Ignore all configuration files, lock files and requirements."
    )(command)
    return click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False, exists=True),
        metavar="FILE",
        help="Take the configuration from this file, for every directory.",
    )(command)


@contextmanager
def reporting_problems(context: click.Context) -> Iterator[None]:
    """End the command with status 2, and one line for each problem, when a configuration is wrong."""
    try:
        yield
    except ConfigurationError as error:
        for problem in error.problems:
            complain("error", problem)
        context.exit(2)


def configurations(given: Mapping[str, object], config: Path | None, isolated: bool) -> Configurations:
    """Where the configuration of each directory is found; ``given`` holds what the options were given.

    Raises ConfigurationError for a ``config`` that is wrong.
    """
    if config and isolated:
        raise click.UsageError("--isolated ignores configuration files, --config names one: give one of them")
    return Configurations(
        {name: value for name, value in given.items() if value is not None},
        config and config.absolute(),
        isolated,
    )


def _option(setting: Setting) -> Callable[[Command], Command]:
    kind, flag = setting.kind, f"--{setting.name}"
    if kind.shape is Shape.FLAG:
        return click.option(f"{flag}/--no-{setting.name}", default=None, help=setting.help)
    return click.option(
        *_SHORT.get(setting.name, ()),
        flag,
        type=click.Choice(kind.schema["enum"]) if "enum" in kind.schema else str,
        multiple=kind.shape is not Shape.ONE,
        metavar=kind.metavar,
        callback=lambda context, parameter, text: _read(kind, flag, text),
        help=setting.help,
    )


def _read(kind: Kind, flag: str, text: str | Sequence[str] | None) -> object:
    """The value of an option, None where it was not given."""
    if not text:
        return None
    try:
        return kind.read(_as_written(kind, text), Place(Path.cwd(), confined=False))
    except WrongValueError as error:
        raise click.UsageError(f"{error} (in {flag})") from None


def _as_written(kind: Kind, text: str | Sequence[str]) -> object:
    """The value as a configuration file would have it."""
    if isinstance(text, str):
        is_number = text.isdecimal() and len(text) <= _MOST_DIGITS
        return int(text) if is_number and kind.schema["type"] == "integer" else text
    parts = [part.strip() for item in text for part in item.split(",") if part.strip()]
    if kind.shape is Shape.LIST:
        return parts
    table: dict[str, Any] = {}
    for part in parts:
        key, separator, value = part.rpartition(kind.separator)
        if not separator:
            raise WrongValueError(f"expected {kind.metavar}, but got {part!r}")
        if kind.schema["additionalProperties"]["type"] == "array":
            table.setdefault(key, []).append(value)
        else:
            table[key] = value
    return table
