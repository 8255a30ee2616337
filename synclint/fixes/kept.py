"""Numbers that are read only to be computed with, or handed on: they stay on the device as tensors."""

from __future__ import annotations

import ast
import re

from synclint.findings import Fix
from synclint.fixes.devices import is_plain
from synclint.fixes.place import Place
from synclint.fixes.uses import bindings, is_captured, loads, tensor_read

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
# Who averages numbers to show them now and then: what such a one is handed is read when it is shown.
_AVERAGES = re.compile(r"meter|metric|average|tracker|logger|smoothed|running", re.IGNORECASE)


def kept_on_the_device(place: Place) -> Fix | None:
    """Leave out ``.item()`` where the number is divided by, handed to a function of the project, or averaged."""
    call, tensor = place.node, tensor_read(place.node)
    if tensor is None or "tensor" not in (fact := place.fact(tensor)).kinds or fact.device == "cpu":
        return None
    text = place.primary(tensor)
    kept = text if fact.dtype in ("int", "bool") else f"{text}.detach()"
    averager = _averager(place, call)
    if averager:
        caveat = f"the argument becomes a tensor, and `{averager}` waits where it needs a number"
        return place.fix("Pass the tensor", place.replaced(call, kept), caveat=caveat)
    name = _name_computed_from(place, call)
    if name is None or not _is_only_computed_with(place, name):
        return None
    caveat = f"the value of `{name}` becomes a tensor, and code that needs a number from it waits"
    return place.fix(f"Leave `{name}` on the device", place.replaced(call, kept), caveat=caveat)


def _averager(place: Place, call: ast.expr) -> str:
    """What averages the numbers that it is handed, as it is written; empty where the number goes elsewhere."""
    inner: ast.AST = call
    for around in place.file.ancestors(call):
        if isinstance(around, ast.Call):
            if around.func is inner or not isinstance(around.func, ast.Attribute):
                return ""
            receiver = around.func.value
            fact = place.fact(receiver)
            is_ours = place.fact(around.func).kinds <= {"function", "method"}
            names = fact.name.rpartition(".")[2] or (place.text(receiver) if fact.kinds == {"module"} else "")
            return place.text(receiver) if is_ours and _AVERAGES.search(names) and is_plain(receiver) else ""
        if not isinstance(around, ast.keyword) and not (
            isinstance(around, ast.BinOp) and isinstance(around.op, _ARITHMETIC)
        ):
            return ""
        inner = around
    return ""


def _name_computed_from(place: Place, call: ast.expr) -> str | None:
    """The name that a number is given, by itself or after arithmetic."""
    for around in place.file.ancestors(call):
        if isinstance(around, ast.Assign):
            target = around.targets[0]
            return target.id if len(around.targets) == 1 and isinstance(target, ast.Name) else None
        if not isinstance(around, ast.BinOp) or not isinstance(around.op, _ARITHMETIC):
            return None
    return None


def _is_only_computed_with(place: Place, name: str) -> bool:
    """Whether a number is divided by or the like, where a tensor is the other operand, or handed to our functions."""
    scope = place.function
    if scope is None or is_captured(scope, name):
        return False
    end = place.statement.end_lineno or place.statement.lineno
    later = [load for load in loads(scope, name) if load.lineno > end]
    others = [node for node in bindings(scope, name) if getattr(node, "lineno", 0) > end]
    return bool(later) and not others and all(_is_computed_with(place, load) for load in later)


def _is_computed_with(place: Place, load: ast.Name) -> bool:
    around = place.file.parent(load)
    if isinstance(around, ast.BinOp) and isinstance(around.op, _ARITHMETIC):
        other = around.left if around.right is load else around.right
        return place.fact(other).is_tensor
    if isinstance(around, ast.keyword):
        around = place.file.parent(around)
    if not isinstance(around, ast.Call) or around.func is load:
        return False
    return place.fact(around.func).kinds == {"function"}
