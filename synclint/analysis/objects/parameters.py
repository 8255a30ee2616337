"""What a function's own text says of its parameters.

In this order: the annotation; what the body does with the parameter (only a tensor has ``masked_fill``); where the
function stands (``forward`` takes tensors, ``training_step`` a batch); the default. Call sites are heard in
``Engine.call``, where they are known exactly.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.annotations.docstrings import docstring_of, documented
from synclint.analysis.annotations.parameter_names import implied_by_name
from synclint.analysis.domain import literals
from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.paces import COUNTED
from synclint.analysis.domain.tensors import weaker, with_origin
from synclint.analysis.domain.values import (
    BOOLEAN,
    NOTHING,
    NUMBER,
    STRING,
    UNKNOWN,
    Alternatives,
    ClassRecord,
    ClassValue,
    Device,
    DeviceName,
    DType,
    DTypeName,
    FunctionRecord,
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
    is_known,
    options,
)
from synclint.analysis.models.torch_results import device_named
from synclint.analysis.objects import ancestry
from synclint.analysis.objects.array_libraries import uses_arrays, uses_torch
from synclint.analysis.objects.asserted_places import asserted_on_host, on_host
from synclint.analysis.objects.before_uploads import before_upload
from synclint.analysis.objects.distributions import DISTRIBUTION
from synclint.analysis.objects.elements import element_given
from synclint.analysis.objects.uploads_ahead import uploads_ahead
from synclint.analysis.program.heads import Parameter
from synclint.analysis.program.text_facts import answered_once, text_fact, text_fact_by_names
from synclint.analysis.state.frames import Frame, Interpreter
from synclint.analysis.state.usage import Usage
from synclint.analysis.syntax.walk import dotted_name, walk
from synclint.catalog.names import names_in
from synclint.findings import Confidence

STEP_METHODS = names_in("modules", "step-methods")
_BATCH_NUMBERS = names_in("guards", "batch-numbers")


def assume(engine: Interpreter, record: FunctionRecord) -> dict[str, Value]:
    """What each parameter is, from the text of the function."""
    engine.run_module(record.module)
    found: dict[str, Value] = {}
    for index, parameter in enumerate(record.parameters):
        if index == 0 and record.receiver is not None and record.owner is not None:
            found[parameter.name] = _receiver(record)
            continue
        value = _made_by_default(engine, record, parameter) or _annotation(engine, record, parameter)
        reason = "is annotated as such"
        if not is_known(value) and is_known(value := _named_by_decorator(engine, record, index)):
            reason = "is of the class that the decorator names"
        if (element := element_given(engine, record, parameter, value)) is not None:
            value = join(element, NOTHING) if parameter.default is not None else element
            reason = f"is an element of the `{parameter.name}s` that the object holds"
        if _is_closure(engine, record, parameter):
            # Many annotate it as torch does, `Callable[[], float]`, though it returns the loss.
            value = join(_CLOSURE, NOTHING) if parameter.default is not None else _CLOSURE
        if index == 1 and _is_conversion(engine, record):
            value = _CONVERSION
        if not is_known(value) and is_known(value := _documented(engine, record, parameter)):
            reason = "is documented as such"
        elif not is_known(value):
            used = engine.usage(record)
            value = _by_use(engine, record, parameter, used)
            reason = (
                "is used as only a tensor can be"
                if parameter.name in used.tensors
                else f"is what `{record.name}` takes"
            )
        value = _LIST_OF_COUNTERS if parameter.name in _COUNTERS else value
        if _is_on_cpu_by_default(engine, record, parameter):
            # An object is made for one device, that of the tensors which it will be given.
            value = _device_or_given(value, Device.UNKNOWN if record.name == "__init__" else Device.EITHER)
        if isinstance(value, Tensor) and value.dtype is DType.UNKNOWN:
            value = _holding(value, parameter.name, engine.usage(record))
        uploads = uploads_ahead(engine, record)
        value = before_upload(value, parameter.name, uploads) if parameter.name in uploads.parameters else value
        value = on_host(value) if parameter.name in asserted_on_host(record) else value
        text = f"parameter `{parameter.name}` of `{record.name}` {reason}"
        origin = Origin(text, record.module, record.node, parameter=parameter.name)
        found[parameter.name] = _collected(parameter, with_origin(value, origin))
    return found


# Optimizers written like torch's own hand on their counters so, which are on the CPU unless they are to be captured;
# ``torch/optim/adam.py``, ``Adam._init_group``.
_COUNTERS = frozenset({"state_steps", "device_state_steps"})
_LIST_OF_COUNTERS = Sequence("list", None, Tensor(Device.CPU, ndim=0, trust=Confidence.MEDIUM))


def as_counters(value: Value, name: str) -> Value:
    """What is bound to a name: the counters of an optimizer are on the CPU where nothing says that they are not."""
    if name not in _COUNTERS or not isinstance(value, Sequence):
        return value
    held = options(any_item(value))
    if any(isinstance(option, Tensor) and option.device.in_use is Device.DEVICE for option in held):
        return value
    return _LIST_OF_COUNTERS


def _is_on_cpu_by_default(engine: Interpreter, record: FunctionRecord, parameter: Parameter) -> bool:
    """Whether the default of a parameter is the CPU, or where tensors are made that are not told otherwise."""
    if isinstance(parameter.default, ast.Constant):
        return device_named(literals.constant(parameter.default)) is Device.CPU
    if not isinstance(parameter.default, (ast.Call, ast.Name, ast.Attribute)) or not record.module.has_torch_in_reach:
        return False
    default = default_value(engine, record, parameter)
    return isinstance(default, DeviceName) and default.device in (Device.CPU, Device.EITHER)


def _device_or_given(value: Value, device: Device) -> Value:
    """What names the CPU unless callers name another device: the ``device``, or what else it may be."""
    others = [option for option in options(value) if not isinstance(option, (Text, Unknown, DeviceName))]
    return join_all([DeviceName(device, is_named=True), *others])


def _holding(value: Tensor, name: str, used: Usage) -> Tensor:
    """A tensor with the elements that the body's use of its name tells, since nothing else does."""
    if name not in used.boolean and name not in used.positions:
        return value
    family = DType.BOOL if name in used.boolean else DType.INT
    return replace(value, dtype=family, trust=weaker(value.trust, Confidence.MEDIUM))


def _is_closure(engine: Interpreter, record: FunctionRecord, parameter: Parameter) -> bool:
    """Whether a parameter is what an optimizer calls to compute the loss anew."""
    if parameter.name != "closure" or record.name != "step" or record.owner is None:
        return False
    return ancestry.is_a(engine, record.owner, ancestry.OPTIMIZER)


def _is_conversion(engine: Interpreter, record: FunctionRecord) -> bool:
    """Whether a method is given the function that moves or casts a module: ``Module.to`` hands it to ``_apply``.

    Source: ``torch/nn/modules/module.py``, ``Module._apply`` and ``Module.to``.
    """
    return record.name == "_apply" and record.owner is not None and ancestry.is_module(engine, record.owner)


_MASK = Tensor(dtype=DType.BOOL, trust=Confidence.MEDIUM)
_CLOSURE = Instance("typing.Callable", None, (("returns", Tensor(trust=Confidence.MEDIUM)),))

# Whatever it is given, what it returns may be elsewhere: what matters is that it may be on the device then.
_CONVERSION = Instance("typing.Callable", None, (("returns", Tensor(Device.DEVICE, trust=Confidence.MEDIUM)),))


def _receiver(record: FunctionRecord) -> Value:
    owner = record.owner
    assert owner is not None
    if record.is_class_method:
        return ClassValue(owner)
    return instance_of(owner)


def _made_by_default(engine: Interpreter, record: FunctionRecord, parameter: Parameter) -> Value | None:
    """A class of the project that is the default of a parameter, or whatever is given: ``block=Block``."""
    default = default_value(engine, record, parameter) if isinstance(parameter.default, ast.Name) else None
    return join(default, UNKNOWN) if isinstance(default, ClassValue) else None


def _annotation(engine: Interpreter, record: FunctionRecord, parameter: Parameter) -> Value:
    if parameter.annotation is None:
        return UNKNOWN
    value = engine.annotation(parameter.annotation, record)
    if value == Tensor() and _docstrings_of(record).get(parameter.name) == _MASK:
        value = replace(value, dtype=DType.BOOL, trust=Confidence.MEDIUM)
    if is_known(value) and record.module.has_torch_in_reach and _is_too_narrow(engine, record, parameter, value):
        value = join(value, UNKNOWN)
    default = parameter.default.value if isinstance(parameter.default, ast.Constant) else ...
    if isinstance(default, str) and value == STRING:
        return Text(None, (default,))
    return join(value, NOTHING) if default is None and is_known(value) else value


def numbers_or_tensors(engine: Interpreter, record: FunctionRecord) -> frozenset[str]:
    """The parameters that are annotated as a number or a tensor, without a default or with one that is written out."""
    return frozenset(one.name for one in record.parameters if _is_number_or_tensor(engine, record, one))


def _is_number_or_tensor(engine: Interpreter, record: FunctionRecord, parameter: Parameter) -> bool:
    if parameter.annotation is None or isinstance(parameter.annotation, ast.Constant):
        return False
    said = {type(option) for option in options(engine.annotation(parameter.annotation, record))}
    is_told = parameter.default is None or isinstance(parameter.default, ast.Constant)
    return is_told and said.issuperset((Scalar, Tensor))


def _named_by_decorator(engine: Interpreter, record: FunctionRecord, index: int) -> Value:
    """What a parameter is by a decorator that is given its class: ``@register_kl(Gamma, Gamma)``."""
    for decorator in record.decorator_nodes:
        if not isinstance(decorator, ast.Call) or index >= len(decorator.args):
            continue
        frame = Frame(engine, record.module, None, record.module.scope)
        frame.muted = 1
        function = frame.evaluate(decorator.func)
        if isinstance(function, Symbol) and function.name in _NAMING_CLASSES:
            return engine.annotation(decorator.args[index], record)
    return UNKNOWN


_NAMING_CLASSES = names_in("torch", "naming-classes")


def _is_too_narrow(engine: Interpreter, record: FunctionRecord, parameter: Parameter, value: Value) -> bool:
    """Whether a body asks of a number or a container whether it is a tensor, or the other way round."""
    asked = _asked_classes(record).get(parameter.name)
    if not asked or isinstance(value, Alternatives):
        return False
    return not asked.isdisjoint(_OTHER_THAN_TENSORS) if isinstance(value, Tensor) else "Tensor" in asked


_OTHER_THAN_TENSORS = frozenset({"int", "float", "complex", "Number", "Real", "list", "tuple", "Sequence", "str"})


@text_fact
def questioned(record: FunctionRecord) -> frozenset[str]:
    """The names of which a function asks whether they are tensors."""
    return frozenset(name for name, classes in _asked_classes(record).items() if "Tensor" in classes)


@answered_once
def _asked_classes(record: FunctionRecord) -> dict[str, frozenset[str]]:
    """The names of which a function asks whether they are of certain classes, and what these are called."""
    found: dict[str, frozenset[str]] = {}
    for call in record.nodes.of(ast.Call):
        if call.args and isinstance(call.args[0], ast.Name) and (classes := classes_asked_for(call)):
            found[call.args[0].id] = found.get(call.args[0].id, frozenset()) | classes
    return found


def classes_asked_for(call: ast.Call) -> frozenset[str]:
    """The last parts of the names in ``isinstance(x, (int, torch.Tensor))``; ``torch.is_tensor(x)`` asks for one."""
    function = dotted_name(call.func)
    if function == "isinstance" and len(call.args) == 2:
        names = (dotted_name(kind) for kind in walk(call.args[1]) if isinstance(kind, (ast.Name, ast.Attribute)))
        return frozenset(name.rpartition(".")[2] for name in names if name is not None)
    is_tensor = function is not None and function.rpartition(".")[2] == "is_tensor"
    return frozenset({"Tensor"}) if is_tensor else frozenset()


@text_fact_by_names
def documented_parameters(engine: Interpreter, record: FunctionRecord) -> frozenset[str]:
    """The parameters of which a docstring says what they are."""
    return frozenset(one.name for one in record.parameters if is_known(_documented(engine, record, one)))


def _documented(engine: Interpreter, record: FunctionRecord, parameter: Parameter) -> Value:
    if not record.module.has_torch_in_reach:
        return UNKNOWN
    said = _docstrings_of(record).get(parameter.name, UNKNOWN)
    if isinstance(said, Scalar) and parameter.name in engine.usage(record).tensors:
        return UNKNOWN
    if not is_known(said) or not isinstance(parameter.default, ast.Constant):
        return said
    if isinstance(said, Tensor) and type(parameter.default.value) in (int, float):
        return join(said, _plain(literals.constant(parameter.default)))
    return join(said, NOTHING) if parameter.default.value is None else said


@text_fact
def _docstrings_of(record: FunctionRecord) -> dict[str, Value]:
    """What a function's docstring says of its parameters; that of a class speaks of its constructor's."""
    is_constructor = record.owner is not None and record.name == "__init__"
    of_class = documented(docstring_of(record.owner.node)) if record.owner is not None and is_constructor else {}
    return {**of_class, **documented(docstring_of(record.node))}


def _by_use(engine: Interpreter, record: FunctionRecord, parameter: Parameter, used: Usage) -> Value:
    default = default_value(engine, record, parameter) if parameter.default is not None else None
    optional = isinstance(default, Nothing)
    if default is not None and not optional and is_known(default):
        if isinstance(default, (Text, Tensor, Sequence, Mapping)) or (
            isinstance(default, Scalar) and default.kind == "bool"
        ):
            return _plain(default)
    tensor: Value | None = _LIKELY if parameter.name in used.tensors and record.module.has_torch_in_reach else None
    if tensor is None and parameter.name in used.numbers:
        return join(NUMBER, NOTHING) if optional else NUMBER
    if tensor is None and record.module.has_torch_in_reach:
        tensor = _by_position(engine, record, parameter, default)
        other = _against(record, parameter, used) if isinstance(tensor, Tensor) else None
        tensor = tensor if other is None else other
    if tensor is None and parameter.name in used.sliced and _has_no_arrays(engine, record):
        tensor = _LIKELY
    if tensor is None and parameter.name in used.holders and record.module.has_torch_in_reach:
        tensor = _holding_tensors(used.holders[parameter.name])
    if tensor is not None:
        return join(tensor, NOTHING) if optional else tensor
    named = _by_name(parameter.name)
    if named is not None:
        return named
    if isinstance(default, Scalar):
        return join(_plain(default), UNKNOWN)
    return join(NOTHING, UNKNOWN) if optional else UNKNOWN


def _has_no_arrays(engine: Interpreter, record: FunctionRecord) -> bool:
    """Whether a function works with tensors, and with no arrays."""
    frame = Frame(engine, record.module, record, {})
    return uses_torch(frame) and not uses_arrays(frame)


_OF_MAPPINGS = frozenset({"items", "keys", "values", "get", "update", "pop", "setdefault"})


def _holding_tensors(asked: frozenset[str]) -> Value:
    """What holds tensors, by the attributes that it is asked for: a list or a tensor itself, if for none but theirs."""
    if not asked.isdisjoint(_OF_MAPPINGS):
        return Mapping((), _LIKELY)
    return Sequence("sequence" if asked.issubset(dir(list)) else "batch", None, _LIKELY)


def _plain(value: Value) -> Value:
    """A default's kind without its literal: callers may pass another."""
    if isinstance(value, Scalar):
        return Scalar(value.kind)
    return Text(None, value.choices) if isinstance(value, Text) else value


def _by_position(
    engine: Interpreter, record: FunctionRecord, parameter: Parameter, default: Value | None
) -> Value | None:
    owner = record.owner
    if owner is None or parameter.kind != "positional" or isinstance(default, Scalar):
        return None
    if parameter.name in _BATCH_NUMBERS and (record.name in STEP_METHODS or record.name.startswith("on_")):
        return COUNTED
    if record.name in STEP_METHODS and parameter.name in ("batch", "data", "inputs", "sample"):
        return Sequence("batch", None, Tensor(Device.DEVICE, trust=Confidence.MEDIUM))
    if record.name == "forward" and ancestry.is_module(engine, owner):
        return Tensor(trust=Confidence.MEDIUM) if default is None else None
    if record.name in ("log_prob", "cdf") and default is None and ancestry.is_a(engine, owner, DISTRIBUTION):
        return Tensor(trust=Confidence.MEDIUM)
    if record.name == "__init__" and default is None and ancestry.is_a(engine, owner, DISTRIBUTION):
        return Tensor(trust=Confidence.MEDIUM) if _is_constrained(engine, owner, parameter.name) else None
    if record.name == "update" and default is None and ancestry.is_a(engine, owner, ancestry.METRIC):
        return Tensor(trust=Confidence.MEDIUM)
    return None


def _is_constrained(engine: Interpreter, owner: ClassRecord, name: str) -> bool:
    """Whether a distribution says what values a parameter of its constructor may have, or one that it derives from."""
    said = next((held for one in owner.ancestors if (held := one.scope.get("arg_constraints")) is not None), None)
    if isinstance(said, Mapping):
        return name in said.by_key
    known = [engine.api.class_(base) for base in ancestry.external_bases(engine, owner)]
    overloads = [overload for one in known if one is not None for overload in one.constructor]
    return any(taken.name == name and "Tensor" in taken.kind for overload in overloads for taken in overload.parameters)


def _against(record: FunctionRecord, parameter: Parameter, used: Usage) -> Value | None:
    """What a parameter is, other than a tensor for which there is nothing but its position; None for nothing else."""
    if parameter.name in used.flags:
        return BOOLEAN
    if parameter.name in used.sizes:
        return NUMBER
    if parameter.name in used.indexed:
        return None
    return implied_by_name(parameter.name, [other.name for other in record.parameters])


_DEVICE_WORDS = frozenset({"device", "dev", "torch_device", "target_device", "map_location"})


def _by_name(name: str) -> Value | None:
    if name in _DEVICE_WORDS:
        return DeviceName(is_named=True)
    if name == "dtype" or name.endswith("_dtype"):
        return DTypeName()
    return None


def _collected(parameter: Parameter, value: Value) -> Value:
    """``*args: T`` is a tuple of T, ``**kwargs: T`` a mapping to T."""
    if parameter.kind == "*":
        return Sequence("tuple", None, value)
    if parameter.kind == "**":
        return Mapping((), value)
    return value


def default_value(engine: Interpreter, record: FunctionRecord, parameter: Parameter) -> Value:
    """The value of a parameter's default."""
    if parameter.default is None:
        return UNKNOWN
    if isinstance(parameter.default, ast.Constant):
        return literals.constant(parameter.default)
    frame = Frame(engine, record.module, None, record.module.scope)
    frame.muted = 1
    return frame.evaluate(parameter.default)


def by_use(name: ast.Name, frame: Frame) -> Value:
    """What a name is to which a function assigns something unknown, once: a tensor if it is used as one."""
    record = frame.function
    if record is None or not record.module.has_torch_in_reach:
        return UNKNOWN
    used = frame.engine.usage(record)
    if name.id in used.tensors:
        text = f"`{name.id}` is used as only a tensor can be"
        return replace(_LIKELY, origin=Origin(text, record.module, name))
    if name.id in used.sliced and uses_torch(frame) and not uses_arrays(frame):
        text = f"`{name.id}` is taken apart as only tensors are"
        return replace(_LIKELY, origin=Origin(text, record.module, name))
    if name.id in used.masks and (used.tensors or (uses_torch(frame) and not uses_arrays(frame))):
        text = f"`{name.id}` is an element-wise comparison, judging by its use"
        return replace(_LIKELY, dtype=DType.BOOL, origin=Origin(text, record.module, name))
    return UNKNOWN


# Whether its memory is pinned no use tells.
_LIKELY = Tensor(trust=Confidence.MEDIUM, pinned=None)
