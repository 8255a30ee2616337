"""The report directory: a page to look at, the evidence as JSON, the Chrome traces."""

from __future__ import annotations

from pathlib import Path

from synclint.verify.evidence import evidence_name, to_json
from synclint.verify.journal import Journal
from synclint.verify.report_html import page
from synclint.verify.run import Verification

TRACES = "traces"
PAGE = "index.html"
MEASURED = "measured.jsonl"


class UnwritableReportError(Exception):
    """The report directory cannot be written; the message names it and the reason."""


def open_journal(folder: Path, *, resume: bool) -> Journal:
    """Make the directory, and in it the journal, before anything is measured; ``resume`` goes on with what it holds.

    Raises UnwritableReportError.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return Journal(folder / MEASURED, resume=resume)
    except OSError as error:
        raise _unwritable(folder, error) from None


def write_report(verification: Verification, folder: Path) -> Path:
    """Write everything and return the page's path. Raises UnwritableReportError."""
    try:
        evidence_file = folder / evidence_name(verification)
        evidence_file.write_text(to_json(verification), encoding="utf-8")
        html = folder / PAGE
        html.write_text(page(verification, evidence_file.name, TRACES), encoding="utf-8")
    except OSError as error:
        raise _unwritable(folder, error) from None
    return html


def _unwritable(folder: Path, error: OSError) -> UnwritableReportError:
    why = error.strerror or str(error)
    return UnwritableReportError(f"cannot write the report to {folder}: {why}; choose another --report directory")
