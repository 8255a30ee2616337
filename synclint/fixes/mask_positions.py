"""A mask that selects from several tensors: where it is true is looked up once, for all of them; one wait stays.

Indexing with a mask is indexing with the positions that ``nonzero`` gives; every use looks them up anew, and so does
each backward pass. Source: ``aten/src/ATen/native/TensorAdvancedIndexing.cpp``, ``expandTensors``.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from synclint.findings import Fix
from synclint.fixes.blocks import Block, index_of, is_always_evaluated, stores
from synclint.fixes.place import Place
from synclint.fixes.uses import is_name, is_name_free, is_written_to

_OTHER_SHAPE = (
    "the mask has to be boolean, with the shape of what it selects from and at least one dimension, and nobody may "
    "write to it meanwhile"
)


def positions_once(place: Place) -> Fix | None:
    """Look up once where a mask is true that is used several times."""
    node = place.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Name):
        return None
    mask = node.slice
    fact = place.fact(mask)
    if "tensor" not in fact.kinds or fact.dtype != "bool" or fact.device == "cpu" or fact.ndim == 0:
        return None
    statement: ast.AST = place.statement
    while isinstance(statement, ast.stmt) and not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        found = _looked_up_before(place, statement, mask)
        if found is not None:
            return found
        statement = next(
            (n for n in place.file.ancestors(statement) if isinstance(n, ast.stmt) or n is place.file.tree), statement
        )
    return None


def _looked_up_before(place: Place, statement: ast.stmt, mask: ast.Name) -> Fix | None:
    """The fix that looks positions up before the first use beside a statement, where there is more than one use."""
    block = index_of(place.file, statement)
    runs = place.file.once(("runs", id(block), mask.id), lambda: _runs(place, block, mask.id))
    for number, run in enumerate(runs):
        if run.start <= block.place[statement] < run.end:
            key = ("positions", id(block), mask.id, number)
            return place.shared(key, partial(_looked_up_once, run=run, mask=mask.id))
    return None


def _looked_up_once(place: Place, run: _Run, mask: str) -> Fix | None:
    """The fix that all uses in a run share."""
    count = 0
    for statement, use in run.uses:
        if is_always_evaluated(place.file, use, statement):
            # `x[mask] += 1` reads, and writes.
            count += 2 if isinstance(place.file.parent(use), ast.AugAssign) else 1
    scope = place.function or place.file.tree
    name = f"{mask}_positions"
    if count < 2 or not is_name_free(scope, name):
        return None
    uses = [use for _, use in run.uses]
    return place.fix(
        f"Look up once where `{mask}` is true",
        place.inserted_before(run.uses[0][0], f"{name} = {mask}.nonzero(as_tuple=True)"),
        *(place.replaced(use.slice, name) for use in uses),
        caveat=_OTHER_SHAPE,
    )


@dataclass(frozen=True)
class _Run:
    """Statements of a block, from one place up to another, during which a mask stays as it is, and its uses there."""

    start: int
    end: int
    uses: Sequence[tuple[ast.stmt, ast.Subscript]]


def _runs(place: Place, block: Block, name: str) -> list[_Run]:
    """The parts of a block during which a mask stays as it is; the last statement of one may bind its name anew."""
    runs: list[_Run] = []
    start, uses = 0, list[tuple[ast.stmt, ast.Subscript]]()

    def end(at: int) -> None:
        nonlocal start, uses
        if uses:
            runs.append(_Run(start, at, tuple(uses)))
        start, uses = at, []

    for number in block.naming.get(name, ()):
        other = block.statements[number]
        is_bound = stores([other], name)
        if is_written_to(other, name) or (is_bound and not _rebinds_at_the_end(other, name)):
            end(number)
            start = number + 1
            continue
        uses += [(other, use) for use in _uses(place, other, name)]
        if is_bound:
            end(number + 1)
    end(len(block.statements))
    return runs


def _rebinds_at_the_end(statement: ast.stmt, name: str) -> bool:
    """Whether a statement evaluates everything before it binds a name."""
    if not isinstance(statement, ast.Assign):
        return False
    return not stores([statement.value], name) and all(
        isinstance(target, ast.Name) or not any(is_name(n, name) for n in ast.walk(target))  # type: ignore[arg-type]
        for target in statement.targets
    )


def _uses(place: Place, statement: ast.stmt, name: str) -> list[ast.Subscript]:
    """The selections by a mask in a statement that wait: reads, and writes of tensors."""
    return [
        node
        for node in ast.walk(statement)
        if isinstance(node, ast.Subscript)
        and is_name(node.slice, name)
        and (isinstance(node.ctx, ast.Load) or _is_written_with_a_tensor(place, node))
    ]


def _is_written_with_a_tensor(place: Place, node: ast.Subscript) -> bool:
    around = place.file.parent(node)
    if isinstance(around, ast.AugAssign):
        return True
    if not isinstance(around, ast.Assign):
        return False
    value = place.fact(around.value)
    return value.is_tensor and value.ndim != 0
