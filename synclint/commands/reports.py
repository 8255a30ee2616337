"""Where reports go: one to standard output, and any number to files.

What is told of one file after the other is printed so, where nothing else needs the reports of all files together.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from synclint.commands.output import palette, write
from synclint.config.format_names import FORMAT_NAMES
from synclint.files.atomic_files import replace_file
from synclint.files.real_paths import real_path
from synclint.report.formats import FORMATS, DocumentFormat, LineFormat, lines_in_order
from synclint.report.origins import Origin, origin
from synclint.report.results import Results, checked_files
from synclint.report.statistics import fixable, statistics_json, statistics_table, summary
from synclint.report.terminal import Palette
from synclint.report.wrapping import wrapped
from synclint.results.file_reports import FileReport
from synclint.spelling import nearest

PROSE = ("full", "text", "concise", "grouped")
# Names that promise nothing but text, devices and pipes among them.
_PLAIN_ENDINGS = ("", ".txt", ".log", ".out")
# The formats that files of these names may have, and first the one that is meant where nothing else is said.
_BY_ENDING = {
    ".sarif.json": ("sarif",),
    ".sarif": ("sarif",),
    ".json": ("json", "gitlab", "rdjson", "sarif"),
    ".html": ("html",),
    ".htm": ("html",),
    ".md": ("markdown",),
    ".xml": ("junit",),
}
_NO_COLOR = Palette(enabled=False)


@dataclass(frozen=True)
class OutputFile:
    """A file for a report; without a ``format`` it takes the place of standard output, see ``formats_by_name``."""

    format: str | None
    path: Path


def read_output_files(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[OutputFile, ...]:
    """The values of ``--output-file``: ``PATH``, or ``FORMAT=PATH`` for a report in addition to the others.

    Raises UsageError for what could only be noticed at the end of the run: an unknown format, a missing
    directory, a file named twice.
    """
    found = tuple(map(_read_output_file, given))
    paths = [real_path(file.path) for file in found]
    if len(set(paths)) < len(paths):
        raise click.UsageError("--output-file names the same file twice")
    return found


def formats_by_name(files: Sequence[OutputFile], output_format: str) -> tuple[OutputFile, ...]:
    """The files with the formats that the ends of their names tell, where nobody has named one.

    A file whose name fits ``output_format``, or tells nothing, takes the place of standard output. Raises UsageError
    where two files would, and for an ending that nobody knows where no format for programs is asked for.
    """
    for file in files:
        if file.format is None and output_format in PROSE and _is_of_unknown_format(file.path):
            raise click.UsageError(
                f"--output-file: {file.path.name!r} implies no format; write FORMAT=PATH, such as json={file.path}"
            )
    found = tuple(replace(file, format=file.format or _format_of_name(file.path, output_format)) for file in files)
    if sum(file.format is None for file in found) > 1:
        raise click.UsageError("--output-file is given twice without a format; write FORMAT=PATH")
    return found


def _is_of_unknown_format(path: Path) -> bool:
    name = path.name.lower()
    return not name.endswith(tuple(_BY_ENDING)) and path.suffix.lower() not in _PLAIN_ENDINGS


def _format_of_name(path: Path, output_format: str) -> str | None:
    name = path.name.lower()
    fitting = next((formats for ending, formats in _BY_ENDING.items() if name.endswith(ending)), ())
    return fitting[0] if fitting and output_format not in fitting else None


def _read_output_file(text: str) -> OutputFile:
    name, equals, path = text.partition("=")
    if equals and name in FORMAT_NAMES:
        file = OutputFile(name, Path(path))
    elif equals and name.isalpha():
        hint = nearest(name, FORMAT_NAMES) or f"; choose one of {', '.join(FORMAT_NAMES)}"
        raise click.UsageError(f"--output-file: unknown format {name!r}{hint}")
    else:
        file = OutputFile(None, Path(text))
    if not file.path.name:
        raise click.UsageError(f"--output-file: {text!r} names no file")
    if not file.path.parent.is_dir():
        raise click.UsageError(f"--output-file: {file.path.parent} is not a directory")
    return file


def this_run(arguments: Sequence[str]) -> Origin:
    """The run of the program with these arguments, as a report tells it; SOURCE_DATE_EPOCH gives it another time."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = time.gmtime(int(epoch) if epoch.isdecimal() else None)
    date = time.strftime("%Y-%m-%d %H:%M UTC", moment)
    return origin(Path.cwd(), shlex.join(["synclint", *arguments]), date, os.environ)


def check_statistics(output_format: str, files: Sequence[OutputFile]) -> None:
    """Make sure that ``--statistics`` has a place to go. Raises UsageError."""
    if output_format not in (*PROSE, "json"):
        raise click.UsageError(f"--statistics has no {output_format} form; use full or json")
    if any(file.format is None for file in files):
        raise click.UsageError("--statistics goes to standard output; give --output-file as FORMAT=PATH")


def format_for_single_files(
    output_format: str, sort: str | None, files: Sequence[OutputFile], *, statistics: bool
) -> LineFormat | None:
    """The format that ``print_one_by_one`` can print; None where all reports are needed together."""
    form = FORMATS[output_format]
    if files or statistics or not isinstance(form, LineFormat) or lines_in_order(form, sort):
        return None
    return form


def print_one_by_one(
    reports: Iterator[FileReport], form: LineFormat, folder: Path, *, quiet: bool, marks_unsafe: bool = False
) -> tuple[FileReport, ...]:
    """Print what is to be said of each file before the next report is made.

    ``folder`` is where the run takes place (absolute). The reports come back without the files' sources.
    """
    written: list[FileReport] = []

    def noted() -> Iterator[FileReport]:
        for report in reports:
            written.append(replace(report, source="", embedded=None))
            yield report

    files = checked_files(noted(), folder, _root(form, folder))
    try:
        lines = form.lines(files, palette(marks_unsafe=marks_unsafe), folder)
        write(_fitted(lines, form), verbatim=form.is_verbatim)
    except OSError:
        # Whoever reads may go away early, as `head` does: what has been analysed is kept for the next run all the same.
        deque(reports, maxlen=0)
        raise
    write(_totals(written, form, quiet=quiet, marks_unsafe=marks_unsafe), verbatim=form.is_verbatim)
    return tuple(written)


def write_reports(
    results: Results,
    output_format: str,
    sort: str | None,
    files: Sequence[OutputFile],
    *,
    statistics: bool,
    quiet: bool,
    marks_unsafe: bool = False,
) -> list[str]:
    """Write the files and print the report; a sentence for each file that could not be written."""
    # The files come first: whoever reads the output may go away early, as `head` does.
    problems = [problem for file in files for problem in _write_file(results, file, output_format, sort)]
    if not any(file.format is None for file in files):
        lines = _printed(results, output_format, sort, statistics=statistics, quiet=quiet, marks_unsafe=marks_unsafe)
        form = FORMATS[output_format]
        write(lines, verbatim=isinstance(form, DocumentFormat) or form.is_verbatim)
    elif not quiet:
        write([summary(results.reports)])  # a run that says nothing leaves people wondering whether it ran
    return problems


def _printed(
    results: Results, output_format: str, sort: str | None, *, statistics: bool, quiet: bool, marks_unsafe: bool
) -> Iterator[str]:
    colors = palette(marks_unsafe=marks_unsafe)
    if statistics and output_format == "json":
        yield statistics_json(results.reports)
        return
    if statistics:
        yield from statistics_table(results.reports, colors)
    else:
        yield from _fitted(_rendered(results, output_format, sort, colors), FORMATS[output_format])
    yield from _totals(results.reports, FORMATS[output_format], quiet=quiet, marks_unsafe=marks_unsafe)


def _fitted(lines: Iterable[str], form: LineFormat | DocumentFormat) -> Iterable[str]:
    """The lines of a report for people, broken where they do not fit on the terminal that they are printed on."""
    if not (isinstance(form, LineFormat) and form.is_wrapped and sys.stdout.isatty()):
        return lines
    return wrapped(lines, shutil.get_terminal_size().columns)


def _totals(
    reports: Sequence[FileReport], form: LineFormat | DocumentFormat, *, quiet: bool, marks_unsafe: bool
) -> Iterator[str]:
    checked = any(report.problem is None for report in reports)
    if isinstance(form, LineFormat) and form.is_prose and checked and not quiet:
        yield summary(reports)
        if said := fixable(reports, unsafe=marks_unsafe):
            yield said


def _write_file(results: Results, file: OutputFile, output_format: str, sort: str | None) -> Iterator[str]:
    name = file.format or output_format
    try:
        replace_file(file.path, "".join(f"{line}\n" for line in _rendered(results, name, sort, _NO_COLOR)))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        yield f"{file.path}: the {name} report could not be written: {reason}"


def _rendered(results: Results, output_format: str, sort: str | None, colors: Palette) -> Iterable[str]:
    form = FORMATS[output_format]
    root = _root(form, results.folder)
    if isinstance(form, LineFormat):
        lines = lines_in_order(form, sort) or form.lines
        return lines(checked_files(results.reports, results.folder, root), colors, results.folder)
    return [form.document(replace(results, root=root))]


def _root(form: LineFormat | DocumentFormat, folder: Path) -> Path:
    """The folder that the reader of a report counts paths from, which is ``folder`` unless it names one around it."""
    named = os.environ.get(form.root_variable, "") if form.root_variable else ""
    root = real_path(Path(named))
    return root if named and folder.is_relative_to(root) else folder
