"""A clock between two calls of ``synchronize``: events that the device records, between which it measures."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from synclint.findings import Edit, Fix
from synclint.fixes.blocks import block_of
from synclint.fixes.place import NoFixError, Place
from synclint.fixes.uses import bindings, is_captured, is_name_free, loads

_CLOCKS = frozenset({"time.time", "time.perf_counter", "time.monotonic"})
_SYNCHRONIZE = "torch.cuda.synchronize"
_EVENT = "torch.cuda.Event"
_MEASURE = "Measure with events"
_CAVEAT = (
    "it is the time between two points on the device's current stream, without host-only work, and one wait "
    "stays where the time is read"
)


@dataclass(frozen=True)
class _Reading:
    """``torch.cuda.synchronize()`` and, right after it, ``name = time.time()``: both statements, and the name."""

    wait: ast.stmt
    clock: ast.Assign
    name: str


def measured_with_events(place: Place) -> Fix | None:
    """Two readings of a clock, each after ``torch.cuda.synchronize()``, of which only the difference is used."""
    if not _waits(place, place.statement) or place.finding.context.captured is not None:
        return None
    block = block_of(place.file, place.statement)
    fixes = place.file.once(("clocks", id(block[0])), lambda: _fixes(place, block))
    return fixes.get(place.statement)


def _fixes(place: Place, block: list[ast.stmt]) -> dict[ast.stmt, Fix]:
    """The fixes in a block, by the waits that they replace."""
    readings = [found for k in range(len(block) - 1) if (found := _reading(place, block, k)) is not None]
    by_name = {reading.name: reading for reading in readings}
    fixes: dict[ast.stmt, Fix] = {}
    for start in readings:
        with suppress(NoFixError):
            measured = _measured_twice(place, start, by_name) or _measured_at_once(place, start, block)
            if measured is not None:
                for wait in measured[1]:
                    fixes.setdefault(wait, measured[0])
    return fixes


def _waits(place: Place, statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and not call.keywords
        and not call.args
        and (place.qualified(call.func) == _SYNCHRONIZE)
    )


def _is_clock(place: Place, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and not node.args and place.qualified(node.func) in _CLOCKS


def _reading(place: Place, block: list[ast.stmt], index: int) -> _Reading | None:
    wait, clock = block[index], block[index + 1]
    if not _waits(place, wait) or not isinstance(clock, ast.Assign) or not _is_clock(place, clock.value):
        return None
    target = clock.targets[0]
    scope = place.function or place.file.tree
    if len(clock.targets) != 1 or not isinstance(target, ast.Name):
        return None
    if len(bindings(scope, target.id)) != 1 or is_captured(scope, target.id):
        return None
    return _Reading(wait, clock, target.id)


def _measured_twice(
    place: Place, start: _Reading, by_name: Mapping[str, _Reading]
) -> tuple[Fix, list[ast.stmt]] | None:
    """``start = time.time()`` and ``end = time.time()``, subtracted once."""
    scope = place.function or place.file.tree
    used = loads(scope, start.name)
    around = place.file.parent(used[0]) if len(used) == 1 else None
    other = around.left if isinstance(around, ast.BinOp) else None
    ends = [by_name[other.id]] if isinstance(other, ast.Name) and other.id in by_name else []
    for end in ends:
        if end.clock.lineno <= start.clock.lineno:
            continue
        uses = [*loads(scope, start.name), *loads(scope, end.name)]
        difference = place.file.parent(uses[0]) if len(uses) == 2 else None
        if not isinstance(difference, ast.BinOp) or not isinstance(difference.op, ast.Sub):
            continue
        if difference.left is not uses[1] or difference.right is not uses[0] or difference.lineno < end.clock.lineno:
            continue
        reading = place.file.statement_of(difference)
        if not isinstance(reading, (ast.Assign, ast.AugAssign, ast.Expr, ast.Return)):
            continue
        fix = place.fix(
            _MEASURE,
            *(edit for one in (start, end) for edit in _recorded(place, one)),
            place.inserted_before(reading, f"{end.name}.synchronize()"),
            place.replaced(difference, _seconds(start.name, end.name)),
            caveat=_CAVEAT,
        )
        return fix, [start.wait, end.wait]
    return None


def _measured_at_once(place: Place, start: _Reading, block: list[ast.stmt]) -> tuple[Fix, list[ast.stmt]] | None:
    """``start = time.time()``, and after another wait ``seconds = time.time() - start``."""
    scope = place.function or place.file.tree
    uses = loads(scope, start.name)
    difference = place.file.parent(uses[0]) if len(uses) == 1 else None
    if not isinstance(difference, ast.BinOp) or not isinstance(difference.op, ast.Sub):
        return None
    if difference.right is not uses[0] or not _is_clock(place, difference.left):
        return None
    reading = place.file.statement_of(difference)
    end = f"{start.name}_end"
    if reading not in block or not isinstance(reading, (ast.Assign, ast.AugAssign, ast.Expr, ast.Return)):
        return None
    index = block.index(reading)
    if index == 0 or not _waits(place, block[index - 1]) or block[index - 1].lineno <= start.clock.lineno:
        return None
    if not is_name_free(scope, end):
        return None
    event = f"{end} = {place.name(_EVENT)}(enable_timing=True)\n{end}.record()\n{end}.synchronize()"
    fix = place.fix(
        _MEASURE,
        *_recorded(place, start),
        place.rewritten(block[index - 1], event),
        place.replaced(difference, _seconds(start.name, end)),
        caveat=_CAVEAT,
    )
    return fix, [start.wait, block[index - 1]]


def _recorded(place: Place, reading: _Reading) -> tuple[Edit, Edit]:
    """The edits that make an event of a wait, and record it where the clock was read."""
    made = f"{reading.name} = {place.name(_EVENT)}(enable_timing=True)"
    return place.rewritten(reading.wait, made), place.rewritten(reading.clock, f"{reading.name}.record()")


def _seconds(start: str, end: str) -> str:
    """The time between two events, of which the device tells the milliseconds."""
    return f"{start}.elapsed_time({end}) / 1000"
