"""Which rules are reported in which file."""

from __future__ import annotations

from pathlib import Path

from synclint.config.options import Options
from synclint.rules import all_rules, select_rules


def reported_codes(options: Options, path: Path) -> frozenset[str]:
    """The codes of the rules that are reported in the file at ``path``."""
    ignored = options.ignored_in(path.absolute())
    spared = select_rules(ignored, (), all_rules()) if ignored else ()
    selected = select_rules(options.selected, options.ignore, all_rules())
    return frozenset(rule.code for rule in selected if rule not in spared)
