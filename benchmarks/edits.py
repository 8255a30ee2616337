"""What a run costs after an edit, with what earlier runs have left, and whether it finds what a run without it finds.

``python -m benchmarks.edits CORPUS...`` makes edits in a copy of each package and writes EDITS.md. With ``--check N``
it makes random edits, and compares the reports of whole runs and of hooks with those of a run without memory, so many
times.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

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
    """The runs over one package, of which the first one has no memory, and the MB that the memory takes on disk.

    ``answered`` says what findings the runs with a memory had at the end, beside those of the run without one.
    ``held`` are edits while the package is held open, where these were asked for.
    """

    corpus: Corpus
    steps: tuple[Step, ...]
    megabytes: float
    answered: str
    held: HeldEdits | None = None


def measured(package: Corpus, cache: Path) -> Edits:
    """Make one edit after the other, and run the linter after each; at last without what has been kept."""
    chosen, folder = Random(1), package.folder
    linter = _Linter(folder, cache)
    files = python_files(folder)
    central, lonely = code_edits.most_imported(folder, files), code_edits.leaf(folder, files)
    new, renamed = (lonely.with_name(f"{lonely.stem}_{word}.py") for word in ("copied", "renamed"))

    def edited(path: Path, edit: Callable[[str], str], asked: Path = folder) -> Checked:
        path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")
        return linter.check(asked)

    def add() -> Checked:
        shutil.copy(lonely, new)
        return linter.check(folder)

    def rename() -> Checked:
        renamed.unlink(missing_ok=True)
        new.rename(renamed)
        return linter.check(folder)

    def delete() -> Checked:
        renamed.unlink()
        return linter.check(folder)

    comment_lines = partial(code_edits.with_lines_of_comment, chosen=chosen, comments=("a comment",))
    signature = partial(code_edits.with_changed_signature, chosen=chosen)
    body = partial(code_edits.with_changed_body, chosen=chosen)
    body_that_waits = partial(code_edits.with_changed_body, chosen=chosen, statement="torch.cuda.synchronize()")
    runs: dict[str, Callable[[], Checked]] = {
        "cold": lambda: linter.check(folder),
        "unchanged": lambda: linter.check(folder),
        "one file in a hook": lambda: linter.check(lonely),
        "one file in a hook, on its own": lambda: linter.check(lonely, "--no-project", "--no-cache"),
        "a comment in place, in a leaf": lambda: edited(lonely, code_edits.with_comment),
        "a comment in place, in the most imported file": lambda: edited(central, code_edits.with_comment),
        "a comment that moves lines, in a leaf": lambda: edited(lonely, comment_lines),
        "a comment that moves lines, in the most imported file": lambda: edited(central, comment_lines),
        "a body in a leaf": lambda: edited(lonely, body),
        "a body in a leaf, which waits": lambda: edited(lonely, body_that_waits),
        "a signature in a leaf": lambda: edited(lonely, signature),
        "an import in a leaf": lambda: edited(lonely, partial(code_edits.with_line_after_imports, line="import math")),
        "a new function in a leaf": lambda: edited(lonely, partial(code_edits.with_function_at_end, name="_added")),
        "a new method in a leaf": lambda: edited(lonely, partial(code_edits.with_new_method, chosen=chosen)),
        "a constant in a leaf": lambda: edited(lonely, partial(code_edits.with_line_after_imports, line="_KEPT = 3")),
        "a body in the most imported file": lambda: edited(central, body),
        "an import in the most imported file": lambda: edited(
            central, partial(code_edits.with_line_after_imports, line="import math")
        ),
        "a new file": add,
        "a renamed file": rename,
        "a deleted file": delete,
        _HOOK: lambda: edited(lonely, body_that_waits, asked=lonely),
        _ALL_AFTER_HOOK: lambda: linter.check(folder),
        # Last, so that what it finds can be compared with what the runs before it have found in the same code.
        _COLD: lambda: linter.check(folder, "--no-cache"),
    }
    done = {name: run_it() for name, run_it in runs.items()}
    steps = tuple(Step(name, done[name].cost) for name in (_COLD, *(name for name in runs if name != _COLD)))
    size = sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())
    expected = done[_COLD].findings
    in_hook = [finding for finding in expected if Path(finding["filename"]) == lonely]
    answered = (
        f"After all edits the file in the hook had {_compared(done[_HOOK].findings, in_hook)}, and the whole package "
        f"{_compared(done[_ALL_AFTER_HOOK].findings, expected)}."
    )
    return Edits(package, steps, size / 1e6, answered)


# What a finding is among those of other files that are reported with it.
_BESIDE_OTHERS = frozenset({"group", "priority"})
_COLD = "cold, without memory"
_HOOK = "one file in a hook, with another body"
_ALL_AFTER_HOOK = "all after that hook"


@dataclass(frozen=True)
class Checked:
    """What a run cost, and its findings as the report in JSON has them, but for what they are beside others."""

    cost: Cost
    findings: list[dict[str, Any]]


@dataclass(frozen=True)
class _Linter:
    """The linter in a package, with a memory that lies in ``cache``."""

    folder: Path
    cache: Path

    def check(self, path: Path, *arguments: str) -> Checked:
        """Check a file or folder."""
        common = ("check", "--isolated", "--quiet", "--output-format", "json", "--cache-dir", str(self.cache))
        done = run(python("-m", "synclint", *common, *arguments, str(path)), accepted=(0, 1))
        findings = [
            {name: value for name, value in finding.items() if name not in _BESIDE_OTHERS}
            for finding in json.loads(done.output)
        ]
        return Checked(done.cost, findings)


def _compared(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> str:
    """How many findings there are, and whether they are those of a run without a memory."""
    said = f"{len(found)} {'finding' if len(found) == 1 else 'findings'}"
    return f"{said}, those of the run without memory" if found == expected else f"{said}, **not** those without memory"


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
        parts.append(
            f"{corpus.files} files, {corpus.lines} lines, {corpus.megabytes} MB. The memory on disk afterwards: "
            f"{edits.megabytes:.1f} MB.\n"
        )
        rows = [
            f"| {step.name} | {step.cost.wall:.2f} | {step.cost.cpu:.2f} | {step.cost.cpu / cold.cpu:.2f} |"
            for step in edits.steps
        ]
        parts.append("| Run | wall, s | CPU, s | CPU / cold |\n| --- | ---: | ---: | ---: |\n" + "\n".join(rows) + "\n")
        parts.append(f"{edits.answered}\n")
        if edits.held is not None:
            parts.append(_told_of_held(edits.held))
    return "\n".join(parts)


def _told_of_held(held: HeldEdits) -> str:
    return (
        f"Held open ({held.opening:.1f} s): edits within functions are answered in {held.median * 1000:.0f} ms in "
        f"the median of {len(held.edits)}, nine of ten within {held.slowest_tenth * 1000:.0f} ms; "
        f"{held.analysed_again} of them had to wait for the analysis of a share. In the end the process has "
        f"{held.resident} MB of memory.\n"
    )


def _held(package: Corpus) -> HeldEdits:
    return HeldEdits(**json.loads(run(python("-m", "benchmarks.held_edits", str(package.folder))).output))


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
@click.option("--held", is_flag=True, help="Measure edits in a package that is held open, too.")
@click.option("--seed", default=23, show_default=True, help="What edits --check makes.")
@click.option("--output", type=click.Path(path_type=Path, file_okay=False), default=Path(__file__).parent)
def main(corpora: tuple[str, ...], steps: int | None, held: bool, seed: int, output: Path) -> None:
    """Measure on each CORPUS, by default torchmetrics, and write EDITS.md."""
    compile_bytecode()
    at = circumstances(datetime.now(timezone.utc).date().isoformat())
    results: list[Edits] = []
    try:
        for named in corpora or ("torchmetrics",):
            # Apart, since no run is kept during which a folder changes in which it has looked for something.
            with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as memory:
                package = corpus(named, Path(folder, "corpus"))
                if steps is None:
                    edits = measured(package, Path(memory))
                    results.append(replace(edits, held=_held(package)) if held else edits)
                else:
                    os.environ["XDG_CACHE_HOME"] = memory
                    _check(package, Path(memory, "cache"), steps, seed)
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
