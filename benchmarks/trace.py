"""What tracing on the simulated device costs: CPU time of a step of the articles' programs, plain and traced.

``python -m benchmarks.trace`` runs each program in processes of its own, in turn on the host without synclint and
traced on the simulated device, and writes TRACE.md.
"""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path
from statistics import median

import click

from benchmarks.programs import REPOSITORY
from benchmarks.results import circumstances
from synclint import __version__

EXAMPLES = REPOSITORY / "examples"
WARM = 10
STEPS = 40
TARGET = 2.0


@dataclass(frozen=True)
class Program:
    """An example, and the sizes that a laptop can do."""

    name: str
    script: str
    arguments: tuple[str, ...]


SMALL = ("--workers", "0", "--steps", str(WARM + STEPS))
PROGRAMS = (
    Program("segmentation loss", "segmentation_loss.py", (*SMALL, "--batch-size", "2", "--image-size", "32")),
    Program(
        "metric collection",
        "metric_collection.py",
        (*SMALL, "--batch-size", "4", "--image-size", "32", "--width", "8", "--classes", "10"),
    ),
)


@dataclass(frozen=True)
class StepCost:
    """Milliseconds of CPU in a warm step, of one thread: the median of the steps."""

    plain: float
    traced: float

    @property
    def ratio(self) -> float:
        """How much longer a traced step takes."""
        return self.traced / self.plain


def measure_here(script: str, arguments: list[str], traced: bool) -> float:
    """Run the script in this process; the median CPU time between its optimizer's steps, in milliseconds."""
    import torch
    from torch.optim.optimizer import register_optimizer_step_post_hook

    torch.set_num_threads(1)
    path = str(EXAMPLES / script)
    sys.argv = [path, *arguments, "--device", "cuda" if traced else "cpu"]
    stamps: list[float] = []
    register_optimizer_step_post_hook(lambda *step: stamps.append(time.process_time()))
    if traced:
        from synclint.trace.ownership import default_ownership
        from synclint.trace.records import Device
        from synclint.trace.session import Session
        from synclint.trace.settings import Settings

        session = Session(Settings(Device.SIMULATED, printed=None), default_ownership((str(EXAMPLES),)), (path,))
        session.start()
        runpy.run_path(path, run_name="__main__")
        session.finish(0)
    else:
        runpy.run_path(path, run_name="__main__")
    warm = stamps[WARM:]
    return 1000 * median(after - before for before, after in zip(warm, warm[1:], strict=False))


def measured(program: Program, rounds: int) -> StepCost:
    """Both costs, each the smallest of ``rounds`` processes: what else the machine does only adds to them."""
    costs: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(rounds):
        for traced, found in costs.items():
            given = json.dumps([program.script, list(program.arguments), traced])
            command = [sys.executable, "-W", "ignore", "-m", "benchmarks.trace", "--here", given]
            told = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
            found.append(float(told.split()[-1]))
    return StepCost(min(costs[False]), min(costs[True]))


def page(costs: dict[str, StepCost], where: str, rounds: int) -> str:
    """The page, in Markdown."""
    rows = [
        f"| {name} | {cost.plain:.1f} | {cost.traced:.1f} | {cost.ratio:.2f} | < {TARGET:.0f} | "
        f"{'met' if cost.ratio < TARGET else '**missed**'} |"
        for name, cost in costs.items()
    ]
    return (
        "# What tracing on the simulated device costs\n\n"
        f"Written by `python -m benchmarks.trace` on {where}.\n\n"
        "Milliseconds of CPU for a step of one thread, once warm, of the programs in `examples/` at sizes for a "
        f"laptop: on the host without synclint, and traced with the defaults. Steps: {STEPS} after {WARM}; the "
        f"median of them, the smaller of {rounds} processes. Larger models cost less in proportion: what is added is a "
        "few microseconds for each operator, and more for each wait.\n\n"
        "| Program | plain | traced | ratio | target |  |\n| --- | ---: | ---: | ---: | ---: | ---: |\n"
        + "\n".join(rows)
        + "\n"
    )


@click.command()
@click.option("--rounds", type=click.IntRange(min=1), default=2, show_default=True, help="How often all is run.")
@click.option("--output", type=click.Path(path_type=Path, file_okay=False), default=Path(__file__).parent)
@click.option("--here", hidden=True)
def main(rounds: int, output: Path, here: str | None) -> None:
    """Measure, and write TRACE.md."""
    if here is not None:
        script, arguments, traced = json.loads(here)
        click.echo(measure_here(script, arguments, traced))
        return
    at = circumstances(datetime.now(timezone.utc).date().isoformat())
    costs = {program.name: measured(program, rounds) for program in PROGRAMS}
    where = (
        f"{at.date}: synclint {__version__} ({at.revision}), Python {at.python}, torch {version('torch')}, {at.system}, "
        f"{at.cores} cores, a load of {at.load:.1f} at the beginning"
    )
    (output / "TRACE.md").write_text(page(costs, where, rounds), encoding="utf-8")
    for name, cost in costs.items():
        click.echo(f"{name}: {cost.ratio:.2f} times")


if __name__ == "__main__":
    main()
