"""Reads of what a loop does not change: read once, before it; and output that somebody has forgotten."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.blocks import block_of, repeating_loop
from synclint.fixes.place import Place
from synclint.fixes.with_libcst import transformed


def fix(place: Place) -> Fix | None:
    """Read it before the loop, or leave out what is printed for debugging."""
    match place.statement:
        case ast.Expr(ast.Call(ast.Name("print"), [ast.JoinedStr()])):
            # With one beside it, so that nothing has to stand in the place of the only one in a block.
            block = block_of(place.file, place.statement)
            first = max(block.index(place.statement) - 1, 0)
            return transformed(place, *block[first : first + 2], rule="SYN202")
    loop = repeating_loop(place.file, place.node)
    return transformed(place, loop, rule="SYN202") if loop is not None else None
