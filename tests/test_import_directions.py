"""The rooms of the program: who may import whom stands in pyproject.toml."""

from __future__ import annotations

from pathlib import Path

from importlinter.cli import lint_imports

REPOSITORY = Path(__file__).parent.parent


def test_imports_go_in_one_direction_and_never_in_circles() -> None:
    assert lint_imports(config_filename=str(REPOSITORY / "pyproject.toml"), no_cache=True) == 0
