"""``synclint verify``: run the rules' cases and say whether the hardware agrees."""

from __future__ import annotations

import difflib
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from synclint.catalog.entries import load_catalog
from synclint.commands.output import complain
from synclint.report.terminal import escape
from synclint.verify.cases import BrokenCase, Case, load_rule_cases, rule_folders, select_cases
from synclint.verify.catalog_cases import load_catalog_cases
from synclint.verify.evidence import to_json
from synclint.verify.isolation import DeviceUnavailableError
from synclint.verify.report_files import TRACES, UnwritableReportError, open_journal, write_report
from synclint.verify.report_text import aligned, explanations, header_lines, summary, table
from synclint.verify.run import Verification, installed_version, verify_cases
from synclint.verify.verdict import exit_status
from synclint.verify.worker import CUDA, SIMULATED

_COLOURS = {"confirmed": "green", "contradicted": "red", "inconclusive": "yellow", "static": "cyan"}
_STAGE_WIDTH = 48
# A day: no case takes as long.
LONGEST_TIMEOUT = 86_400.0

_EXAMPLES = """\
\b
Examples:
  synclint --verify                            every rule, on the GPU
  synclint --verify --device sim               on a simulated GPU
  synclint --verify --select SYN1,item         some rules, by code or name
  synclint --verify --catalog --report proof/  the whole catalogue, as a page

\b
Exit status: 0 all confirmed, 1 something contradicted or left open,
2 it could not run.
"""


def _read_timeout(context: click.Context, parameter: click.Parameter, seconds: float) -> float:
    """A number of seconds that a clock can wait for, which neither infinity nor what is no number is."""
    if not 0 < seconds <= LONGEST_TIMEOUT:
        raise click.BadParameter(f"expected seconds above 0 and up to {LONGEST_TIMEOUT:.0f}, but got {seconds:g}")
    return seconds


_WHAT_TO_DO = (
    "Install `synclint[verify]` where there is a CUDA device, or try `synclint --verify --device sim`, which needs a "
    "build of PyTorch for the CPU"
)


@click.command(epilog=_EXAMPLES)
@click.option(
    "--device",
    type=click.Choice([CUDA, SIMULATED]),
    default=CUDA,
    show_default=True,
    help="The GPU of this machine, or a simulated one: that needs a CPU build of PyTorch and a C++ compiler.",
)
@click.option("--select", multiple=True, metavar="RULES", help="Only these rules or catalogue entries.")
@click.option("--catalog", is_flag=True, help="Verify every entry of the catalogue too, including near misses.")
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write an HTML page, the evidence as JSON, and the Chrome traces to this directory.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Go on where an earlier run with the same --report stopped: what it measured here is not measured again.",
)
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What to print.",
)
@click.option(
    "--timeout",
    type=float,
    default=60.0,
    callback=_read_timeout,
    show_default=True,
    metavar="SECONDS",
    help="The time limit for one case.",
)
def verify(
    device: str,
    select: tuple[str, ...],
    catalog: bool,
    report: Path | None,
    resume: bool,
    output_format: str,
    timeout: float,
) -> int:
    """Prove every rule: run its hazard and its sync-free twin, and watch where the host waits.

    On CUDA three witnesses are asked: a profiler trace, PyTorch's sync debug mode, and a stopwatch.
    """
    if resume and report is None:
        raise click.UsageError("--resume goes on from a report directory: name it with --report")
    cases = _selected(select, catalog)
    if installed_version("torch") is None:
        without_gpu = ", and without a GPU add `--device sim`" if device == "cuda" else ""
        complain("error", f"PyTorch is not installed; install it with `pip install 'synclint[verify]'`{without_gpu}")
        return 2
    try:
        journal = None if report is None else open_journal(report, resume=resume)
        with _progress(len(cases)) as announce, _interrupted_by_termination():
            traces = None if report is None else report / TRACES
            verification = verify_cases(cases, device, timeout, traces, announce, journal)
    except DeviceUnavailableError as error:
        # Why there is no simulated device also says what to do.
        complain("error", str(error) if device == SIMULATED else f"{error}. {_WHAT_TO_DO}")
        return 2
    except UnwritableReportError as error:
        complain("error", str(error))
        return 2
    return _show(verification, report, output_format)


def _selected(select: Sequence[str], catalog: bool) -> list[Case | BrokenCase]:
    cases = load_rule_cases(rule_folders())
    if catalog:
        cases += load_catalog_cases(load_catalog().entries, installed_version)
    tokens = [part.strip() for text in select for part in text.split(",") if part.strip()]
    chosen, unknown = select_cases(tokens, cases)
    if unknown:
        names = [name for case in cases for name in dict.fromkeys((case.id, case.name))]
        close = difflib.get_close_matches(unknown[0], names, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "; `synclint rules` lists them all"
        raise click.UsageError(f"unknown rule {unknown[0]!r}{hint} (in --select)")
    return chosen


@contextmanager
def _interrupted_by_termination() -> Iterator[None]:
    """SIGTERM, as machines that are lent send it, ends the run as an interrupt does: with what was measured."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _shortened(stage: str | None) -> str:
    return escape(stage or "")[:_STAGE_WIDTH]


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int, str], None]]:
    """A progress bar on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda position, stage: None
        return
    with click.progressbar(
        length=total,
        file=sys.stderr,
        item_show_func=_shortened,
        show_eta=False,
    ) as bar:

        def announce(position: int, stage: str) -> None:
            bar.update(position - bar.pos, stage)
            # Without a step the bar does not draw itself, and a case has many stages.
            bar.render_progress()

        yield announce
        bar.update(total - bar.pos)


def _show(verification: Verification, report: Path | None, output_format: str) -> int:
    if output_format == "json":
        click.echo(to_json(verification), nl=False)
    else:
        _print_table(verification)
    status = exit_status(verification.verdicts)
    if report is not None:
        try:
            page = write_report(verification, report)
        except UnwritableReportError as error:
            complain("error", str(error))
            return 2
        if output_format == "text":
            click.echo(f"report: {escape(str(page))}")
    if verification.interrupted:
        raise click.Abort
    return status


def _print_table(verification: Verification) -> None:
    for line in header_lines(verification.environment):
        click.echo(escape(line))
    click.echo()
    heading, *rows = aligned(table(verification))
    click.secho("  ".join(heading), bold=True)
    for text, verdict in rows:
        click.echo(f"{escape(text)}  {click.style(verdict, fg=_COLOURS.get(verdict))}")
    for title, lines in explanations(verification):
        click.echo()
        click.echo(f"{escape(title)}:")
        for line in lines:
            click.echo(f"  {escape(line)}")
    click.echo()
    click.secho(summary(verification), bold=True)
