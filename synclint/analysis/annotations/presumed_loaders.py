"""Loaders that are known by nothing but their names, or by what is done with what they give.

``for images, labels in train_loader``, or ``images.to(device)`` and a step of training behind ``for images in data``.

What comes from one is on the CPU as a rule, but may have been brought to the device by a wrapper. So it is taken to be
on the CPU where it is copied to the device, and on the device where it is read. That is only said of an object where
its name is read: what is handed on, kept in an attribute or returned, is as unknown as it was.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from synclint.analysis.domain.values import UNKNOWN, BoundMethod, Device, Instance, Sequence, Tensor, Unknown, Value
from synclint.analysis.syntax.walk import dotted_name, last_name, walk
from synclint.findings import Confidence

_LOADER = Instance("presumed.DataLoader")
_NAME = re.compile(r"(.*_)?(data_?|train|test|val|valid|eval)?loader", re.IGNORECASE)
# What begins so is a function that makes or finds one, or loads something else.
_NO_NAME = re.compile(
    r"(get|build|make|create|init|setup|set|new|from|load|configure|yaml|image|img|model|file)_", re.IGNORECASE
)

BATCH = Sequence("batch", None, Tensor(Device.EITHER, trust=Confidence.MEDIUM, pinned=None))
# Where a loop brings a part of each batch to the device, no wrapper has, and the other parts are where they were.
_LEFT_ON_HOST = Sequence("batch", None, Tensor(Device.CPU, trust=Confidence.MEDIUM, pinned=None))


# The kinds of values of which a name may say more.
MAY_BE_LOADER = frozenset({Unknown, BoundMethod})


def by_name(name: str, value: Value) -> Value:
    """A value that is read under a name: of one that is unknown the name may tell that it is a loader."""
    if type(value) not in MAY_BE_LOADER or not name.lower().endswith("loader"):
        return value
    return _LOADER if _NAME.fullmatch(name) and not _NO_NAME.match(name.lstrip("_")) else value


_MOVING = frozenset({"to", "cuda"})
# Gradients are cleared for a backward pass, whoever is handed the loss to run it.
TRAINING = frozenset({"backward", "step", "zero_grad"})
# What is done with models, not with data.
_OF_MODELS = frozenset({"eval", "train", "parameters", "named_parameters", "state_dict", "modules", "load_state_dict"})
_NO_DATA = frozenset(
    {
        "parameters", "named_parameters", "buffers", "named_buffers", "modules", "children", "items", "values", "keys",
        "state_dict", "range", "split", "chunk", "unbind",
    }
)  # fmt: skip
_TYPES = re.compile(r"d?type|float|half|int|long|bool", re.IGNORECASE)


def gives_batches(node: ast.For | ast.AsyncFor) -> bool:
    """Whether what a loop goes through gives batches: it moves them to a device and trains on them.

    Of several things at once, two that are moved and handed on are enough.
    """
    if any(isinstance(part, ast.Call) and last_name(part.func) in _NO_DATA for part in walk(node.iter)):
        return False
    names = _names_of(node)
    handed = names | {
        target.id
        for part in walk(node.body)
        if isinstance(part, ast.Assign) and _root(part.value) in names
        for target in part.targets
        if isinstance(target, ast.Name)
    }
    moved: set[str] = set()
    trains = hands_on = False
    for part in walk(node.body):
        if not isinstance(part, ast.Call):
            continue
        if isinstance(part.func, ast.Name) and part.func.id in names:
            return False
        method = last_name(part.func)
        if isinstance(part.func, ast.Attribute):
            owner = _root(part.func.value)
            if owner in names and method in _OF_MODELS:
                return False
            if owner in names and method in _MOVING and not _names_type(part):
                moved.add(owner)
                continue
            trains = trains or method in TRAINING
        hands_on = hands_on or any(_root(given) in handed for given in part.args)
    return bool(moved) and hands_on and (trains or len(moved) > 1)


def with_batches(value: Value) -> Value:
    """What a loop goes through, with batches for what is unknown of it: also of what it counts or goes through at once.

    ``enumerate(zip(labelled, unlabelled))`` gives two batches in each round.
    """
    if isinstance(value, Unknown):
        return BATCH
    if isinstance(value, Sequence) and value.kind == "tuple" and value.items is not None:
        items = tuple(map(with_batches, value.items))
        return value if items == value.items else replace(value, items=items)
    return value


def on_host(value: Value, node: ast.For | ast.AsyncFor) -> Value:
    """What a loop over a presumed loader goes through, where it says itself that batches come from the host."""
    brought = _brought(value)
    if brought is value:
        return value
    names = _names_of(node)
    moves = any(
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Attribute)
        and part.func.attr in _MOVING
        and _root(part.func.value) in names
        and not _names_type(part)
        for part in walk(node.body)
    )
    return brought if moves else value


def _brought(value: Value) -> Value:
    if value == BATCH:
        return _LEFT_ON_HOST
    if isinstance(value, Sequence) and value.kind == "tuple" and value.items is not None:
        items = tuple(map(_brought, value.items))
        return value if items == value.items else replace(value, items=items)
    return value


def _names_of(node: ast.For | ast.AsyncFor) -> set[str]:
    """The names that a loop binds."""
    return {part.id for part in walk(node.target) if isinstance(part, ast.Name)}


def _names_type(call: ast.Call) -> bool:
    return any(_TYPES.search(dotted_name(given) or "") is not None for given in call.args)


def _root(node: ast.expr) -> str:
    """The name at the start of ``batch``, ``batch[0]``, ``*batch`` or ``batch.to(device)``."""
    while not isinstance(node, ast.Name):
        if isinstance(node, (ast.Subscript, ast.Starred)):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        else:
            return ""
    return node.id


def is_presumed(value: Value) -> bool:
    """Whether a value is taken for a loader by its name."""
    return value is _LOADER


def without_presumption(value: Value) -> Value:
    """What is known of a value without its name."""
    return UNKNOWN if value is _LOADER else value
