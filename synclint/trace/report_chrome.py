"""A report as a compressed Chrome trace, for Perfetto and ``chrome://tracing``: its drawn steps in a row."""

from __future__ import annotations

import gzip
import json
from typing import Any

from synclint.trace.report import TraceReport
from synclint.trace.report_text import where_in_full

_ROWS = {"host": 1, "device": 2}
# Names of Chrome's own colours.
_COLOURS = {"wait": "terrible", "loader": "bad", "backward": "olive", "optimizer": "vsync_highlight_color"}


def chrome_trace(report: TraceReport) -> bytes:
    """The document; microseconds, as Chrome counts. Waits are red, and carry their line and stack."""
    rank = report.header.rank
    events: list[dict[str, Any]] = [
        {"ph": "M", "pid": rank, "name": "process_name", "args": {"name": f"rank {rank}, {report.header.device_name}"}}
    ]
    events += [
        {"ph": "M", "pid": rank, "tid": number, "name": "thread_name", "args": {"name": row}}
        for row, number in _ROWS.items()
    ]
    offset = 0.0
    for step in report.drawn:
        events.append(_event(rank, 0, f"step {step.number}", "step", offset, step.seconds, {}))
        for bar in step.stretches:
            details: dict[str, Any] = {}
            if bar.place.line:
                details["line"] = where_in_full(bar.place)
            if bar.stack:
                details["stack"] = [where_in_full(place) for place in bar.stack]
            start, length = offset + bar.start, bar.end - bar.start
            event = _event(rank, _ROWS.get(bar.row, 3), bar.label, bar.kind, start, length, details)
            if bar.kind in _COLOURS:
                event["cname"] = _COLOURS[bar.kind]
            events.append(event)
        offset += step.seconds
    document = {
        "traceEvents": events,
        "displayTimeUnit": "ms",
        "otherData": {"schematic": any(step.schematic for step in report.drawn)},
    }
    # No time of day in it: the same report gives the same file.
    return gzip.compress(json.dumps(document).encode(), mtime=0)


def _event(
    process: int, thread: int, name: str, kind: str, start: float, length: float, details: dict[str, Any]
) -> dict[str, Any]:
    return {
        "ph": "X",
        "pid": process,
        "tid": thread,
        "name": name,
        "cat": kind,
        "ts": round(1e6 * start, 3),
        "dur": round(1e6 * length, 3),
        "args": details,
    }
