"""What the Tab key offers where rules are to be named."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def offered_rules(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The codes and names of rules that begin so; of a list with commas, its last word is completed."""
    from synclint.rules.loading import all_rules

    before, comma, word = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{name}", help=rule.summary)
        for rule in all_rules()
        for name in (rule.code, rule.name)
        if name.lower().startswith(word.lower())
    ]
