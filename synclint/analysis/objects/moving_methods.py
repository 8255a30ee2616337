"""Objects that move what they hold to a device, as ``storage.to(device)`` does: ``self.masks = self.masks.to(device)``.

What their constructor makes on the CPU is there until somebody calls that method. Where it is in all other methods is
told by whoever has moved it.
"""

from __future__ import annotations

import ast

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import on_device
from synclint.analysis.domain.values import Alternatives, ClassRecord, Device, FunctionRecord, Tensor, Value
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.arguments import argument_node
from synclint.analysis.syntax.walk import dotted_name

_MOVES = frozenset({"to", "cuda"})


def where_methods_find_it(record: ClassRecord, name: str, value: Value, frame: Frame) -> Value:
    """What a constructor gives an attribute, where the other methods find it."""
    if frame.function is None or frame.function.name != "__init__" or not _is_on_cpu(value):
        return value
    methods = (one for one in _assigning(record, name) if one.name != "__init__")
    return _at(Device.UNKNOWN, value) if any(_moves(one, name) for one in methods) else value


def note_moved_attribute(node: ast.Assign, frame: Frame) -> None:
    """Let a method find on the CPU what it brings from there: an attribute that is replaced by itself on a device."""
    function, target = frame.function, node.targets[0]
    if function is None or function.owner is None or function.name == "__init__":
        return
    if not _is_move(node, function):
        return
    path = dotted_name(target)
    assert path is not None
    assert isinstance(target, ast.Attribute)
    held = frame.engine.read_field(function.owner, target.attr)
    is_made = any(one.name == "__init__" for one in _assigning(function.owner, target.attr))
    if is_made and path not in frame.scope and isinstance(held, Tensor) and held.device is not Device.CPU:
        frame.know(path, on_device(held, Device.CPU))


def _assigning(record: ClassRecord, name: str) -> list[FunctionRecord]:
    return [method for ancestor in record.ancestors for method in ancestor.assigners.get(name, ())]


def _moves(method: FunctionRecord, name: str) -> bool:
    path = f"{method.receiver}.{name}"
    return any(
        isinstance(node, ast.Assign) and dotted_name(node.targets[0]) == path and _is_move(node, method)
        for node in method.nodes
    )


def _is_move(node: ast.Assign, method: FunctionRecord) -> bool:
    """Whether an attribute of the object is replaced by itself on another device, one that the caller names.

    What goes where a tensor is, in case that it is elsewhere, need not go anywhere.
    """
    call, path, receiver = node.value, dotted_name(node.targets[0]), method.receiver
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in _MOVES:
        return False
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "device"), argument_node(call))
    parameters = {parameter.name for parameter in method.parameters}
    if call.func.attr == "to" and not (isinstance(given, ast.Name) and given.id in parameters):
        return False
    is_own = path is not None and receiver is not None and path.startswith(f"{receiver}.") and path.count(".") == 1
    return is_own and dotted_name(call.func.value) == path


def _is_on_cpu(value: Value) -> bool:
    options = value.options if isinstance(value, Alternatives) else (value,)
    return any(isinstance(option, Tensor) and option.device is Device.CPU for option in options)


def _at(device: Device, value: Value) -> Value:
    if isinstance(value, Alternatives):
        return join_all(_at(device, option) for option in value.options)
    return on_device(value, device) if isinstance(value, Tensor) and value.device is Device.CPU else value
