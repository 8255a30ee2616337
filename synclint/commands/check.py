"""``synclint check``: find the syncs in files and directories."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from heapq import merge
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from synclint.commands.adoption import Adoption, adoption_options, read_adoption
from synclint.commands.output import color_option, complain, write
from synclint.commands.reports import (
    OutputFile,
    check_statistics,
    format_for_single_files,
    print_one_by_one,
    read_output_files,
    write_reports,
)
from synclint.commands.settings import configurations, reporting_problems, setting_options
from synclint.config.configurations import Configurations
from synclint.config.options import Options
from synclint.phases import DISCOVER, REPORT, Phases
from synclint.report.results import Results
from synclint.report.terminal import escape
from synclint.results.file_reports import FileReport
from synclint.results.ranking import ranked
from synclint.sources.decoding import UnreadableSourceError, decode_source, most_bytes

if TYPE_CHECKING:
    from synclint.trace.report import TraceReport

# Takes files that are checked alike, the paths that the user named, how they are checked, in how many processes, and
# what is told how far it has come and how long it took.
CheckFiles = Callable[
    [Sequence[Path], Sequence[Path], Options, int | None, Callable[[int], None], Phases], Iterator[FileReport]
]

_STDIN = Path("-")
_PROGRESS_AFTER_SECONDS = 1.0

_EXAMPLES = """\
\b
Examples:
  synclint src/                          check a directory
  synclint check --select SYN1 train.py  only rules whose codes begin with SYN1
  synclint check --ignore tolist src/    leave one rule out, by its name
  synclint check --runs step,eval src/   evaluation, too; `all` for everything
  synclint check --statistics src/       how often each rule was broken
  synclint check --output-file sarif=synclint.sarif src/
  git show HEAD:a.py | synclint - --stdin-filename a.py

\b
Exit status: 0 nothing found, 1 findings, 2 wrong use, a file that could not be read, or a mistake of ours.
"""


@click.command(epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@setting_options
@adoption_options
@click.option(
    "--output-file",
    "output_files",
    multiple=True,
    metavar="[FORMAT=]PATH",
    callback=read_output_files,
    help="Write the report to a file; as FORMAT=PATH, repeatable, beside what is printed.",
)
@click.option(
    "--evidence",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Put first what cost most in a run: a report of `synclint trace --output-file json=FILE`.",
)
@click.option("--only-measured", is_flag=True, help="With --evidence: report only what was seen to wait in that run.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of listing them.")
@click.option("--show-files", is_flag=True, help="List the files that would be checked, and check nothing.")
@click.option("--exit-zero", is_flag=True, help="Exit with status 0 even when there are findings.")
@click.option("--no-cache", is_flag=True, help="Check everything anew, and keep nothing for the next run.")
@click.option("--profile-phases", is_flag=True, help="Tell on standard error how much CPU time each phase took.")
@color_option
@click.option("-q", "--quiet", is_flag=True, help="Print findings and errors, nothing else.")
@click.option(
    "--stdin-filename",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The name of what is read from standard input (with `-` as path).",
)
@click.pass_context
def check(
    context: click.Context,
    /,
    paths: tuple[Path, ...],
    config: tuple[str, ...],
    isolated: bool,
    output_files: tuple[OutputFile, ...],
    evidence: Path | None,
    only_measured: bool,
    statistics: bool,
    show_files: bool,
    exit_zero: bool,
    no_cache: bool,
    profile_phases: bool,
    quiet: bool,
    stdin_filename: Path | None,
    **given: object,
) -> None:
    """Find the lines that make the CPU wait for the GPU in PATHS (by default: here).

    Directories are searched for Python files and notebooks; what .gitignore excludes is skipped.
    `-` reads standard input.
    """
    reads_stdin = _reads_stdin(paths, stdin_filename)
    phases = Phases()
    adoption = read_adoption(given)
    measured = _read_evidence(evidence, only_measured, stdin=reads_stdin)
    problems: list[str] = []
    with reporting_problems(context):
        configured = configurations(given, config, isolated)
        # Each file follows the nearest configuration, the run as a whole the one that holds here.
        run = configured.of(Path.cwd()).options
        adoption.verify(run, stdin=reads_stdin)
        if statistics:
            check_statistics(run.output_format, output_files)
        if show_files:
            problems = list(_list_files(() if reads_stdin else paths or (Path(),), configured, quiet))
            context.exit(2 if problems else 0)
        if reads_stdin:
            made = iter(_check_stdin(stdin_filename or _STDIN, configured))
        else:
            check_alike = _without_cache() if no_cache else _with_cache(run.cache_dir)
            made, problems = _check_paths(paths or (Path(),), configured, run.jobs, quiet, check_alike, phases)
    single = format_for_single_files(run.output_format, run.sort, output_files, statistics=statistics)
    if single is not None and measured is None and not adoption.is_asked_for(run):
        with phases.phase(REPORT):
            reports = print_one_by_one(made, single, Path.cwd(), quiet=quiet)
        problems += [report.problem for report in reports if report.problem]
    else:
        with phases.phase(REPORT):
            reports = tuple(made)
        problems += [report.problem for report in reports if report.problem]
        if adoption.is_asked_for(run):
            looked_at = () if reads_stdin else paths or (Path(),)
            reports, more = _adopted(reports, looked_at, adoption, run, configured, quiet)
            problems += more
        if measured is not None:
            reports = _with_costs(reports, measured, quiet, only_measured=only_measured)
        # What has just been written down is no longer news, and neither is it "nothing found".
        quiet = quiet or adoption.write_baseline
        with phases.phase(REPORT):
            results = Results(ranked(reports), Path.cwd(), Path.cwd(), tuple(problems))
            problems += write_reports(
                results, run.output_format, run.sort, output_files, statistics=statistics, quiet=quiet
            )
    if profile_phases:
        for phase, seconds in phases.seconds.items():
            click.echo(f"{phase:<9}{seconds:8.3f} s", err=True)
    for problem in problems:
        complain("error", problem)
    if problems or any(report.has_failed for report in reports):
        context.exit(2)
    context.exit(1 if any(map(run.fails, chain.from_iterable(r.findings for r in reports))) and not exit_zero else 0)


def _read_evidence(path: Path | None, only_measured: bool, *, stdin: bool) -> TraceReport | None:
    if path is None:
        if only_measured:
            raise click.UsageError("--only-measured needs a run to go by: give --evidence FILE")
        return None
    if stdin:
        raise click.UsageError("--evidence is about files; it cannot be used with standard input")
    from synclint.commands.evidence import read_evidence

    return read_evidence(path)


def _with_costs(
    reports: Sequence[FileReport], evidence: TraceReport, quiet: bool, *, only_measured: bool
) -> tuple[FileReport, ...]:
    from synclint.commands.evidence import with_costs

    found, notes = with_costs(reports, evidence, Path.cwd(), only_measured=only_measured)
    for note in () if quiet else notes:
        complain("note", note)
    return tuple(found)


def _reads_stdin(paths: Sequence[Path], stdin_filename: Path | None) -> bool:
    if _STDIN in paths and len(paths) > 1:
        raise click.UsageError("`-` (standard input) cannot be combined with other paths")
    if stdin_filename is not None and paths not in ((), (_STDIN,)):
        raise click.UsageError("--stdin-filename names what standard input holds; give `-` as the path")
    return _STDIN in paths or stdin_filename is not None


def _adopted(
    reports: Sequence[FileReport],
    paths: Sequence[Path],
    adoption: Adoption,
    run: Options,
    configured: Configurations,
    quiet: bool,
) -> tuple[tuple[FileReport, ...], list[str]]:
    """What a baseline and the like leave to be reported, and the problems with it; the rest is said here."""
    from synclint.commands.adopting import adopt

    outcome = adopt(reports, paths, adoption, run, configured)
    for kind, said in (("note", outcome.notes), ("warning", outcome.warnings)):
        for sentence in () if quiet else said:
            complain(kind, sentence)
    return tuple(outcome.reports), outcome.problems


def _list_files(paths: Sequence[Path], configured: Configurations, quiet: bool) -> Sequence[str]:
    """Print the files that a run would check; the problems with the paths, which have been told."""
    from synclint.running.discovery import discover

    found = discover(paths, lambda folder: configured.of(folder).options.files)
    write(escape(str(path)) for path in found.files)
    for kind, said in (("warning", found.warnings), ("error", found.problems)):
        for sentence in () if quiet and kind == "warning" else said:
            complain(kind, sentence)
    return found.problems


def _check_stdin(path: Path, configured: Configurations) -> Sequence[FileReport]:
    """The report on standard input; none where exclusions are forced and leave out the name that it is given."""
    named = path.absolute()
    if path != _STDIN and configured.of(named.parent).options.files.excludes_named(named):
        return ()
    return (_report_on_stdin(path, configured),)


def _report_on_stdin(path: Path, configured: Configurations) -> FileReport:
    try:
        most = most_bytes(path)
        data = sys.stdin.buffer.read(most + 1)
        if len(data) > most:
            return FileReport(path, problem=f"{path}: standard input is larger than a source may be ({most} bytes)")
        source = decode_source(data)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return FileReport(path, problem=f"{path}: standard input could not be read: {reason}")
    except UnreadableSourceError as error:
        return FileReport(path, problem=f"{path}: {error}")
    from synclint.running.runner import check_text

    options = configured.of_file(path.absolute())
    return check_text(source, path, (Path() if path == _STDIN else path,), options)


def _without_cache() -> CheckFiles:
    # Imported here because what is found in the cache does without it.
    from synclint.running.runner import check_files

    return lambda *given: check_files(*given).reports


def _with_cache(folder: Path | None) -> CheckFiles:
    from synclint.running.cache import check_files_cached, default_folder

    folder = folder or default_folder()
    return partial(check_files_cached, folder=folder) if folder is not None else _without_cache()


def _check_paths(
    paths: Sequence[Path],
    configured: Configurations,
    jobs: int | None,
    quiet: bool,
    check_alike: CheckFiles,
    phases: Phases,
) -> tuple[Iterator[FileReport], list[str]]:
    """Learn the files below ``paths``; the reports, in the order of their paths, are made when they are asked for."""
    from synclint.running.discovery import discover

    with phases.phase(DISCOVER):
        found = discover(paths, lambda folder: configured.of(folder).options.files)
    if not quiet:
        for warning in (*configured.warnings, *found.warnings):
            complain("warning", warning)
    alike: dict[Options, list[Path]] = {}
    for path, real in found.files.items():
        alike.setdefault(configured.of_file(real), []).append(path)
    made: list[Iterator[FileReport]] = []
    with _progress(len(found.files), shown=not quiet and sys.stderr.isatty()) as progress:
        for options, files in alike.items():
            made.append(check_alike(files, paths, options, jobs, progress, phases))
    return merge(*made, key=lambda report: report.path), list(found.problems)


@contextmanager
def _progress(total: int, *, shown: bool) -> Iterator[Callable[[int], None]]:
    """Count files on a bar on standard error, which appears once the run has taken a while."""
    started = time.monotonic()
    bar = click.progressbar(length=total, label="Checking", file=sys.stderr, show_pos=True)
    uncounted = 0

    def advance(count: int) -> None:
        nonlocal uncounted
        uncounted += count
        if shown and time.monotonic() - started >= _PROGRESS_AFTER_SECONDS:
            bar.update(uncounted)
            uncounted = 0

    try:
        yield advance
    finally:
        if bar.pos:
            bar.render_finish()
