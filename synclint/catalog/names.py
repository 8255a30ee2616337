"""Names of torch, Python and libraries that the analysis treats alike, as ``names.toml`` lists them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synclint.catalog.tables import NAMES, catalog_tables


def names_in(section: str, key: str) -> frozenset[str]:
    """The names in a list."""
    return frozenset(catalog_tables()[NAMES][section][key])


def facts_of(section: str, key: str) -> Mapping[str, Any]:
    """What is said of each name in a table."""
    table: Mapping[str, Any] = catalog_tables()[NAMES][section][key]
    return table
