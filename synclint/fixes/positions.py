"""Positions from the host within brackets: lists that are slices, and ranges that the device can count itself."""

from __future__ import annotations

import ast
from itertools import pairwise

from synclint.findings import Fix
from synclint.fixes.devices import is_plain
from synclint.fixes.evidence import is_proved_tensor
from synclint.fixes.numbers import is_positive, is_size
from synclint.fixes.place import Place
from synclint.fixes.writes import number_as_tensor

_AS_SLICE = "Write the positions as a slice"
_SHORTER = "positions that do not exist are left out, where a list of them raises an IndexError"
_NEGATIVE = "it fails for ranges with a negative end, and where it is no tensor that is picked from"
_COUNT_THERE = "Count the positions on the device"
_OVERLAP = "the written values are wrong where the right side shares memory with the left side"
# What makes a tensor of its own from what it reads.
_FRESH = (ast.BinOp, ast.Compare, ast.UnaryOp)


def positions_without_a_copy(place: Place) -> Fix | None:
    """Slices in the place of lists such as ``[0, 2]``, and ``torch.arange`` on the device in that of ranges."""
    node = place.node
    if not isinstance(node, ast.Subscript) or "tensor" not in place.fact(node.value).kinds:
        return None
    parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    lists = [part for part in parts if isinstance(part, ast.List)]
    if len(lists) == 1 and all(part is lists[0] or _is_basic(part) for part in parts):
        return _sliced(place, node, lists[0])
    if not place.fact(node.value).is_tensor:
        return None
    return _counted(place, node, parts)


def _is_basic(part: ast.expr) -> bool:
    """Whether an index leaves the other dimensions where they are: a slice, an ellipsis, or a new dimension."""
    return isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value in (None, ...))


def _sliced(place: Place, node: ast.Subscript, positions: ast.List) -> Fix | None:
    slice_ = _slice_of(positions)
    if slice_ is None:
        return None
    edit = place.replaced(positions, slice_)
    if not isinstance(node.ctx, ast.Load):
        value = getattr(place.statement, "value", None)
        if not isinstance(value, ast.expr):
            return None
        is_apart = place.fact(value).is_number or isinstance(value, (*_FRESH, ast.Constant))
        is_sure = is_apart and place.fact(node.value).is_tensor
        if not is_sure and isinstance(place.statement, ast.AugAssign):
            return None
        return place.fix(_AS_SLICE, edit, caveat=_SHORTER if is_sure else f"{_SHORTER}; {_OVERLAP}")
    parent = place.file.parent(node)
    if isinstance(parent, _FRESH):
        return place.fix(_AS_SLICE, edit, caveat=_SHORTER) if place.fact(node.value).is_tensor else None
    # A list copies what it picks, a slice shares it.
    source = place.text(node)
    start = place.file.source_of(positions)
    if source.count(start) != 1 or not place.fact(node.value).is_certain:
        return None
    return place.fix(_AS_SLICE, place.replaced(node, f"{source.replace(start, slice_)}.clone()"), caveat=_SHORTER)


def _slice_of(positions: ast.List) -> str | None:
    """The slice that picks the same elements; None where their distances differ."""
    numbers: list[int] = []
    for element in positions.elts:
        is_negative = isinstance(element, ast.UnaryOp) and isinstance(element.op, ast.USub)
        inner = element.operand if isinstance(element, ast.UnaryOp) and is_negative else element
        if not isinstance(inner, ast.Constant) or type(inner.value) is not int:
            return None
        numbers.append(-inner.value if is_negative else inner.value)
    if not numbers:
        return None
    steps = {b - a for a, b in pairwise(numbers)}
    step = steps.pop() if len(steps) == 1 else 1
    if steps or step < 1 or (numbers[0] < 0 <= numbers[-1]):
        return None
    first, last = numbers[0], numbers[-1]
    end = "" if last == -1 else str(last + 1)
    return f"{first}:{end}" if step == 1 else f"{first}:{end}:{step}"


def _counted(place: Place, node: ast.Subscript, parts: list[ast.expr]) -> Fix | None:
    """``x[range(n), i]`` and ``x[torch.arange(n), i]``."""
    if not is_plain(node.value):
        return None
    device = f"device={place.text(node.value)}.device"
    edits = []
    # An attribute may be a property, which is then asked twice.
    is_sure = is_proved_tensor(place, node.value) and isinstance(node.value, ast.Name)
    for part in parts:
        if not isinstance(part, ast.Call) or any(isinstance(a, ast.Starred) for a in part.args):
            if _is_from_the_host(place, part):
                return None  # which would be copied all the same
            continue
        is_range = isinstance(part.func, ast.Name) and part.func.id == "range" and not place.binds("range")
        if is_range and not part.keywords:
            arguments = ", ".join(place.text(argument) for argument in part.args)
            is_sure = is_sure and len(part.args) == 1 and (is_positive(part.args[0]) or is_size(place, part.args[0]))
            edits.append(place.replaced(part, f"{place.name('torch.arange')}({arguments}, {device})"))
        elif place.qualified(part.func) == "torch.arange" and _has_no_device(part):
            name, _, value = device.partition("=")
            edits.append(place.with_argument(part, name, value))
        elif _is_from_the_host(place, part):
            return None
    statement = place.statement
    if edits and isinstance(statement, ast.Assign) and node in statement.targets:
        # A number that is written at positions of the device would be copied there.
        if place.fact(statement.value).is_number and len(statement.targets) == 1:
            edits.append(place.replaced(statement.value, number_as_tensor(place, statement.value, node.value)))
            is_sure = False  # a sparse tensor, for one, says so in another way
    return place.fix(_COUNT_THERE, *edits, caveat="" if is_sure else _NEGATIVE) if edits else None


def _is_from_the_host(place: Place, part: ast.expr) -> bool:
    """Whether positions are copied to the device: a list, an array, or a tensor on the CPU."""
    fact = place.fact(part)
    return fact.device == "cpu" or bool(fact.kinds & {"sequence", "array"})


def _has_no_device(call: ast.Call) -> bool:
    return not {word.arg for word in call.keywords} & {"device", "out", "pin_memory", None}
