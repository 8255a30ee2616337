"""``synclint rules`` and ``synclint explain``: what the linter looks for, and why."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator, Sequence

import click

from synclint.commands.completion import offered_rules
from synclint.commands.output import color_option, palette, write
from synclint.report.terminal import Palette, escape
from synclint.rules.loading import all_rules
from synclint.rules.records import Rule
from synclint.rules.selectors import UnknownRuleError, find_rule

_CODE_SPAN = re.compile(r"`[^`]+`")


@click.command("rules")
@color_option
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def list_rules(output_format: str) -> None:
    """List every rule: its code, its name and what it finds."""
    rules = all_rules()
    if output_format == "json":
        click.echo(json.dumps([_as_object(rule) for rule in rules], indent=2))
    else:
        write(_table(rules, palette()))


@click.command("explain")
@click.argument("rule", metavar="RULE", required=False, shell_complete=offered_rules)
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@color_option
@click.option("--why", metavar="FILE:LINE", help="Show what the linter concluded about a line, and on what evidence.")
def explain(rule: str | None, output_format: str, why: str | None) -> None:
    """Show the page of RULE, given by its code or its name; or why a line is reported, or is not.

    A code prefix such as SYN4 stands for a group of rules, which are then listed.

    \b
    Examples:
      synclint explain SYN101
      synclint explain boolean-mask-read
      synclint explain --why train.py:41
    """
    if why is not None:
        from synclint.commands.why import explain_place

        write(explain_place(why, palette()))
        return
    if rule is None:
        raise click.UsageError("name a rule, such as SYN101, or a place with --why FILE:LINE")
    try:
        found = [find_rule(rule)]
    except UnknownRuleError as error:
        found = [known for known in all_rules() if known.code.startswith(rule.upper())]
        if not found or not rule.upper().startswith("SYN"):
            raise click.UsageError(str(error)) from None
    if output_format == "json":
        click.echo(json.dumps([{**_as_object(each), "page": each.page} for each in found], indent=2))
    elif len(found) == 1:
        write(_page(found[0].page))
    else:
        write(_table(found, palette()))


def _as_object(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "summary": rule.summary,
        "mechanism": rule.mechanism,
        "severity": rule.severity.value,
        "dependency": rule.dependency,
        "matches": list(rule.matches),
        "requires": list(rule.requires),
        "url": rule.url or None,
        "package": rule.package or None,
    }


def _table(rules: Sequence[Rule], colors: Palette) -> Iterator[str]:
    widest = max(len(rule.name) for rule in rules)
    longest = max(len(rule.code) for rule in rules)
    for rule in rules:
        name = colors.strong(rule.name.ljust(widest))
        origin = colors.faint(f" ({escape(rule.package)})") if rule.package else ""
        summary = _prose(escape(rule.summary), colors)
        yield f"{colors.code(rule.code.ljust(longest))}  {name}  {summary}{origin}"


def _page(markdown: str) -> Iterator[str]:
    """A Markdown page, rendered on a terminal and with colours; as it stands for a program or a file."""
    colors = palette()
    if not (colors.enabled or sys.stdout.isatty()):
        return map(escape, markdown.rstrip().splitlines())
    from synclint.report.rendered_pages import rendered_page

    return rendered_page(markdown, shutil.get_terminal_size().columns, colors)


def _prose(text: str, colors: Palette) -> str:
    return _CODE_SPAN.sub(lambda span: colors.quoted(span.group()), text)
