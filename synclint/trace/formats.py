"""The forms in which a report is written."""

from __future__ import annotations

from synclint.report.terminal import Palette
from synclint.trace.report import TraceReport


def rendered(report: TraceReport, form: str, *, color: bool = False) -> bytes:
    """The report as text, JSON, a page, or a compressed Chrome trace."""
    if form == "json":
        from synclint.trace.report_json import to_json

        return to_json(report).encode()
    if form == "html":
        from synclint.trace.report_html import page

        return page(report).encode("utf-8", "backslashreplace")
    if form == "chrome":
        from synclint.trace.report_chrome import chrome_trace

        return chrome_trace(report)
    from synclint.trace.report_text import lines

    return "".join(f"{line}\n" for line in lines(report, Palette(color))).encode("utf-8", "backslashreplace")
