"""The settings as options of a command, and their values as the user gave them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from synclint.commands.completion import offered_rules
from synclint.commands.output import complain
from synclint.config.configurations import Configurations
from synclint.config.files import ConfigurationError, inline_values
from synclint.config.kinds import RULES, Kind, Shape, ValueSource, WrongValueError
from synclint.config.options import Setting, settings

Command = TypeVar("Command", bound=Callable[..., object])

# Nobody means a longer number, and Python refuses to read one of thousands of digits.
_MOST_DIGITS = 9
_SHORT = {"jobs": ("-j",)}
# More of them do not fit beside the name of the option: the help lists them.
_MOST_CHOICES = 6


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
        multiple=True,
        metavar="FILE|'KEY = VALUE'",
        help="A configuration file for every directory, or a single setting written as TOML. Repeatable.",
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


def configurations(given: Mapping[str, object], config: Sequence[str], isolated: bool) -> Configurations:
    """Where the configuration of each directory is found; ``given`` holds what the options were given.

    Of ``config`` each is a file, or settings as TOML has them. Raises ConfigurationError for one that is wrong.
    """
    files = [Path(text) for text in config if "=" not in text or Path(text).is_file()]
    if len(files) > 1:
        raise click.UsageError(f"--config names one file, not {len(files)}: let one `extend` the other")
    for file in files:
        if not file.is_file():
            raise click.UsageError(f"--config: there is no file {str(file)!r}, and a setting is written KEY = VALUE")
    if files and isolated:
        raise click.UsageError("--isolated ignores configuration files, --config names one: use only one of them")
    inline: dict[str, Any] = {}
    for text in config:
        if Path(text) not in files:
            inline.update(inline_values(text))
    context = click.get_current_context()
    written = {name: value for name, value in given.items() if value is not None}
    environment = {
        name: written.pop(name)
        for name in tuple(written)
        if context.get_parameter_source(name) is ParameterSource.ENVIRONMENT
    }
    return Configurations({**inline, **written}, environment, files[0].absolute() if files else None, isolated)


def _option(setting: Setting) -> Callable[[Command], Command]:
    kind, flag = setting.kind, f"--{setting.name}"
    if kind.shape is Shape.FLAG:
        return click.option(f"{flag}/--no-{setting.name}", default=None, envvar=_variable(setting), help=setting.help)
    choices: Sequence[str] = kind.schema.get("enum", ())
    are_many = len(choices) > _MOST_CHOICES
    return click.option(
        *_SHORT.get(setting.name, ()),
        flag,
        type=click.Choice(choices) if choices else str,
        multiple=kind.shape is not Shape.ONE,
        envvar=_variable(setting),
        metavar=setting.name.rpartition("-")[2].upper() if are_many else kind.metavar,
        shell_complete=offered_rules if kind is RULES else None,
        callback=lambda context, parameter, text: _read(kind, _origin(context, setting, flag), text),
        help=f"{setting.help} One of {', '.join(choices)}." if are_many else setting.help,
    )


def _variable(setting: Setting) -> str:
    """The environment variable that gives a setting."""
    return f"SYNCLINT_{setting.field.upper()}"


def _origin(context: click.Context, setting: Setting, flag: str) -> str:
    """What the user wrote: the option, or the environment variable that stands in for it."""
    from_environment = context.get_parameter_source(setting.field) is ParameterSource.ENVIRONMENT
    return _variable(setting) if from_environment else flag


def _read(kind: Kind, origin: str, text: str | Sequence[str] | None) -> object:
    """The value of an option, None where it was not given."""
    if not text:
        return None
    try:
        return kind.read(_as_written(kind, text), ValueSource(Path.cwd(), confined=False))
    except WrongValueError as error:
        raise click.UsageError(f"{error} (in {origin})") from None


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
