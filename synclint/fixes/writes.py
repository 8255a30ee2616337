"""Writes into a tensor that kernels can do alone: numbers at single positions, and values chosen by a mask."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.devices import is_plain
from synclint.fixes.masked_writes import filled_at_positions
from synclint.fixes.numbers import is_bounded, is_python_integer, only_value
from synclint.fixes.place import Place

_TARGET = "it has to be a tensor that is written to, and no sparse one"
_POSITIONS = "the positions have to be integers"
_COMPUTED = "the value has to be a number, and is computed once the position is looked up"
# Masks of fewer dimensions pick whole rows; of other shapes or types they raise an error.
_OF_ONE_SHAPE = "the mask and both tensors have to have one shape and type, and elements of their own memory"
_DENSE = "the value has to be a number, and what it is written to a tensor that is neither sparse nor quantized"
_MAKERS = frozenset(
    f"torch.{name}"
    for name in ("zeros", "ones", "full", "empty", "arange", "eye", "rand", "randn", "linspace", "tensor")
)
_FILL = "Fill the element in place"
_WITH_KERNEL = "Let a kernel write the number"
_CHOOSE = "Choose with `torch.where`"


def _assignment(place: Place) -> tuple[ast.Assign, ast.Subscript] | None:
    """The statement of the finding, where it writes to one place with brackets, and that."""
    statement = place.statement
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Subscript) or not place.fact(target.value).is_tensor:
        return None
    return statement, target


def filled_element(place: Place) -> Fix | None:
    """``x[0, 1] = number`` as ``x[0, 1].fill_(number)``: integers leave a view, which can be filled."""
    found = _assignment(place)
    if found is None:
        return None
    statement, target = found
    kinds = place.fact(statement.value).kinds
    if kinds & {"tensor", "sequence", "none"} or not is_plain(target.value):
        return None
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    if not all(place.fact(part).is_integer or isinstance(part, ast.Slice) for part in parts):
        return None
    caveats = [] if _is_made_here(place, target.value) else [_TARGET]
    if not all(is_python_integer(place, part) or isinstance(part, ast.Slice) for part in parts):
        caveats.append(_POSITIONS)
    # Of a value that cannot be computed, or does not fit, and a position that is missing, the first one is told of.
    if not _is_written_out(place, statement.value):
        caveats.append(_COMPUTED)
    filled = f"{place.text(target)}.fill_({place.text(statement.value)})"
    return place.fix(_FILL, place.rewritten(statement, filled), caveat="; ".join(caveats))


def _is_written_out(place: Place, value: ast.expr) -> bool:
    """Whether a number is written out, and fits into each type of tensors."""
    number = value.operand if isinstance(value, ast.UnaryOp) else value
    return isinstance(number, ast.Constant) and is_bounded(place, value)


def _is_made_here(place: Place, target: ast.expr) -> bool:
    """Whether the function made a tensor, by one of torch's, and no sparse one: of that, an element is a copy.

    At the top of a module nothing counts as made: as the last line of a cell, ``fill_`` would show the tensor.
    """
    value = only_value(place, target) if isinstance(target, ast.Name) else None
    if not isinstance(value, ast.Call) or any(word.arg in ("layout", None) for word in value.keywords):
        return False
    return place.qualified(value.func) in _MAKERS


def written_number(place: Place) -> Fix | None:
    """``x[i] = number`` with a number that a kernel has made: with integers for positions it would be copied."""
    found = _assignment(place)
    if found is None:
        return None
    statement, target = found
    masked = filled_at_positions(place, target.slice)
    if masked is not None:
        return masked
    value = statement.value
    if not place.fact(value).is_number or not is_plain(target.value) or not place.fact(target.value).is_certain:
        return None
    edit = place.replaced(value, number_as_tensor(place, value, target.value))
    return place.fix(_WITH_KERNEL, edit, caveat=_DENSE)


def number_as_tensor(place: Place, value: ast.expr, like: ast.expr) -> str:
    """The source of a 0-dim tensor with a number, of the type and on the device of another tensor."""
    return f"{place.text(like)}.new_full((), {place.text(value)})"


def chosen_by_mask(place: Place) -> Fix | None:
    """``x[mask] = y[mask]`` as ``x.copy_(torch.where(mask, y, x))``, where all three have the same shape."""
    found = _assignment(place)
    if found is None:
        return None
    statement, target = found
    value = statement.value
    if not isinstance(value, ast.Subscript) or not all(map(is_plain, (target.value, target.slice, value.value))):
        return None
    mask, x, y = target.slice, target.value, value.value
    if not place.fact(x).is_certain:
        return None
    if ast.dump(value.slice) != ast.dump(mask) or place.fact(mask).dtype != "bool":
        return None
    if not place.fact(mask).is_tensor or not place.fact(y).is_tensor:
        return None
    if len({place.fact(part).ndim for part in (mask, x, y)}) != 1:
        return None
    texts = [place.text(part) for part in (mask, y, x)]
    source = f"{texts[2]}.copy_({place.name('torch.where')}({', '.join(texts)}))"
    return place.fix(_CHOOSE, place.rewritten(statement, source), caveat=_OF_ONE_SHAPE)
