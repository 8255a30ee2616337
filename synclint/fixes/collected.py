"""Numbers that are read one by one from lists and dictionaries of tensors, or into lists: read together."""

from __future__ import annotations

import ast
from functools import partial
from typing import NamedTuple

from synclint.findings import Fix
from synclint.fixes.blocks import loop_after, may_be_left
from synclint.fixes.devices import is_plain
from synclint.fixes.elements import is_list_of, read_around
from synclint.fixes.place import Place
from synclint.fixes.uses import bindings, ids_within, is_captured, is_written_to, loads, tensor_read

_LOOPS = (ast.For, ast.AsyncFor)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_ALIKE = "all of them have to be 0-dim tensors of the same type on the same device, and there has to be at least one"
_STACKED = "all of them have to be 0-dim tensors of the same type on the same device"
_CHANGED = "what is written to their memory before the end of the loop is read, too"
_READ_ALL = "Read all numbers with one copy"


def read_together(place: Place) -> Fix | None:
    """Read what a list or dictionary holds with one copy: before the loop over it, or after the loop that fills it."""
    return _from_a_collection(place) or _into_a_list(place)


# --- collections that are there --------------------------------------------------------------------------------------


def _from_a_collection(place: Place) -> Fix | None:
    """``for k, v in d.items(): … v.item()`` as ``for k, v in zip(d, torch.stack(list(d.values())).tolist()): … v``."""
    names = {node.id for node in ast.walk(place.node) if isinstance(node, ast.Name)}
    for around in place.file.ancestors(place.node):
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            return None
        parts: list[ast.For | ast.AsyncFor | ast.comprehension] = []
        if isinstance(around, _LOOPS):
            parts = [around]
        elif isinstance(around, _COMPREHENSIONS):
            parts = list(around.generators)
        for part in parts:
            through = _goes_through(part)
            if through is not None and through.target.id in names:
                key = ("read before", id(part))
                found = place.shared(key, partial(_read_before, scope=around, part=part, through=through))
                if found is not None:
                    return found
    return None


class _Through(NamedTuple):
    """What a loop goes through, a list or the values of a dictionary by ``method``, and the name that it gives each."""

    source: ast.expr
    method: str
    target: ast.Name


def _goes_through(part: ast.For | ast.AsyncFor | ast.comprehension) -> _Through | None:
    target, source, method = part.target, part.iter, ""
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute) and not source.args:
        method, source = source.func.attr, source.func.value
    if method == "items" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        target = target.elts[1]
    elif method not in ("values", ""):
        return None
    return _Through(source, method, target) if isinstance(target, ast.Name) and is_plain(source) else None


def _read_before(
    place: Place, scope: ast.AST, part: ast.For | ast.AsyncFor | ast.comprehension, through: _Through
) -> Fix | None:
    source, method, target = through
    fact = place.fact(target)
    element = place.fact(source).element
    if not method and (place.fact(source).kinds != {"sequence"} or element is None or not element.is_tensor):
        return None
    uses = [n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == target.id and n is not target]
    reads = [read_around(place, use) if isinstance(use.ctx, ast.Load) else None for use in uses]
    after = [load for load in loads(place.function or place.file.tree, target.id) if load not in uses]
    if not uses or (any(load.lineno > scope.lineno for load in after) and isinstance(scope, _LOOPS)):  # type: ignore[attr-defined]
        return None
    if fact.dtype == "complex" or not all(map(place.file.is_position_reliable, uses)):
        return None
    text, edits = place.text(source), []
    for use, read in zip(uses, reads, strict=True):
        if read is None:
            return None
        if read is not use:
            edits.append(place.replaced(read, use.id))
    # A tensor of one element is read in the same way; stacked, it would be a row.
    join = place.name("torch.cat" if not method and element is not None and element.ndim == 1 else "torch.stack")
    values = f"{join}({text})" if not method else f"{join}(list({text}.values()))"
    made = f"zip({text}, {values}.tolist())" if method == "items" else f"{values}.tolist()"
    if method == "items" and place.binds("zip"):
        return None
    if method != "items" and is_list_of(scope, reads):
        assert isinstance(scope, ast.ListComp)
        return place.fix(_READ_ALL, place.replaced(scope, made), caveat=_ALIKE)
    return place.fix(_READ_ALL, place.replaced(part.iter, made), *edits, caveat=_ALIKE)


# --- collections that are filled -------------------------------------------------------------------------------------


def _tensor_read(place: Place) -> ast.expr | None:
    """The tensor that the finding reads, where nothing writes to it once it has been read."""
    tensor = tensor_read(place.node, "float")
    if tensor is None:
        return None
    fact = place.fact(tensor)
    if "tensor" not in fact.kinds or fact.ndim or fact.device == "cpu":
        return None
    if isinstance(tensor, ast.Name):
        scope = place.function or place.file.tree
        return None if is_written_to(scope, tensor.id) else tensor
    return tensor if isinstance(tensor, ast.Call) else None


def _kept(place: Place, tensor: ast.expr) -> str:
    text = place.text(tensor)
    is_detached = isinstance(tensor, ast.Call) and text.endswith(".detach()")
    return text if is_detached else f"{text}.detach()"


def _into_a_list(place: Place) -> Fix | None:
    """``numbers.append(x.item())`` in a loop: tensors are appended, and read after the loop."""
    append = place.file.parent(place.node)
    tensor = _tensor_read(place)
    scope = place.function or place.file.tree
    if tensor is None or not isinstance(append, ast.Call) or append.args != [place.node] or append.keywords:
        return None
    if not isinstance(append.func, ast.Attribute) or append.func.attr != "append" or isinstance(scope, ast.Lambda):
        return None
    if not isinstance(append.func.value, ast.Name):
        return None
    name = append.func.value.id
    loop = loop_after(place.file, place.node, name, _is_empty_list)
    bound = bindings(scope, name)
    if loop is None or loop.orelse or len(bound) != 1 or is_captured(scope, name):
        return None
    within = ids_within(loop)
    used = [load for load in loads(scope, name) if id(load) in within]
    others = [load for load in loads(scope, name) if id(load) not in within]
    # Whoever has been given the list before the loop would be left with the tensors.
    is_given_away = any(load.lineno < loop.lineno for load in others)
    if len(used) != 1 or not others or is_given_away or may_be_left(place.file, loop):
        return None
    values = f"{place.name('torch.stack')}({name}).tolist()"
    return place.fix(
        f"Append tensors, and read `{name}` after the loop",
        place.replaced(place.node, _kept(place, tensor)),
        place.inserted_after(loop, f"{name} = {values} if {name} else []"),
        caveat=f"{_STACKED}; {_CHANGED}",
    )


def _is_empty_list(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign([ast.Name()], ast.List([])):
            return True
    return False
