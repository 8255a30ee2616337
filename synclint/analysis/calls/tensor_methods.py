"""Methods and functions of torch whose result or wait follows from more than a table says: moves and conversions."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import reduce

from synclint.analysis.annotations import batch_names
from synclint.analysis.calls import broadcasts
from synclint.analysis.calls.implicit_scalar_reads import tensor_from_tensors
from synclint.analysis.domain.promotion import place_of
from synclint.analysis.domain.tensors import from_origin, join_device, tensor_of
from synclint.analysis.domain.transfers import Way, transfer
from synclint.analysis.domain.values import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    NOTHING,
    STRING,
    UNKNOWN,
    Array,
    BoundMethod,
    Device,
    DeviceName,
    DType,
    DTypeName,
    Instance,
    Mapping,
    Nothing,
    Origin,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.analysis.models.torch_results import (
    LEGACY_TYPES,
    Bound,
    device_named,
    dtype_named,
    explicit_device,
    legacy_type,
    operands,
    result_tensor,
)
from synclint.analysis.objects import ancestry
from synclint.analysis.objects.before_uploads import was_told_where
from synclint.analysis.objects.lightning_modules import moved_before
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.arguments import argument_node, argument_nodes
from synclint.analysis.syntax.walk import dotted_name, walk
from synclint.catalog.names import facts_of, names_in
from synclint.findings import Confidence

_CASTS = {name: DType(family) for name, family in facts_of("torch", "casts").items()}
_SAME = names_in("torch", "same")


# What Python calls by itself, where it is called by its name.
_ASKING: dict[str, tuple[str, Value]] = {
    "__repr__": ("format-tensor", STRING), "__str__": ("format-tensor", STRING),
    "__format__": ("format-tensor", STRING),
    "__float__": ("number-conversion", FLOAT), "__int__": ("number-conversion", INTEGER),
    "__bool__": ("number-conversion", BOOLEAN), "__index__": ("index-protocol", INTEGER),
}  # fmt: skip


def with_origin(value: Value, text: str, node: ast.AST, frame: Frame, source: Value | None = None) -> Value:
    """The value with a link of evidence, where it is a tensor."""
    if not isinstance(value, Tensor):
        return value
    parent = source.origin if isinstance(source, Tensor) else None
    return from_origin(value, Origin(text, frame.module, node, parent))


def device_made(arguments: Arguments) -> DeviceName:
    """``torch.device(...)``."""
    given = arguments.positional[0] if arguments.positional else arguments.keywords.get("type", UNKNOWN)
    return DeviceName(device_named(given) or Device.UNKNOWN)


def method(name: str, receiver: Tensor, arguments: Arguments, node: ast.Call, frame: Frame) -> Value | None:
    """The result of a method that needs more than the table, None for all others."""
    if name in _SAME:
        return receiver
    if name in _CASTS:
        return replace(receiver, dtype=_CASTS[name], pinned=False)
    if name in ("to", "type_as", "to_as"):
        return _to(receiver, arguments, node, frame)
    if name == "cuda":
        return _moved(receiver, Device.DEVICE, _non_blocking(arguments, 1), node, frame)
    if name == "cpu":
        return _moved(receiver, Device.CPU, False, node, frame)
    if name == "numpy":
        return _numpy(receiver, arguments, node, frame)
    if name == "type":
        return _type(receiver, arguments, node, frame)
    if name == "copy_":
        return _copy(receiver, arguments, node, frame)
    if name == "new_tensor":
        _new_tensor(receiver, arguments, node, frame)
    if name == "new":
        _new(receiver, arguments, node, frame)
    if name == "items" and receiver.trust is not Confidence.HIGH:
        # A part of a batch is a tensor as a rule; one that is asked for its items is a dictionary of them.
        return Sequence("iterator", None, Sequence("tuple", (STRING, receiver)))
    if name == "pin_memory":
        return replace(receiver, device=Device.CPU, pinned=True)
    if name == "size":
        return (
            INTEGER
            if arguments.positional or arguments.keywords
            else Sequence("Size", (INTEGER,) * receiver.ndim if receiver.ndim is not None else None, INTEGER)
        )
    if name in _ASKING:
        construct, result = _ASKING[name]
        if receiver.may_be_on_device:
            subject = node.func.value if isinstance(node.func, ast.Attribute) else node
            frame.report(construct, node, receiver, subject)
        return result
    if name in ("dim", "ndimension", "numel", "nelement", "element_size", "get_device"):
        return INTEGER
    if name in ("is_floating_point", "is_complex", "is_contiguous", "is_pinned", "is_signed", "has_names"):
        return BOOLEAN
    return None


def _non_blocking(arguments: Arguments, position: int) -> bool:
    value = arguments.keywords.get("non_blocking")
    if value is None and len(arguments.positional) > position:
        value = arguments.positional[position]
    return (
        value is not None
        and not (isinstance(value, Scalar) and value.literal is False)
        and not isinstance(value, Nothing)
    )


def _to(receiver: Tensor, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """``t.to(device)``, ``t.to(dtype)``, ``t.to(other)``, in any order of arguments, and ``t.type_as(other)``."""
    target: Device | None = None
    family: DType | None = None
    is_like_another = False
    named = [arguments.keywords[key] for key in ("device", "dtype", "other") if key in arguments.keywords]
    for given in [*arguments.positional[:2], *named]:
        tensor = tensor_of(given)
        if tensor is not None:
            target, family, is_like_another = tensor.device, tensor.dtype, True
        elif (named_family := dtype_named(given)) is not None:
            family = named_family
        elif isinstance(given, Scalar) and given.kind == "bool":
            continue
        elif isinstance(given, (Unknown, Symbol, BoundMethod)):
            target = Device.UNKNOWN if target is None and not _mentions_dtype(node) else target
        elif _names_a_type(given):
            family = DType.UNKNOWN
        elif any(isinstance(option, (DeviceName, Text, Scalar)) for option in options(given)):
            target = device_named(given)
    is_as_another = isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_as")
    if target is None and (is_as_another or not arguments.complete):
        target = Device.UNKNOWN
    moved = replace(receiver, dtype=family) if family is not None else receiver
    if target is None:
        return replace(moved, pinned=False) if family is not None else moved
    positional_flag = 2 if len(arguments.positional) > 2 else 1
    flag = arguments.positional[positional_flag] if len(arguments.positional) > positional_flag else None
    non_blocking = _non_blocking(arguments, 9) or (isinstance(flag, Scalar) and flag.literal is True)
    # Where `other` is on the CPU, this one most likely is there, too.
    return _moved(moved, target, non_blocking, node, frame, Confidence.LOW if is_like_another else None)


def _names_a_type(value: Value) -> bool:
    """Whether what may be a ``torch.dtype`` is one, if it is given to ``to``: as text, it could only name a device."""
    kinds = {type(option) for option in options(value)}
    return DTypeName in kinds and kinds <= {DTypeName, Text, Nothing, Unknown}


def _mentions_dtype(node: ast.Call) -> bool:
    argument = next(iter(argument_nodes(node)), None)
    if isinstance(argument, ast.Attribute):
        return "dtype" in argument.attr.lower()
    return isinstance(argument, ast.Name) and ("dtype" in argument.id.lower() or argument.id.endswith("type"))


def _moved(
    receiver: Tensor,
    target: Device,
    non_blocking: bool,
    node: ast.Call,
    frame: Frame,
    doubt: Confidence | None = None,
) -> Tensor:
    """A tensor where it was moved to.

    A copy to the device blocks unless the memory is pinned and the copy is told not to; ``doubt`` limits what is said
    of one to the host.
    """
    if receiver.device is Device.MODULE and _stays_with_its_module(node):
        receiver = replace(receiver, device=Device.DEVICE)
    if receiver.device is Device.UNKNOWN and is_brought(node, frame) and not was_told_where(receiver):
        receiver = replace(receiver, device=Device.EITHER, pinned=None)
    copied = transfer(receiver.device, target) if not receiver.is_empty else None
    if target is Device.EITHER and receiver.device is not Device.CPU and _is_of_its_like(node, frame):
        copied = None
    subject = node.func.value if isinstance(node.func, ast.Attribute) else node
    if copied is not None and copied.way is Way.TO_HOST:
        # Where what a module is given is on the CPU, so is the module.
        is_there = receiver.device is Device.MODULE and _goes_to_another(node)
        if not non_blocking and not is_there:
            frame.report("to-cpu", node, receiver, subject, doubt or copied.limit)
    elif copied is not None:
        # What a module is made with is copied where the module has not been moved yet.
        source = replace(receiver, device=Device.EITHER) if receiver.device is Device.MODULE else receiver
        if not non_blocking and not _waits_unless_pinned(node):
            frame.report("pinned-upload" if source.pinned else "upload", node, source, subject, copied.limit)
        elif non_blocking and source.pinned is False:
            frame.report("unpinned-upload", node, source, subject, copied.limit)
    device = target.in_use if target is not Device.UNKNOWN else Device.DEVICE
    return replace(receiver, device=device, pinned=False)


def _waits_unless_pinned(node: ast.Call) -> bool:
    """Whether one flag pins what is copied and lets the copy go on: it waits only where nothing can be pinned.

    So does ``torch.tensor(rows, pin_memory=pins).to(device, non_blocking=pins)``.
    """
    made = node.func.value if isinstance(node.func, ast.Attribute) else None
    flag = next((one.value for one in node.keywords if one.arg == "non_blocking"), None)
    if not isinstance(flag, ast.Name) or not isinstance(made, ast.Call):
        return False
    pins = (one.value for one in made.keywords if one.arg == "pin_memory")
    return any(isinstance(one, ast.Name) and one.id == flag.id for one in pins)


def copied_to_host(bound: Bound, node: ast.Call, frame: Frame) -> None:
    """A tensor of which another one is made on the CPU.

    It is brought there as by ``to``: ``internal_new_from_data`` in ``torch/csrc/utils/tensor_new.cpp``.
    """
    target = explicit_device(bound)
    source = tensor_of(bound.get("data", bound.get("obj", UNKNOWN)))
    copied = transfer(source.device, target) if source is not None and target is not None else None
    if source is not None and copied is not None and copied.way is Way.TO_HOST:
        frame.report("to-cpu", node, source, argument_node(node), copied.limit)


def _stays_with_its_module(node: ast.Call) -> bool:
    """Whether what one object holds goes to where another part of the same object is, or is brought to its type."""
    if isinstance(node.func, ast.Attribute) and node.func.attr == "type_as":
        return True
    owner = dotted_name(node.func.value) if isinstance(node.func, ast.Attribute) else None
    goal = dotted_name(next(iter(argument_nodes(node)), None))
    return owner is not None and goal is not None and owner.partition(".")[0] == goal.partition(".")[0]


def _is_of_its_like(node: ast.Call, frame: Frame) -> bool:
    """Whether what one object holds goes to where another one of its class is: those are in one place as a rule."""
    goal = next(iter(argument_nodes(node)), None)
    if not isinstance(goal, ast.Attribute) or not isinstance(goal.value, ast.Name):
        return False
    holders = [
        part.value
        for part in walk(node.func)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id != goal.value.id
    ]
    frame.muted += 1
    owner = frame.evaluate(goal.value) if holders else UNKNOWN
    found = [option for holder in holders for option in options(frame.evaluate(holder))]
    frame.muted -= 1
    return any(_are_related(one, another) for one in options(owner) for another in found)


def _are_related(one: Value, other: Value) -> bool:
    """Whether two objects are of one class of the project, or of two that derive from each other."""
    if not isinstance(one, Instance) or one.record is None or not isinstance(other, Instance) or other.record is None:
        return False
    return one.record in other.record.ancestors or other.record in one.record.ancestors


def _goes_to_another(node: ast.Call) -> bool:
    """Whether a call brings something to where something else is, ``x.device``."""
    return any(isinstance(argument, ast.Attribute) and argument.attr == "device" for argument in argument_nodes(node))


def is_brought(node: ast.Call, frame: Frame) -> bool:
    """Whether the names around a call of ``to`` or ``cuda`` say that it brings a batch to the device."""
    function = frame.function
    if (
        function is not None
        and function.owner is not None
        and ancestry.is_a(frame.engine, function.owner, ancestry.MODULE)
    ):
        function = function if function.name not in _MOVES_MODULES else None
    name = function.name if function is not None else None
    if frame.function is not None and moved_before(node, frame.function, frame.engine):
        return False
    return frame.module.has_torch_in_reach and batch_names.is_brought(node, name, frame.control.loops)


# What these do in a module is to move its parameters.
_MOVES_MODULES = frozenset({"to", "cuda", "to_empty"})


def _new_tensor(receiver: Tensor, arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """What nothing is known of is a list or an array there: PyTorch warns who copies a tensor so."""
    given = arguments.positional[0] if arguments.positional else arguments.keywords.get("data", NOTHING)
    tensor_from_tensors({"data": given}, node, frame)
    is_unknown = any(isinstance(option, (Unknown, BoundMethod)) for option in options(given))
    if is_unknown and receiver.may_be_on_device and "device" not in arguments.keywords:
        frame.report("new-tensor", node, receiver, argument_node(node), Confidence.MEDIUM, known=UNKNOWN)


def _new(receiver: Tensor, arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """``x.new([1, 2])``, the old form of ``new_tensor``; of sizes, and of a shape, it makes an empty tensor."""
    given = arguments.positional[0] if len(arguments.positional) == 1 else UNKNOWN
    is_data = isinstance(given, Array) or (isinstance(given, Sequence) and given.kind == "list" and given.items != ())
    if is_data and receiver.may_be_on_device and "device" not in arguments.keywords:
        frame.report("new-tensor", node, receiver, argument_node(node), known=given)


def _numpy(receiver: Tensor, arguments: Arguments, node: ast.Call, frame: Frame) -> Array:
    force = arguments.keywords.get("force", arguments.positional[0] if arguments.positional else None)
    forced = isinstance(force, Scalar) and force.literal is True
    if forced and receiver.may_be_on_device:
        frame.report(
            "numpy-of-device-tensor",
            node,
            receiver,
            node.func.value if isinstance(node.func, ast.Attribute) else node,
        )
    elif receiver.device.in_use is Device.DEVICE:
        frame.report("numpy-of-device-tensor", node, receiver, None, Confidence.LOW)
    return Array(receiver.dtype, receiver.ndim)


# What ``t.type()`` gives is a text that names the place, too: "torch.cuda.FloatTensor".
_TYPE_NAME = "torch.Tensor.type"


def _type(receiver: Tensor, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    given = arguments.positional[0] if arguments.positional else arguments.keywords.get("dtype")
    if given is None:
        return Instance(_TYPE_NAME, None, (("tensor", receiver),))
    if isinstance(given, Instance) and given.name == _TYPE_NAME:
        return _to(receiver, Arguments([value for _, value in given.fields]), node, frame)
    if isinstance(given, DTypeName):
        return replace(receiver, dtype=given.dtype, pinned=False)
    named = [legacy_type(option) for option in options(given)]
    legacy = [one for one in named if one is not None]
    if not legacy or len(legacy) < len(named):
        return replace(receiver, dtype=DType.UNKNOWN)
    families = {family for _, family in legacy}
    typed = replace(receiver, dtype=families.pop() if len(families) == 1 else DType.UNKNOWN)
    target = reduce(join_device, [device for device, _ in legacy])
    if target is not Device.CPU:
        return _moved(typed, target, False, node, frame)
    if receiver.may_be_on_device:
        subject = node.func.value if isinstance(node.func, ast.Attribute) else node
        frame.report("legacy-type-to-cpu", node, receiver, subject)
    return replace(typed, device=Device.CPU)


def _copy(receiver: Tensor, arguments: Arguments, node: ast.Call, frame: Frame) -> Tensor:
    source = tensor_of(arguments.positional[0]) if arguments.positional else None
    if source is not None:
        subject = argument_node(node)
        blocking = not _non_blocking(arguments, 1)
        # Into memory that is not pinned, the driver completes the copy before it returns.
        is_pageable = receiver.pinned is False and receiver.trust is Confidence.HIGH
        copied = transfer(source.device.in_use, receiver.device)
        if copied is not None and copied.way is Way.TO_HOST and (blocking or is_pageable):
            limit = copied.limit if source.device.in_use is Device.DEVICE else Confidence.MEDIUM
            frame.report("copy-to-host", node, source, subject, limit)
        elif copied is not None and copied.way is Way.TO_DEVICE:
            if blocking:
                frame.report("copy-from-host", node, source, subject, copied.limit)
            elif source.pinned is False:
                frame.report("unpinned-upload", node, source, subject, copied.limit)
    return receiver


def function(name: str, bound: Bound, frame: Frame) -> Value | None:
    """The result of a function that needs more than the table, None for all others."""
    if name == "torch.where" and "input" not in bound and "self" not in bound and "other" not in bound:
        condition = tensor_of(bound.get("condition", UNKNOWN))
        device = condition.device if condition is not None else Device.UNKNOWN
        rank = condition.ndim if condition is not None else None
        index = Tensor(device, DType.INT, 1)
        return Sequence("tuple", (index,) * rank if rank else None, index)
    if name in ("torch.nonzero", "torch.Tensor.nonzero"):
        return nonzero_result(bound.get("input", UNKNOWN), bound)
    if name == "torch.get_default_device":
        return DeviceName(Device.EITHER)  # the CPU, unless somebody has set another one
    if name == "torch.load" and device_named(bound.get("map_location", NOTHING)) is Device.CPU:
        return Mapping((), Tensor(Device.CPU, trust=Confidence.MEDIUM))
    if name == "torch.meshgrid":
        tensors = operands(bound.values())
        return Sequence("tuple", None, Tensor(place_of(tensors), tensors[0].dtype if tensors else DType.UNKNOWN))
    if name == "torch.broadcast_tensors":
        return broadcasts.of_one_shape(bound.get("tensors", UNKNOWN))
    if name == "torch.nn.utils.rnn.pad_packed_sequence":
        return Sequence("tuple", (Tensor(), Tensor(Device.CPU, DType.INT, 1)))
    if name == "torch.nn.Parameter" or name == "torch.nn.parameter.Parameter":
        return replace(result_tensor("clone", bound, None), device=Device.MODULE)
    return None


def nonzero_result(value: Value, bound: Bound) -> Value:
    """``nonzero``: a matrix of indices, or one index per dimension with ``as_tuple``."""
    source = tensor_of(value)
    device = source.device if source is not None else Device.UNKNOWN
    as_tuple = bound.get("as_tuple")
    if isinstance(as_tuple, Scalar) and as_tuple.literal is True:
        rank = source.ndim if source is not None else None
        index = Tensor(device, DType.INT, 1)
        return Sequence("tuple", (index,) * rank if rank else None, index)
    return Tensor(device, DType.INT, 2)


def constructed(name: str, bound: Bound, arguments: Arguments) -> Value | None:
    """What some classes' constructors return is no plain instance."""
    last = name.rpartition(".")[2]
    if last in ("Parameter", "Buffer", "UninitializedParameter"):
        data = tensor_of(bound.get("data", arguments.positional[0] if arguments.positional else UNKNOWN))
        return Tensor(Device.MODULE, data.dtype if data else DType.FLOAT, data.ndim if data else None)
    if last in LEGACY_TYPES:
        data_value = arguments.positional[0] if arguments.positional else UNKNOWN
        if isinstance(data_value, Tensor) and len(arguments.positional) == 1:
            return data_value  # `Variable(x)` and `torch.Tensor(x)` are `x` itself
        device = Device.DEVICE if ".cuda." in name else Device.CPU
        rank = _rank_of_legacy(data_value)
        return Tensor(device, LEGACY_TYPES[last], rank, is_empty=not arguments.positional)
    if last == "Size":
        return Sequence("Size", None, INTEGER)
    return None


def _rank_of_legacy(data: Value) -> int | None:
    """The number of dimensions of what a legacy constructor makes of a size, or of values."""
    if not isinstance(data, Sequence):
        return None
    sizes = len(data.items) if data.items is not None else None
    return sizes if data.kind == "Size" else 1


_PREDICATES = ("is_", "has_")


def checked(arguments: Arguments) -> Value:
    """What a constraint's ``check`` gives: for each value whether it is met; ``torch/distributions/constraints.py``."""
    value = tensor_of(arguments.positional[0]) if arguments.positional else None
    return replace(value, dtype=DType.BOOL, ndim=None) if value is not None else UNKNOWN


def unlisted_function(name: str, arguments: Arguments) -> Value:
    """A function of torch that the table does not hold: by the look of its name."""
    last = name.rpartition(".")[2]
    if last == "check" and name.startswith("torch.distributions.constraints."):
        return checked(arguments)
    if last in LEGACY_TYPES:
        return constructed(name, {}, arguments) or UNKNOWN
    if last.startswith(_PREDICATES):
        return BOOLEAN
    if name.startswith(("torch.ops.", "torch._foreach")):
        tensors = operands(arguments.all_values())
        return Tensor(place_of(tensors), trust=Confidence.MEDIUM) if tensors else UNKNOWN
    if last[:1].isupper():
        return Instance(name, None, tuple(arguments.keywords.items()))
    return UNKNOWN
