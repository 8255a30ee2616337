"""``synclint clean``: remove what runs have kept for those after them."""

from __future__ import annotations

from pathlib import Path

import click

from synclint.commands.option_groups import GroupedCommand
from synclint.commands.output import complain, write
from synclint.commands.settings import configurations, reporting_problems, setting_options
from synclint.memo.entry_files import remove_entries
from synclint.report.terminal import escape


@click.command("clean", cls=GroupedCommand)
@setting_options
@click.pass_context
def clean(context: click.Context, /, config: tuple[str, ...], isolated: bool, **given: object) -> None:
    """Remove the results that runs have kept, so that the next one analyses everything again.

    They are in the directory that `cache-dir` names here, or in the user's cache; nothing else in it is touched. The
    callers of single files are known again after the next run over their project. The options are those of
    `synclint check`.
    """
    with reporting_problems(context):
        folder = configurations(given, config, isolated).of(Path.cwd()).options.cache_dir
    if folder is None:
        from synclint.memo.folders import default_folder

        folder = default_folder()
    try:
        count, size = remove_entries(folder) if folder is not None else (0, 0)
    except OSError as error:
        complain("error", f"{error.filename}: {(error.strerror or str(error)).lower()}")
        context.exit(2)
    if count:
        write([escape(f"Removed {count} kept results ({size / 2**20:.1f} MB) from {folder}.")])
    else:
        write([escape(f"Nothing is kept in {folder}.") if folder else "Nothing is kept."])
