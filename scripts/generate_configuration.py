"""Writes what follows from the table of settings: the JSON Schema, and the table in docs/configuration.md.

Without arguments it rewrites them; with ``--check`` its status is 1 when they are not current.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from synclint.config.kinds import Shape
from synclint.config.options import Setting, settings
from synclint.config.rendering import toml
from synclint.config.schema import SCHEMA_FILE, schema_text

REPOSITORY = Path(__file__).parent.parent
SCHEMA = REPOSITORY / "synclint" / "config" / SCHEMA_FILE
PAGE = REPOSITORY / "docs" / "configuration.md"
BEGIN, END = "<!-- generated: settings -->\n", "<!-- end of settings -->"


def table() -> str:
    """The settings as a Markdown table."""
    lines = ["| Key | Value | Default | Meaning |", "| --- | --- | --- | --- |"]
    lines += map(row, settings())
    return "\n".join(lines)


def row(setting: Setting) -> str:
    """One setting: its key, what it takes, its default, and its help."""
    default = "" if setting.default is None else f"`{toml(setting, setting.default)}`"
    cells = [f"`{setting.name}`", setting.kind.allowed, default, setting.help]
    if setting.kind.shape is Shape.PAIRS:
        cells[3] += f" On the command line `--{setting.name} {setting.kind.metavar}`."
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def page(text: str) -> str:
    """The documentation with the current table in it."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n\n{END}{after}"


def main(arguments: Sequence[str]) -> int:
    """Write the schema and the table, or with ``--check`` only compare them."""
    current = {SCHEMA: schema_text(), PAGE: page(PAGE.read_text(encoding="utf-8"))}
    if "--check" in arguments:
        return int(any(path.read_text(encoding="utf-8") != text for path, text in current.items()))
    for path, text in current.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
