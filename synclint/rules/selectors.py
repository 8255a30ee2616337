"""Which rule a code, the beginning of a code, or a name means."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from synclint.rules.loading import all_rules
from synclint.rules.records import Rule


class UnknownRuleError(ValueError):
    """A selector that names no rule; ``suggestion`` is the nearest one that does."""

    def __init__(self, selector: str, suggestion: str | None) -> None:
        self.selector = selector
        self.suggestion = suggestion
        hint = f"; did you mean {suggestion!r}?" if suggestion else "; `synclint rules` lists them all"
        super().__init__(f"unknown rule {selector!r}{hint}")


def find_rule(selector: str, rules: Sequence[Rule] | None = None) -> Rule:
    """The rule with this code or name. Raises UnknownRuleError."""
    candidates = all_rules() if rules is None else rules
    for rule in candidates:
        if selector.upper() == rule.code or selector.lower() == rule.name:
            return rule
    raise UnknownRuleError(selector, _nearest(selector, [name for r in candidates for name in (r.code, r.name)]))


def select_rules(select: Sequence[str], ignore: Sequence[str], rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules that ``select`` names (all, when it is empty) and ``ignore`` does not.

    A selector is ``ALL``, a code, the beginning of a code, or a name. Where both lists reach a rule the
    longer selector wins, as in ruff, so that ``--select SYN101 --ignore SYN1`` keeps SYN101. Raises
    UnknownRuleError for a selector that reaches no rule.
    """
    for selector in (*select, *ignore):
        if not any(_reach(selector, rule) for rule in rules):
            names = [name for rule in rules for name in (rule.code, rule.name)]
            raise UnknownRuleError(selector, _nearest(selector, names))

    def strongest(selectors: Sequence[str], rule: Rule) -> int:
        return max((_reach(selector, rule) for selector in selectors), default=0)

    wanted = select or ("ALL",)
    return tuple(rule for rule in rules if strongest(wanted, rule) > strongest(ignore, rule))


_EXACT = 100


def _reach(selector: str, rule: Rule) -> int:
    """How specifically a selector names a rule; 0 when it does not."""
    if selector.lower() == rule.name or selector.upper() == rule.code:
        return _EXACT
    if selector.upper() == "ALL":
        return 1
    return len(selector) if rule.code.startswith(selector.upper()) and len(selector) >= len("SYN") else 0


_NEAR = 0.6


def _nearest(selector: str, names: Sequence[str]) -> str | None:
    """The name most like a selector; among equals, the one with the most characters in their place."""
    import difflib

    matcher = difflib.SequenceMatcher(b=selector.lower())
    best, likest = None, (_NEAR, 0)
    for name in names:
        matcher.set_seq1(name.lower())
        # What can be told quickly is never less than the ratio.
        if matcher.real_quick_ratio() >= likest[0] and matcher.quick_ratio() >= likest[0]:
            likeness = matcher.ratio(), sum(map(operator.eq, name.lower(), selector.lower()))
            if likeness > likest or (best is None and likeness[0] >= _NEAR):
                best, likest = name, likeness
    return best
