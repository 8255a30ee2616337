"""Python's parser and libcst agree on every position at which a fact is joined to a node of libcst's tree."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from synclint.analysis.syntax.positions import lines_of, span_of
from synclint.results.fact_nodes import joined_keys

REPOSITORY = Path(__file__).parent.parent
FOLDERS = ("rules", "synclint/fixes", "synclint/codemod", "tests/fixtures", "examples")


def keys_of_ast(text: str) -> set[tuple[object, str]]:
    """The position and class of each expression; before Python 3.12 those within f-strings are approximate."""
    lines, tree = lines_of(text), ast.parse(text)
    indices = (n.slice for n in ast.walk(tree) if isinstance(n, ast.Subscript))
    left_out: set[ast.AST] = {index for index in indices if isinstance(index, ast.Tuple)}
    for string in (n for n in ast.walk(tree) if isinstance(n, ast.JoinedStr)):
        parts = {n for n in ast.walk(string) if n is not string}
        left_out |= {n for n in parts if sys.version_info < (3, 12) or n in string.values}
    nodes = (n for n in ast.walk(tree) if isinstance(n, ast.expr) and n not in left_out)
    return {(span_of(n, lines), type(n).__name__) for n in nodes}


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_expression_of_ast_has_a_node_of_libcst_at_its_place(folder: str) -> None:
    missing = []
    count = 0
    for path in sorted((REPOSITORY / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        try:
            expected = keys_of_ast(text)
            wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        except (SyntaxError, cst.ParserSyntaxError):
            continue
        joined = joined_keys(wrapper.resolve(PositionProvider)).values()
        found = {(key.span, key.kind) for keys in joined for key in keys}
        count += len(expected)
        missing += [(path.name, *key) for key in expected - found if key[1] not in _WITHOUT_NODES]
    assert count > 100
    assert missing == []


# Parts of indices and of calls that are no expressions in libcst.
_WITHOUT_NODES = frozenset({"Slice", "Starred", "FormattedValue"})
