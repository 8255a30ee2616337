"""Reading and assigning attributes of abstract values."""

from __future__ import annotations

import ast
from collections import OrderedDict, defaultdict, deque
from collections.abc import Generator, Iterator
from dataclasses import replace
from datetime import timedelta

from synclint.analysis.annotations.annotations import external
from synclint.analysis.annotations.host_names import runs_elsewhere
from synclint.analysis.annotations.presumed_loaders import BATCH, is_presumed, without_presumption
from synclint.analysis.domain.command_lines import ARGUMENTS
from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.module_containers import module_called, modules_in
from synclint.analysis.domain.optimizers import PARAMETER_GROUPS, PRESUMED_GROUPS
from synclint.analysis.domain.paces import CLOCK, COUNTED, LAST, TRAINING, seldom
from synclint.analysis.domain.values import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    STRING,
    UNKNOWN,
    Alternatives,
    Array,
    BoundMethod,
    ClassRecord,
    ClassValue,
    Device,
    DeviceName,
    DType,
    DTypeName,
    FunctionRecord,
    FunctionValue,
    Instance,
    Mapping,
    Nothing,
    ProjectModule,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.analysis.domain.wrapped_modules import wrapped_module
from synclint.analysis.models.torch_results import tensor_property, value_of_kind
from synclint.analysis.objects.formatted_datasets import DATASET, row
from synclint.analysis.objects.moving_methods import where_methods_find_it
from synclint.analysis.objects.offered_names import any_of
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.walk import dotted_name
from synclint.catalog.names import facts_of, names_in
from synclint.catalog.torch_api import load_torch_api
from synclint.findings import Confidence

_DTYPES = {name: DType(family) for name, family in facts_of("torch", "dtypes").items()}
_FLOAT_CONSTANTS = frozenset(
    f"{module}.{name}" for module in ("math", "numpy", "torch") for name in ("pi", "e", "inf", "nan", "tau")
)


def symbol_value(value: Value) -> Value:
    """Constants of torch, math and NumPy are more than names."""
    if isinstance(value, Symbol):
        module, _, name = value.name.rpartition(".")
        if module == "torch" and name in _DTYPES:
            return DTypeName(_DTYPES[name])
        if value.name in _FLOAT_CONSTANTS:
            return FLOAT
    return value


# What frameworks count, and their flags for the last round.
_PACES: dict[str, Scalar] = dict.fromkeys(names_in("guards", "counters"), COUNTED)
_PACES.update({name: seldom(True, LAST) for name in names_in("guards", "last")})
_MAPPING_METHODS = frozenset({"keys", "values", "items", "to", "cuda", "pop", "get", "update"})
_TELLING = frozenset({"shape", "device", "dtype", "ndim", "is_cuda"})
_TYPES_OF_DEVICES = {Device.DEVICE: "cuda", Device.MODULE: "cuda", Device.CPU: "cpu"}
_ARRAY_ATTRIBUTES: dict[str, Value] = {
    "shape": Sequence("tuple", None, INTEGER),
    "size": INTEGER,
    "ndim": INTEGER,
}


SHAPE = Sequence("Size", None, INTEGER)


def attribute_of(container: Value, name: str, node: ast.expr, frame: Frame) -> Value:
    """What reading ``container.name`` gives."""
    container = container if name in ("__iter__", "__next__") else without_presumption(container)
    if isinstance(container, Alternatives):
        choices = container.options
        if any(isinstance(option, (Symbol, ProjectModule)) for option in choices):
            # What stands in for a module is another one: `np = cupy if on_gpu else numpy`.
            choices = tuple(option for option in choices if not isinstance(option, Unknown))
        choices = tuple(option for option in choices if not _lacks(option, name, choices)) or choices
        found = [attribute_of(option, name, node, frame) for option in choices]
        found = _of_told(choices, found)
        known = [value for value in found if not isinstance(value, Unknown)]
        return join_all(known or found)
    if isinstance(container, Tensor):
        return _of_tensor(container, name)
    if isinstance(container, ProjectModule) and name == "__dict__":
        return Mapping((), any_of(container.name, frame))
    if isinstance(container, (Symbol, ProjectModule)):
        return symbol_value(frame.engine.resolve(f"{container.name}.{name}"))
    if isinstance(container, Instance):
        if (held := module_called(container, name)) is not None:
            return held
        if name == "module" and (inner := wrapped_module(container)) is not None:
            return inner
        if name == "dataset" and (loaded := _loaded_by(container)) is not None:
            return loaded
        if container.name == ARGUMENTS:
            return _of_unknown(name, frame)
        found_value = frame.engine.attribute(container, name, frame, node)
        if name == "training" and (found_value is None or found_value == BOOLEAN):
            return TRAINING
        if found_value is None and name in _PACES:
            return _PACES[name]
        if found_value is None and name == "module" and _is_module(container):
            return container  # whoever asks a module for that has it within a wrapper, whichever one that is
        return found_value if found_value is not None else BoundMethod(container, name)
    if isinstance(container, ClassValue):
        return frame.engine.class_attribute(container.record, name)
    if isinstance(container, (Unknown, BoundMethod)) and name == "mesh" and _is_called_mesh(node):
        return Tensor(Device.CPU, DType.INT, trust=Confidence.MEDIUM)
    if isinstance(container, (Unknown, BoundMethod)) and name == PARAMETER_GROUPS:
        return PRESUMED_GROUPS
    if isinstance(container, Unknown):
        return _of_unknown(name, frame)
    if isinstance(container, Scalar) and name == "seconds":
        return container  # of the time between two moments
    if isinstance(container, Nothing) and name == "shape":
        return SHAPE  # what is None here is something else where this runs
    if isinstance(container, DeviceName):
        if name == "type":  # a text, which unlike the device itself may be equal to another one
            return Text(_TYPES_OF_DEVICES.get(container.device))
        return INTEGER if name == "index" else UNKNOWN
    if isinstance(container, Array) and name in ("shape", "size", "ndim", "T", "dtype", "flat"):
        return _ARRAY_ATTRIBUTES.get(name, container)
    if isinstance(container, Mapping) and dict(container.entries).get(name) is not None:
        return container.get(name)
    if isinstance(container, Sequence) and container.kind == "batch" and name not in _MAPPING_METHODS:
        element = any_item(container)
        # A batch that has these is a tensor itself.
        return _of_tensor(element, name) if isinstance(element, Tensor) and name in _TELLING else element
    if (
        isinstance(container, Sequence)
        and name in ("values", "indices")
        and container.items
        and len(container.items) == 2
    ):
        return container.items[0 if name == "values" else 1]
    if isinstance(container, FunctionValue) and name == "__name__":
        return STRING
    if isinstance(container, BoundMethod) and name in _PACES:
        return _PACES[name]
    if isinstance(container, BoundMethod) and name in _DEVICE_NAMES:
        return DeviceName(is_named=True)  # an attribute of an attribute of something unknown
    if isinstance(container, BoundMethod) and isinstance(container.receiver, BoundMethod):
        return BoundMethod(container.receiver, name)  # no less is known of it than of ever longer ones
    return BoundMethod(container, name)


# What has attributes of its own: one that no tensor has is asked of these.
_WITH_OTHER_ATTRIBUTES = frozenset({Instance, Mapping, Sequence, Text})
# The attributes of what Python itself provides: of one of several values, another one is meant where it has none.
_OF_SEQUENCES = frozenset({*dir(list), *dir(tuple), *dir(set), *dir(deque), *dir(Iterator), *dir(Generator)})
_OF_PYTHON: dict[type, frozenset[str]] = {
    Text: frozenset({*dir(str), *dir(bytes)}),
    # Moments and the time between them are numbers here.
    Scalar: frozenset({*dir(float), *dir(int), *dir(timedelta)}),
    Nothing: frozenset(dir(None)),
    Mapping: frozenset({*dir(OrderedDict), *dir(defaultdict)}),
}


def _of_told(choices: tuple[Value, ...], found: list[Value]) -> list[Value]:
    """The attributes of several objects, less a batch's where a class of the project says that it is no tensor."""
    is_batch = [isinstance(option, Sequence) and option.kind == "batch" for option in choices]
    told = [value for value, from_batch in zip(found, is_batch, strict=True) if not from_batch]
    is_told = 0 < len(told) < len(found) and all(isinstance(one, (Scalar, Text)) for one in told)
    return told if is_told else found


def _lacks(option: Value, name: str, choices: tuple[Value, ...]) -> bool:
    """Whether one of several values has no such attribute, while another one may be meant that has it."""
    if isinstance(option, Tensor) and not any(type(other) in _WITH_OTHER_ATTRIBUTES for other in choices):
        return False
    return has_attribute(option, name) is False


def has_attribute(value: Value, name: str) -> bool | None:
    """Whether a value of one kind has an attribute of this name; None where that is not known."""
    if isinstance(value, Tensor):
        return may_be_of_tensor(name)
    if isinstance(value, Instance) and value.record is not None:
        is_there = name in value.record.all_methods or name in value.record.assigned_by_constructors
        return True if is_there else None  # what other methods assign is there once they have been called
    if isinstance(value, Mapping) and name in value.by_key:
        return None
    if isinstance(value, Sequence):
        known = _OF_SEQUENCES if value.kind in _PLAIN_SEQUENCES else None
    else:
        known = _OF_PYTHON.get(type(value))
    return None if known is None else name in known


_PLAIN_SEQUENCES = frozenset({"list", "tuple", "set", "sequence", "iterator", "generator"})


def may_be_of_tensor(name: str) -> bool:
    """Whether tensors have an attribute or a method of this name, as far as is known."""
    api = load_torch_api()
    return bool(api.method(name)) or api.property(name) is not None or name.startswith("_") or name in _OF_TENSORS


# Those that the stubs leave out, and those by which frameworks mark tensors.
_OF_TENSORS = frozenset({"device", "dtype", "shape", "items", "grad", "data", "is_cuda", "is_sparse", "name"})


def _of_tensor(tensor: Tensor, name: str) -> Value:
    found = tensor_property(name, tensor)
    return found if found is not None else BoundMethod(tensor, name)


def _is_called_mesh(node: ast.expr) -> bool:
    """Whether an attribute is taken of a device mesh, whose table of ranks is on the CPU, by what that is called."""
    path = dotted_name(node.value) if isinstance(node, ast.Attribute) else None
    return path is not None and path.rpartition(".")[2].endswith("mesh")


_DEVICE_NAMES = frozenset({"device", "_device", "target_device", "torch_device"})


def _of_unknown(name: str, frame: Frame) -> Value:
    """An attribute of something unknown: only a tensor has some of them; of methods, the call decides."""
    if name in _PACES:
        return _PACES[name]
    if name in _DEVICE_NAMES:
        return DeviceName(is_named=True)
    if name == "dtype":
        return DTypeName()
    if name == "shape":
        return SHAPE
    if name in frame.engine.api.tensor_only and frame.module.has_torch_in_reach:
        found = tensor_property(name, Tensor(trust=Confidence.MEDIUM))
        if found is not None:
            return found
    return BoundMethod(UNKNOWN, name)


def assign(target: ast.Attribute, value: Value, frame: Frame) -> None:
    """``container.name = value``: kept for the path, and for the class where the container is an instance."""
    frame_value = frame.scope.get(target.value.id) if isinstance(target.value, ast.Name) else None
    container = frame_value
    if container is None:
        container = frame.evaluate(target.value)
    name = target.attr
    if isinstance(value, FunctionValue):
        _note_choice(name, value, frame)
    for option in options(container):
        if isinstance(option, Instance):
            setter = _setter(option, name)
            if setter is not None:
                frame.engine.call(FunctionValue(setter, option), Arguments([value]), frame, target)
            else:
                hold(option, name, value, frame)
        elif isinstance(option, ClassValue) and not _is_of_receiver(target, frame):
            hold(option, name, value, frame)
        elif isinstance(option, Tensor) and name == "data" and isinstance(value, Tensor):
            path = dotted_name(target.value)
            if path is not None:
                frame.bind(path, value)
    path = dotted_name(target)
    if path is not None:
        frame.bind(path, value)


def _is_of_receiver(target: ast.Attribute, frame: Frame) -> bool:
    """Whether an attribute is one of a method's receiver, which may be any of several classes: ``cls.Config.owner``."""
    receiver = frame.function.receiver if frame.function is not None else None
    return receiver is not None and (dotted_name(target) or "").partition(".")[0] == receiver


def _note_choice(name: str, value: FunctionValue, frame: Frame) -> None:
    """Let a class know under which option a method gives an attribute this function; none if it does elsewhere."""
    if frame.function is not None and frame.function.owner is not None:
        option = next((guard.option for guard in reversed(frame.guards) if guard.option), "")
        frame.engine.write_field(frame.function.owner, _choice_of(name, value.record), Text(option))


def _choice_of(name: str, function: FunctionRecord) -> str:
    """What the choice of a function for an attribute is called among the attributes, as no attribute can be."""
    return f"{name}={function.qualified_name}()"


def option_for(callee: Value, node: ast.Call, frame: Frame) -> str:
    """The option that has to be set so that what a method calls by an attribute of its object is this function."""
    function, target = frame.function, node.func
    if function is None or function.owner is None or not isinstance(callee, FunctionValue):
        return ""
    if not isinstance(target, ast.Attribute) or dotted_name(target.value) != function.receiver:
        return ""
    chosen = frame.engine.read_field(function.owner, _choice_of(target.attr, callee.record))
    return (chosen.literal or "") if isinstance(chosen, Text) else ""


def _setter(instance: Instance, name: str) -> FunctionRecord | None:
    """The function that a property of the instance's class calls for an assignment."""
    return instance.record.all_methods.get(f"{name}.setter") if instance.record is not None else None


def rebind(target: ast.expr, value: Value, frame: Frame) -> None:
    """What a name or an attribute stands for has changed in place."""
    path = dotted_name(target)
    if path is not None and "." not in path:
        if path in frame.scope or not frame.hand_out(path, value):
            frame.bind(path, value)
    elif isinstance(target, ast.Attribute):
        assign(target, value, frame)
    elif isinstance(target, ast.Subscript):
        frame.muted += 1
        frame.engine.bind_target(target, value, frame)
        frame.muted -= 1


def hold(container: Value, name: str, value: Value, frame: Frame) -> None:
    """Let a class of the project know what one of its attributes, or of those of its instances, may be."""
    for option in options(container):
        if isinstance(option, (ClassValue, Instance)) and option.record is not None:
            if frame.engine.is_trial(frame.module, option.record.module) or _is_of_another_place(option.record, frame):
                continue
            held = _unset(_lasting(without_presumption(value), frame))
            is_module = isinstance(option, Instance) and _is_module(option)
            held = _moved_along(held) if is_module else where_methods_find_it(option.record, name, held, frame)
            frame.engine.write_field(option.record, name, held)


def _is_of_another_place(record: ClassRecord, frame: Frame) -> bool:
    """Whether a variant for the CPU, or for another accelerator, puts something into an object of all variants."""
    owner = frame.function.owner if frame.function is not None else None
    return owner is not None and record is not owner and runs_elsewhere(frame.function)


def _lasting(value: Value, frame: Frame) -> Value:
    """What an attribute is given: in a constructor the number that the object has among others, which is no count."""
    is_made = frame.function is not None and frame.function.name == "__init__"
    is_paced = isinstance(value, Scalar) and value.pace is not None and value.pace != CLOCK
    return Scalar(value.kind) if is_made and is_paced and isinstance(value, Scalar) else value


def _is_module(instance: Instance) -> bool:
    """Whether an object is a module of torch's, or of a library's, and moves what it holds."""
    return _derives_from(instance, "Module")


def _derives_from(instance: Instance, kind: str) -> bool:
    """Whether the class of an object has a base outside of the project whose name ends so."""
    bases = (base for one in (instance.record.ancestors if instance.record else ()) for base in one.bases)
    return any(isinstance(base, str) and base.rpartition(".")[2].endswith(kind) for base in bases)


def _moved_along(value: Value) -> Value:
    """What a module holds, after it was moved: a metric made on the CPU goes with it, as modules do."""
    if isinstance(value, Alternatives):
        return join_all(map(_moved_along, value.options))
    if not isinstance(value, Instance) or value.given("device") != DeviceName(Device.CPU):
        return value
    return replace(value, fields=tuple(field for field in value.fields if field[0] != "device"))


def _unset(value: Value) -> Value:
    """What an attribute may be that is given a value: users of the object, and subclasses, switch it on."""
    if isinstance(value, Scalar) and value.pace is None and (value.kind == "bool" or not value.literal):
        return Scalar(value.kind)
    return value


# What gives positions of samples one by one, or in lists (`torch/utils/data/sampler.py`, `distributed.py`).
_SAMPLERS = names_in("modules", "samplers")


def iterated(instance: Instance) -> Value:
    """What iterating over an object gives."""
    modules = modules_in(instance)
    if modules is not None:
        return any_item(modules) if isinstance(modules, Sequence) else STRING
    last = instance.name.rpartition(".")[2]
    if last == "range":
        return COUNTED
    if instance.name == DATASET:
        return row(instance)
    if instance.record is None and last in _SAMPLERS and instance.name.startswith("torch.utils.data."):
        return Sequence("list", None, INTEGER) if last == "BatchSampler" else INTEGER
    return batch_of(instance) if "DataLoader" in last or _derives_from(instance, "DataLoader") else UNKNOWN


def _loaded_by(loader: Instance) -> Value | None:
    """The dataset that PyTorch's loader was given, which it keeps (``torch/utils/data/dataloader.py``)."""
    given = loader.given("dataset") if loader.name == "torch.utils.data.DataLoader" else None
    return given if isinstance(given, Instance) and given.record is not None else None


def batch_of(loader: Instance) -> Value:
    """A batch as a loader yields it: what its collate function makes, else tensors on the CPU, which it may pin."""
    if is_presumed(loader):
        return BATCH
    if (made := loader.given("collated")) is not None:
        return made
    if loader.given("places") is not None:  # a wrapper brings what it gives to the device
        return Sequence("batch", None, Tensor(Device.DEVICE, trust=Confidence.MEDIUM))
    pins = loader.given("pin_memory")
    pinned = pins.literal is True if isinstance(pins, Scalar) and pins.literal is not None else None
    return Sequence("batch", None, Tensor(Device.CPU, pinned=pinned, trust=Confidence.MEDIUM))


def instance_of_kind(kind: str, place: Device = Device.UNKNOWN) -> Value:
    """The value of a return kind in the tables, tensors being at a place: on the device, as far as is known."""
    if "." in kind and "[" not in kind and "|" not in kind:
        return external(kind)
    return value_of_kind(kind, Tensor(place))


def text_of(value: Value) -> str | None:
    """The literal of a string value."""
    return value.literal if isinstance(value, Text) else None
