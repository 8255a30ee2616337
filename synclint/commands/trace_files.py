"""``synclint trace --merge`` and ``--compare``: what the reports of several runs say together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from synclint.commands.output import complain, palette, write
from synclint.files.atomic_files import replace_bytes
from synclint.trace.comparison import compared, comparison_json, comparison_lines
from synclint.trace.formats import rendered
from synclint.trace.merging import merged
from synclint.trace.report import TraceReport
from synclint.trace.report_json import UnreadableReportError, read_report

Outputs = Sequence[tuple[str | None, Path]]


def merge_reports(paths: Sequence[str], output_format: str, outputs: Outputs) -> int:
    """Print or write one report of those in ``paths``, and return the exit status."""
    if not paths:
        raise click.UsageError("--merge takes the JSON reports of the processes, such as synclint-trace.rank*.json")
    reports = _read(paths)
    if reports is None:
        return 2
    report = merged(reports)
    status = 0
    for form, path in outputs:
        status = max(status, _write_file(path, rendered(report, form or output_format)))
    if not any(form is None for form, _ in outputs):
        colors = palette()
        text = rendered(report, output_format, color=colors.enabled and output_format == "text")
        write(text.decode("utf-8", "backslashreplace").splitlines(), verbatim=output_format == "json")
    return status


def compare_reports(paths: Sequence[str], output_format: str, outputs: Outputs) -> int:
    """Print or write what changed from the first report to the second, and return the exit status."""
    if len(paths) != 2:
        raise click.UsageError("--compare takes two JSON reports: the one before and the one after")
    reports = _read(paths)
    if reports is None:
        return 2
    comparison = compared(*reports)
    status = 0
    if output_format == "json":
        lines = [comparison_json(comparison)]
    else:
        lines = list(comparison_lines(comparison, palette()))
    for form, path in outputs:
        if form not in (None, "json", "text"):
            raise click.UsageError(f"--compare has no {form} form; use text or json")
        plain = (
            comparison_json(comparison)
            if (form or output_format) == "json"
            else "\n".join(comparison_lines(comparison, type(palette())(enabled=False)))
        )
        status = max(status, _write_file(path, f"{plain}\n".encode("utf-8", "backslashreplace")))
    if not any(form is None for form, _ in outputs):
        write(lines, verbatim=output_format == "json")
    return status


def _read(paths: Sequence[str]) -> list[TraceReport] | None:
    try:
        return [read_report(Path(path)) for path in paths]
    except UnreadableReportError as error:
        complain("error", str(error))
        return None


def _write_file(path: Path, data: bytes) -> int:
    try:
        replace_bytes(path, data)
    except OSError as error:
        complain("error", f"{path}: the report could not be written: {(error.strerror or str(error)).lower()}")
        return 2
    return 0
