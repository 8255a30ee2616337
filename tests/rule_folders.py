"""The folders of the rules, as tests look at them."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

from synclint.verify.source_lines import public_functions

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RULES = Path(__file__).parent.parent / "rules"
FOLDERS = sorted(path for path in RULES.iterdir() if path.is_dir())

every_rule = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def description(folder: Path) -> dict[str, Any]:
    """What `rule.toml` says."""
    described: dict[str, Any] = tomllib.loads((folder / "rule.toml").read_text(encoding="utf-8"))
    return described


def cases(path: Path) -> tuple[str, ...]:
    """The names of the cases in a file."""
    return public_functions(ast.parse(path.read_text(encoding="utf-8")))
