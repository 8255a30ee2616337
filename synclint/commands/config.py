"""``synclint config``: the settings in effect and where they come from, and the schema of the files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from synclint.commands.option_groups import GroupedCommand
from synclint.commands.output import color_option, palette, write
from synclint.commands.settings import configurations, reporting_problems, setting_options
from synclint.config.configurations import COMMAND_LINE, DEFAULT, ENVIRONMENT, Configuration
from synclint.config.options import settings
from synclint.config.rendering import toml
from synclint.config.schema import schema_text
from synclint.files.real_paths import real_path
from synclint.report.terminal import Palette, escape


@click.command("config", cls=GroupedCommand)
@click.argument("path", required=False, type=click.Path(path_type=Path, exists=True))
@color_option
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the configuration instead.")
@setting_options
@click.pass_context
def show_config(
    context: click.Context,
    /,
    path: Path | None,
    schema: bool,
    config: tuple[str, ...],
    isolated: bool,
    **given: object,
) -> None:
    """Show the settings that apply to the file or directory PATH (by default: the current directory).

    Each line is a setting, written as in a configuration file, and the origin of its value. The options
    are those of `synclint check`.
    """
    if schema:
        click.echo(schema_text(), nl=False)
        return
    target = real_path(path or Path())
    folder = target if target.is_dir() else target.parent
    with reporting_problems(context):
        found = configurations(given, config, isolated).of(folder)
        write(_lines(found, palette()))


def _lines(configuration: Configuration, colors: Palette) -> Iterator[str]:
    for setting in settings():
        value = getattr(configuration.options, setting.field)
        given = f"{setting.name} = {toml(setting, value)}"
        shown = f"# {setting.name} is not set" if value is None else given
        origin = ", ".join(map(_shown_origin, configuration.origins[setting.field]))
        yield f"{escape(shown)}  {colors.faint(f'# {escape(origin)}')}"


def _shown_origin(origin: str) -> str:
    """The origin, a path told from here."""
    return origin if origin in (DEFAULT, COMMAND_LINE, ENVIRONMENT) else os.path.relpath(origin)
