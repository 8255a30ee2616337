"""The command: measure, write the page, the picture and lines of history."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from importlib.util import find_spec
from pathlib import Path

import click

from benchmarks.corpus import Corpus, CorpusError, corpus
from benchmarks.measurement import installed_linters, measure, measure_hook, measure_large
from benchmarks.programs import ProgramError, compile_bytecode
from benchmarks.results import Results, circumstances, history_lines, page

PLOT = "results.svg"


@click.command()
@click.argument("corpora", nargs=-1, metavar="[CORPUS]...")
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True, help="How often all is run.")
@click.option(
    "--compare",
    is_flag=True,
    help="Run TorchFix and flake8 over the first CORPUS, too, where the PATH has them; not over `stdlib` and "
    "`general`. TorchFix is a plugin of flake8, so that each needs an environment of its own, flake8's first on the "
    "PATH.",
)
@click.option(
    "--large",
    type=click.IntRange(min=1),
    metavar="LINES",
    help="Check so many lines, too, made of copies of the first CORPUS, for the memory that it takes.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(__file__).parent,
    help="The directory for RESULTS.md, results.svg and history.jsonl. By default that of the benchmarks.",
)
def main(corpora: tuple[str, ...], rounds: int, compare: bool, large: int | None, output: Path) -> None:
    """Measure what synclint costs on each CORPUS, by default torchmetrics.

    A CORPUS is a directory or an installed package; `stdlib`, the standard library; or `general`, the same with
    all installed packages that do not need torch. Every figure that counts is a ratio between programs of the
    same run. Needs `synclint[benchmark]` for the plot.
    """
    compile_bytecode()
    where = circumstances(datetime.now(timezone.utc).date().isoformat())
    try:
        with tempfile.TemporaryDirectory() as folder:
            copied = [corpus(named, Path(folder, str(at))) for at, named in enumerate(corpora or ("torchmetrics",))]
            results = _measured(copied, rounds, compare, large, lambda said: click.echo(said, err=True))
    except (CorpusError, ProgramError) as error:
        raise click.ClickException(str(error)) from None
    output.mkdir(parents=True, exist_ok=True)
    plotted = find_spec("matplotlib") is not None
    if plotted:
        from benchmarks.plot import write_plot

        write_plot(results.measurements, output / PLOT)
    else:
        click.echo("no plot: matplotlib is not installed, `pip install 'synclint[benchmark]'` brings it", err=True)
    text = page(where, results, PLOT if plotted else None)
    (output / "RESULTS.md").write_text(text, encoding="utf-8")
    with (output / "history.jsonl").open("a", encoding="utf-8") as history:
        history.writelines(line + "\n" for line in history_lines(where, results))
    click.echo(text, nl=False)


def _measured(
    corpora: Sequence[Corpus], rounds: int, compare: bool, large: int | None, progress: Callable[[str], None]
) -> Results:
    linters = installed_linters(progress) if compare else ()
    return Results(
        [measure(each, rounds, () if at or each.is_general else linters, progress) for at, each in enumerate(corpora)],
        # A hook takes so little that more rounds cost nothing.
        measure_hook(2 * rounds + 1),
        None if large is None else measure_large(corpora[0], large, progress),
    )


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
