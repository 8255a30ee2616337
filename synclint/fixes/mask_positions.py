"""A mask that selects from several tensors: where it is true is looked up once, for all of them; one wait stays.

Indexing with a mask is indexing with the positions that ``nonzero`` gives; every use looks them up anew, and so does
each backward pass. Source: ``aten/src/ATen/native/TensorAdvancedIndexing.cpp``, ``expandTensors``.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from synclint.findings import Fix
from synclint.fixes.blocks import block_of, is_always_evaluated, reaching_value, stores
from synclint.fixes.place import Place
from synclint.fixes.uses import bindings, is_name_free, is_written_to, nodes_of

_ZERO_DIM = "the mask has to be boolean, and to have at least one dimension"
_LONGEST_CHAIN = 6
# What these give has a dimension at least.
_STACKED = frozenset({"torch.stack", "torch.cat", "torch.concat", "torch.hstack", "torch.vstack", "torch.atleast_1d"})


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
        caveat=_caveat(place, run[0], mask),
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
                    caveat=_caveat(place, other, mask),
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


def _caveat(place: Place, start: ast.stmt, mask: ast.Name) -> str:
    fact = place.fact(mask)
    return "" if fact.is_certain and _has_a_dimension(place, mask, _LONGEST_CHAIN) else _ZERO_DIM


def _has_a_dimension(place: Place, node: ast.expr, depth: int) -> bool:
    """Whether a tensor has one dimension or more for certain: a mask without any selects in another way."""
    fact = place.fact(node)
    if not fact.is_tensor or not depth:
        return False
    if fact.ndim is not None:
        return fact.ndim > 0
    if isinstance(node, ast.UnaryOp):
        return _has_a_dimension(place, node.operand, depth - 1)
    if isinstance(node, ast.BinOp):
        return any(_has_a_dimension(place, part, depth - 1) for part in (node.left, node.right))
    if isinstance(node, ast.Compare):
        return any(_has_a_dimension(place, part, depth - 1) for part in (node.left, *node.comparators))
    if isinstance(node, ast.Call):
        return place.qualified(node.func) in _STACKED
    if isinstance(node, ast.Name):
        value = reaching_value(place.file, node)
        if value is not None and _has_a_dimension(place, value, depth - 1):
            return True
        return _is_asked_for_a_size(place, node.id)
    return False


def _is_asked_for_a_size(place: Place, name: str) -> bool:
    """Whether a function asks for ``x.shape[0]``, which nothing without dimensions has, of the one thing of a name."""
    scope = place.function
    if scope is None or isinstance(scope, ast.Lambda) or len(bindings(scope, name)) != 1:
        return False
    always = [*scope.body, *_block_of_binding(place, scope, name)]
    return any(
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "shape"
        and _is_name(node.value.value, name)
        and isinstance(node.slice, ast.Constant)
        and place.file.statement_of(node) in always
        for node in nodes_of(scope)
    )


def _block_of_binding(place: Place, scope: ast.AST, name: str) -> list[ast.stmt]:
    """The statements beside the one that binds a name: all of them run where it does."""
    statement = place.file.statement_of(bindings(scope, name)[0])
    return block_of(place.file, statement) if statement is not None else []
