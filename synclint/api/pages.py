"""The pages of rules."""

from __future__ import annotations

from dataclasses import dataclass

from synclint.api.errors import UnknownRuleError
from synclint.api.records import Severity
from synclint.rules.selectors import UnknownRuleError as UnknownSelectorError
from synclint.rules.selectors import find_rule


@dataclass(frozen=True)
class RulePage:
    """A rule: its code, name and summary, and its ``page`` in Markdown. ``url`` is None for the program's own rules.

    ``package`` is the installed package that provides it, None for synclint's own rules.
    """

    code: str
    name: str
    summary: str
    mechanism: str
    severity: Severity
    page: str
    url: str | None
    package: str | None

    def __str__(self) -> str:
        """The page."""
        return self.page


def explain(rule: str) -> RulePage:
    """Return the page of a rule, given its code or name: what it finds, why that waits, and what to write instead.

    Raises UnknownRuleError.
    """
    try:
        found = find_rule(rule)
    except UnknownSelectorError as error:
        raise UnknownRuleError(str(error)) from None
    return RulePage(
        found.code,
        found.name,
        found.summary,
        found.mechanism,
        found.severity.value,
        found.page,
        found.url or None,
        found.package or None,
    )
