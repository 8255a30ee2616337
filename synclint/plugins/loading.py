"""Reads what an installed package offers: the folders of its rules, and what it adds to the catalogue."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from synclint.plugins.discovery import Offer, PluginError, offers, rules_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RULE_FILE, CATALOG_FILE, MATCH_FILE = "rule.toml", "catalog.toml", "match.py"

_CODE = re.compile(r"[A-Z]{2,12}[0-9]{3,4}")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_OWN_PREFIX = "SYN"


@dataclass(frozen=True)
class RuleFolder:
    """The folder of a rule, and who offers it."""

    offer: Offer
    path: Path

    @property
    def package(self) -> str:
        """The package that offers the rule."""
        return self.offer.package

    def problem(self, text: str) -> PluginError:
        """What is wrong with the rule, as an error that names it and its package."""
        return PluginError(f"{rules_of(self.package)}: {self.path.name}: {text}")


@cache
def rule_folders() -> tuple[RuleFolder, ...]:
    """The folders of all rules that installed packages offer. Raises PluginError for a package without any."""
    found: list[RuleFolder] = []
    for offer in offers():
        paths = sorted(path.parent for path in offer.folder.glob(f"*/{RULE_FILE}"))
        if not paths:
            raise PluginError(f"{rules_of(offer.package)}: {offer.module!r} contains no folder with a {RULE_FILE}")
        found += [RuleFolder(offer, path) for path in paths]
    return tuple(found)


def check_identity(folder: RuleFolder, code: str, name: str) -> None:
    """Make sure that a rule's code and name can be told from ours. Raises PluginError."""
    if not _CODE.fullmatch(code) or code.startswith(_OWN_PREFIX):
        wanted = f"letters and three or four digits, such as ACME101, and does not begin with {_OWN_PREFIX}"
        raise folder.problem(f"code {code!r}: a code consists of {wanted}")
    if not _NAME.fullmatch(name):
        raise folder.problem(f"name {name!r}: a name consists of lower-case letters, digits and hyphens")
    if folder.path.name != f"{code}-{name}":
        raise folder.problem(f"the folder of the rule {code} {name} must be called {code}-{name}")


def rule_table(folder: RuleFolder) -> Mapping[str, Any]:
    """What the ``rule.toml`` of a folder says. Raises PluginError where it cannot be read."""
    return _document(folder, folder.path / RULE_FILE)


def entry_ids(folder: RuleFolder) -> frozenset[str]:
    """The ids of the entries that the package of a rule adds to the catalogue."""
    start = f"{rules_of(folder.package)}: "
    tables = (table for label, table in catalog_tables().items() if label.startswith(start))
    return frozenset(str(entry.get("id")) for table in tables for entry in table.get("entry", ()))


@cache
def catalog_tables() -> Mapping[str, Mapping[str, Any]]:
    """What installed packages add to the catalogue: their ``catalog.toml``, that of all rules and those of single ones.

    A rule that matches by code has an entry, too, which says what is told of it. Raises PluginError.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for folder in rule_folders():
        shared, own = folder.offer.folder / CATALOG_FILE, folder.path / CATALOG_FILE
        for path in (shared, own):
            if path.is_file():
                found[_label(folder, path)] = _document(folder, path)
        table = rule_table(folder)
        if isinstance(table.get("match"), dict):
            found[_label(folder, folder.path / RULE_FILE)] = {"entry": [_match_entry(table)]}
    return found


def match_id(code: str) -> str:
    """The id of the catalogue's entry for what a rule matches by code."""
    return f"{code.lower()}-match"


def _match_entry(table: Mapping[str, Any]) -> Mapping[str, Any]:
    said = table["match"]
    return {
        "id": match_id(str(table.get("code", ""))),
        "mechanism": table.get("mechanism", ""),
        "summary": said.get("summary", ""),
        "because": said.get("because", ""),
        "instead": said.get("instead", ""),
        "confidence": said.get("confidence", "high"),
    }


def _document(folder: RuleFolder, path: Path) -> dict[str, Any]:
    try:
        document: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise PluginError(f"{_label(folder, path)}: {error}") from None
    return document


def _label(folder: RuleFolder, path: Path) -> str:
    return f"{rules_of(folder.package)}: {path.relative_to(folder.offer.folder).as_posix()}"
