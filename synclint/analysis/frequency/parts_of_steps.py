"""Loops whose rounds are parts of a step: one for each optimizer, or for each part of a batch."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from synclint.analysis.frequency.loop_sources import words_of
from synclint.analysis.syntax.walk import dotted_name, last_name, walk
from synclint.catalog.names import names_in

OPTIMIZERS = re.compile(
    r"(^|_)(opt|opts|optim|optims|optimizers?|optimisers?|scaler|grad_scaler|adamw?|sgd|lbfgs|muon)(\d|_|$)"
)
# What libraries call the number of parts into which they divide the batch of a step.
_PARTS_OF_BATCHES = names_in("called", "parts-of-batches")


@lru_cache(maxsize=256)
def passes_up(loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether a loop goes through optimizers, phases that have one each, or the parts of a batch: parts of a step."""
    if isinstance(loop, ast.While):
        return False
    if divides_a_step(loop):
        return True
    if any(OPTIMIZERS.search(part.lower()) for part in words_of(loop.iter)):
        return True
    targets = {name.id for name in walk(loop.target) if isinstance(name, ast.Name)}
    targets |= _looked_up(loop.body, targets)
    for call in walk(loop.body):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "step":
            stepped = call.func.value
            named = stepped.slice if isinstance(stepped, ast.Subscript) else stepped
            root = (dotted_name(named) or "").partition(".")[0]
            if root in targets:
                return True
    return False


def _looked_up(body: list[ast.stmt], targets: Collection[str]) -> set[str]:
    """The names for what is taken of something for one of the ``targets``: ``model = models[f"level_{i}"]``.

    What a round makes for itself is none, nor what several rounds take in turn: ``models[i % 2]``.
    """
    given = [pair for one in body if isinstance(one, ast.Assign) for pair in _pairs(one.targets[0], one.value)]
    return {
        target.id
        for target, value in given
        if isinstance(target, ast.Name) and any(_is_named(key, targets) for key in _keys(value))
    }


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What an assignment gives to what: ``model, optimizer = models[i], optimizers[i]`` gives two things."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        yield from zip(target.elts, value.elts, strict=False)
    else:
        yield target, value


def _keys(node: ast.expr) -> list[ast.expr]:
    """By what something is looked up: ``key`` of ``models[key]``, ``getattr(models, key)``, ``models.get(key)``."""
    if isinstance(node, ast.Subscript):
        return [node.slice]
    return node.args if isinstance(node, ast.Call) and last_of_call(node) in ("get", "getattr") else []


def _is_named(key: ast.expr, targets: Collection[str]) -> bool:
    """Whether a key is one of some names, or a text with it in it."""
    if isinstance(key, ast.Call) and isinstance(key.func, ast.Attribute) and key.func.attr == "format":
        return any(isinstance(one, ast.Name) and one.id in targets for one in key.args)
    if isinstance(key, ast.BinOp) and isinstance(key.left, ast.Constant) and isinstance(key.left.value, str):
        key = key.right
    if isinstance(key, ast.JoinedStr):
        return any(isinstance(one, ast.FormattedValue) and _is_named(one.value, targets) for one in key.values)
    return isinstance(key, ast.Name) and key.id in targets


def divides_a_step(node: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether the rounds of a loop are parts of a step, as ``range(settings.gradient_accumulation_steps)`` tells."""
    if isinstance(node, ast.While) or not isinstance(node.iter, ast.Call) or last_of_call(node.iter) != "range":
        return False
    return any(last_name(part) in _PARTS_OF_BATCHES for part in node.iter.args)


def last_of_call(node: ast.expr) -> str:
    """The last part of the name of what an expression calls; nothing for one that is no call."""
    return (dotted_name(node.func) or "").rpartition(".")[2] if isinstance(node, ast.Call) else ""
