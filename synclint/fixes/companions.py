"""Whether tensors are on one device, by what decides where they are: operands of one operation have to be together.

What is computed is where its operands are, of which one without dimensions may be on the CPU. Source:
``torch/_prims_common/__init__.py``, ``check_same_device``.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from synclint.fixes.blocks import reaching_value
from synclint.fixes.devices import is_device, is_evident_device
from synclint.fixes.numbers import only_value
from synclint.fixes.place import Place
from synclint.fixes.uses import bindings, ids_within, nodes_of

# What is computed by these need not be where the tensor is.
_MOVING = frozenset({"to", "cpu", "cuda", "numpy", "tolist", "item", "pin_memory", "type", "xpu", "npu"})
# Of these the first operand has a dimension.
_OF_ROWS = frozenset({"torch.nn.functional.cross_entropy", "torch.nn.functional.nll_loss"})
_CHOOSING = frozenset({"torch.cuda.device", "torch.cuda.device_of", "torch.cuda.set_device", "torch.cuda.stream"})
_NOTHING: frozenset[str] = frozenset()
_DEEPEST = 20


def are_together(place: Place, tensors: Sequence[ast.expr]) -> bool:
    """Whether all of some tensors are where one thing decides that they are."""
    return bool(tensors) and bool(frozenset.intersection(*(_deciding(place, one, _DEEPEST) for one in tensors)))


def stays_together(place: Place, tensor: ast.expr, loop: ast.stmt) -> bool:
    """Whether a tensor is on the same device in every round of a loop: where something says that the loop leaves alone.

    Whatever the loop binds is something else in each round.
    """
    within = ids_within(loop)
    scope = place.function or place.file.tree
    return any(
        all(id(bound) not in within for bound in bindings(scope, one.rpartition("=")[2]))
        for one in _deciding(place, tensor, _DEEPEST)
    )


def _deciding(place: Place, node: ast.expr, depth: int) -> frozenset[str]:
    """Names each of which decides by itself where a tensor is, and devices after an equals sign."""
    if not depth:
        return _NOTHING
    return place.file.once(("decides", id(node), depth), lambda: _decided(place, node, depth - 1))


def _decided(place: Place, node: ast.expr, depth: int) -> frozenset[str]:
    match node:
        case ast.Name():
            return _of_name(place, node, depth)
        case ast.UnaryOp(operand=operand):
            return _deciding(place, operand, depth)
        case ast.BinOp(left=left, right=right):
            return _of_operands(place, [left, right], depth)
        case ast.Compare(left=left, comparators=others):
            return _of_operands(place, [left, *others], depth)
        case ast.Subscript(value=owner) | ast.Attribute(value=owner):
            return _deciding(place, owner, depth) if place.fact(owner).is_tensor else _NOTHING
        case ast.Call(args=args, keywords=words):
            device = next((word.value for word in words if word.arg == "device"), None)
            name = place.qualified(node.func)
            if any(word.arg is None for word in words):
                return _NOTHING
            if name.startswith("torch."):
                if device is not None:
                    return _of_device(place, device, depth)
                return _of_operands(place, args[:1] if name in _OF_ROWS else args, depth)
            match node.func:
                case ast.Attribute(owner, "to" | "cuda" as method) if place.fact(owner).is_tensor:
                    device = args[0] if args else device
                    if device is None:
                        return _of_current(place) if method == "cuda" else _NOTHING
                    return _of_device(place, device, depth)
                case ast.Attribute(owner, method) if place.fact(owner).is_tensor and method not in _MOVING:
                    return _of_operands(place, [owner, *args], depth) if device is None else _NOTHING
    return _NOTHING


def _of_name(place: Place, name: ast.Name, depth: int) -> frozenset[str]:
    scope = place.function or place.file.tree
    value = reaching_value(place.file, name) or only_value(place, name)
    bound = bindings(scope, name.id)
    own = frozenset({name.id}) if len(bound) == 1 else _NOTHING
    if value is not None:
        return own | _deciding(place, value, depth)
    around = place.file.parent(bound[0]) if own else None
    if isinstance(around, (ast.For, ast.comprehension)) and around.target is bound[0]:
        if place.fact(around.iter).is_tensor:
            return own | _deciding(place, around.iter, depth)
    return own


def _of_operands(place: Place, operands: Sequence[ast.expr], depth: int) -> frozenset[str]:
    """What decides where the result of an operation is: each operand with a dimension, else what all have in common."""
    tensors = [one for one in operands if place.fact(one).kinds - {"int", "float", "bool", "number", "none", "text"}]
    if len(tensors) == 1:
        return _deciding(place, tensors[0], depth)
    if not all(place.fact(one).is_tensor for one in tensors):
        return _NOTHING
    decided = {one: _deciding(place, one, depth) for one in tensors}
    deciding = [found for one, found in decided.items() if place.fact(one).ndim or _is_on_cuda(found)]
    if deciding:
        return frozenset.union(*deciding)
    return frozenset.intersection(*decided.values()) if decided else _NOTHING


def _is_on_cuda(decided: frozenset[str]) -> bool:
    return any(one.startswith("='cuda") for one in decided)


def _of_device(place: Place, device: ast.expr, depth: int) -> frozenset[str]:
    """What a device that is named decides: a name, itself where it is written out, or the tensor whose device it is."""
    match device:
        case ast.Name(name):
            # What is passed may be a type, with which nothing is moved.
            is_global = not bindings(place.function or place.file.tree, name) and is_device(place, device)
            return frozenset({f"={name}"}) if is_global or is_evident_device(place, device) else _NOTHING
        case ast.Constant(str(text)):
            return _of_current(place) if text == "cuda" else frozenset({f"='{text}'"})
        case ast.Constant(int(number)):
            return frozenset({f"='cuda:{number}'"})
        case ast.Attribute(owner, "device"):
            return _deciding(place, owner, depth) if place.fact(owner).is_tensor else _NOTHING
    return _NOTHING


def _of_current(place: Place) -> frozenset[str]:
    """The current device, where the function chooses no other one."""
    scope = place.function or place.file.tree
    chooses = place.file.once(("chooses a device", id(scope)), lambda: _chooses(place, scope))
    return _NOTHING if chooses else frozenset({"='cuda'"})


def _chooses(place: Place, scope: ast.AST) -> bool:
    calls = (node.func for node in nodes_of(scope) if isinstance(node, ast.Call))
    return any(place.qualified(one) in _CHOOSING for one in calls)
