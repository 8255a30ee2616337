"""Optimizers under a gradient scaler: the fused ones leave a step out on the device, others ask on the host."""

from __future__ import annotations

import ast

from synclint.findings import Edit, Fix
from synclint.fixes.place import Place
from synclint.fixes.uploads import call_at

# Source: torch/optim, the constructors with a parameter `fused`.
_FUSED = frozenset({"Adam", "AdamW", "SGD", "Adagrad"})
# The same: those without it, which may be chosen in the place of one that has it.
_NEVER_FUSED = frozenset({"RMSprop", "Adadelta", "Adamax", "ASGD", "NAdam", "RAdam", "Rprop", "SparseAdam", "LBFGS"})
_OTHERS = frozenset({"fused", "foreach", "capturable", "differentiable", None})
_CAVEAT = "the fused kernel rounds differently, and the parameters have to be on the device when the optimizer is made"


def fused(place: Place) -> Fix | None:
    """Make the optimizer of ``scaler.step(optimizer)`` with ``fused=True``."""
    call = place.node
    if not isinstance(call, ast.Call) or len(call.args) != 1:
        return None
    made = place.fact(call.args[0]).made
    edits: list[Edit] = []
    others: list[str] = []
    for one in made:
        file = place.file if one.path == place.file.path else place.files(one.path)
        making = call_at(file, one.place) if file is not None else None
        if file is None or making is None or not isinstance(making.func, (ast.Attribute, ast.Name)):
            return None
        name = making.func.attr if isinstance(making.func, ast.Attribute) else making.func.id
        if name in _NEVER_FUSED:
            others.append(f"`{name}`")
            continue
        if name not in _FUSED or {word.arg for word in making.keywords} & _OTHERS:
            return None
        edits.append(place.with_argument(making, "fused", "True", file))
    if not edits:
        return None
    rest = f", and {' and '.join(dict.fromkeys(others))} waits as before" if others else ""
    return place.fix("Make the optimizer with `fused=True`", *edits, caveat=f"{_CAVEAT}{rest}")
