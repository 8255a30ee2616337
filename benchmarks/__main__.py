"""The command: measure, write the page, the picture and a line of history."""

from __future__ import annotations

from datetime import datetime, timezone
from importlib.util import find_spec
from pathlib import Path

import click

from benchmarks.corpus import CorpusError, corpus
from benchmarks.measurement import measure
from benchmarks.programs import ProgramError
from benchmarks.results import circumstances, history_line, page

PLOT = "results.svg"


@click.command()
@click.argument("corpora", nargs=-1, metavar="[CORPUS]...")
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True, help="How often all is run.")
@click.option("--compare", is_flag=True, help="Run TorchFix and flake8 over the same files, where installed.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(__file__).parent,
    help="The directory for RESULTS.md, results.svg and history.jsonl. By default that of the benchmarks.",
)
def main(corpora: tuple[str, ...], rounds: int, compare: bool, output: Path) -> None:
    """Measure what synclint costs on each CORPUS: a directory, or an installed package (by default torchmetrics).

    Every figure that counts is a ratio between programs of the same run. Needs `synclint[benchmark]` for the plot.
    """
    where = circumstances(datetime.now(timezone.utc).date().isoformat())
    try:
        measurements = [
            measure(corpus(named), rounds, compare, lambda said: click.echo(said, err=True))
            for named in corpora or ("torchmetrics",)
        ]
    except (CorpusError, ProgramError) as error:
        raise click.ClickException(str(error)) from None
    output.mkdir(parents=True, exist_ok=True)
    plotted = find_spec("matplotlib") is not None
    if plotted:
        from benchmarks.plot import write_plot

        write_plot(measurements, output / PLOT)
    else:
        click.echo("no plot: matplotlib is not installed, `pip install 'synclint[benchmark]'` brings it", err=True)
    text = page(where, measurements, PLOT if plotted else None)
    (output / "RESULTS.md").write_text(text, encoding="utf-8")
    with (output / "history.jsonl").open("a", encoding="utf-8") as history:
        history.writelines(history_line(where, measurement) + "\n" for measurement in measurements)
    click.echo(text, nl=False)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
