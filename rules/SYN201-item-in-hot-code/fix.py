"""Numbers that are read one by one: read together, or kept on the device and read at the end."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.accumulation import accumulated
from synclint.fixes.blocks import block_of, repeating_loop
from synclint.fixes.collected import read_together
from synclint.fixes.each_element import read_of_each
from synclint.fixes.elements import copied_at_once, read_at_once
from synclint.fixes.kept import kept_on_the_device
from synclint.fixes.place import Place, first_fix
from synclint.fixes.reads import stacked_reads
from synclint.fixes.uses import ids_within, loads
from synclint.fixes.with_libcst import transformed


def fix(place: Place) -> Fix | None:
    """Read after the loop what is only added up in it, or all numbers of a step with one copy, or none."""
    ways = (accumulated, read_at_once, read_together, shown_less_often, stacked_reads, kept_on_the_device)
    return first_fix(
        place,
        *ways,
        added_on_the_device,
        read_when_shown,
        returned_as_tensor,
        read_before_the_loop,
        read_of_each,
        copied_at_once,
    )


def added_on_the_device(place: Place) -> Fix | None:
    """Add up tensors instead of the numbers that are read from them."""
    match place.statement:
        case ast.AugAssign(ast.Name() | ast.Attribute(ast.Name()), ast.Add(), value) if _is_operand(place, value):
            return transformed(place, place.statement)
        case ast.Assign(value=ast.Call(ast.Name("sum"), [ast.ListComp() | ast.GeneratorExp()])):
            return transformed(place, place.statement)
    return None


def _is_operand(place: Place, value: ast.expr) -> bool:
    """Whether what is read is all of a value, or a part of a calculation that is."""
    part: ast.AST | None = place.node
    while part is not value and isinstance(around := place.file.parent(part) if part is not None else None, ast.BinOp):
        part = around
    return part is value


def returned_as_tensor(place: Place) -> Fix | None:
    """Return a tensor in which what is not finite is replaced on the device."""
    block = block_of(place.file, place.statement)
    at = block.index(place.statement)
    match block[at : at + 3]:
        case [ast.Assign([ast.Name(name)]), ast.If(body=[ast.Assign()]), ast.Return(ast.Name(returned))] as three:
            return transformed(place, *three) if name == returned else None
    return None


def shown_less_often(place: Place) -> Fix | None:
    """Show what is read only in the steps in which the next statement shows something."""
    shown = place.statement
    block = block_of(place.file, shown)
    match [shown, *block[block.index(shown) + 1 :]]:
        case [ast.Expr(ast.Call()), ast.If(ast.Compare(ast.BinOp(op=ast.Mod()))) as interval, *_]:
            return transformed(place, shown, interval)
    return None


def read_before_the_loop(place: Place) -> Fix | None:
    """Read before the loop what the loop does not change."""
    loop = repeating_loop(place.file, place.node)
    return transformed(place, loop, rule="SYN202") if loop is not None else None


def read_when_shown(place: Place) -> Fix | None:
    """Append tensors, and read them all where the list is used now and then."""
    kept = place.statement
    block = block_of(place.file, kept)
    rest = block[block.index(kept) + 1 :]
    match [kept, *rest[:1]]:
        case [ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"))), *_]:
            pass
        case [
            ast.Assign([ast.Name(value)]),
            ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [ast.Name(appended)])),
        ] if appended == value:
            pass
        case _:
            return None
    uses = {id(use) for use in loads(place.function or place.file.tree, name)}
    for index, later in enumerate(rest):
        if isinstance(later, ast.If) and not ids_within(later).isdisjoint(uses):
            return transformed(place, kept, *rest[: index + 1])
    return None
