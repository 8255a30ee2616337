"""The picture of a run: the phases of a check against the parser, and other programs over the same files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

from benchmarks.figures import compared, phase_ratios
from benchmarks.measurement import MEASURED_PHASES, Measurement

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def write_plot(measurements: Sequence[Measurement], path: Path) -> None:
    """Write an SVG that is the same for the same figures."""
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "synclint"
    from matplotlib import pyplot

    figure, rows = pyplot.subplots(
        len(measurements), 2, figsize=(11, 1 + 2.4 * len(measurements)), squeeze=False, layout="constrained"
    )
    for (phases, others), measurement in zip(rows, measurements, strict=True):
        _draw_phases(phases, measurement)
        _draw_others(others, measurement)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def _draw_phases(axes: Axes, measurement: Measurement) -> None:
    """Two bars: the parser alone, and a check with its phases in a row."""
    shares = phase_ratios(measurement)
    axes.barh("libcst.parse_module", 1, color="0.6")
    left = 0.0
    for phase in MEASURED_PHASES:
        axes.barh("synclint", shares[phase], left=left, label=phase)
        left += shares[phase]
    axes.invert_yaxis()
    axes.set_title(measurement.corpus.name)
    axes.set_xlabel("CPU time, libcst.parse_module = 1")
    axes.legend(ncols=6, fontsize="x-small", loc="upper center", bbox_to_anchor=(0.5, -0.28))


def _draw_others(axes: Axes, measurement: Measurement) -> None:
    """One bar for each way of running synclint, and for each other linter."""
    wall = measurement.typical(lambda one: one.one_process.wall)
    bars = {
        "synclint, two processes": measurement.typical(lambda one: one.two_processes.wall) / wall,
        "synclint, one process": 1.0,
        **{
            f"{name.partition(' (')[0]}, one process": ratio["one process each"]
            for name, ratio in compared(measurement).items()
        },
    }
    drawn = axes.barh(list(bars), list(bars.values()), color=["tab:blue"] * 2 + ["0.6"] * (len(bars) - 2))
    axes.bar_label(drawn, fmt="%.1f", padding=3)
    axes.margins(x=0.12)
    axes.invert_yaxis()
    axes.set_title("programs over the same files")
    axes.set_xlabel("wall clock, synclint in one process = 1")
