"""Writes what a run has to tell, when the program itself is over. Never changes how the program ends."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from pathlib import Path

from synclint.files.atomic_files import replace_bytes
from synclint.report.terminal import wants_color
from synclint.trace.assembly import assemble
from synclint.trace.complaints import complain, write_error
from synclint.trace.declared import DeclaredFunctions
from synclint.trace.formats import rendered
from synclint.trace.linting import static_findings
from synclint.trace.report import TraceReport
from synclint.trace.session import Session
from synclint.trace.settings import Output, Settings

# Where each process of several leaves its report if nothing else was asked for.
RANK_FILE = "synclint-trace.json"


def publish(session: Session, settings: Settings, exit_status: int | None, ended_by: str) -> None:
    """Stop the session, ask the linter about the files that ran, and write and print the report."""
    _leave_ended_workers_alone()
    try:
        run = session.finish(exit_status, ended_by)
        findings, problem = static_findings(run) if settings.lint else ((), None)
        contract_of = DeclaredFunctions(Path(run.header.folder)).around
        report = assemble(run, findings, checked=settings.lint and problem is None, contract_of=contract_of)
        if problem:
            complain(f"the linter could not check the files that ran: {problem}", "warning")
        write_outputs(report, settings)
    except Exception as error:
        from synclint.running.shortfalls import describe_internal_error

        complain(f"the report could not be made: {describe_internal_error(error)}")


def _leave_ended_workers_alone() -> None:
    """Have no handler of the program's raise in here: what ends a program by a signal ends its workers as well.

    Source: ``torch/utils/data/_utils/signal_handling.py``, which raises in whatever runs when a worker is killed.
    """
    with suppress(AttributeError, ValueError):  # a system without that signal; a thread other than the first
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def write_outputs(report: TraceReport, settings: Settings) -> None:
    """Write the files, then print."""
    header = report.header
    outputs = settings.outputs
    if header.world_size > 1 and not outputs:
        outputs = (Output("json", str(Path(header.folder) / RANK_FILE)),)
    for output in outputs:
        path = rank_path(Path(output.path), header.rank, header.world_size)
        try:
            replace_bytes(path, rendered(report, output.format))
        except OSError as error:
            complain(
                f"{path}: the {output.format} report could not be written: {(error.strerror or str(error)).lower()}"
            )
    if settings.printed is not None and header.rank == 0:
        color = settings.printed == "text" and wants_color(sys.__stderr__) if sys.__stderr__ else False
        write_error(rendered(report, settings.printed, color=color).decode("utf-8", "backslashreplace"))


def rank_path(path: Path, rank: int, world_size: int) -> Path:
    """The file of one process of several: ``trace.json`` becomes ``trace.rank1.json``."""
    if world_size <= 1:
        return path
    stem, dot, suffixes = path.name.partition(".")
    return path.with_name(f"{stem}.rank{rank}{dot}{suffixes}")
