"""A report as numbers for what follows a run over time: W&B, TensorBoard, MLflow, or a table of one's own."""

from __future__ import annotations

from synclint.trace.report import TraceReport


def scalars(report: TraceReport) -> dict[str, float]:
    """The report's figures by name, those that were measured; all are per step.

    ``synclint/waits`` is how often the host waited, ``synclint/blocked_ms`` how long, ``synclint/step_ms`` what a step
    took, ``synclint/device_busy`` the share of a step, from 0 to 1, for which the device had something to do.
    """
    blocked = [wait.blocked_ms for wait in report.waits if wait.blocked_ms is not None]
    found: dict[str, float | None] = {
        "waits": sum(wait.per_step for wait in report.waits),
        "blocked_ms": sum(blocked) if blocked else None,
        "step_ms": 1000 * report.times.median if report.times is not None else None,
        "device_busy": report.busy,
    }
    return {f"synclint/{name}": float(value) for name, value in found.items() if value is not None}
