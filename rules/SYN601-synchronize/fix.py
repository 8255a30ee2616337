"""Waits for the device before work on another stream, which can wait itself."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.blocks import block_of
from synclint.fixes.place import Place
from synclint.fixes.uses import nodes_of
from synclint.fixes.with_libcst import transformed


def fix(place: Place) -> Fix | None:
    """Let the stream wait on which the work that follows is done."""
    wait = place.statement
    block = block_of(place.file, wait)
    match block[block.index(wait) + 1 :]:
        case [ast.With() as work, *_]:
            return transformed(place, wait, work)
        case [ast.Assign([ast.Name(name)]) as assigned, *_] if _is_stream(place, name):
            return transformed(place, wait, assigned)
    return None


def _is_stream(place: Place, name: str) -> bool:
    """Whether work is done on what a name stands for."""
    items = (item for node in nodes_of(place.function or place.file.tree) for item in getattr(node, "items", ()))
    calls = (item.context_expr for item in items if isinstance(item, ast.withitem))
    return any(
        isinstance(call, ast.Call)
        and place.qualified(call.func) == "torch.cuda.stream"
        and [getattr(one, "id", "") for one in call.args] == [name]
        for call in calls
    )
