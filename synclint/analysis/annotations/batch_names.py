"""Batches that are known by nothing but their names, on their way to the device: ``batch["image"].to(self.device)``.

What is called a batch and brought to a device that the program names comes from the CPU: whoever writes that line
expects it there. Nothing else is concluded from the name, because a batch may hold more than tensors, and later lines
may find it on the device.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from synclint.analysis.syntax.arguments import argument_node
from synclint.analysis.syntax.walk import dotted_name, walk

_BATCH = re.compile(
    r"(.*_)?(micro_?|mini_?)?batch(es|ed)?(_(data|dict|inputs?|items?|samples?|targets?|labels?|x|y))?|(model_)?inputs?_dict"
)
_DEVICE = re.compile(r"(.*_)?(device|dev|gpu)(_id)?")
# What has a device of its own besides tensors, whose device would say where the others are by now.
_OWNERS = frozenset(
    {"self", "model", "net", "network", "args", "opt", "cfg", "config", "trainer", "accelerator", "policy", "agent"}
)
# Frameworks call these with batches that they have moved themselves.
_MOVED_BEFORE = frozenset({"training_step", "validation_step", "test_step", "predict_step", "shared_step"})
# Functions that are there to move what they are given, whatever it is called in them.
_MOVERS = re.compile(
    r"_{0,2}(to|cuda|(.{0,60}_)?to_(device|cuda|gpu)|move_(.{0,60}_)?to(_.{0,60})?|(.{0,60}_)?move_to)", re.IGNORECASE
)


def is_brought(node: ast.Call, function: str | None, loops: Iterable[ast.AST]) -> bool:
    """Whether a call of ``to`` or ``cuda`` brings a batch to a device that the program names.

    ``function`` is the name of the function that it stands in, ``loops`` those around it, from the outside in.
    """
    if not isinstance(node.func, ast.Attribute) or not names_a_device(node) or function in _MOVED_BEFORE:
        return False
    if function is not None and _MOVERS.fullmatch(function):
        return True
    return is_called_batch(node.func.value, loops)


def is_called_batch(node: ast.expr, loops: Iterable[ast.AST]) -> bool:
    """Whether something is called a batch, or is selected from what is called so."""
    return any(_BATCH.fullmatch(word.lower()) for word in _words(node, tuple(loops)))


def names_a_device(node: ast.Call) -> bool:
    """Whether a call of ``to`` or ``cuda`` names the device itself, and not that of another tensor."""
    assert isinstance(node.func, ast.Attribute)
    if node.func.attr == "cuda":
        return True
    given = next((keyword.value for keyword in node.keywords if keyword.arg == "device"), argument_node(node))
    if isinstance(given, ast.Constant):
        return isinstance(given.value, str) and given.value.startswith("cuda")
    path = dotted_name(given) if given is not None else None
    if path is None:
        return False
    owner, _, last = path.rpartition(".")
    return _DEVICE.fullmatch(last.lower()) is not None and (not owner or not _OWNERS.isdisjoint(owner.split(".")))


def _words(node: ast.expr, loops: tuple[ast.AST, ...]) -> Iterator[str]:
    """The names that an expression selects from, and those that the loop goes through which gives its own name."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            yield node.attr
            node = node.value
        elif isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return
    yield node.id
    for index, loop in reversed(tuple(enumerate(loops))):
        if isinstance(loop, (ast.For, ast.AsyncFor, ast.comprehension)):
            if any(isinstance(part, ast.Name) and part.id == node.id for part in walk(loop.target)):
                yield from _words(loop.iter, loops[:index])
                return
