"""Objects that move what they hold to a device, as ``storage.to(device)`` does: ``self.masks = self.masks.to(device)``.

What their constructor makes on the CPU is there until somebody calls that method. Where it is in all other methods is
told by whoever has moved it. So it is with what a namespace at the top of a module holds.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from synclint.analysis.domain.containers import mapping
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import on_device
from synclint.analysis.domain.values import (
    NEVER,
    Alternatives,
    ClassRecord,
    Device,
    FunctionRecord,
    Mapping,
    ModuleRecord,
    Symbol,
    Tensor,
    Value,
)
from synclint.analysis.program.text_facts import answered_once, module_fact, text_fact
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.arguments import argument_node
from synclint.analysis.syntax.walk import dotted_name, statements, walk

_MOVES = frozenset({"to", "cuda"})
_MOVING = _MOVES | {"type_as"}
# An attribute that is given a value, and what that begins with if it is an attribute: `tables.low = tables.low.cuda()`.
_REPLACED = re.compile(r"^[ \t]*(\w+\.\w+)[ \t]*=[ \t]*(\w+\.\w+)\.", re.MULTILINE)


def where_methods_find_it(record: ClassRecord, name: str, value: Value, frame: Frame) -> Value:
    """What a constructor gives an attribute, where the other methods find it."""
    if frame.function is None or frame.function.name != "__init__" or not _is_on_cpu(value):
        return value
    methods = (one for one in _assigning(record, name) if one.name != "__init__")
    return _at(Device.UNKNOWN, value) if any(name in _moved(one) for one in methods) else value


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


def is_moved_for_good(node: ast.Assign | ast.AnnAssign, frame: Frame) -> bool:
    """Whether what a method brings somewhere is there from then on: ``self.grid = self.grid.to(x.device)``.

    That is so where nothing but constructors, other moves, and branches that ask whether it will do (``if self.grid is
    None``) gives the attribute a value; in between it may have a name (``grid = self.grid``). Of the object, the caller
    has to know that it is there for good as well.
    """
    function = frame.function
    if type(node.value) is not ast.Call or function is None or function.owner is None or function.receiver is None:
        return False
    target = _targets(node)[0]
    if function.name == "__init__" or not isinstance(target, (ast.Attribute, ast.Name)):
        return False
    if isinstance(target, ast.Attribute):
        attribute = target.attr
        path = f"{function.receiver}.{attribute}"
        if dotted_name(target) != path or not _is_moved_itself(node.value, path):
            return False
    else:
        found = _put_back(function).get(target.id)
        if found is None:
            return False
        attribute = found
    others = [one for one in _assigning(function.owner, attribute) if one.name != "__init__"]
    return all(attribute in _only_moved(one) for one in others)


def loops_of_move(node: ast.Assign, frame: Frame) -> int | None:
    """How many of the loops around ``x = x.to(device)`` give ``x`` another value; None where the innermost one does.

    In the rounds of the others that follow, it is there already, as if it had been brought there before them.
    """
    target = node.targets[0]
    if frame.function is None or not isinstance(target, ast.Name) or not _is_moved_itself(node.value, target.id):
        return None
    stored = [one for one in frame.function.nodes.of(ast.Name) if one.id == target.id and one is not target]
    lines = [one.lineno for one in stored if isinstance(one.ctx, (ast.Store, ast.Del))]
    for count, loop in enumerate(frame.loops):
        first, last = getattr(loop.node, "lineno", 0), getattr(loop.node, "end_lineno", None) or 0
        if not any(first <= line <= last for line in lines):
            return count
    return None


def note_moved_entries(record: FunctionRecord, frame: Frame) -> None:
    """Let a namespace hold what a function that is being defined brings elsewhere: ``tables.low = tables.low.cuda()``.

    The function may be called before all that use it, as what loads weights is, or after.
    """
    if not _replaces_attributes(frame.module):
        return  # of most modules the bodies of functions need not be read for that
    for name, attribute in _moved_entries(record):
        bound = frame.lookup(name)
        path = bound.name if isinstance(bound, Symbol) else f"{frame.module.name}.{name}"
        held = frame.engine.resolve(path) if isinstance(bound, Symbol) else bound
        above, _, last = path.rpartition(".")
        module = frame.engine.project.module(above)
        if module is None or not isinstance(held, Mapping) or attribute not in held.by_key:
            continue
        moved = _at(Device.UNKNOWN, held.by_key[attribute])
        frame.engine.note_filled(module)
        frame.engine.fill(module, last, mapping({attribute: moved}, NEVER))


@module_fact
def _replaces_attributes(module: ModuleRecord) -> bool:
    """Whether the text of a module replaces an attribute by something of itself."""
    return any(target == value for target, value in _REPLACED.findall(module.source))


@text_fact
def _moved_entries(record: FunctionRecord) -> tuple[tuple[str, str], ...]:
    """The attributes of what is not its own that a function replaces by themselves on another device."""
    if not any(node.attr in _MOVING for node in record.nodes.of(ast.Attribute)):
        return ()
    own = {parameter.name for parameter in record.parameters} | record.stored_names
    assigned = [node for node in record.nodes.of(ast.Assign) if len(node.targets) == 1]
    paths = [dotted_name(node.targets[0]) or "" for node in assigned]
    moved = [
        tuple(path.split("."))
        for path, node in zip(paths, assigned, strict=True)
        if path.count(".") == 1 and _is_moved_itself(node.value, path)
    ]
    return tuple((name, attribute) for name, attribute in moved if name not in own)


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    """What an assignment gives its value."""
    return node.targets if isinstance(node, ast.Assign) else [node.target]


@answered_once
def _put_back(method: FunctionRecord) -> dict[str, str]:
    """The names of what a method takes from an attribute, brings elsewhere, and puts back, with that attribute."""
    return dict(_names_put_back(method)) if method.assigns_to_receiver else {}


def _names_put_back(method: FunctionRecord) -> Iterator[tuple[str, str]]:
    assigned = [node for node in method.nodes.of(ast.Assign) if len(node.targets) == 1]
    for node in assigned:
        path, name = dotted_name(node.targets[0]), node.value
        if not isinstance(name, ast.Name) or path is None or path.count(".") != 1:
            continue
        receiver, _, attribute = path.partition(".")
        if receiver != method.receiver or any(parameter.name == name.id for parameter in method.parameters):
            continue
        given = [one.value for one in assigned if dotted_name(one.targets[0]) == name.id]
        stored = [one for one in method.nodes.of(ast.Name) if one.id == name.id]
        is_given_elsewhere = sum(not isinstance(one.ctx, ast.Load) for one in stored) != len(given)
        moves = [one for one in given if dotted_name(one) != path]
        if moves and not is_given_elsewhere:
            if all(_is_moved_itself(one, name.id) or _is_moved_itself(one, path) for one in moves):
                yield name.id, attribute


def _is_moved_itself(value: ast.expr, path: str) -> bool:
    """Whether an expression is what stands at a path, brought elsewhere, maybe with another type or layout."""
    is_moved = False
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        is_moved = is_moved or value.func.attr in _MOVING
        if value.func.attr not in _LEAVING_VALUES:
            return False
        value = value.func.value
    return is_moved and dotted_name(value) == path


# What gives the same elements again, however often it is done.
_LEAVING_VALUES = _MOVES | {
    "type_as",
    "contiguous",
    "detach",
    "float",
    "double",
    "half",
    "bfloat16",
    "long",
    "int",
    "type",
}


@text_fact
def _only_moved(method: FunctionRecord) -> frozenset[str]:
    """The attributes of its object that a method brings elsewhere, and gives no other value."""
    if not any(node.attr in _MOVING for node in method.nodes.of(ast.Attribute)):
        return frozenset()
    return frozenset(name for name in method.assigns_to_receiver if _only_moves(method, name))


def _only_moves(method: FunctionRecord, name: str) -> bool:
    """Whether a method gives an attribute of its object nothing but its own value, brought elsewhere.

    What it makes anew where what is there will not do is made a few times.
    """
    path = f"{method.receiver}.{name}"
    renewed = {
        id(one)
        for node in method.nodes.of(ast.If)
        if path in map(dotted_name, walk(node.test))
        for one in statements(node.body)
    }
    assigned: list[ast.Assign | ast.AnnAssign] = [*method.nodes.of(ast.Assign), *method.nodes.of(ast.AnnAssign)]
    given = [node for node in assigned if path in map(dotted_name, _targets(node))]
    others = [node for node in method.nodes.of(ast.AugAssign) if dotted_name(node.target) == path]
    names = {one for one, attribute in _put_back(method).items() if attribute == name}
    moves = (
        node.value is not None and (_is_moved_itself(node.value, path) or dotted_name(node.value) in names)
        for node in given
    )
    is_moved = all(is_move or id(node) in renewed for is_move, node in zip(moves, given, strict=True))
    return bool(given) and not others and is_moved


def _assigning(record: ClassRecord, name: str) -> list[FunctionRecord]:
    return [method for ancestor in record.ancestors for method in ancestor.assigners.get(name, ())]


@text_fact
def _moved(method: FunctionRecord) -> frozenset[str]:
    """The attributes of its object that a method brings elsewhere, where the caller says."""
    start = f"{method.receiver}."
    paths = (dotted_name(node.targets[0]) or "" for node in method.nodes.of(ast.Assign) if _is_move(node, method))
    return frozenset(path.removeprefix(start) for path in paths)


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
