"""``synclint check``: find the waits in files and directories."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import replace
from functools import partial
from heapq import merge
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from synclint.commands.adoption import ALL_LINES, DEFAULT_BASELINE, Adoption, adoption_options, read_adoption
from synclint.commands.first_run import explain_words_once
from synclint.commands.fixing import Fixing, fix_files, fix_options, read_fixing
from synclint.commands.named_files import (
    NOT_KNOWN,
    Asked,
    KnownProject,
    are_single_files,
    belongs_to_more,
    in_project,
    too_much_has_changed,
)
from synclint.commands.option_groups import GroupedCommand
from synclint.commands.output import color_option, complain, write, write_difference
from synclint.commands.reports import (
    PROSE,
    OutputFile,
    check_statistics,
    format_for_single_files,
    formats_by_name,
    print_one_by_one,
    read_output_files,
    this_run,
    write_reports,
)
from synclint.commands.settings import configurations, reporting_problems, setting_options
from synclint.commands.standard_input import STDIN, StandardInput, read_standard_input
from synclint.config.configurations import DEFAULT, Configuration, Configurations
from synclint.config.options import Options
from synclint.phases import DISCOVER, REPORT, Phases
from synclint.report.results import Results
from synclint.report.terminal import escape
from synclint.results.file_reports import FileReport
from synclint.results.ranking import ranked
from synclint.running.limits import TooMuchHasChangedError
from synclint.version import __version__

if TYPE_CHECKING:
    from synclint.trace.report import TraceReport

# Takes files that are checked alike, the paths that the user named, how they are checked, in how many processes,
# what is told how far it has come and how long it took, and which of the files are to be reported (None for all).
CheckFiles = Callable[
    [Sequence[Path], Sequence[Path], Options, int | None, Callable[[int], None], Phases, frozenset[Path] | None],
    Iterator[FileReport],
]

_PROGRESS_AFTER_SECONDS = 1.0

_EXAMPLES = """\
\b
Examples:
  synclint src/                          check a directory
  synclint check --select SYN1 train.py  only rules that begin with SYN1
  synclint check --ignore tolist src/    leave one rule out, by its name
  synclint check --runs step,eval src/   evaluation, too; `all` for everything
  synclint check --statistics src/       count the findings of each rule
  synclint check --output-file synclint.sarif src/
  synclint check --diff src/             what --fix would change
  git show HEAD:a.py | synclint - --stdin-filename a.py

\b
Exit status: 0 nothing found, 1 findings, 2 incorrect use, an unreadable file,
or an internal error.
"""


@click.command(cls=GroupedCommand, epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@setting_options
@adoption_options
@fix_options
@click.option(
    "--output-file",
    "output_files",
    multiple=True,
    metavar="[FORMAT=]PATH",
    callback=read_output_files,
    help="Write a report to a file, in the format that its name implies or FORMAT gives. Repeatable.",
)
@click.option(
    "--evidence",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="List first what cost most in a run recorded by `synclint trace --output-file json=FILE`.",
)
@click.option("--only-measured", is_flag=True, help="With --evidence: report only lines that waited in that run.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of listing them.")
@click.option("--show-files", is_flag=True, help="List the files that would be checked, and check nothing.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes. Needs `synclint[watch]`.")
@click.option("--exit-zero", is_flag=True, help="Exit with status 0 even when there are findings.")
@click.option("--no-cache", is_flag=True, help="Ignore the results of earlier runs, and keep none for the next.")
@click.option("--profile-phases", is_flag=True, help="Print on standard error how much CPU time each phase took.")
@color_option
@click.option("-q", "--quiet", is_flag=True, help="Print only findings and errors.")
@click.option("-v", "--verbose", is_flag=True, help="Say on standard error what the run rests on.")
@click.option(
    "--stdin-filename",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The file name of what is read from standard input (with `-` as the path).",
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
    watch: bool,
    exit_zero: bool,
    no_cache: bool,
    profile_phases: bool,
    quiet: bool,
    verbose: bool,
    stdin_filename: Path | None,
    **given: object,
) -> None:
    """Find the lines in PATHS that make the CPU wait for the GPU (by default: in the current directory).

    Directories are searched for Python files and notebooks; what .gitignore excludes is skipped.
    `-` reads standard input.
    """
    reads_stdin = _reads_stdin(paths, stdin_filename)
    if watch:
        _check_and_watch(context, paths, stdin=reads_stdin)
    phases = Phases()
    adoption = read_adoption(given)
    measured = _read_evidence(evidence, only_measured, stdin=reads_stdin)
    fixing = read_fixing(given)
    problems: list[str] = []
    given_in: StandardInput | None = None
    with reporting_problems(context):
        configured = configurations(given, config, isolated)
        # Each file follows the nearest configuration, the run as a whole the one that holds here.
        run = configured.of(Path.cwd()).options
        adoption.verify(run, stdin=reads_stdin)
        if adoption.write_baseline and run.baseline is None:
            run = replace(run, baseline=Path(DEFAULT_BASELINE).absolute())
            if not quiet:
                complain("note", f"later runs read {DEFAULT_BASELINE} if `baseline` is set to it, or with --baseline")
        _verify_fixing(fixing, adoption, statistics=statistics)
        output_files = formats_by_name(output_files, run.output_format)
        if not (reads_stdin or adoption.writes or fixing.is_asked_for):
            adoption = _in_pull_request(adoption, quiet=quiet)
        if verbose:
            for fact in _premises(configured.of(Path.cwd()), kept=not no_cache):
                complain("note", fact)
        if statistics:
            check_statistics(run.output_format, output_files)
        if show_files:
            problems = list(_list_files(() if reads_stdin else paths or (Path(),), configured, quiet))
            context.exit(2 if problems else 0)
        if reads_stdin:
            given_in = read_standard_input(stdin_filename or STDIN)
            made = iter(_check_stdin(given_in, configured))
        else:
            check_alike = _without_cache() if no_cache else _with_cache(run.cache_dir)
            # Fixes are tried on texts that are not on disk, of which no memory knows.
            known = _known_projects(run.cache_dir, no_cache) if run.project and not fixing.is_asked_for else None
            made, problems = _check_paths(paths or (Path(),), configured, run.jobs, quiet, check_alike, phases, known)
    single = format_for_single_files(run.output_format, run.sort, output_files, statistics=statistics)
    is_plain = measured is None and not adoption.is_asked_for(run) and not fixing.is_asked_for
    if single is not None and is_plain:
        with phases.phase(REPORT):
            reports = print_one_by_one(made, single, Path.cwd(), quiet=quiet, marks_unsafe=fixing.unsafe)
        problems += [report.problem for report in reports if report.problem]
    else:
        with phases.phase(REPORT):
            reports = tuple(made)
        problems += [report.problem for report in reports if report.problem]
        if adoption.is_asked_for(run):
            looked_at = () if reads_stdin else paths or (Path(),)
            reports, more = _adopted(reports, looked_at, adoption, run, configured, quiet)
            problems += more
        if fixing.is_asked_for:

            def check_again() -> Sequence[FileReport]:
                if given_in is not None:
                    return _narrowed(_check_stdin(given_in, configured), (), adoption, run, configured)
                again, _ = _check_paths(paths or (Path(),), configured, run.jobs, True, _without_cache(), phases, None)
                found = tuple(again)
                return _narrowed(found, paths or (Path(),), adoption, run, configured)

            if given_in is None:
                outcome = fix_files(reports, check_again, fixing, Path.cwd())
            else:
                outcome, data = given_in.fixed(reports, check_again, fixing)
            reports = tuple(outcome.reports)
            problems += outcome.problems
            for kind, said in (("note", outcome.notes), ("warning", outcome.warnings)):
                for sentence in () if quiet and kind == "note" else said:
                    complain(kind, sentence)
        if fixing.diff:
            write_difference(outcome.diff)
            for problem in problems:
                complain("error", problem)
            context.exit(2 if problems else int(bool(outcome.diff) and not exit_zero))
        if measured is not None:
            reports = _with_costs(reports, measured, quiet, only_measured=only_measured)
        # What has just been written down is no longer news, and neither is it "nothing found".
        quiet = quiet or adoption.write_baseline
        # As other tools do: what is fixed on its way through is printed, and what is left of it is reported aside.
        aside = redirect_stdout(sys.stderr) if given_in is not None and fixing.fix else nullcontext()
        if given_in is not None and fixing.fix:
            sys.stdout.buffer.write(data)
            sys.stdout.flush()
        if fixing.only:
            for problem in problems:
                complain("error", problem)
            context.exit(2 if problems or any(report.has_failed for report in reports) else 0)
        with phases.phase(REPORT), aside:
            results = Results(ranked(reports), Path.cwd(), Path.cwd(), tuple(problems), this_run(context.obj or ()))
            problems += write_reports(
                results,
                run.output_format,
                run.sort,
                output_files,
                statistics=statistics,
                quiet=quiet,
                marks_unsafe=fixing.unsafe,
            )
    is_read = run.output_format in PROSE and not statistics and not any(file.format is None for file in output_files)
    if is_read and not quiet and not no_cache and any(report.findings for report in reports):
        explain_words_once()
    if profile_phases:
        for phase, seconds in phases.seconds.items():
            click.echo(f"{phase:<9}{seconds:8.3f} s", err=True)
    for problem in problems:
        complain("error", problem)
    if problems or any(report.has_failed for report in reports):
        context.exit(2)
    context.exit(1 if any(map(run.fails, chain.from_iterable(r.findings for r in reports))) and not exit_zero else 0)


def _check_and_watch(context: click.Context, paths: Sequence[Path], *, stdin: bool) -> NoReturn:
    """Check as the other arguments say until the user ends it."""
    if stdin:
        raise click.UsageError("--watch needs files; it cannot work on standard input")
    from synclint.commands.watch import watch

    def check_once() -> int:
        try:
            context.invoke(check, **{**context.params, "watch": False})
        except click.exceptions.Exit as ended:
            return ended.exit_code
        return 0

    context.exit(watch(paths or (Path(),), check_once, bool(context.params["quiet"])))


def _read_evidence(path: Path | None, only_measured: bool, *, stdin: bool) -> TraceReport | None:
    if path is None:
        if only_measured:
            raise click.UsageError("--only-measured needs --evidence FILE")
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
    if STDIN in paths and len(paths) > 1:
        raise click.UsageError("`-` (standard input) cannot be combined with other paths")
    if stdin_filename is not None and paths not in ((), (STDIN,)):
        raise click.UsageError("--stdin-filename is the name of standard input; give `-` as the path")
    return STDIN in paths or stdin_filename is not None


def _verify_fixing(fixing: Fixing, adoption: Adoption, *, statistics: bool) -> None:
    """Raise UsageError for what cannot be done together."""
    flag = "--diff" if fixing.diff else "--fix"
    if fixing.fix and fixing.diff:
        raise click.UsageError("--diff shows what --fix would write; use only one of them")
    if fixing.shows and not fixing.is_asked_for:
        raise click.UsageError("--show-fixes lists what --fix fixes, or --diff would; give one of them")
    if not fixing.is_asked_for:
        return
    if adoption.writes:
        raise click.UsageError(f"{flag} and {adoption.writes} cannot be used together")
    if statistics and fixing.diff:
        raise click.UsageError("--diff shows changes, --statistics counts findings; use only one of them")


def _narrowed(
    reports: Sequence[FileReport],
    paths: Sequence[Path],
    adoption: Adoption,
    run: Options,
    configured: Configurations,
) -> Sequence[FileReport]:
    """What a baseline and the like leave to be reported, with nothing said of the rest."""
    if not adoption.is_asked_for(run):
        return reports
    from synclint.commands.adopting import adopt

    return adopt(reports, paths, adoption, run, configured).reports


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


def _check_stdin(given: StandardInput, configured: Configurations) -> Sequence[FileReport]:
    """The report on standard input; none where exclusions are forced and leave out the name that it is given."""
    named = given.path.absolute()
    if given.path != STDIN and configured.of(named.parent).options.files.excludes_named(named):
        return ()
    return (given.report(configured),)


def _in_pull_request(adoption: Adoption, *, quiet: bool) -> Adoption:
    """What a run asks for, with what a pull request is compared with where this is one and nothing else is named."""
    if adoption.diff_base is not None:
        return replace(adoption, diff_base=None) if adoption.diff_base == ALL_LINES else adoption
    from synclint.adoption.pull_requests import known_revision, revisions_before

    revisions = revisions_before(os.environ)
    if not revisions:
        return adoption
    known = known_revision(revisions, Path.cwd())
    if known is not None:
        said = f"pull request: only what is new since {known} is reported; --diff-base none reports all"
    else:
        named = " nor ".join(revisions)
        said = f"pull request: all is reported, since git does not know {named}; a deeper clone has it (fetch-depth: 0)"
    if not quiet:
        complain("note", said)
    return replace(adoption, diff_base=known, only_worse=known is not None)


def _premises(configuration: Configuration, *, kept: bool) -> Iterator[str]:
    """What a run rests on besides the files that it checks, a sentence each."""
    from synclint.running.cache import default_folder

    yield f"synclint {__version__} on Python {platform.python_version()}, from {Path(__file__).parent.parent}"
    sources = {origin for origins in configuration.origins.values() for origin in origins} - {DEFAULT}
    yield f"settings from {', '.join(sorted(sources)) or 'nothing but defaults'}; `synclint config` shows each"
    version = configuration.options.torch_version
    yield f"PyTorch {version} is assumed" if version else "the newest PyTorch that is known is assumed"
    folder = configuration.options.cache_dir or default_folder()
    yield f"results are kept in {folder}" if kept and folder else "no results are kept"


def _without_cache() -> CheckFiles:
    # Imported here because what is found in the cache does without it.
    from synclint.running.runner import check_files

    return lambda files, roots, options, jobs, progress, phases, wanted: (
        check_files(files, roots, options, jobs, progress, phases, wanted=wanted).reports
    )


def _with_cache(folder: Path | None) -> CheckFiles:
    from synclint.running.cache import check_files_cached, default_folder

    folder = folder or default_folder()
    if folder is None:
        return _without_cache()
    return lambda files, roots, options, jobs, progress, phases, wanted: check_files_cached(
        files, roots, options, jobs, progress, phases, folder, wanted=wanted
    )


def _known_projects(folder: Path | None, no_cache: bool) -> KnownProject:
    from synclint.running.cache import default_folder, known_project

    folder = folder or default_folder()
    return partial(known_project, folder) if folder is not None and not no_cache else lambda _: None


def _check_paths(
    paths: Sequence[Path],
    configured: Configurations,
    jobs: int | None,
    quiet: bool,
    check_alike: CheckFiles,
    phases: Phases,
    known: KnownProject | None,
) -> tuple[Iterator[FileReport], list[str]]:
    """Analyse the files below ``paths``; the reports, in the order of their paths, are made when they are asked for.

    Files that are named one by one are seen with the project around them, where that is ``known``.
    """
    from synclint.running.discovery import discover

    with phases.phase(DISCOVER):
        found = discover(paths, lambda folder: configured.of(folder).options.files)
    if not quiet:
        for warning in (*configured.warnings, *found.warnings):
            complain("warning", warning)
    asked = Asked(paths, found.files)
    if known is not None and are_single_files(paths):
        with phases.phase(DISCOVER):
            project = in_project(asked, configured, known)
        if project is not None:
            try:
                return _checked(project, configured, jobs, quiet, check_alike, phases), list(found.problems)
            except TooMuchHasChangedError:
                unknown = too_much_has_changed(project.roots)
        else:
            unknown = NOT_KNOWN if belongs_to_more(found.files.values()) else ""
        if unknown and not quiet:
            complain("note", unknown)
    return _checked(asked, configured, jobs, quiet, check_alike, phases), list(found.problems)


def _checked(
    asked: Asked,
    configured: Configurations,
    jobs: int | None,
    quiet: bool,
    check_alike: CheckFiles,
    phases: Phases,
) -> Iterator[FileReport]:
    """What came of the files that are asked for. Raises TooMuchHasChangedError, and ConfigurationError."""
    alike: dict[Options, list[Path]] = {}
    for path, real in asked.files.items():
        alike.setdefault(configured.of_file(real), []).append(path)
    made: list[Iterator[FileReport]] = []
    with _progress(len(asked.files), shown=not quiet and sys.stderr.isatty()) as progress:
        for options, files in alike.items():
            if options.sync_free:
                from synclint.running.contracts import verify_names

                verify_names(options)
            if asked.wanted is None or not asked.wanted.isdisjoint(files):
                made.append(check_alike(files, asked.roots, options, jobs, progress, phases, asked.wanted))
    return merge(*made, key=lambda report: report.path)


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
