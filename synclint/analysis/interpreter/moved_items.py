"""Items that are replaced by themselves on another device: ``views[0] = views[0].cuda()``.

A row of a tensor would be copied back to where the tensor is. What is written so is a list of tensors, whatever else a
batch of a loader could have there. A loop that does so to each item of a dictionary leaves none where it was.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import replace

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import on_device, tensor_of
from synclint.analysis.domain.values import Device, Mapping, Sequence, Tensor, Value, options
from synclint.analysis.models.torch_results import device_named, dtype_named
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, walk
from synclint.findings import Confidence

_MOVES = frozenset({"to", "cuda"})
_ALL_MOVES = _MOVES | {"cpu"}
_ASKING = frozenset({"is_tensor", "isinstance", "hasattr"})


def take_for_list(node: ast.Assign, frame: Frame) -> None:
    """Know a name for that of a list of tensors if one of its items is replaced by itself on another device."""
    target, call = node.targets[0], node.value
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in _MOVES:
        return
    moved = call.func.value
    if not isinstance(moved, ast.Subscript) or not isinstance(moved.value, ast.Name):
        return
    if moved.value.id != target.value.id or ast.dump(moved.slice) != ast.dump(target.slice):
        return
    held = frame.lookup(target.value.id)
    if held is not None and any(map(_is_presumed, options(held))):
        frame.know(target.value.id, join_all(map(_as_list, options(held))))


def _is_presumed(option: Value) -> bool:
    return isinstance(option, Tensor) and option.trust is not Confidence.HIGH


def _as_list(option: Value) -> Value:
    if isinstance(option, Tensor) and _is_presumed(option):
        return Sequence("list", None, replace(option, ndim=None))
    return option


def dictionary_gone_through(loop: ast.AST) -> str | None:
    """The path of what a loop goes through itself: ``batch`` of ``for key, value in batch.items()``."""
    if not isinstance(loop, ast.For):
        return None
    iterable: ast.expr = loop.iter
    while isinstance(iterable, ast.Call):
        method = iterable.func
        if isinstance(method, ast.Attribute) and method.attr in ("items", "keys"):
            iterable = method.value
        elif dotted_name(method) in ("list", "tuple", "sorted") and iterable.args:
            iterable = iterable.args[0]
        else:
            return None
    return dotted_name(iterable)


def know_moved(loop: ast.For | ast.AsyncFor, frame: Frame) -> None:
    """Know where the tensors of a dictionary are once a loop has brought each of them there."""
    path = dictionary_gone_through(loop)
    held = frame.lookup(path) if path is not None and "." not in path else None
    if path is None or held is None or not any(isinstance(option, (Mapping, Sequence)) for option in options(held)):
        return
    known = frame.engine.readings.moving
    if loop not in known:
        known[loop] = _moving(loop, path)
    moving = known[loop]
    device = None if moving is None else _target(moving, frame)
    if device is not None:
        frame.know(path, join_all(_brought(option, device) for option in options(held)))


def _target(move: ast.Call, frame: Frame) -> Device | None:
    """Where a call of ``to``, ``cuda`` or ``cpu`` brings a tensor; None where it does not."""
    assert isinstance(move.func, ast.Attribute)
    if move.func.attr != "to":
        return Device.CPU if move.func.attr == "cpu" else Device.DEVICE
    frame.muted += 1
    given = [
        frame.evaluate(one) for one in (*move.args[:1], *(one.value for one in move.keywords if one.arg == "device"))
    ]
    frame.muted -= 1
    if not given or dtype_named(given[0]) is not None:
        return None
    tensor = tensor_of(given[0])
    target = tensor.device if tensor is not None else device_named(given[0])
    return Device.DEVICE if target in (None, Device.UNKNOWN) else target


def _moving(loop: ast.For | ast.AsyncFor, path: str) -> ast.Call | None:
    """The call by which a loop brings each item of a dictionary that is a tensor to some device."""
    key, *rest = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
    if not isinstance(key, ast.Name) or any(isinstance(one, (ast.Break, ast.Continue)) for one in walk(loop.body)):
        return None
    items = {f"{path}[{key.id}]", *(one.id for one in rest if isinstance(one, ast.Name))}
    waiting = [*loop.body]
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, ast.If) and _asks_for_a_tensor(statement.test, items):
            waiting += statement.body
        elif isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == f"{path}[{key.id}]":
            value = statement.value
            if isinstance(value, ast.IfExp) and _asks_for_a_tensor(value.test, items):
                value = value.body
            return _move_of_one(value, items)
    return None


def _asks_for_a_tensor(test: ast.expr, items: Collection[str]) -> bool:
    """Whether a test asks an item only for what it is: ``isinstance(batch[key], Tensor)``, ``value is not None``."""
    if isinstance(test, ast.Compare):
        is_nothing = isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None
        return is_nothing and isinstance(test.ops[0], ast.IsNot) and ast.unparse(test.left) in items
    called = (dotted_name(test.func) or "").rpartition(".")[2] if isinstance(test, ast.Call) else ""
    return called in _ASKING and isinstance(test, ast.Call) and bool(test.args) and ast.unparse(test.args[0]) in items


def _move_of_one(node: ast.expr, items: Collection[str]) -> ast.Call | None:
    """The call that brings an item somewhere, whatever else is done with it: ``value.float().to(device)``."""
    move: ast.Call | None = None
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if move is None and node.func.attr in _ALL_MOVES:
            move = node
        node = node.func.value
    return move if ast.unparse(node) in items else None


def _brought(option: Value, device: Device) -> Value:
    if isinstance(option, Sequence) and option.kind == "batch" and option.items is None:
        return replace(option, element=_placed(option.element, device))
    if not isinstance(option, Mapping):
        return option
    entries = tuple((key, _placed(held, device)) for key, held in option.entries)
    return Mapping(entries, _placed(option.element, device))


def _placed(value: Value, device: Device) -> Value:
    return join_all(on_device(one, device) if isinstance(one, Tensor) else one for one in options(value))
