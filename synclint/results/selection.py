"""Which rules are reported in which file, and which files have comments about that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from synclint.config.options import Options
from synclint.findings import Finding, Severity
from synclint.rules.loading import all_rules
from synclint.rules.own import INTERNAL_ERROR
from synclint.rules.records import Rule
from synclint.rules.selectors import select_rules


def reported_codes(options: Options, path: Path) -> frozenset[str]:
    """The codes of the rules that are reported in the file at ``path``."""
    return _codes(tuple(options.selected), tuple(options.ignore), tuple(options.ignored_in(path.absolute())))


@cache
def _codes(selected: tuple[str, ...], ignored: tuple[str, ...], ignored_here: tuple[str, ...]) -> frozenset[str]:
    spared = select_rules(ignored_here, (), all_rules()) if ignored_here else ()
    return frozenset(rule.code for rule in select_rules(selected, ignored, all_rules()) if rule not in spared)


def severity_of(finding: Finding, options: Options) -> Severity:
    """The severity of a finding: what the settings say of its rule, by the longest selector, else its own."""
    said = [(len(selector), level) for selector, level in options.severity if finding.code in _reached(selector)]
    return max(said, key=lambda pair: pair[0])[1] if said else finding.severity


@cache
def _reached(selector: str) -> frozenset[str]:
    """The codes of the rules that a selector names; a rule's whole name is as long as any code."""
    return frozenset(rule.code for rule in select_rules((selector,), (), all_rules()))


def is_failure_reported(rule: Rule, options: Options) -> bool:
    """Whether a rule is reported that says that a file was not checked.

    Such a file cannot be called clean, so that ``select`` does not silence the rule; nothing silences our own errors.
    """
    return rule == INTERNAL_ERROR or rule in select_rules((), options.ignore, all_rules())


_DIRECTIVE = re.compile(r"synclint\s*:")
_NOQA_FOR_SOME = re.compile(r"noqa\s*:")
_NOQA_FOR_ALL = re.compile(r"noqa(?!\s*:)")


@cache
def _ours() -> tuple[str, ...]:
    """What a ``noqa`` names that is for us: the letters of our codes, or the name of a rule."""
    return tuple({name for rule in all_rules() for name in (rule.prefix.lower(), rule.name)})


def _noqa_for_us(text: str) -> bool:
    """Whether one of our rules is named behind a ``noqa:`` on its line; each line is looked at once."""
    found = _NOQA_FOR_SOME.search(text)
    while found is not None:
        end = text.find("\n", found.end())
        named = text[found.end() : end if end >= 0 else len(text)]
        if any(name in named for name in _ours()):
            return True
        found = _NOQA_FOR_SOME.search(text, found.end() + len(named))
    return False


def may_hold_directives(source: str, findings: Sequence[Finding]) -> bool:
    """Whether a look at the comments of a file is worth its time.

    A ``noqa`` for all tools matters only where there is something that it could suppress, one for others nowhere.
    """
    text = source.lower()
    if "noqa" in text and (_noqa_for_us(text) or (findings and _NOQA_FOR_ALL.search(text))):
        return True
    return "synclint" in text and _DIRECTIVE.search(text) is not None
