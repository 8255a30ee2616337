"""Where reports go: one to standard output, and any number to files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from synclint.atomic_files import replace_file
from synclint.commands.output import palette, write
from synclint.config.kinds import nearest
from synclint.report.formats import FORMATS
from synclint.report.names import FORMAT_NAMES
from synclint.report.results import Results
from synclint.report.statistics import statistics_json, statistics_table, summary
from synclint.report.terminal import Palette

_NO_COLOR = Palette(enabled=False)


@dataclass(frozen=True)
class OutputFile:
    """A file for a report; without a ``format`` it takes the place of standard output."""

    format: str | None
    path: Path


def read_output_files(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[OutputFile, ...]:
    """The values of ``--output-file``: ``PATH``, or ``FORMAT=PATH`` for a report beside the others.

    Raises UsageError for what could only be noticed at the end of the run: an unknown format, a missing
    directory, a file named twice.
    """
    found = tuple(map(_read_output_file, given))
    paths = [file.path.resolve() for file in found]
    if len(set(paths)) < len(paths):
        raise click.UsageError("--output-file names the same file twice")
    if sum(file.format is None for file in found) > 1:
        raise click.UsageError("--output-file is given twice without a format; write FORMAT=PATH")
    return found


def _read_output_file(text: str) -> OutputFile:
    name, equals, path = text.partition("=")
    if equals and name in FORMAT_NAMES:
        file = OutputFile(name, Path(path))
    elif equals and name.isalpha():
        hint = nearest(name, FORMAT_NAMES) or f"; there are {', '.join(FORMAT_NAMES)}"
        raise click.UsageError(f"--output-file: unknown format {name!r}{hint}")
    else:
        file = OutputFile(None, Path(text))
    if not file.path.name:
        raise click.UsageError(f"--output-file: {text!r} names no file")
    if not file.path.parent.is_dir():
        raise click.UsageError(f"--output-file: {file.path.parent} is not a directory")
    return file


def check_statistics(output_format: str, files: Sequence[OutputFile]) -> None:
    """Make sure that ``--statistics`` has a place to go. Raises UsageError."""
    if output_format not in ("text", "concise", "json"):
        raise click.UsageError(f"--statistics has no {output_format} form; use text or json")
    if any(file.format is None for file in files):
        raise click.UsageError("--statistics goes to standard output; give --output-file as FORMAT=PATH")


def write_reports(
    results: Results, output_format: str, files: Sequence[OutputFile], *, statistics: bool, quiet: bool
) -> list[str]:
    """Write the files and print the report; a sentence for each file that could not be written."""
    # The files come first: whoever reads the output may go away early, as `head` does.
    problems = [problem for file in files for problem in _write_file(results, file, output_format)]
    if not any(file.format is None for file in files):
        lines = _printed(results, output_format, statistics=statistics, quiet=quiet)
        write(lines, verbatim=output_format not in ("text", "concise"))
    elif not quiet:
        write([summary(results.reports)])  # a run that says nothing leaves people wondering whether it ran
    return problems


def _printed(results: Results, output_format: str, *, statistics: bool, quiet: bool) -> Iterator[str]:
    colors = palette()
    if statistics and output_format == "json":
        yield statistics_json(results.reports)
        return
    if statistics:
        yield from statistics_table(results.reports, colors)
    else:
        yield from _rendered(results, output_format, colors)
    checked = any(report.problem is None for report in results.reports)
    if FORMATS[output_format].is_prose and checked and not quiet:
        yield summary(results.reports)


def _write_file(results: Results, file: OutputFile, output_format: str) -> Iterator[str]:
    name = file.format or output_format
    try:
        replace_file(file.path, "".join(f"{line}\n" for line in _rendered(results, name, _NO_COLOR)))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        yield f"{file.path}: the {name} report could not be written: {reason}"


def _rendered(results: Results, output_format: str, colors: Palette) -> Iterator[str]:
    form = FORMATS[output_format]
    root = os.environ.get(form.root_variable, "") if form.root_variable else ""
    if root and results.folder.is_relative_to(Path(root).resolve()):
        results = replace(results, root=Path(root).resolve())
    yield from form.report(results, colors)
