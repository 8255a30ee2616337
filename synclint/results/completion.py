"""What is said of the findings of a file once they stand: advice for the place, groups, and the order."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from synclint.catalog.entries import Catalog, Entry
from synclint.findings import Finding
from synclint.results.advice import advice_at
from synclint.results.groups import grouped
from synclint.results.operands import shortened, written_out
from synclint.results.priority import priority
from synclint.results.statements import Decides, Statement, Statements
from synclint.rules.selectors import find_rule

# A longer operand is found as the catalogue's own name for it.
_LONGEST_SUBJECT = 50
# What does not fit into so many characters is for the page of the rule.
LONGEST_ADVICE = 120
_PLACEHOLDER, _OWN_NAME = "{subject}", "x"
# Where an operand stands beside what binds more tightly than arithmetic.
_BOUND = re.compile(r"\{subject\}(?=[.\[]| \*)")
_ARGUMENTS = re.compile(r"\([^()]{2,}\)")
_PATH = re.compile(r"[a-z_]\w*(?:\.[a-z_]\w*)*", re.ASCII | re.IGNORECASE)
_PRIMARY = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List)


def completed(findings: Sequence[Finding], source: str, catalog: Catalog) -> list[Finding]:
    """The findings of one file, in the same order, with what depends on their places and on one another.

    Their priorities are those that they have by themselves.
    """
    places = Statements(source)
    statements = [places.around(finding.span) for finding in findings]
    entries = catalog.by_id
    found = [
        replace(
            finding,
            instead=_advice(finding, entries.get(finding.construct), statement),
            function=statement.function,
            priority=priority(finding, avoidable=find_rule(finding.code).dependency == "false"),
        )
        for finding, statement in zip(findings, statements, strict=True)
    ]
    return grouped(found, statements)


def _advice(finding: Finding, entry: Entry | None, statement: Statement) -> str:
    """What to write instead where the finding stands, in the names that are used there."""
    if entry is None:
        return finding.instead
    subject = " ".join(written_out(finding.subject, statement.expression).split())
    finding = replace(finding, subject=subject)
    if (here := advice_at(finding, statement)) and len(here) <= LONGEST_ADVICE:
        return here
    said = {
        Decides.ACTIONS: entry.instead_for_actions,
        Decides.RAISE: entry.instead_for_raise or entry.instead_for_actions,
    }.get(statement.decides or Decides.VALUES, "")
    made = entry.instead_for_calls if subject.endswith(")") else ""
    listed = entry.instead_for_lists if subject.startswith("[") else ""
    text = said or made or listed or entry.instead
    names = (subject, _without_arguments(subject), shortened(subject))
    told = (_with_name(text, name) for name in names if 0 < len(name) <= _LONGEST_SUBJECT)
    return next((each for each in told if len(each) <= LONGEST_ADVICE), _with_name(text, _OWN_NAME))


def without_place(text: str) -> str:
    """Advice of an entry for a place of which nothing is known."""
    return _with_name(text, _OWN_NAME)


def _without_arguments(name: str) -> str:
    """An operand with an ellipsis in place of what stands in its brackets."""
    shorter, count = _ARGUMENTS.subn("(…)", name)
    while count:
        shorter, count = _ARGUMENTS.subn("(…)", shorter)
    return shorter


def _with_name(text: str, name: str) -> str:
    if _PLACEHOLDER in text and not _is_primary(name):
        text = _BOUND.sub(lambda match: f"({name})", text)
    return text.replace(_PLACEHOLDER, name)


def _is_primary(source: str) -> bool:
    """Whether a method can be called on an expression as it is written."""
    if _PATH.fullmatch(source) is not None:
        return True
    try:
        return isinstance(ast.parse(source, mode="eval").body, _PRIMARY)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
