"""Tensors made on the device from data of the host: numbers by a kernel, lists and arrays through pinned memory."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from synclint.findings import Fix
from synclint.fixes.devices import asks_for_cuda, is_plain
from synclint.fixes.lists import is_list
from synclint.fixes.numbers import is_positive, is_python_number
from synclint.fixes.place import NoFixError, Place

_NUMPY_TYPE = "a NumPy number loses its own type, which `torch.tensor` keeps"
_EMPTY_TYPE = "for a count of zero the empty tensor has the type of the number, not the default type"
_NO_ARRAYS = "it fails where the data is a NumPy array and not a list"
_THROUGH_PINNED = "Copy from pinned memory without waiting"
_WITH_KERNEL = "Let a kernel write the number"
# A longer expression is not written twice.
_LONGEST_TWICE = 60
_KNOWN = frozenset({"dtype", "device", "requires_grad"})


@dataclass(frozen=True)
class _Making:
    """A call such as ``torch.tensor(data, dtype=…, device=…)``, taken apart."""

    call: ast.Call
    data: ast.expr
    device: ast.expr
    dtype: str | None
    requires_grad: ast.expr | None
    may_share: bool


def made_on_the_device(place: Place) -> Fix | None:
    """A fix for ``torch.tensor``, ``torch.as_tensor`` and ``torch.asarray`` with a device, and ``x.new_tensor``."""
    if place.finding.context.captured is not None:
        return None
    making = _taken_apart(place)
    if making is None:
        return None
    return _filled(place, making) or _through_pinned_memory(place, making)


def _taken_apart(place: Place) -> _Making | None:
    call = place.node
    if not isinstance(call, ast.Call) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    words = {word.arg: word.value for word in call.keywords}
    if None in words or not words.keys() <= _KNOWN | {"data", "obj"}:
        return None
    data = call.args[0] if call.args else words.get("data", words.get("obj"))
    name = place.qualified(call.func)
    if data is None:
        return None
    if name in ("torch.tensor", "torch.as_tensor", "torch.asarray"):
        # Only `as_tensor` takes the others by position: data, dtype, device.
        positional = call.args[1:] if name == "torch.as_tensor" else []
        if len(call.args) - len(positional) > 1 or len(positional) > 2:
            return None
        dtype = positional[0] if positional else words.get("dtype")
        device = positional[1] if len(positional) > 1 else words.get("device")
        if device is None:
            return None
        given = place.text(dtype) if dtype is not None else None
        return _Making(call, data, device, given, words.get("requires_grad"), name != "torch.tensor")
    is_new = isinstance(call.func, ast.Attribute) and call.func.attr == "new_tensor" and len(call.args) <= 1
    if not is_new or "device" in words or not place.fact(call.func.value).is_tensor:  # type: ignore[attr-defined]
        return None
    owner = call.func.value  # type: ignore[attr-defined]
    if not is_plain(owner):
        return None
    dtype = words.get("dtype")
    device = ast.copy_location(ast.Attribute(owner, "device", ast.Load()), owner)
    given = place.text(dtype) if dtype is not None else f"{place.text(owner)}.dtype"
    return _Making(call, data, device, given, words.get("requires_grad"), may_share=False)


def _filled(place: Place, making: _Making) -> Fix | None:
    """Numbers that are all the same: ``torch.full``, ``torch.zeros`` and ``torch.ones``."""
    number, size, caveat = making.data, "()", ""
    if isinstance(number, ast.List) and len(number.elts) == 1:
        number, size = number.elts[0], "(1,)"
    elif isinstance(number, ast.BinOp) and isinstance(number.op, ast.Mult):
        repeated, count = number.left, number.right
        if not (isinstance(repeated, ast.List) and len(repeated.elts) == 1):
            repeated, count = count, repeated
        if not (isinstance(repeated, ast.List) and len(repeated.elts) == 1):
            return None
        if not (place.fact(count).is_integer or is_positive(count)):
            return None
        number, size = repeated.elts[0], f"({place.text(count)},)"
        is_float = place.fact(number).kinds == {"float"}
        if making.dtype is None and not is_positive(count) and not is_float:
            caveat = _EMPTY_TYPE
    if isinstance(number, ast.Starred) or not (place.fact(number).is_number or is_python_number(place, number)):
        return None
    if making.dtype is None and not is_python_number(place, number):
        caveat = _NUMPY_TYPE
    value = place.fact(number).literal
    words = [f"device={_device_text(place, making)}"]
    if making.dtype is not None:
        words.insert(0, f"dtype={making.dtype}")
    if making.requires_grad is not None:
        words.append(f"requires_grad={place.text(making.requires_grad)}")
    is_default = making.dtype is not None or isinstance(value, float)
    if is_default and value in (0, 1) and isinstance(number, ast.Constant) and not isinstance(value, bool):
        function, arguments = ("torch.ones" if value else "torch.zeros"), [size]
    else:
        function, arguments = "torch.full", [size, place.text(number)]
    source = f"{place.name(function)}({', '.join([*arguments, *words])})"
    return place.fix(_WITH_KERNEL, place.replaced(making.call, source), caveat=caveat)


def _through_pinned_memory(place: Place, making: _Making) -> Fix | None:
    """Lists and arrays: laid out in pinned memory where the device is one of CUDA, and copied without a wait.

    Arrays of NumPy cannot be laid out there. Source: ``torch/csrc/utils/tensor_new.cpp``, ``internal_new_from_data``.
    """
    if place.fact(making.data).kinds == {"array"} and making.requires_grad is None:
        return _array_through_pinned_memory(place, making)
    is_evident = is_list(place, making.data)
    if making.requires_grad is not None or not (is_evident or place.fact(making.data).kinds == {"sequence"}):
        return None
    caveat = "" if is_evident else _NO_ARRAYS
    return place.fix(_THROUGH_PINNED, place.replaced(making.call, _pinned(place, making)), caveat=caveat)


def _array_through_pinned_memory(place: Place, making: _Making) -> Fix | None:
    """Arrays: copied into a tensor on the CPU as the original does, and from there into pinned memory."""
    if making.may_share or len(making.call.args) > 1:
        return None
    dtype = f", dtype={making.dtype}" if making.dtype is not None else ""
    made = f"{place.name('torch.tensor')}({place.text(making.data)}{dtype})"
    if len(made) > _LONGEST_TWICE or "\n" in made:
        return None
    condition = asks_for_cuda(place, making.device)
    chosen = f"{made}.pin_memory()" if condition == "True" else f"({made}.pin_memory() if {condition} else {made})"
    source = f"{chosen}.to({_device_text(place, making)}, non_blocking=True)"
    return place.fix(_THROUGH_PINNED, place.replaced(making.call, source))


def _pinned(place: Place, making: _Making) -> str:
    """The call, laid out as it was, with its data in pinned memory, and the copy behind it."""
    import libcst as cst

    from synclint.fixes.concrete import with_argument, without_argument

    call = place.concrete_alone(making.call)
    assert isinstance(call, cst.Call)
    if len(making.call.args) > 1:
        raise NoFixError
    call = without_argument(call.with_changes(func=cst.parse_expression(place.name("torch.tensor"))), "device")
    if making.dtype is not None and not any(word.arg == "dtype" for word in making.call.keywords):
        call = with_argument(call, "dtype", making.dtype)
    call = with_argument(call, "pin_memory", asks_for_cuda(place, making.device))
    return f"{place.code(making.call, call)}.to({_device_text(place, making)}, non_blocking=True)"


def _device_text(place: Place, making: _Making) -> str:
    device = making.device
    if isinstance(device, ast.Attribute) and place.file.parent(device) is None:  # made here, for `x.new_tensor`
        return f"{place.text(device.value)}.device"
    return place.text(device)
