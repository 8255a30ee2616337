"""Reads the rules from their folders."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from synclint.plugins.loading import rule_folders
from synclint.rules.added import added_rules
from synclint.rules.folders import rule_of
from synclint.rules.own import (
    ANALYSIS_LIMIT,
    BROKEN_CONTRACT,
    INTERNAL_ERROR,
    SYNTAX_ERROR,
    UNUSED_SUPPRESSION,
    USELESS_REGION,
)
from synclint.rules.records import Rule

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# A wheel carries the folders of the rules beside this module; a checkout keeps them at the top, where people look.
_BESIDE = Path(__file__).parent
_CHECKOUT = Path(__file__).parents[2] / "rules"


class RuleFileError(ValueError):
    """A rule's folder is incomplete or its ``rule.toml`` is not well formed."""


def _rule(folder: Path) -> Rule:
    try:
        table: dict[str, Any] = tomllib.loads((folder / "rule.toml").read_text(encoding="utf-8"))
        return rule_of(table, folder)
    except KeyError as error:
        raise RuleFileError(f"rules/{folder.name}/rule.toml lacks {error}") from None
    except (OSError, ValueError) as error:
        raise RuleFileError(f"rules/{folder.name}: {error}") from None


@cache
def rules_folder() -> Path:
    """The directory that holds the folders of the rules."""
    return _BESIDE if any(_BESIDE.glob("SYN*/rule.toml")) else _CHECKOUT


@cache
def load_rules() -> tuple[Rule, ...]:
    """Every rule that has a folder, in the order of their codes, those of installed packages after ours.

    Raises RuleFileError, naming the folder, for a rule that is not well formed; PluginError, naming the package, where
    another one has brought it.
    """
    ours = tuple(_rule(path.parent) for path in sorted(rules_folder().glob("SYN*/rule.toml")))
    return (*ours, *added_rules(ours))


@cache
def rules_with_matchers() -> tuple[Rule, ...]:
    """The rules that match by code, which only installed packages have. Raises what ``load_rules`` does."""
    return tuple(rule for rule in load_rules() if rule.match_words) if rule_folders() else ()


@cache
def all_rules() -> tuple[Rule, ...]:
    """The rules with folders and those that the program itself reports."""
    own = SYNTAX_ERROR, UNUSED_SUPPRESSION, ANALYSIS_LIMIT, INTERNAL_ERROR, BROKEN_CONTRACT, USELESS_REGION
    return (*own, *load_rules())
