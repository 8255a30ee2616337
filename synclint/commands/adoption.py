"""What a user asks for who takes the linter up where there are findings already."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import click

from synclint.config.options import Options

# What `--diff-base` is given by those who want all lines even in a pull request.
ALL_LINES = "none"
# Where a baseline is written by those who name no file.
DEFAULT_BASELINE = "synclint-baseline.json"


@dataclass(frozen=True)
class Adoption:
    """What the user asked for beside a report."""

    write_baseline: bool
    prune_baseline: bool
    diff_base: str | None
    add_ignore: bool
    reason: str
    prune_ignores: bool
    # In a pull request: of what stands on changed lines, only what is worse than before.
    only_worse: bool = False

    def is_asked_for(self, run: Options) -> bool:
        """Whether there is anything to do with the findings but to report them."""
        return any((run.baseline, self.diff_base is not None, self.add_ignore, self.prune_ignores))

    @property
    def writes(self) -> str:
        """The flag that asks for something to be written, empty where none does."""
        return next((flag for flag, wanted in self._writing.items() if wanted), "")

    @property
    def _writing(self) -> dict[str, bool]:
        return {
            "--write-baseline": self.write_baseline,
            "--prune-baseline": self.prune_baseline,
            "--add-ignore": self.add_ignore,
            "--prune-ignores": self.prune_ignores,
        }

    def verify(self, run: Options, *, stdin: bool) -> None:
        """Raise UsageError for what cannot be done together, or not without something else."""
        writing = [flag for flag, wanted in self._writing.items() if wanted]
        if len(writing) > 1:
            raise click.UsageError(f"{' and '.join(writing)} cannot be used together")
        if stdin and writing:
            raise click.UsageError(f"{writing[0]} needs files; it cannot work on standard input")
        if self.prune_baseline and run.baseline is None:
            raise click.UsageError("--prune-baseline needs a file: pass --baseline FILE, or set `baseline`")
        if self.write_baseline and self.diff_base is not None:
            raise click.UsageError("--write-baseline lists everything, --diff-base only what has changed")
        if self.reason and not self.add_ignore:
            raise click.UsageError("--reason is the reason that --add-ignore writes; use both")
        if self.add_ignore and run.require_reason and not self.reason:
            raise click.UsageError("`require-reason` is set: add a --reason to --add-ignore")


def read_adoption(given: dict[str, object]) -> Adoption:
    """Take what ``adoption_options`` added out of a command's arguments."""
    diff_base = given.pop("diff_base")
    return Adoption(
        write_baseline=bool(given.pop("write_baseline")),
        prune_baseline=bool(given.pop("prune_baseline")),
        diff_base=None if diff_base is None else str(diff_base),
        add_ignore=bool(given.pop("add_ignore")),
        reason=" ".join(str(given.pop("reason")).split()),
        prune_ignores=bool(given.pop("prune_ignores")),
    )


def adoption_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of an adoption."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.option(
        "--write-baseline",
        is_flag=True,
        help=f"Write all findings to the baseline, by default {DEFAULT_BASELINE}, instead of reporting them.",
    ),
    click.option("--prune-baseline", is_flag=True, help="Remove findings that are gone from the baseline."),
    click.option(
        "--diff-base",
        metavar="REV",
        help="Report only lines that have changed since this git revision, such as origin/main. In a pull request on "
        "GitHub or GitLab it is found by itself; `none` reports all.",
    ),
    click.option("--add-ignore", is_flag=True, help="Write a comment that suppresses each finding."),
    click.option("--reason", metavar="TEXT", default="", help="The reason that --add-ignore writes."),
    click.option("--prune-ignores", is_flag=True, help="Remove comments that suppress nothing."),
)
