"""What the catalogue's TOML files say, read from one generated file: parsing TOML would be a quarter of a short run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from synclint.plugins.loading import catalog_tables as added_tables

CATALOG = Path(__file__).parent
GENERATED = CATALOG / "tables.json"

RESULTS = "results.toml"
NAMES = "names.toml"


@cache
def catalog_tables() -> Mapping[str, Mapping[str, Any]]:
    """The contents of ``sync/*.toml``, ``libraries/*.toml``, ``results.toml`` and ``names.toml``, by path.

    ``scripts/generate_tables.py`` writes the file that they are read from.
    """
    tables: dict[str, dict[str, Any]] = json.loads(GENERATED.read_bytes())
    return tables


def entry_tables() -> Mapping[str, Mapping[str, Any]]:
    """The files that hold entries, and what is known of libraries."""
    return {path: table for path, table in catalog_tables().items() if path not in (RESULTS, NAMES)}


def libraries() -> tuple[str, ...]:
    """The libraries with calls that make the host wait, torch left out; those that packages add among them."""
    tables = (*entry_tables().values(), *added_tables().values())
    named = {table.get("library") for table in tables if "entry" in table}
    summarized = {name for table in tables for name in table.get("summarized", ())}
    return tuple(sorted({*summarized, *filter(None, named)}))
