"""What a function's own text says of its parameters.

In this order: the annotation; what the body does with the parameter (only a tensor has ``masked_fill``); where the
function stands (``forward`` takes tensors, ``training_step`` a batch); the default. Call sites are heard in
``Engine.call``, where they are known exactly.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from synclint.analysis.annotations.docstrings import docstring_of, documented
from synclint.analysis.annotations.parameter_names import meant_by
from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.tensors import with_origin
from synclint.analysis.domain.values import (
    BOOLEAN,
    NOTHING,
    NUMBER,
    STRING,
    UNKNOWN,
    Alternatives,
    ClassValue,
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
    is_known,
    options,
)
from synclint.analysis.models.torch_results import tells_a_tensor
from synclint.analysis.objects import classes
from synclint.analysis.program.modules import FunctionRecord, Parameter
from synclint.analysis.state.frames import Frame, Interpreter
from synclint.analysis.state.usage import Usage
from synclint.analysis.syntax.walk import dotted_name, operands, walk
from synclint.catalog.names import names_in
from synclint.findings import Confidence

DISTRIBUTION = "torch.distributions.Distribution"
STEP_METHODS = names_in("modules", "step-methods")


def assume(engine: Interpreter, record: FunctionRecord) -> dict[str, Value]:
    """What each parameter is, from the text of the function."""
    engine.run_module(record.module)
    found: dict[str, Value] = {}
    for index, parameter in enumerate(record.parameters):
        if index == 0 and record.receiver is not None and record.owner is not None:
            found[parameter.name] = _receiver(record)
            continue
        value = _annotation(engine, record, parameter)
        reason = "is annotated so"
        if _is_closure(engine, record, parameter):
            # Many annotate it as torch does, `Callable[[], float]`, though it returns the loss.
            value = join(_CLOSURE, NOTHING) if parameter.default is not None else _CLOSURE
        if not is_known(value) and is_known(value := _documented(engine, record, parameter)):
            reason = "is documented so"
        elif not is_known(value):
            used = engine.usage(record)
            value = _by_use(engine, record, parameter, used)
            reason = (
                "is treated as only a tensor can be"
                if parameter.name in used.tensors
                else f"is what `{record.name}` takes"
            )
        value = _placed(value, parameter.name)
        text = f"parameter `{parameter.name}` of `{record.name}` {reason}"
        found[parameter.name] = _collected(parameter, with_origin(value, Origin(text, record.module, record.node)))
    return found


# Optimizers written like torch's own hand on their counters so, which are on the CPU unless they are to be captured;
# ``torch/optim/adam.py``, ``Adam._init_group``.
_COUNTERS = frozenset({"state_steps", "device_state_steps"})


def _placed(value: Value, name: str) -> Value:
    """A tensor of which nothing but the name says that it is on the CPU, or whatever else is given."""
    if name in _COUNTERS:
        return Sequence("list", None, Tensor(Device.CPU, ndim=0, trust=Confidence.MEDIUM))
    if not name.endswith("_cpu") and not name.startswith("cpu_"):
        return value
    if isinstance(value, Tensor):
        return replace(value, device=Device.CPU) if value.device is Device.UNKNOWN else value
    if isinstance(value, Alternatives):
        return join_all(_placed(option, name) for option in value.options)
    return value


def _is_closure(engine: Interpreter, record: FunctionRecord, parameter: Parameter) -> bool:
    """Whether a parameter is what an optimizer calls to compute the loss anew."""
    if parameter.name != "closure" or record.name != "step" or record.owner is None:
        return False
    return classes.is_a(engine, record.owner, classes.OPTIMIZER)


_CLOSURE = Instance("typing.Callable", None, (("returns", Tensor(trust=Confidence.MEDIUM)),))


def _receiver(record: FunctionRecord) -> Value:
    owner = record.owner
    assert owner is not None
    if record.is_class_method:
        return ClassValue(owner)
    return Instance(owner.qualified_name, owner)


def _annotation(engine: Interpreter, record: FunctionRecord, parameter: Parameter) -> Value:
    if parameter.annotation is None:
        return UNKNOWN
    value = engine.annotation(parameter.annotation, record)
    if isinstance(value, Scalar) and record.module.has_torch_in_reach and parameter.name in _questioned(record):
        value = join(value, UNKNOWN)  # the annotation is too narrow: the body asks whether it is a tensor
    if isinstance(parameter.default, ast.Constant) and parameter.default.value is None:
        return join(value, NOTHING) if is_known(value) else value
    return value


def _questioned(record: FunctionRecord) -> frozenset[str]:
    """The names of which a function asks whether they are tensors."""
    return frozenset(
        call.args[0].id
        for call in walk(record.node.body)
        if isinstance(call, ast.Call)
        and call.args
        and isinstance(call.args[0], ast.Name)
        and _asks_for_tensors(call)
    )


def _asks_for_tensors(call: ast.Call) -> bool:
    """Whether a call is ``isinstance(x, Tensor)`` or ``torch.is_tensor(x)``."""
    function = dotted_name(call.func)
    if function == "isinstance" and len(call.args) == 2:
        return any(
            (dotted_name(kind) or "").rpartition(".")[2] == "Tensor"
            for kind in walk(call.args[1])
            if isinstance(kind, (ast.Name, ast.Attribute))
        )
    return function is not None and function.rpartition(".")[2] == "is_tensor"


def _documented(engine: Interpreter, record: FunctionRecord, parameter: Parameter) -> Value:
    if not record.module.has_torch_in_reach:
        return UNKNOWN
    said = _docstrings_of(record).get(parameter.name, UNKNOWN)
    if isinstance(said, Scalar) and parameter.name in engine.usage(record).tensors:
        return UNKNOWN
    is_optional = isinstance(parameter.default, ast.Constant) and parameter.default.value is None
    return join(said, NOTHING) if is_known(said) and is_optional else said


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
    if tensor is not None:
        return join(tensor, NOTHING) if optional else tensor
    named = _by_name(parameter.name)
    if named is not None:
        return named
    if isinstance(default, Scalar):
        return join(_plain(default), UNKNOWN)
    return join(NOTHING, UNKNOWN) if optional else UNKNOWN


def _plain(value: Value) -> Value:
    """A default's kind without its literal: callers may pass another."""
    if isinstance(value, Scalar):
        return Scalar(value.kind)
    return Text() if isinstance(value, Text) else value


def _by_position(
    engine: Interpreter, record: FunctionRecord, parameter: Parameter, default: Value | None
) -> Value | None:
    owner = record.owner
    if owner is None or parameter.kind != "positional" or isinstance(default, Scalar):
        return None
    if record.name in STEP_METHODS and parameter.name in ("batch", "data", "inputs", "sample"):
        return Sequence("batch", None, Tensor(Device.DEVICE, trust=Confidence.MEDIUM))
    if record.name == "forward" and classes.is_module(engine, owner):
        return Tensor(trust=Confidence.MEDIUM) if default is None else None
    if record.name in ("log_prob", "cdf") and default is None and classes.is_a(engine, owner, DISTRIBUTION):
        return Tensor(trust=Confidence.MEDIUM)
    if record.name == "update" and default is None and classes.is_a(engine, owner, classes.METRIC):
        return Tensor(trust=Confidence.MEDIUM)
    return None


def _against(record: FunctionRecord, parameter: Parameter, used: Usage) -> Value | None:
    """What a parameter is, other than a tensor for which there is nothing but its position; None for nothing else."""
    if parameter.name in used.flags:
        return BOOLEAN
    if parameter.name in used.sizes:
        return NUMBER
    if parameter.name in used.indexed:
        return None
    return meant_by(parameter.name, [other.name for other in record.parameters])


_DEVICE_WORDS = frozenset({"device", "dev", "torch_device", "target_device", "map_location"})


def _by_name(name: str) -> Value | None:
    if name in _DEVICE_WORDS:
        return DeviceName()
    if name == "dtype" or name.endswith("_dtype"):
        return DTypeName()
    return None


def as_one_number(value: Value) -> Value:
    """What is given where a number is meant: a tensor there holds one number, and has no dimensions."""
    if isinstance(value, Tensor):
        return replace(value, ndim=0) if value.ndim is None else value
    if isinstance(value, Alternatives):
        return join_all(map(as_one_number, value.options))
    return value


def as_annotated(value: Value, said: Value) -> Value:
    """Of the kinds that an argument may be, those that its parameter's annotation names, where there are any.

    An instance may be a tensor all the same, by its class, and a batch is a dictionary as well as a list; what a
    comparison of tensors gives is passed as a ``bool`` by many. A tensor where a dictionary is asked for is none: it
    was taken from a dictionary that is annotated too simply.
    """
    if _is_of(Mapping, said) and _is_of(Tensor, value):
        return said
    if isinstance(value, Tensor) and isinstance(said, Tensor) and value.device is Device.UNKNOWN:
        return replace(value, device=Device.CPU) if said.device is Device.CPU else value
    if isinstance(value, Sequence) and isinstance(said, Sequence) and is_known(any_item(said)):
        if value.items is None:
            first = tuple(as_annotated(item, any_item(said)) for item in value.first)
            return replace(value, element=as_annotated(value.element, any_item(said)), first=first)
        each = said.items if said.items is not None and len(said.items) == len(value.items) else None
        items = each or (any_item(said),) * len(value.items)
        return replace(value, items=tuple(map(as_annotated, value.items, items)))
    if not isinstance(value, Alternatives):
        return value
    kinds = tuple({type(option) for option in options(said)} - {Nothing})
    if Unknown in kinds or Instance in kinds or not any(isinstance(option, kinds) for option in value.options):
        return value
    if any(isinstance(option, Sequence) and option.kind == "batch" for option in value.options):
        return value
    return join_all(
        option
        for option in value.options
        if isinstance(option, (*kinds, Nothing, Unknown)) or (said == BOOLEAN and _is_one_truth(option))
    )


def _is_one_truth(value: Value) -> bool:
    return isinstance(value, Tensor) and value.dtype is DType.BOOL and value.ndim == 0


def _is_of(kind: type[Mapping] | type[Tensor], value: Value) -> bool:
    """Whether a value is of this kind, where it is known and not None."""
    found = [option for option in options(value) if not isinstance(option, (Nothing, Unknown))]
    return bool(found) and all(isinstance(option, kind) for option in found)


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
    frame = Frame(engine, record.module, None, record.module.scope)
    frame.muted = 1
    return frame.evaluate(parameter.default)


def by_use(name: ast.Name, frame: Frame) -> Value:
    """What a name is to which a function assigns something unknown, once: a tensor if it is used as one."""
    record = frame.function
    if record is None or not record.module.has_torch_in_reach or name.id not in frame.engine.usage(record).tensors:
        return UNKNOWN
    text = f"`{name.id}` is treated as only a tensor can be"
    return replace(_LIKELY, origin=Origin(text, record.module, name))


_LIKELY = Tensor(trust=Confidence.MEDIUM)
_ARITHMETIC = names_in("torch", "shared-with-arrays")
_TENSOR_KINDS = frozenset({"Tensor", "Tensor?"})
_FLAG_KINDS = frozenset({"bool", "bool?"})
# Methods of tensors to which sizes and dimensions are given one by one.
_TAKING_SIZES = names_in("torch", "taking-sizes")
_HOST_KINDS = frozenset({"int", "size", "int?", "size?", "float", "float?", "number", "number?"})


def usage(engine: Interpreter, record: FunctionRecord) -> Usage:
    """What the body of a function does with its parameters and with what it assigns once."""
    body: list[ast.stmt] = record.node.body if isinstance(record.node.body, list) else [ast.Expr(record.node.body)]
    given = {parameter.name for parameter in record.parameters}
    assigned: Counter[str] = Counter()
    tensors: set[str] = set()
    numbers: set[str] = set()
    asked: dict[str, set[str]] = {}
    as_sizes: set[str] = set()
    as_flags: set[str] = set()
    indexed: set[str] = set()
    parts: dict[str, str] = {}
    certain: set[str] = set()  # to be something else from here on
    for statement in body:
        found = _used(engine, record, statement)
        tensors |= found.tensors - certain
        numbers |= found.numbers - certain
        as_sizes |= found.sizes - certain
        as_flags |= found.flags - certain
        indexed |= found.indexed - certain
        parts.update({part: whole for part, whole in found.parts.items() if whole not in certain})
        assigned.update(found.assigned)
        for name in found.asked.keys() - certain:
            asked.setdefault(name, set()).update(found.asked[name])
        if isinstance(statement, ast.Assign):
            targets = {node.id for target in statement.targets for node in walk(target) if isinstance(node, ast.Name)}
            certain |= targets & given
    tensors |= {whole for part, whole in parts.items() if part in tensors and assigned[part] == 1}
    # Arrays have no device to speak of, and what else has one does no arithmetic.
    tensors |= {name for name, told in asked.items() if "device" in told and not told.isdisjoint(_ARITHMETIC)}
    names = given | {name for name, count in assigned.items() if count == 1}
    return Usage(
        frozenset(tensors & names),
        frozenset(numbers & names),
        frozenset(as_sizes & given),
        frozenset(as_flags & given),
        frozenset(indexed & given),
    )


class _Told(NamedTuple):
    """What a statement tells of names: how often they are ``assigned``, for what attributes they are ``asked``.

    ``parts`` are names given to what is selected by several indices, with the name of what it is selected from.
    """

    tensors: set[str]
    numbers: set[str]
    assigned: Counter[str]
    asked: dict[str, set[str]]
    sizes: set[str]
    flags: set[str]
    indexed: set[str]
    parts: dict[str, str]


def _used(engine: Interpreter, record: FunctionRecord, statement: ast.stmt) -> _Told:
    assigned: Counter[str] = Counter()
    tensors: set[str] = set()
    numbers: set[str] = set()
    tensor_only = engine.api.tensor_only
    asked: dict[str, set[str]] = {}
    sizes: set[str] = set()
    flags: set[str] = set()
    indexed: set[str] = set()
    parts: dict[str, str] = {}
    functions: set[int] = set()  # of modules, by the arguments they are given
    for node in walk(statement):
        if type(node) is ast.Name:
            if type(node.ctx) is ast.Store:
                assigned[node.id] += 1
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            asked.setdefault(node.value.id, set()).add(node.attr)
            if node.attr in tensor_only and id(node) not in functions:
                tensors.add(node.value.id)
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
                if _tells_a_tensor(node, tensor_only) or starts_backward(node):
                    tensors.add(node.func.value.id)
                else:
                    functions.add(id(node.func))
            for name, kinds in _torch_arguments(engine, record, node):
                if kinds <= _TENSOR_KINDS and name in _whole_arguments(node):
                    tensors.add(name)
                elif kinds <= _HOST_KINDS:
                    numbers.add(name)
                elif kinds <= _FLAG_KINDS:
                    flags.add(name)
            if isinstance(node.func, ast.Attribute) and node.func.attr in _TAKING_SIZES:
                sizes.update(name for argument in node.args for name in _names_of_operands(argument))
        elif isinstance(node, ast.Slice):
            bounds = (bound for bound in (node.lower, node.upper, node.step) if bound is not None)
            sizes.update(name for bound in bounds for name in _names_of_operands(bound))
        elif isinstance(node, ast.Subscript):
            if isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Tuple):
                indexed.add(node.value.id)
        elif isinstance(node, ast.Assign):
            parts.update(_parts_named(node))
        elif isinstance(node, (ast.If, ast.IfExp)):
            flags.update(_names_tested(node.test))
    return _Told(tensors, numbers, assigned, asked, sizes, flags, indexed, parts)


def _parts_named(node: ast.Assign) -> Iterator[tuple[str, str]]:
    """``part = whole[:, 1]``: what gives a tensor is one, since lists and dictionaries take no slice among others."""
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Name) and isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name):
        if isinstance(value.slice, ast.Tuple) and any(isinstance(part, ast.Slice) for part in value.slice.elts):
            if value.value.id != target.id:
                yield target.id, value.value.id


def _names_tested(test: ast.expr) -> Iterator[str]:
    """The names of which a test asks nothing but whether they are true."""
    for operand in test.values if isinstance(test, ast.BoolOp) else [test]:
        if isinstance(operand, ast.UnaryOp) and isinstance(operand.op, ast.Not):
            yield from _names_tested(operand.operand)
        elif isinstance(operand, ast.Name):
            yield operand.id
        elif isinstance(operand, ast.BoolOp):
            yield from _names_tested(operand)


_OF_BACKWARD = frozenset({"gradient", "retain_graph", "create_graph", "inputs"})


def starts_backward(call: ast.Call) -> bool:
    """Whether a call is ``loss.backward()``: engines and the like are given what to start from."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "backward" or call.args:
        return False
    return all(keyword.arg in _OF_BACKWARD for keyword in call.keywords)


def _tells_a_tensor(call: ast.Call, tensor_only: frozenset[str]) -> bool:
    """Whether a call of a method, by its name, the number of its arguments and its keywords, is of a tensor's."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr in _TAKING_POSITIONS and call.args and _is_integer(call.args[0]):
        return True
    keywords: dict[str, Value] = {}
    for keyword in call.keywords:
        keywords[keyword.arg or "**"] = STRING if _is_text(keyword.value) else UNKNOWN
    if "**" in keywords or any(isinstance(argument, ast.Starred) for argument in call.args):
        return call.func.attr in tensor_only
    return tells_a_tensor(call.func.attr, [UNKNOWN] * len(call.args), keywords)


# An array's `size` is no method, and its `view` takes no numbers.
_TAKING_POSITIONS = frozenset({"size", "view"})


def _is_integer(node: ast.expr) -> bool:
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(number, ast.Constant) and type(number.value) is int


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _torch_arguments(engine: Interpreter, record: FunctionRecord, call: ast.Call) -> Iterator[tuple[str, set[str]]]:
    """The names among the arguments of a call of torch, with the kinds that can stand in their places."""
    path = dotted_name(call.func)
    if path is None:
        return
    top = path.partition(".")[0]
    root = engine.member(record.module, top)
    if path == "range":
        for name in _whole_arguments(call):
            yield name, {"int"}
        return
    if not isinstance(root, Symbol) or not root.name.startswith("torch"):
        return
    overloads = engine.api.function(root.name + path[len(top) :])
    for index, argument in enumerate(call.args):
        kinds = {
            overload.parameters[index].kind
            for overload in overloads
            if index < len(overload.parameters) and not overload.parameters[index].keyword_only
        }
        for name in _names_of_operands(argument) if kinds else ():
            yield name, kinds
    for keyword in call.keywords:
        kinds = {p.kind for overload in overloads for p in overload.parameters if p.name == keyword.arg}
        for name in _names_of_operands(keyword.value) if kinds else ():
            yield name, kinds


def _names_of_operands(node: ast.expr) -> Iterator[str]:
    """The names in an arithmetic expression: ``j`` and ``i`` of ``j - i``."""
    for operand in operands(node):
        while isinstance(operand, ast.UnaryOp):
            operand = operand.operand
        if isinstance(operand, ast.Name):
            yield operand.id
        elif isinstance(operand, ast.BinOp):
            yield from _names_of_operands(operand)


def _whole_arguments(call: ast.Call) -> set[str]:
    """The names that stand as arguments by themselves, after a star or not, or with nothing but literal numbers."""
    given = [argument.value if isinstance(argument, ast.Starred) else argument for argument in call.args]
    given += [keyword.value for keyword in call.keywords]
    single = (
        [operand for operand in operands(argument) if not isinstance(operand, ast.Constant)] for argument in given
    )
    return {found[0].id for found in single if len(found) == 1 and isinstance(found[0], ast.Name)}
