"""A mask that selects from several tensors: where it is true is looked up once, for all of them; one wait stays.

Indexing with a mask is indexing with the positions that ``nonzero`` gives; every use looks them up anew, and so does
each backward pass. Source: ``aten/src/ATen/native/TensorAdvancedIndexing.cpp``, ``expandTensors``.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from synclint.findings import Fix
from synclint.fixes.blocks import block_of, is_always_evaluated, stores
from synclint.fixes.likeness import has_a_dimension, has_shape_of
from synclint.fixes.place import Place
from synclint.fixes.uses import is_name_free, is_written_to

_OTHER_SHAPE = "the mask has to be boolean, with the shape of what it selects from and at least one dimension"


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
        found = _known_positions(place, statement, mask) or _looked_up_before(place, statement, mask)
        if found is not None:
            return found
        statement = next(
            (n for n in place.file.ancestors(statement) if isinstance(n, ast.stmt) or n is place.file.tree), statement
        )
    return None


def _looked_up_before(place: Place, statement: ast.stmt, mask: ast.Name) -> Fix | None:
    """The fix that looks positions up before the first use beside a statement, where there is more than one use."""
    run = _undisturbed(block_of(place.file, statement), statement, mask.id)
    uses = [use for other in run for use in _uses(place, other, mask.id)]
    if not any(use is place.node for use in uses):
        return None
    count = 0
    for use in uses:
        around = next(other for other in run if any(use is inner for inner in ast.walk(other)))
        if is_always_evaluated(place.file, use, around):
            # `x[mask] += 1` reads, and writes.
            count += 2 if isinstance(place.file.parent(use), ast.AugAssign) else 1
    scope = place.function or place.file.tree
    name = f"{mask.id}_positions"
    if count < 2 or not is_name_free(scope, name):
        return None
    first = next(other for other in run if any(use is inner for use in uses for inner in ast.walk(other)))
    line = f"{name} = {mask.id}.nonzero(as_tuple=True)"
    return place.fix(
        f"Look up once where `{mask.id}` is true",
        place.inserted_before(first, line),
        *(place.replaced(use.slice, name) for use in uses),
        caveat=_caveat(place, mask, uses),
    )


def _known_positions(place: Place, statement: ast.stmt, mask: ast.Name) -> Fix | None:
    """The fix that takes positions which were looked up already."""
    assert isinstance(place.node, ast.Subscript)
    block = block_of(place.file, statement)
    before = block[: block.index(statement)] if statement in block else []
    for index in range(len(before) - 1, -1, -1):
        other = before[index]
        if isinstance(other, ast.Assign) and isinstance(other.targets[0], ast.Name) and len(other.targets) == 1:
            positions = other.targets[0].id
            if _is_lookup(place, other.value, mask.id):
                between = [*before[index + 1 :], statement]
                if any(stores(between, name) for name in (positions, mask.id)) or is_written_to(statement, mask.id):
                    return None
                return place.fix(
                    f"Use the positions in `{positions}`",
                    place.replaced(place.node.slice, positions),
                    caveat=_caveat(place, mask, [place.node]),
                )
        if stores([other], mask.id) or is_written_to(other, mask.id):
            return None
    return None


def _is_lookup(place: Place, node: ast.expr, name: str) -> bool:
    """Whether an expression is ``mask.nonzero(as_tuple=True)``, in one of its spellings."""
    if not isinstance(node, ast.Call):
        return False
    words = {word.arg: word.value for word in node.keywords}
    as_tuple = words.get("as_tuple")
    is_tuple = isinstance(as_tuple, ast.Constant) and as_tuple.value is True and len(words) == 1
    if isinstance(node.func, ast.Attribute) and node.func.attr == "nonzero" and _is_name(node.func.value, name):
        return is_tuple and not node.args
    if len(node.args) != 1 or not _is_name(node.args[0], name):
        return False
    function = place.qualified(node.func)
    return (function == "torch.nonzero" and is_tuple) or (function == "torch.where" and not words)


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _undisturbed(block: Sequence[ast.stmt], statement: ast.stmt, name: str) -> list[ast.stmt]:
    """The statements around one, in its block, during which a mask stays as it is; the last may bind its name anew."""
    middle = next(index for index, other in enumerate(block) if other is statement)
    run: list[ast.stmt] = []
    for other in block:
        if is_written_to(other, name) or (stores([other], name) and not _rebinds_at_the_end(other, name)):
            if block.index(other) >= middle:
                break
            run = []
            continue
        run.append(other)
        if stores([other], name):
            if block.index(other) >= middle:
                break
            run = []
    return run if statement in run else []


def _rebinds_at_the_end(statement: ast.stmt, name: str) -> bool:
    """Whether a statement evaluates everything before it binds a name."""
    if not isinstance(statement, ast.Assign):
        return False
    return not stores([statement.value], name) and all(
        isinstance(target, ast.Name) or not any(_is_name(n, name) for n in ast.walk(target))  # type: ignore[arg-type]
        for target in statement.targets
    )


def _uses(place: Place, statement: ast.stmt, name: str) -> list[ast.Subscript]:
    """The selections by a mask in a statement that wait: reads, and writes of tensors."""
    return [
        node
        for node in ast.walk(statement)
        if isinstance(node, ast.Subscript)
        and _is_name(node.slice, name)
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


def _caveat(place: Place, mask: ast.Name, uses: Sequence[ast.Subscript]) -> str:
    """What has to hold where it is not known: positions of a mask of another shape select without an error."""
    is_known = place.fact(mask).is_certain and has_a_dimension(place, mask)
    is_known = is_known and all(has_shape_of(place, use.value, mask) for use in uses)
    return "" if is_known else _OTHER_SHAPE
