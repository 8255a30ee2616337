"""What a run costs after an edit, with what earlier runs have left, and whether it finds what a run without it finds.

``python -m benchmarks.edits CORPUS...`` makes edits in a copy of each package and writes EDITS.md. With ``--check N``
it makes so many random edits, one after the other, and compares after each the reports with those of a run without
memory.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from random import Random

import click

from benchmarks import code_edits
from benchmarks.corpus import Corpus, CorpusError, corpus, python_files
from benchmarks.edit_check import steps_over
from benchmarks.held_edits import HeldEdits
from benchmarks.programs import Cost, ProgramError, compile_bytecode, python, run
from benchmarks.results import circumstances
from synclint.version import __version__


@dataclass(frozen=True)
class Step:
    """What was done, and what the run after it cost."""

    name: str
    cost: Cost


@dataclass(frozen=True)
class Edits:
    """The runs over one package, the MB that its memory takes on disk, and edits while it is held open."""

    corpus: Corpus
    steps: tuple[Step, ...]
    megabytes: float
    held: HeldEdits


def measured(package: Corpus, cache: Path) -> Edits:
    """Make one edit after the other, and run the linter after each."""
    chosen = Random(1)
    folder = package.folder

    def check(*arguments: str, path: Path = folder) -> Cost:
        common = ("check", "--isolated", "--quiet", "--cache-dir", str(cache), *arguments, str(path))
        return run(python("-m", "synclint", *common), accepted=(0, 1)).cost

    def edited(path: Path, edit: Callable[[str], str]) -> Cost:
        path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")
        return check()

    files = python_files(folder)
    central, lonely = code_edits.most_imported(folder, files), code_edits.leaf(folder, files)
    new = lonely.with_name(f"{lonely.stem}_copied.py")

    def add() -> Cost:
        shutil.copy(lonely, new)
        return check()

    def delete() -> Cost:
        new.unlink()
        return check()

    def edit_and_hook() -> Cost:
        text = lonely.read_text(encoding="utf-8")
        lonely.write_text(code_edits.with_changed_body(text, chosen), encoding="utf-8")
        return check(path=lonely)

    runs: dict[str, Callable[[], Cost]] = {
        "cold, nothing kept": lambda: check("--no-cache"),
        "cold": check,
        "unchanged": check,
        "one file in a hook": lambda: check(path=lonely),
        "one file in a hook, on its own": lambda: check("--no-project", "--no-cache", path=lonely),
        "a comment in a leaf": lambda: edited(lonely, code_edits.with_comment),
        "a comment in the most imported file": lambda: edited(central, code_edits.with_comment),
        "a comment on a line of its own in a leaf": lambda: edited(
            lonely, lambda text: code_edits.with_lines_of_comment(text, chosen)
        ),
        "a body in a leaf": lambda: edited(lonely, lambda text: code_edits.with_changed_body(text, chosen)),
        "a signature in a leaf": lambda: edited(lonely, lambda text: code_edits.with_changed_signature(text, chosen)),
        "a body in the most imported file": lambda: edited(
            central, lambda text: code_edits.with_changed_body(text, chosen)
        ),
        "a new file": add,
        "a deleted file": delete,
        "one file in a hook, with another body": edit_and_hook,
    }
    steps = tuple(Step(name, done()) for name, done in runs.items())
    size = sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())
    held = json.loads(run(python("-m", "benchmarks.held_edits", str(folder))).output)
    return Edits(package, steps, size / 1e6, HeldEdits(**held))


def page(results: list[Edits], where: str) -> str:
    """The page, in Markdown."""
    parts = [
        "# What a run costs after an edit\n",
        f"Written by `python -m benchmarks.edits` on {where}.\n",
        "Each row is a separate run, with the results that earlier runs have kept, after the edit that it names; "
        "seconds are those of one run. What is kept on disk are the results for each share, the reports, and the "
        "texts.\n",
    ]
    for edits in results:
        corpus = edits.corpus
        cold = edits.steps[0].cost
        parts.append(f"## {corpus.name}\n")
        parts.append(f"{corpus.files} files, {corpus.lines} lines. On disk afterwards: {edits.megabytes:.1f} MB.\n")
        rows = [
            f"| {step.name} | {step.cost.wall:.2f} | {step.cost.cpu:.2f} | {step.cost.cpu / cold.cpu:.2f} |"
            for step in edits.steps
        ]
        held = edits.held
        told = (
            f"Held open ({held.opening:.1f} s): edits within functions are answered in {held.median * 1000:.0f} ms in "
            f"the median of {len(held.later)}, nine of ten within {held.slowest_tenth * 1000:.0f} ms; "
            f"{held.analysed_again} of them had to wait for the analysis of a share. The first edit in a share, for "
            f"which it is analysed, took {max(held.first, default=0):.1f} s at most.\n"
        )
        parts.append("| Run | wall, s | CPU, s | CPU / cold |\n| --- | ---: | ---: | ---: |\n" + "\n".join(rows) + "\n")
        parts.append(told)
    return "\n".join(parts)


def _check(package: Corpus, cache: Path, count: int, seed: int) -> None:
    """Compare with a run without memory after each of so many edits. Raises ClickException for a difference."""
    seconds = seconds_without = 0.0
    for number, step in enumerate(steps_over(package.folder, cache, count, seed), 1):
        click.echo(f"{package.name} {number}: {step.said}", err=True)
        if step.difference:
            raise click.ClickException(f"{package.name}: other reports after step {number}: {step.difference}")
        seconds, seconds_without = seconds + step.cpu, seconds_without + step.cpu_without
    click.echo(
        f"{package.name}: {count} steps, the same reports with and without memory, {seconds / seconds_without:.0%} of "
        "the CPU"
    )


@click.command()
@click.argument("corpora", nargs=-1, metavar="[CORPUS]...")
@click.option("--check", "steps", type=click.IntRange(min=1), metavar="N", help="Compare after N random steps instead.")
@click.option("--seed", default=23, show_default=True, help="What edits --check makes.")
@click.option("--output", type=click.Path(path_type=Path, file_okay=False), default=Path(__file__).parent)
def main(corpora: tuple[str, ...], steps: int | None, seed: int, output: Path) -> None:
    """Measure on each CORPUS, by default torchmetrics, and write EDITS.md."""
    compile_bytecode()
    at = circumstances(datetime.now(timezone.utc).date().isoformat())
    results: list[Edits] = []
    try:
        for named in corpora or ("torchmetrics",):
            with tempfile.TemporaryDirectory() as folder:
                package = corpus(named, Path(folder, "corpus"))
                if steps is None:
                    results.append(measured(package, Path(folder, "cache")))
                else:
                    os.environ["XDG_CACHE_HOME"] = folder
                    _check(package, Path(folder, "cache"), steps, seed)
    except (CorpusError, ProgramError) as error:
        raise click.ClickException(str(error)) from None
    if steps is None:
        where = (
            f"{at.date}: synclint {__version__} ({at.revision}), Python {at.python}, {at.system}, {at.cores} cores, a "
            f"load of {at.load:.1f} at the beginning"
        )
        output.mkdir(parents=True, exist_ok=True)
        (output / "EDITS.md").write_text(page(results, where), encoding="utf-8")


if __name__ == "__main__":
    main()
