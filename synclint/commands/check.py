"""``synclint check``: find the waits in files and directories."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from synclint.commands.adoption import adoption_options
from synclint.commands.checked_files import check_files_again, check_files_of, check_standard_input, list_files
from synclint.commands.first_run import explain_words_once
from synclint.commands.fixing import Outcome, fix_files, fix_options
from synclint.commands.option_groups import GroupedCommand
from synclint.commands.output import color_option, complain, write_difference
from synclint.commands.plan import Plan, make_plan, premises, reads_standard_input
from synclint.commands.reports import OutputFile, print_one_by_one, read_output_files, this_run, write_reports
from synclint.commands.settings import reporting_problems, setting_options
from synclint.commands.standard_input import STDIN, StandardInput, read_standard_input
from synclint.phases import REPORT, Phases
from synclint.report.origins import Origin
from synclint.report.results import Results
from synclint.results.file_reports import FileReport
from synclint.results.ranking import ranked
from synclint.rules.own import INTERNAL_ERROR

if TYPE_CHECKING:
    from synclint.trace.report import TraceReport

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
    reads_stdin = reads_standard_input(paths, stdin_filename)
    if watch:
        _check_and_watch(context, paths, stdin=reads_stdin)
    phases = Phases()
    with reporting_problems(context):
        plan = make_plan(
            given,
            paths=paths,
            standard_input=(stdin_filename or STDIN) if reads_stdin else None,
            config=config,
            isolated=isolated,
            output_files=output_files,
            evidence=evidence,
            only_measured=only_measured,
            statistics=statistics,
            remembers=not no_cache,
            quiet=quiet,
        )
        if verbose:
            _say("note", premises(plan))
        if show_files:
            context.exit(2 if list_files(plan) else 0)
        if plan.standard_input is None:
            given_in = None
            made, problems = check_files_of(plan, phases)
        else:
            given_in = read_standard_input(plan.standard_input)
            made, problems = iter(check_standard_input(given_in, plan.configured)), []
    found = _Found(given_in, problems)
    if (form := plan.format_for_single_files) is not None:
        with phases.phase(REPORT):
            found.take(print_one_by_one(made, form, Path.cwd(), quiet=quiet, marks_unsafe=plan.fixing.unsafe))
    else:
        with phases.phase(REPORT):
            found.take(tuple(made))
        _adopt(plan, found)
        if plan.fixing.is_asked_for:
            outcome = _fix(plan, found, phases)
            if plan.fixing.diff:
                write_difference(outcome.diff)
                found.problems += _failures(found.reports)
                context.exit(_status(found, bool(outcome.diff) and not exit_zero))
        if plan.measured is not None:
            _weigh(plan, plan.measured, found)
        if plan.fixing.only:
            found.problems += _failures(found.reports)
            context.exit(_status(found, False))
        with phases.phase(REPORT):
            _report(plan, found, this_run(context.obj or ()))
    is_told = plan.is_read_by_people and not _is_quiet(plan) and plan.remembers
    if is_told and any(report.findings for report in found.reports):
        explain_words_once()
    if profile_phases:
        for phase, seconds in phases.seconds.items():
            click.echo(f"{phase:<9}{seconds:8.3f} s", err=True)
    fails = any(map(plan.run.fails, chain.from_iterable(report.findings for report in found.reports)))
    context.exit(_status(found, fails and not exit_zero))


@dataclass
class _Found:
    """What a run comes to: the reports so far, and the problems; ``given_in`` is what was read from standard input."""

    given_in: StandardInput | None
    problems: list[str]
    reports: tuple[FileReport, ...] = ()

    def take(self, reports: tuple[FileReport, ...]) -> None:
        """Take the first reports, with the problems that they tell of."""
        self.reports = reports
        self.problems += [report.problem for report in reports if report.problem]


def _adopt(plan: Plan, found: _Found) -> None:
    """Leave what a baseline and the like leave to be reported, and say the rest."""
    if not plan.is_adopting:
        return
    from synclint.commands.adopting import adopt

    outcome = adopt(found.reports, plan.paths, plan.adoption, plan.run, plan.configured)
    if not plan.quiet:
        _say("note", outcome.notes)
        _say("warning", outcome.warnings)
    found.reports = tuple(outcome.reports)
    found.problems += outcome.problems


def _fix(plan: Plan, found: _Found, phases: Phases) -> Outcome:
    """Make the fixes; standard input is printed with them, if they are not only to be shown."""
    given_in = found.given_in

    def check_again() -> Sequence[FileReport]:
        if given_in is not None:
            again = check_standard_input(given_in, plan.configured)
        else:
            again = check_files_again(plan, phases)
        if not plan.is_adopting:
            return again
        from synclint.commands.adopting import adopt

        return adopt(again, plan.paths, plan.adoption, plan.run, plan.configured).reports

    if given_in is None:
        outcome = fix_files(found.reports, check_again, plan.fixing, Path.cwd())
    else:
        outcome, data = given_in.fixed(found.reports, check_again, plan.fixing)
        if plan.fixing.fix:
            sys.stdout.buffer.write(data)
            sys.stdout.flush()
    found.reports = tuple(outcome.reports)
    found.problems += outcome.problems
    if not plan.quiet:
        _say("note", outcome.notes)
    _say("warning", outcome.warnings)
    return outcome


def _weigh(plan: Plan, measured: TraceReport, found: _Found) -> None:
    """Put first what cost most in a traced run."""
    from synclint.commands.evidence import with_costs

    reports, notes = with_costs(found.reports, measured, Path.cwd(), only_measured=plan.only_measured)
    if not plan.quiet:
        _say("note", notes)
    found.reports = tuple(reports)


def _report(plan: Plan, found: _Found, origin: Origin) -> None:
    """Print what is left, or write it to files."""
    results = Results(ranked(found.reports), Path.cwd(), Path.cwd(), tuple(found.problems), origin)
    # As other tools do: what is fixed on its way through is printed, and what is left of it is reported aside.
    is_aside = found.given_in is not None and plan.fixing.fix
    with redirect_stdout(sys.stderr) if is_aside else nullcontext():
        found.problems += write_reports(
            results,
            plan.run.output_format,
            plan.run.sort,
            plan.output_files,
            statistics=plan.statistics,
            quiet=_is_quiet(plan),
            marks_unsafe=plan.fixing.unsafe,
        )


def _is_quiet(plan: Plan) -> bool:
    """Whether nothing is said but findings: what has just been written down is neither news nor "nothing found"."""
    return plan.quiet or plan.adoption.write_baseline


def _say(kind: str, sentences: Iterable[str]) -> None:
    for sentence in sentences:
        complain(kind, sentence)


def _failures(reports: Iterable[FileReport]) -> list[str]:
    """Where errors of ours kept something from being done, for runs that do not report what is found."""
    found = ((report.path, finding) for report in reports for finding in report.findings)
    return [f"{path}:{one.span.start.line}: {one.message}" for path, one in found if one.code == INTERNAL_ERROR.code]


def _status(found: _Found, fails: bool) -> int:
    """Say what the problems are; the exit status by them, and by whether the run ``fails``."""
    _say("error", found.problems)
    has_failed = any(report.has_failed for report in found.reports)
    return 2 if found.problems or has_failed else int(fails)


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
