"""The page on the architecture names modules that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "synclint"
PAGES = ("architecture.md", "memo.md")
# `running/share_memo`, `program/outlines`, with the package in which it lies or the one above that.
_MODULE = re.compile(r"`((?:[a-z_]+/)+[a-z_]+)(?:\.py)?`")


def _exists(path: str) -> bool:
    places = (PACKAGE, PACKAGE / "analysis", PACKAGE.parent)
    return any((place / f"{path}.py").is_file() or (place / path).is_dir() for place in places)


@pytest.mark.parametrize("page", PAGES)
def test_modules_that_are_named_with_their_package_exist(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    named = _MODULE.findall(text)
    assert named
    assert [path for path in named if not _exists(path)] == []


def test_modules_that_the_table_of_the_analysis_names_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z_]+)/` \| (.+) \|$", text, re.MULTILINE)
    rows = [(package, said) for package, said in rows if (PACKAGE / "analysis" / package).is_dir()]
    assert len(rows) > 8
    missing = [
        f"{package}/{name}"
        for package, said in rows
        for name in re.findall(r"`([a-z_]+)`", said)
        if not _is_in(PACKAGE / "analysis" / package, name)
    ]
    assert missing == []


def _is_in(folder: Path, name: str) -> bool:
    """Whether a folder has a module of this name, or a function that is called so."""
    if (folder / f"{name}.py").is_file():
        return True
    return any(f"def {name}(" in path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
