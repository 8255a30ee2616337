"""Commands whose help lists the options under headings, as there are too many of them for one list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

# For each heading the names of options, without their hyphens.
GROUPS: Mapping[str, Sequence[str]] = {
    "Which rules": ("select", "extend-select", "ignore", "per-file-ignores", "severity"),
    "Which findings": (
        "runs", "cold", "min-confidence", "baseline", "diff-base", "evidence", "only-measured", "require-reason",
        "ignore-noqa", "accepted",
    ),
    "Which files": (
        "include", "include-docs", "exclude", "extend-exclude", "force-exclude", "respect-gitignore",
        "stdin-filename", "show-files",
    ),
    "About the project": (
        "torch-version", "per-file-torch-version", "library-versions", "python", "hot-functions", "cold-functions",
        "device-functions", "gives", "sync-free", "allowed-regions",
    ),
    "Report": (
        "output-format", "output-file", "sort", "statistics", "color", "quiet", "verbose", "profile-phases",
    ),
    "Change the files": (
        "fix", "unsafe-fixes", "fix-only", "diff", "show-fixes", "fixable", "unfixable", "write-baseline",
        "prune-baseline", "add-ignore", "reason", "prune-ignores",
    ),
    "Configuration": ("config", "isolated", "schema"),
    "The run": ("watch", "project", "jobs", "no-cache", "cache-dir", "fail-on", "exit-zero", "help"),
}  # fmt: skip


class GroupedCommand(click.Command):
    """A command that takes settings: its help lists the options under the headings that they have everywhere."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options group by group; those that no group names come last."""
        records: dict[str, tuple[str, str]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                records[max(parameter.opts, key=len).lstrip("-")] = record
        for heading, names in GROUPS.items():
            listed = [records.pop(name) for name in names if name in records]
            if listed:
                with formatter.section(heading):
                    formatter.write_dl(listed)
        if records:
            with formatter.section("Other options"):
                formatter.write_dl(list(records.values()))
