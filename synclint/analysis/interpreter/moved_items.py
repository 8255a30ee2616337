"""Items that are replaced by themselves on another device: ``views[0] = views[0].cuda()``.

A row of a tensor would be copied back to where the tensor is. What is written so is a list of tensors, whatever else a
batch of a loader could have there. A loop that does so to each item of a dictionary leaves none where it was.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from dataclasses import replace

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import on_device, tensor_of
from synclint.analysis.domain.values import Device, Mapping, Sequence, Tensor, Value, options
from synclint.analysis.models.torch_results import device_named, dtype_named
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, last_name, walk
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


def _list_gone_through(loop: ast.AST) -> str | None:
    """The name of a list of which a loop takes each position: ``enumerate(parts)``, ``range(len(parts))``."""
    call = loop.iter if isinstance(loop, ast.For) else None
    if not isinstance(call, ast.Call) or len(call.args) != 1:
        return None
    given = call.args[0]
    if dotted_name(call.func) == "range" and isinstance(given, ast.Call) and dotted_name(given.func) == "len":
        return dotted_name(given.args[0]) if given.args else None
    return dotted_name(given) if dotted_name(call.func) == "enumerate" else None


def know_moved(loop: ast.For | ast.AsyncFor, frame: Frame) -> None:
    """Know where the tensors of a container are once a loop has brought each of them there.

    So has a loop through a list that does so to each dictionary in it.
    """
    path = dictionary_gone_through(loop) or _list_gone_through(loop)
    held = frame.lookup(path) if path is not None and "." not in path else None
    if path is None or held is None or not any(isinstance(option, (Mapping, Sequence)) for option in options(held)):
        return
    known = frame.engine.readings.moving
    if loop not in known:
        known[loop] = _move_in(loop, path), _move_within(loop)
    own, within = known[loop]
    move = own or within
    device = _target(move, frame) if move is not None else None
    if device is not None:
        brought = _brought if own is not None else _brought_within
        frame.know(path, join_all(brought(option, device) for option in options(held)))


def _target(move: ast.Call, frame: Frame) -> Device | None:
    """Where a call of ``to``, ``cuda`` or ``cpu`` brings a tensor; None where it brings it nowhere."""
    if last_name(move.func) != "to":
        return Device.CPU if last_name(move.func) == "cpu" else Device.DEVICE
    named = [*move.args[:1], *(one.value for one in move.keywords if one.arg == "device")]
    if not named:
        return None
    frame.muted += 1
    given = frame.evaluate(named[0])
    frame.muted -= 1
    if dtype_named(given) is not None:
        return None
    tensor = tensor_of(given)
    target = tensor.device if tensor is not None else device_named(given)
    return Device.DEVICE if target in (None, Device.UNKNOWN) else target


def _move_within(loop: ast.For | ast.AsyncFor) -> ast.Call | None:
    """The call by which a loop within does so to each dictionary that this one goes through."""
    for inner in loop.body:
        path = dictionary_gone_through(inner)
        if isinstance(inner, ast.For) and path is not None and path == dotted_name(loop.target):
            return _move_in(inner, path)
    return None


def _move_in(loop: ast.For | ast.AsyncFor, path: str) -> ast.Call | None:
    """The call by which a loop brings each item of a container that is a tensor somewhere, to put it in its place."""
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
    """The call that brings an item to where it is then, whatever else is done with it: ``value.float().to(device)``."""
    move: ast.Call | None = None
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if move is None and node.func.attr in _ALL_MOVES:
            move = node
        node = node.func.value
    return move if ast.unparse(node) in items else None


def _brought(option: Value, device: Device) -> Value:
    """A container with its tensors in another place."""
    return _with_each(option, lambda one: on_device(one, device) if isinstance(one, Tensor) else one)


def _brought_within(option: Value, device: Device) -> Value:
    """A container with the tensors of the containers in it in another place."""
    return _with_each(option, lambda one: _brought(one, device))


def _with_each(option: Value, change: Callable[[Value], Value]) -> Value:
    def changed(held: Value) -> Value:
        return join_all(map(change, options(held)))

    if isinstance(option, Sequence):
        items = None if option.items is None else tuple(map(changed, option.items))
        return replace(option, items=items, element=changed(option.element), first=tuple(map(changed, option.first)))
    if isinstance(option, Mapping):
        return Mapping(tuple((key, changed(held)) for key, held in option.entries), changed(option.element))
    return option
