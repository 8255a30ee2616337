"""Which rules are reported in which file, and which files have comments about that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from synclint.config.options import Options
from synclint.findings import Finding
from synclint.rules import all_rules, select_rules


def reported_codes(options: Options, path: Path) -> frozenset[str]:
    """The codes of the rules that are reported in the file at ``path``."""
    ignored = options.ignored_in(path.absolute())
    spared = select_rules(ignored, (), all_rules()) if ignored else ()
    selected = select_rules(options.selected, options.ignore, all_rules())
    return frozenset(rule.code for rule in selected if rule not in spared)


_DIRECTIVE = re.compile(r"synclint\s*:")
_OWN_NOQA = re.compile(r"noqa\s*:.*syn")


def may_speak_to_us(source: str, findings: Sequence[Finding]) -> bool:
    """Whether a look at the comments of a file is worth its time.

    A ``noqa`` for all tools, or for others, matters only where there is something that it could suppress.
    """
    text = source.lower()
    if "noqa" in text and (findings or _OWN_NOQA.search(text)):
        return True
    return "synclint" in text and _DIRECTIVE.search(text) is not None
