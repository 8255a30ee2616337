"""What a call of torch returns: kind from the generated table, place, element type and rank from the operands."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, replace
from functools import cache, reduce

from synclint.analysis.domain.containers import any_item, has_no_elements
from synclint.analysis.domain.lattice import join_all, join_device_names
from synclint.analysis.domain.paces import COUNTED
from synclint.analysis.domain.promotion import family_of, place_of, promote
from synclint.analysis.domain.tensors import as_tensor, join_device, tensor_of, with_rank
from synclint.analysis.domain.values import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    NOTHING,
    NUMBER,
    STRING,
    UNKNOWN,
    Array,
    Device,
    DeviceName,
    DType,
    DTypeName,
    Instance,
    Mapping,
    Nothing,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.catalog.names import facts_of, names_in
from synclint.catalog.tables import RESULTS, catalog_tables
from synclint.catalog.torch_api import Overload, alternatives, items, load_torch_api
from synclint.findings import Confidence


@dataclass(frozen=True)
class ResultRules:
    """``catalog/results.toml``, turned round: from an operation's name to what is known of its result."""

    dtype: MappingOf[str, DType]
    rank: MappingOf[str, str]
    cpu: frozenset[str]


@cache
def load_result_rules() -> ResultRules:
    """Read ``catalog/results.toml``."""
    document = catalog_tables()[RESULTS]
    return ResultRules(
        {name: DType(family) for family, names in document["dtype"].items() for name in names},
        {name: rule for rule, names in document["rank"].items() for name in names},
        frozenset(document["place"]["cpu"]),
    )


Bound = dict[str, Value]

_HOST_RETURNS: dict[str, Value] = {
    "int": INTEGER,
    "count": COUNTED,
    "float": FLOAT,
    "number": NUMBER,
    "bool": BOOLEAN,
    "str": STRING,
    "None": NOTHING,
    "Size": Sequence("Size", None, INTEGER),
    "size": Sequence("Size", None, INTEGER),
    "ints": Sequence("tuple", None, INTEGER),
    "floats": Sequence("tuple", None, FLOAT),
    "dtype": DTypeName(),
    "device": DeviceName(),
    "array": Array(),
    "HostTensor": Tensor(Device.CPU),
    "cpu-tensor": Tensor(Device.CPU),
    "device-tensor": Tensor(Device.DEVICE),
}


def base_name(operation: str) -> str:
    """The operation without its path and without the underscore of its in-place form."""
    name = operation.rpartition(".")[2]
    return name[:-1] if name.endswith("_") and not name.endswith("__") else name


def value_of_kind(kind: str, tensor: Tensor) -> Value:
    """The value that a return kind of the tables stands for, its tensors being like ``tensor``.

    What a kind itself says of a tensor, such as ``Tensor cpu int 1``, comes first: where it is, its elements, its rank.
    """
    if kind == "Tensor":
        return tensor
    if kind in _HOST_RETURNS:
        return _HOST_RETURNS[kind]
    choices = alternatives(kind)
    if len(choices) > 1:
        return join_all([value_of_kind(choice, tensor) for choice in choices])
    if kind == "Tensors":
        return Sequence("tuple", None, tensor)
    if kind.startswith("Tensor "):
        return _described(kind.split()[1:], tensor)
    outer, inner = kind.partition("[")[0], items(kind)
    if outer == "dict" and inner:
        return Mapping((), value_of_kind(inner[-1], tensor))
    if outer == "tuple" and inner and inner[-1] != "...":
        return Sequence("tuple", tuple(value_of_kind(part, tensor) for part in inner))
    if inner:
        return Sequence(outer, None, value_of_kind(inner[0], tensor))
    return Instance(kind) if "." in kind else UNKNOWN


_DEVICES = {device.value: device for device in Device if device is not Device.UNKNOWN}


def _described(words: Iterable[str], tensor: Tensor) -> Tensor:
    for word in words:
        if word in _DEVICES:
            tensor = replace(tensor, device=_DEVICES[word])
        elif word.isdigit():
            tensor = replace(tensor, ndim=int(word))
        else:
            tensor = replace(tensor, dtype=DType(word))
    return tensor


def operands(values: Iterable[Value]) -> list[Tensor]:
    """The tensors among arguments, those in lists included."""
    found: list[Tensor] = []
    for value in values:
        for option in map(as_tensor, options(value)):
            if isinstance(option, Tensor):
                found.append(option)
            elif isinstance(option, Sequence):
                items = option.items if option.items is not None else (any_item(option),)
                found += [tensor for item in items[:8] if (tensor := tensor_of(item)) is not None]
    return found


def explicit_device(bound: Bound) -> Device | None:
    """The device that the ``device`` argument names, None where there is none."""
    given = bound.get("device")
    named = None if given is None else device_named(given)
    return None if named is None else named.in_use


def device_named(value: Value) -> Device | None:
    """The device a value names, or any of several; None where it is None (torch's default, the CPU as a rule)."""
    named = [DeviceName(_device_of(option)) for option in options(value) if not isinstance(option, Nothing)]
    return reduce(join_device_names, named).device if named else None


def _device_of(option: Value) -> Device:
    if isinstance(option, DeviceName):
        return option.device
    if isinstance(option, Text) and option.literal is not None:
        return Device.CPU if option.literal.partition(":")[0] == "cpu" else Device.DEVICE
    return Device.DEVICE if isinstance(option, Scalar) else Device.UNKNOWN


_PYTHON_TYPES = {"builtins.bool": DType.BOOL, "builtins.int": DType.INT, "builtins.float": DType.FLOAT}


def dtype_named(value: Value) -> DType | None:
    """The kind of elements that a value names, None where it is no ``dtype``."""
    if isinstance(value, DTypeName):
        return value.dtype
    return _PYTHON_TYPES.get(value.name) if isinstance(value, Symbol) else None


LEGACY_TYPES = {name: DType(family) for name, family in facts_of("torch", "legacy-constructors").items()}


def legacy_type(value: Value) -> tuple[Device, DType] | None:
    """Where a tensor of a type such as ``torch.cuda.FloatTensor`` is, and what it holds (docs of `Tensor.type`)."""
    name = value.name if isinstance(value, Symbol) else value.literal if isinstance(value, Text) else None
    family = LEGACY_TYPES.get(name.rpartition(".")[2]) if name and name.startswith("torch.") else None
    return (Device.DEVICE if name and ".cuda." in name else Device.CPU, family) if family is not None else None


def _shape_rank(bound: Bound) -> int | None:
    """The rank that a ``size`` argument gives."""
    size = bound.get("size")
    if isinstance(size, Scalar):
        return 1
    if isinstance(size, Sequence) and size.items is not None:
        return len(size.items)
    return None


def _data_rank(value: Value) -> int | None:
    if isinstance(value, Scalar):
        return 0
    if isinstance(value, (Tensor, Array)):
        return value.ndim
    if isinstance(value, Sequence):
        element = any_item(value)
        inner = 0 if isinstance(element, Unknown) else _data_rank(element)  # numbers, as a rule
        return inner + 1 if inner is not None else None
    return 1 if isinstance(value, Instance) and value.name == "range" else None


# A tensor among their sizes, bounds and values is read: it says nothing of where the result is.
_OF_NUMBERS = names_in("torch", "factories-of-numbers")
_FACTORIES = _OF_NUMBERS | names_in("torch", "other-factories")
_LOSSES = names_in("torch", "losses")
_FROM_DATA = names_in("torch", "from-data")


_DIVISIONS = names_in("torch", "divisions")
# What is given beside the receiver says how it shall look, not where it shall be.
_KEEPING_THEIR_PLACE = names_in("torch", "keeping-their-place")


def result_tensor(operation: str, bound: Bound, receiver: Value | None) -> Tensor:
    """The tensor that an operation returns, or that the tensors in what it returns are like."""
    rules, name = load_result_rules(), base_name(operation)
    arguments = [value for key, value in bound.items() if key not in ("out", "device", "dtype")]
    if receiver is not None:
        arguments.insert(0, receiver)
    tensors = operands(arguments)
    first = tensors[0] if tensors else None
    found = Tensor(
        _place(name, bound, tensors, arguments, rules),
        _dtype(name, bound, tensors, arguments, receiver, rules),
        _rank(name, bound, first, rules),
        _trust(receiver),
        _pinned(bound),
        is_empty=name in _FACTORIES and _is_empty(bound),
    )
    target = bound.get("out")  # which is returned
    return replace(found, device=target.device, pinned=target.pinned) if isinstance(target, Tensor) else found


def makes_on_default_device(name: str, overload: Overload, bound: Bound) -> bool:
    """Whether a call is one of a factory that is told no device; of those that take one, ``torch/utils/_device.py``."""
    takes_one = any(parameter.name == "device" for parameter in overload.parameters)
    return takes_one and base_name(name) in _FACTORIES and bound.get("device", NOTHING) == NOTHING


def _pinned(bound: Bound) -> bool | None:
    """Whether a factory was told to pin what it makes."""
    asked = bound.get("pin_memory")
    if asked is None:
        return False
    return bool(asked.literal) if isinstance(asked, Scalar) and asked.literal is not None else None


def _trust(receiver: Value | None) -> Confidence:
    tensor = tensor_of(receiver) if receiver is not None else None
    return tensor.trust if tensor is not None else Confidence.HIGH


def _place(name: str, bound: Bound, tensors: list[Tensor], arguments: list[Value], rules: ResultRules) -> Device:
    if (named := explicit_device(bound)) is not None:
        return named
    if name in rules.cpu or name in _OF_NUMBERS:
        return Device.CPU
    if tensors and name in _KEEPING_THEIR_PLACE:
        return tensors[0].device
    if tensors and name not in ("new_tensor",):
        return _place_of_data(_data_of(bound), tensors) if name in _FROM_DATA else place_of(tensors)
    if name in _FACTORIES:
        if name in _FROM_DATA and any(map(_may_be_tensor, options(_data_of(bound)))):
            return Device.CPU if name in ("from_numpy", "tensor") else Device.UNKNOWN
        return Device.CPU
    if arguments and isinstance(arguments[0], Scalar):
        if name in _DIVISIONS or all(isinstance(v, (Scalar, Text)) for v in arguments):
            return Device.CPU  # `torch.div(width, 2)` of numbers, or by a stride of which nothing is known
    return Device.UNKNOWN


def _place_of_data(data: Value, tensors: list[Tensor]) -> Device:
    """Where values are put: a tensor stays where it is, all others are copied to the CPU, tensors in a list as well.

    Source: ``internal_new_from_data`` in ``torch/csrc/utils/tensor_new.cpp``.
    """
    given = [as_tensor(option) for option in options(data)]
    kept = [option for option in given if isinstance(option, Tensor)]
    if not any(isinstance(option, (Scalar, Array, Sequence)) for option in given):
        return place_of(kept or tensors)
    return join_device(place_of(kept), Device.CPU) if kept else Device.CPU


def _data_of(bound: Bound) -> Value:
    """What a factory is given to copy or to wrap."""
    return bound.get("data", bound.get("obj", NOTHING))


def _may_be_tensor(data: Value) -> bool:
    """Whether data may be a tensor that stays where it is: what is declared as a sequence of any kind often is one."""
    return isinstance(data, Unknown) or (isinstance(data, Sequence) and data.kind == "sequence" and data.items is None)


def _is_empty(bound: Bound) -> bool:
    """Whether a factory makes a tensor without elements."""
    data, size = bound.get("data"), bound.get("size")
    if data is not None and has_no_elements(data):
        return True
    sizes = size.items or () if isinstance(size, Sequence) else (size,)
    return any(isinstance(item, Scalar) and item.literal == 0 for item in sizes)


def _dtype(
    name: str,
    bound: Bound,
    tensors: list[Tensor],
    arguments: list[Value],
    receiver: Value | None,
    rules: ResultRules,
) -> DType:
    given = bound.get("dtype")
    if given is not None and (family := dtype_named(given)) is not None:
        return family
    if given is not None and not isinstance(given, Nothing):
        return DType.UNKNOWN
    if name in rules.dtype:
        return rules.dtype[name]
    if name in _FROM_DATA:
        data = bound.get("data", bound.get("obj", bound.get("ndarray", UNKNOWN)))
        return family_of(data)
    if name in ("zeros", "ones", "empty"):
        return DType.FLOAT
    if name in ("full", "full_like", "new_full"):
        return family_of(bound.get("fill_value", UNKNOWN))
    if name in ("arange", "range"):
        families = [family_of(value) for key, value in bound.items() if key in ("start", "end", "step")]
        return DType.FLOAT if DType.FLOAT in families else DType.INT
    if name == "sum" and tensors and tensors[0].dtype is DType.BOOL:
        return DType.INT
    if name == "where":
        return promote([family_of(bound[key]) for key in ("input", "other", "self") if key in bound])
    if name in (
        "add",
        "sub",
        "mul",
        "pow",
        "lerp",
        "addcmul",
        "cat",
        "stack",
        "concat",
        "maximum",
        "minimum",
        "matmul",
    ):
        return promote([tensor.dtype for tensor in tensors])
    return tensors[0].dtype if tensors else DType.UNKNOWN


def _rank(name: str, bound: Bound, first: Tensor | None, rules: ResultRules) -> int | None:
    rule = rules.rank.get(name)
    rank = first.ndim if first is not None else None
    if rule == "reduces":
        dim = bound.get("dim", bound.get("axis"))
        if dim is None or isinstance(dim, Nothing):
            return 0 if "other" not in bound else rank
        keeps = bound.get("keepdim")
        if isinstance(keeps, Scalar) and keeps.literal is True:
            return rank
        gone = 1 if isinstance(dim, Scalar) else len(dim.items or ()) if isinstance(dim, Sequence) else 0
        return rank - gone if rank and 0 < gone <= rank else None
    if rule in ("zero", "one", "two"):
        return ("zero", "one", "two").index(rule)
    if rule == "keeps":
        return rank
    if rule == "joins":
        return rank or None  # what has no dimensions cannot be put end to end: we have been mistaken
    if name in _FROM_DATA:
        return _data_rank(bound.get("data", bound.get("obj", bound.get("ndarray", UNKNOWN))))
    if name == "searchsorted":
        values = tensor_of(bound.get("input", bound.get("self", UNKNOWN)))
        return values.ndim if values is not None else None
    if name in ("unsqueeze", "stack"):
        return rank + 1 if rank is not None else None
    if name in ("unique", "unique_consecutive", "repeat_interleave", "take_along_dim"):
        dim = bound.get("dim")
        return 1 if dim is None or isinstance(dim, Nothing) else rank
    if name == "flatten" and not bound.keys() & {"start_dim", "end_dim"}:
        return 1
    if name in ("view", "reshape", "expand", "repeat", "tile", "broadcast_to"):
        shape = bound.get("size", bound.get("shape", bound.get("repeats", bound.get("dims"))))
        named = 1 if isinstance(shape, Scalar) else None
        if isinstance(shape, Sequence) and shape.items is not None:
            named = len(shape.items)
        if name == "tile":  # it may name fewer dimensions than there are
            return None if named is None or rank is None else max(named, rank)
        return named
    if name in (
        "zeros",
        "ones",
        "empty",
        "full",
        "rand",
        "randn",
        "randint",
        "new_zeros",
        "new_ones",
        "new_full",
        "new_empty",
    ):
        return _shape_rank(bound)
    if name in ("select", "squeeze_dim"):
        return rank - 1 if rank else None
    if name in _LOSSES:
        return 0 if "reduction" not in bound else None
    return None


def method_result(name: str, receiver: Tensor, bound: Bound, overload: Overload) -> Value:
    """What a method of a tensor returns."""
    return _indices_last(name, value_of_kind(overload.returns, result_tensor(name, bound, receiver)), bound)


_WITH_INDICES = names_in("torch", "with-indices")


# What gives a tuple of positions, one dimension after the other.
_POSITIONS = frozenset({"nonzero", "where"})


def _indices_last(name: str, value: Value, bound: Bound) -> Value:
    """``max(dim)`` and its like return values and the integers at which they stand."""
    if base_name(name) in _WITH_INDICES and isinstance(value, Sequence) and value.items and len(value.items) == 2:
        first, second = value.items
        if isinstance(second, Tensor):
            return Sequence(value.kind, (first, replace(second, dtype=DType.INT)))
    if base_name(name) in _POSITIONS and isinstance(value, Sequence):
        positions = any_item(value)
        if isinstance(positions, Tensor):
            return replace(value, element=replace(positions, dtype=DType.INT, ndim=1))
        return value
    if base_name(name) in ("unique", "unique_consecutive") and isinstance(value, Sequence) and value.items:
        rest = [
            replace(item, dtype=DType.INT, ndim=None) if isinstance(item, Tensor) else item for item in value.items[1:]
        ]
        if isinstance(rest[-1], Tensor) and bound.get("return_counts") == Scalar("bool", True):
            rest[-1] = replace(rest[-1], ndim=1)
        return Sequence(value.kind, (value.items[0], *rest))
    return value


def function_result(name: str, bound: Bound, overload: Overload) -> Value:
    """What a function of torch returns."""
    return _indices_last(name, value_of_kind(overload.returns, result_tensor(name, bound, None)), bound)


def tensor_property(name: str, receiver: Tensor) -> Value | None:
    """What a property of a tensor is, None if it has no such property."""
    if name == "device":
        # That a batch may be on the CPU is presumed of it; who goes to its device goes to where it is used.
        is_presumed = receiver.device is Device.EITHER and receiver.trust is not Confidence.HIGH
        return DeviceName(Device.UNKNOWN if is_presumed else receiver.device)
    if name == "dtype":
        return DTypeName(receiver.dtype)
    if name == "shape":
        rank = receiver.ndim
        items = (INTEGER,) * rank if rank is not None else None
        return Sequence("Size", items) if items is not None else Sequence("Size", None, INTEGER)
    kind = load_torch_api().property(name)
    if kind is None:
        return None
    like = receiver if name in ("data", "T", "mT", "H", "mH", "real", "imag") else with_rank(receiver, None)
    return value_of_kind(kind, like)
