"""Timelines that are drawn from counts where no clock could measure anything."""

from __future__ import annotations

from collections import Counter

from synclint.verify.measurement import Bar, Measurement, Reached, Timeline

# Microseconds that show the order of things and mean nothing: one line, one wait, the work queued before.
_LINE = 100.0
_WAIT = 500.0
_KERNEL = 80.0
_QUEUED = 600.0


def schematic(measured: Measurement) -> tuple[Timeline, ...]:
    """One timeline per function: its lines in the order of the source, each as long as its waits make it.

    The host is drawn ahead of work that was queued before, as in a training loop; the first wait lasts
    until that work and its own kernel are done. Lengths are invented, the number of waits is not.
    """
    waits = Counter(
        (report.side, wait.function, wait.line)
        for report in measured.witness_reports
        for wait in report.waits
        if wait.certain
    )
    return tuple(
        _timeline(reached, {line: waits[reached.side, reached.function, line] for line in reached.lines})
        for reached in measured.reached
    )


def _timeline(reached: Reached, waits: dict[int, int]) -> Timeline:
    host: list[Bar] = []
    device = [Bar(0.0, _QUEUED, "work queued before", "queued")]
    now = 0.0
    for line in reached.lines:
        kernel = max(now + _LINE / 2, device[-1].end)
        device.append(Bar(kernel, kernel + _KERNEL, f"line {line}", "kernel", line))
        end = now + _LINE
        for number in range(waits[line]):
            waited_until = max(device[-1].end, end + _WAIT / 2) if number == 0 else end + _WAIT / 2
            host.append(Bar(end, waited_until, f"line {line} waits", "wait", line))
            end = waited_until
        host.append(Bar(now, end, f"line {line}", "line", line))
        now = end
    # Lines first, so that the waits are drawn upon them.
    host.sort(key=lambda bar: bar.kind != "line")
    return Timeline(reached.side, reached.function, tuple(host), tuple(device), schematic=True)
