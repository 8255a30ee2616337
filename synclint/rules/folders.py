"""The folder of a rule: ``rule.toml`` and its page, whoever it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from synclint.findings import Severity
from synclint.rules.records import Rule


def rule_of(table: Mapping[str, Any], folder: Path) -> Rule:
    """The rule that a ``rule.toml`` describes, with the page that lies beside it.

    Raises KeyError for a key that it lacks, ValueError for a value that it must not have, OSError for a page that
    cannot be read.
    """
    versions = table.get("versions", {})
    return Rule(
        code=table["code"],
        name=table["name"],
        summary=table["summary"],
        mechanism=table["mechanism"],
        severity=Severity(table["severity"]),
        dependency=str(table["dependency"]).lower(),
        matches=tuple(table["matches"]),
        page=(folder / "README.md").read_text(encoding="utf-8"),
        folder=folder,
        requires=tuple(table.get("requires", ())),
        library_versions=dict(table.get("library-versions", {})),
        since=versions.get("since"),
        until=versions.get("until"),
    )
