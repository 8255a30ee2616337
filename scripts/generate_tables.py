"""Writes `synclint/catalog/tables.json`, from which the program reads what the catalogue's TOML files say.

Without arguments it rewrites the file; with ``--check`` its status is 1 when the file is not current.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from synclint.catalog.tables import CATALOG, GENERATED

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PATTERNS = ("sync/*.toml", "libraries/*.toml", "results.toml", "names.toml")


def written_tables() -> dict[str, dict[str, Any]]:
    """What the TOML files say, by their paths within the catalogue."""
    paths = sorted(path for pattern in PATTERNS for path in CATALOG.glob(pattern))
    return {path.relative_to(CATALOG).as_posix(): tomllib.loads(path.read_text(encoding="utf-8")) for path in paths}


def rendered(tables: dict[str, dict[str, Any]]) -> str:
    """The tables as JSON, a file to a line."""
    lines = (f"{json.dumps(path)}: {json.dumps(table, separators=(',', ':'))}" for path, table in tables.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(arguments: Sequence[str]) -> int:
    """Write the file, or tell whether it is current."""
    current = rendered(written_tables())
    if "--check" in arguments:
        if GENERATED.read_text(encoding="utf-8") == current:
            return 0
        print("tables.json is not current: run `python scripts/generate_tables.py`", file=sys.stderr)
        return 1
    GENERATED.write_text(current, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
