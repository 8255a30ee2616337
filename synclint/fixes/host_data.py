"""Tensors made on the device from data of the host: numbers by a kernel, lists and arrays through pinned memory."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from synclint.findings import Fix
from synclint.fixes.devices import is_named_otherwise, is_plain
from synclint.fixes.evidence import is_proved_tensor
from synclint.fixes.numbers import is_bounded, is_positive, is_python_number, is_quiet, is_size
from synclint.fixes.place import Place

_OVERFLOW = "a float that is too large for the type raises an error instead of becoming infinite"
_NO_UINT64 = "where the type is uint64, fractions and negative numbers are converted instead of raising an error"
_NO_NUMBER = "it fails for what is not a number, and a NumPy number loses its type"
_EMPTY_TYPE = "for a count of zero the empty tensor has the type of the number, and a negative count raises an error"
_PINNED = "the device has to be one of CUDA, the default device the CPU, and the data a list if it is taken for one"
_THROUGH_PINNED = "Copy from pinned memory without waiting"
_WITH_KERNEL = "Let a kernel write the number"
_OTHER_ORDER = "what the call is given is computed in another order"
_OTHER_IN_SCRIPT = "in TorchScript it has another type, or does not compile"
_DENSE = "it fails where the tensor is a sparse or a nested one"
_ANOTHER_CLASS = "beside a tensor of another class, what is made is no longer of that class"
_LARGEST_HALF = 65504
_KNOWN = frozenset({"dtype", "device", "requires_grad"})


@dataclass(frozen=True)
class _Types:
    """Types by their qualified names, and the family that the analysis knows them by."""

    names: frozenset[str]
    family: str


# In complex32 ``torch.full`` makes nothing infinite.
_COMPLEX32 = _Types(frozenset({"torch.complex32", "torch.chalf"}), "complex")
_UINT64 = _Types(frozenset({"torch.uint64"}), "int")


@dataclass(frozen=True)
class _Making:
    """A call such as ``torch.tensor(data, dtype=…, device=…)``, taken apart.

    ``options`` are its other arguments in their order, ``like`` is ``x`` in ``x.new_tensor``. Another call may copy
    what is made to the device, the ``whole``; then ``given`` is how that names it.
    """

    call: ast.Call
    data: ast.expr
    device: ast.expr | None
    options: Mapping[str, ast.expr]
    may_share: bool
    like: str = ""
    whole: ast.Call | None = None
    given: str = ""

    @property
    def dtype(self) -> ast.expr | None:
        """The type that is asked for."""
        return self.options.get("dtype")


def made_on_the_device(place: Place) -> Fix | None:
    """A fix for ``torch.tensor``, ``torch.as_tensor`` and ``torch.asarray`` with a device, and ``x.new_tensor``."""
    if place.finding.context.captured is not None:
        return None
    making = _taken_apart(place)
    if making is None:
        return None
    return _filled(place, making, []) or _through_pinned_memory(place, making)


def number_made_there(place: Place, copy: ast.Call, device: str, caveats: list[str]) -> Fix | None:
    """``torch.tensor(number).to(device)``, the ``copy``, as ``torch.full((), number, device=device)``."""
    made = copy.func.value if isinstance(copy.func, ast.Attribute) else None
    if not isinstance(made, ast.Call) or place.qualified(made.func) not in ("torch.tensor", "torch.as_tensor"):
        return None
    options = {word.arg: word.value for word in made.keywords if word.arg is not None}
    if len(options) < len(made.keywords) or options.keys() - {"dtype"} or len(made.args) != 1:
        return None
    making = _Making(made, made.args[0], None, options, may_share=False, whole=copy, given=device)
    return None if place.finding.context.captured is not None else _filled(place, making, caveats)


def _taken_apart(place: Place) -> _Making | None:
    call = place.node
    if not isinstance(call, ast.Call) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    words = {word.arg: word.value for word in call.keywords}
    if None in words or not words.keys() <= _KNOWN | {"data", "obj"}:
        return None
    data = call.args[0] if call.args else words.get("data", words.get("obj"))
    options = {name: value for name, value in words.items() if name in _KNOWN and name is not None}
    name = place.qualified(call.func)
    if data is None:
        return None
    if name in ("torch.tensor", "torch.as_tensor", "torch.asarray"):
        # Only `as_tensor` takes the others by position: data, dtype, device.
        positional = call.args[1:] if name == "torch.as_tensor" else []
        if len(call.args) - len(positional) > 1 or len(positional) > 2:
            return None
        options = {**dict(zip(("dtype", "device"), positional, strict=False)), **options}
        device = options.get("device")
        return None if device is None else _Making(call, data, device, options, name != "torch.tensor")
    is_new = isinstance(call.func, ast.Attribute) and call.func.attr == "new_tensor" and len(call.args) <= 1
    if not is_new or "device" in words or not place.fact(call.func.value).is_tensor:  # type: ignore[attr-defined]
        return None
    owner = call.func.value  # type: ignore[attr-defined]
    if not is_plain(owner):
        return None
    return _Making(call, data, owner, options, may_share=False, like=place.text(owner))


def _filled(place: Place, making: _Making, caveats: list[str]) -> Fix | None:
    """Numbers that are all the same: ``torch.full``, ``torch.zeros`` and ``torch.ones``."""
    number, size, caveats = making.data, "()", [*caveats]
    if "requires_grad" in making.options or place.fact(number).kinds == {"bool"}:
        caveats.append(_OTHER_IN_SCRIPT)
    if not _may_come_first(place, making):
        caveats.append(_OTHER_ORDER)
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
        if not is_positive(count) and not (_has_type_of_zeros(place, making, number) and is_size(place, count)):
            caveats.append(_EMPTY_TYPE)
    if isinstance(number, ast.Starred) or not (place.fact(number).is_number or is_python_number(place, number)):
        return None
    if not is_python_number(place, number):
        caveats.append(_NO_NUMBER)
    elif not is_bounded(place, number) or (_may_be(place, making, _COMPLEX32) and not _fits_half(place, number)):
        caveats.append(_OVERFLOW)
    elif _may_be(place, making, _UINT64) and not _is_natural(place, number):
        caveats.append(_NO_UINT64)
    if making.like:
        caveats.append(_DENSE)
    words = [f"{name}={place.text(value)}" for name, value in making.options.items()]
    words += [f"device={making.given}"] if making.given else []
    function, arguments = _function(place, making, number, size)
    source = f"{function}({', '.join([*arguments, *words])})"
    return place.fix(_WITH_KERNEL, place.replaced(making.whole or making.call, source), caveat="; ".join(caveats))


def _may_come_first(place: Place, making: _Making) -> bool:
    """Whether the order in which the number, how often it is repeated, and the options are computed does not matter."""
    return is_quiet(place, making.data) and (
        bool(making.call.args) or all(is_quiet(place, option) for option in making.options.values())
    )


def _may_be(place: Place, making: _Making, types: _Types) -> bool:
    """Whether the type of what is made may be one of some, none of which is a default type."""
    dtype = making.dtype if making.dtype is not None or not making.like else making.device
    if dtype is None:
        return False
    if (name := place.qualified(dtype)).startswith("torch."):
        return name in types.names
    is_asked = isinstance(dtype, ast.Attribute) and dtype.attr == "dtype"
    like = dtype.value if is_asked else dtype  # type: ignore[attr-defined]
    return place.fact(like).dtype in (types.family, "unknown")


def _is_natural(place: Place, number: ast.expr) -> bool:
    """Whether a number is an integer that is not negative."""
    return is_size(place, number) or (isinstance(number, ast.Constant) and isinstance(number.value, int))


def _fits_half(place: Place, number: ast.expr) -> bool:
    value = place.fact(number).literal
    return isinstance(value, (int, float)) and abs(value) <= _LARGEST_HALF


def _function(place: Place, making: _Making, number: ast.expr, size: str) -> tuple[str, list[str]]:
    """The function that makes a tensor of a number, and what it is told first."""
    if making.like:
        return f"{making.like}.new_full", [size, place.text(number)]
    value = place.fact(number).literal
    is_literal = isinstance(number, ast.Constant) and not isinstance(value, bool)
    if is_literal and value in (0, 1) and _has_type_of_zeros(place, making, number):
        return place.name("torch.ones" if value else "torch.zeros"), [size]
    return place.name("torch.full"), [size, place.text(number)]


def _has_type_of_zeros(place: Place, making: _Making, number: ast.expr) -> bool:
    """Whether ``torch.zeros`` gives a tensor the same type: that of fractions where none is asked for, or None is."""
    dtype = making.dtype
    if isinstance(place.fact(number).literal, float):
        return True
    is_of_tensor = isinstance(dtype, ast.Attribute) and dtype.attr == "dtype" and is_proved_tensor(place, dtype.value)
    return is_of_tensor or (dtype is not None and place.qualified(dtype).startswith("torch."))


def _through_pinned_memory(place: Place, making: _Making) -> Fix | None:
    """Lists and arrays: laid out in pinned memory, and copied without a wait.

    Arrays of NumPy cannot be laid out there. Source: ``torch/csrc/utils/tensor_new.cpp``, ``internal_new_from_data``.
    """
    if "requires_grad" in making.options or len(making.call.args) > 1 or making.device is None:
        return None
    kinds = place.fact(making.data).kinds
    is_array = kinds == {"array"}
    if is_named_otherwise(making.device) or not (is_array or kinds == {"sequence"}) or (is_array and making.may_share):
        return None
    # `new_tensor` is a method of tensors only, and makes one of their type.
    words = {"dtype": f"{making.like}.dtype"} if making.like and making.dtype is None else {}
    device = f"{making.like}.device" if making.like else place.text(making.device)
    if is_array:
        made = f"{_made(place, making, words)}.pin_memory()"
    else:
        made = _made(place, making, {**words, "pin_memory": _is_for_cuda(place, making)})
    caveat = f"{_PINNED}; {_ANOTHER_CLASS}" if making.like else _PINNED
    source = f"{made}.to({device}, non_blocking=True)"
    return place.fix(_THROUGH_PINNED, place.replaced(making.call, source), caveat=caveat)


def _is_for_cuda(place: Place, making: _Making) -> str:
    """An expression that is true where what is made is copied to CUDA, as far as the device says what it is that of."""
    match making.device:
        case ast.Attribute(owner, "device") if is_plain(owner) and place.fact(owner).is_tensor:
            return f"{place.text(owner)}.is_cuda"
    return f"{making.like}.is_cuda" if making.like else "True"


def _made(place: Place, making: _Making, words: dict[str, str]) -> str:
    """The call of ``torch.tensor`` that makes it on the host, laid out as it was."""
    import libcst as cst

    from synclint.fixes.concrete import with_argument, without_argument

    call = place.concrete_alone(making.call)
    assert isinstance(call, cst.Call)
    call = without_argument(call.with_changes(func=cst.parse_expression(place.name("torch.tensor"))), "device")
    for name, value in words.items():
        call = with_argument(call, name, value)
    return place.code(making.call, call)
