"""Code that looks as if it made the host wait, and does not, or not where it matters: all of it is silent."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from marked_sources import findings_in

from synclint.config import Options

TRAPS = Path(__file__).parent / "fixtures" / "traps"
FILES = sorted(TRAPS.glob("*.py"))


def _enclosing_definition(tree: ast.Module, line: int) -> str:
    """The dotted name of the innermost function or class around a line."""
    names = [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return ".".join(names) or "the module's own code"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_reported_by_default(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    options = Options()
    reported = [
        f"{_enclosing_definition(tree, finding.span.start.line)} (line {finding.span.start.line}): "
        f"{finding.code} {finding.message}"
        for finding in findings_in([path], TRAPS)
        if options.admits(finding)
    ]
    assert not reported, "\n".join(reported)


def test_traps_are_many() -> None:
    functions = [
        node.name
        for path in FILES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    assert len(functions) >= 60
