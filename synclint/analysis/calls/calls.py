"""Calls on abstract values: which function it is, what it returns, and whether the host waits in it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from synclint.analysis.annotations.presumed_loaders import as_said
from synclint.analysis.annotations.presumed_scalers import SCALER
from synclint.analysis.calls import custom_operators, host_calls, host_methods, prepared_loaders, tensor_methods
from synclint.analysis.calls.entry_checks import check_entries
from synclint.analysis.calls.numbers_given import host_parameters, tensor_from_tensors
from synclint.analysis.calls.tensor_calls import tensor_call
from synclint.analysis.domain.containers import any_item, as_part
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.promotion import place_of
from synclint.analysis.domain.tensors import tensor_of
from synclint.analysis.domain.values import (
    NEVER,
    NOTHING,
    UNKNOWN,
    Alternatives,
    Array,
    BoundMethod,
    ClassValue,
    Device,
    DeviceName,
    DType,
    FunctionValue,
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
    is_known,
)
from synclint.analysis.frequency.names import RUNS_WHAT_IT_IS_GIVEN
from synclint.analysis.models.conditions import literal_value
from synclint.analysis.models.torch_results import Bound, choose_overload, function_result, load_result_rules, operands
from synclint.analysis.objects import attributes, classes, parameters, records
from synclint.analysis.objects.array_libraries import uses_torch
from synclint.analysis.objects.captures import note_captured
from synclint.analysis.objects.formatted_datasets import DATASET, changes_format
from synclint.analysis.objects.formatted_datasets import called as called_dataset
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.objects.parameters import DISTRIBUTION
from synclint.analysis.objects.usages import given_to_backward
from synclint.analysis.program.modules import ClassRecord
from synclint.analysis.program.patterns import named, without_marks
from synclint.analysis.state.frames import Arguments, Frame, Interpreter
from synclint.analysis.syntax.arguments import argument_node, argument_nodes
from synclint.catalog.names import facts_of, names_in
from synclint.catalog.torch_api import Overload
from synclint.findings import Confidence


def call(node: ast.Call, frame: Frame) -> Value:
    """What a call returns; waits in it and in its arguments are reported."""
    if isinstance(node.func, ast.Name) and node.func.id == "super":
        return _super(node, frame)
    return called(frame.engine.evaluate(node.func, frame), node, frame)


def called(callee: Value, node: ast.Call, frame: Frame) -> Value:
    """What a call returns whose function has been evaluated."""
    return apply(callee, evaluate_arguments(node, frame), node, frame)


def evaluate_arguments(node: ast.Call, frame: Frame) -> Arguments:
    """The arguments of a call, unpacked as far as their contents are known."""
    evaluate = frame.engine.evaluate
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    nodes: dict[str | int, ast.AST] = {}
    complete = True
    others: Value = NEVER
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            value = evaluate(argument.value, frame)
            if isinstance(value, Sequence) and value.items is not None:
                positional += value.items
            else:
                complete = False
                if isinstance(value, Sequence):
                    positional.append(any_item(value))
        else:
            value = as_part(evaluate(argument, frame))
            nodes[len(positional)] = argument
            positional.append(value)
    for keyword in node.keywords:
        value = as_part(evaluate(keyword.value, frame))
        if keyword.arg is not None:
            keywords[keyword.arg] = value
            nodes[keyword.arg] = keyword.value
        else:
            if isinstance(value, Mapping):
                keywords.update(value.entries)
            others = join(others, value.element if isinstance(value, Mapping) else UNKNOWN)
            complete = False
    return Arguments(positional, keywords, complete, nodes, others)


def apply(callee: Value, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call a value."""
    callee = as_said(callee)
    if isinstance(callee, Alternatives):
        known: list[Value] = [option for option in callee.options if not isinstance(option, (Unknown, Nothing))]
        doubtful = len(known) > 1 and all(map(_is_of_one_class, known)) and not _share_a_class(known, frame.engine)
        frame.doubts += doubtful
        results = [apply(option, arguments, node, frame) for option in known or [UNKNOWN]]
        frame.doubts -= doubtful
        return join_all(results)
    if isinstance(callee, BoundMethod):
        return _method(callee, arguments, node, frame)
    if isinstance(callee, FunctionValue):
        result = _project_function(callee, arguments, node, frame)
        return _as_configured(callee.record.qualified_name, result, frame)
    if isinstance(callee, ClassValue):
        return construct(callee, arguments, node, frame)
    if isinstance(callee, Unknown):
        frame.engine.note_handed_on(arguments, frame, node, is_certain=False)
        if isinstance(node.func, ast.Attribute):
            frame.engine.note_unresolved(node.func.attr, frame, node)
        return host_methods.of_unknown(node, arguments)
    if isinstance(callee, Symbol):
        is_certain = callee.name.rpartition(".")[2] in RUNS_WHAT_IT_IS_GIVEN
        frame.engine.note_handed_on(arguments, frame, node, is_certain=is_certain)
        return _as_configured(callee.name, _symbol(callee.name, arguments, node, frame), frame)
    if isinstance(callee, Instance):
        if callee.name == "typing.Callable":
            return callee.given("returns") or UNKNOWN
        if callee.name == "functools.partial":
            return _partial(callee, arguments, node, frame)
        return _instance(callee, arguments, node, frame)
    return UNKNOWN


def _is_of_one_class(callee: Value) -> bool:
    """Whether what is called is an object, or a method of one: of another class it would be something else."""
    receiver = callee.receiver if isinstance(callee, BoundMethod) else callee
    return isinstance(receiver, Instance)


def _share_a_class(callees: list[Value], engine: Interpreter) -> bool:
    """Whether methods are those of objects that have a class in common, as far as libraries tell."""
    shared: set[str] | None = None
    for callee in callees:
        if not isinstance(callee, BoundMethod) or not isinstance(callee.receiver, Instance):
            return False
        bases = set(classes.library_bases(engine, callee.receiver.name)) if callee.receiver.record is None else set()
        shared = bases if shared is None else shared & bases
    return bool(shared)


def _as_configured(name: str, result: Value, frame: Frame) -> Value:
    """The result of a function, or what the configuration says that it gives."""
    gives, on_device = frame.engine.catalog.gives, frame.engine.patterns.device
    if not gives and not on_device:
        return result
    kind = gives.get(f"{without_marks(name)}()")
    if kind is not None:
        return attributes.instance_of_kind(kind)
    if not on_device or not named(name, on_device):
        return result
    tensor = tensor_of(result)
    return replace(tensor, device=Device.DEVICE) if tensor is not None else Tensor(Device.DEVICE)


def _partial(callee: Instance, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call what ``functools.partial`` made."""
    first, keywords = callee.given("positional"), callee.given("keywords")
    whole = Arguments(
        [*(first.items or () if isinstance(first, Sequence) else ()), *arguments.positional],
        {**dict(keywords.entries if isinstance(keywords, Mapping) else ()), **arguments.keywords},
        arguments.complete,
    )
    return apply(callee.given("function") or UNKNOWN, whole, node, frame)


# --- functions and classes of the project --------------------------------------------------------------


def _project_function(callee: FunctionValue, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if isinstance(callee.receiver, Instance):
        host_methods.registration(callee.receiver, callee.record.name, arguments, frame)
    if without_marks(callee.record.qualified_name) in frame.engine.entries:
        _check_own_entries(callee, arguments, node, frame)
    return frame.engine.call(callee, arguments, frame, node)


def _check_own_entries(callee: FunctionValue, arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """Report what the catalogue says of a function of the project, by the names of its own parameters."""
    names = [parameter.name for parameter in callee.record.parameters if parameter.kind in ("positional", "keyword")]
    if callee.record.receiver is not None:
        names = names[1:]
    bound: Bound = {**dict(zip(names, arguments.positional, strict=False)), **arguments.keywords}
    if callee.receiver is not None:
        bound["self"] = callee.receiver
    check_entries((without_marks(callee.record.qualified_name),), bound, None, arguments, node, frame)


def construct(callee: ClassValue, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Make an instance of a class of the project."""
    record = callee.record
    engine = frame.engine
    instance = record.instance
    constructor = classes.find_method(record, "__init__")
    if constructor is not None:
        engine.call(FunctionValue(constructor, instance), arguments, frame, node)
    elif classes.is_a(engine, record, classes.METRIC):
        return replace(instance, fields=(("device", DeviceName(Device.CPU)),))
    elif (made := records.constructed(record, arguments, node, frame)) is not None:
        return made
    else:
        # With a metaclass the constructor is called where that one says.
        for base in () if _has_metaclass(record) else classes.external_bases(engine, record):
            if _library_method(base, "__init__", instance, arguments, node, frame) is not None:
                break
    return instance


def _has_metaclass(record: ClassRecord) -> bool:
    return any(keyword.arg == "metaclass" for ancestor in record.ancestors for keyword in ancestor.node.keywords)


def _super(node: ast.Call, frame: Frame) -> Value:
    """``super()``, or ``super(Class, self)``: what comes after a class in the order of the receiver's."""
    given = evaluate_arguments(node, frame).positional
    if len(given) == 2 and isinstance(given[0], ClassValue):
        made = given[1] if is_known(given[1]) else given[0].record.instance
        return Instance("builtins.super", None, (("class", given[0]), ("self", made)))
    function = frame.function
    while function is not None and function.owner is None:
        function = function.parent
    if function is None or function.owner is None or not function.parameters:
        return UNKNOWN
    receiver = frame.lookup(function.parameters[0].name)  # that of `__new__` as well, which is a static method
    return Instance("builtins.super", None, (("class", ClassValue(function.owner)), ("self", receiver or UNKNOWN)))


def _instance(callee: Instance, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call an object: ``__call__``, or ``forward`` of a module."""
    engine = frame.engine
    if callee.record is not None:
        for name in ("__call__", "forward"):
            method = classes.find_method(callee.record, name)
            if method is not None:
                return engine.call(FunctionValue(method, callee), arguments, frame, node)
        for base in classes.external_bases(engine, callee.record):
            found = _library_method(base, "forward", callee, arguments, node, frame)
            if found is not None and is_known(found):
                return found
        return _output(engine, callee)
    if is_known(tokens := host_methods.tokens(arguments)):
        return tokens
    if (wrapped := _wrapped(engine, callee, arguments)) is not None:
        return wrapped
    if callee.name.endswith(".Compose"):
        return _composed(callee, arguments, node, frame)
    for name in ("__call__", "forward"):
        found = _library_method(callee.name, name, callee, arguments, node, frame)
        if found is not None and is_known(found):
            return found
    return _output(engine, callee)


def _wrapped(engine: Interpreter, callee: Instance, arguments: Arguments) -> Value | None:
    """``torch.enable_grad()(closure)``: a function that does what it did; None for objects that wrap no function."""
    overloads = engine.api.class_method(callee.name, "__call__")
    is_wrapper = any(parameter.name == "orig_func" for known in overloads for parameter in known.parameters)
    return host_calls.first(arguments) if is_wrapper and arguments.positional else None


def _composed(callee: Instance, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call transforms one after the other: those of albumentations take and give what is called ``image``."""
    steps = callee.given("transforms")
    known = steps.items if isinstance(steps, Sequence) and steps.items is not None else ()
    value = host_calls.first(arguments)
    for step in known:
        result = apply(step, Arguments([value]), node, frame)
        value = result if is_known(result) else value
    return value if arguments.positional else Mapping((), value)


def _output(engine: Interpreter, callee: Instance) -> Value:
    """What a module of unknown ``forward`` returns: a tensor, as a rule."""
    bases = (
        classes.external_bases(engine, callee.record)
        if callee.record is not None
        else classes.library_bases(engine, callee.name)
    )
    return Tensor(trust=Confidence.MEDIUM) if classes.MODULE in bases else UNKNOWN


def _is_optimizer(engine: Interpreter, instance: Instance) -> bool:
    return instance.record is None and classes.OPTIMIZER in classes.library_bases(engine, instance.name)


# --- torch and other libraries --------------------------------------------------------------------------


_HOST_LIBRARIES = names_in("python", "host-libraries")


_IMPORTING = frozenset({"importlib.import_module", "pytest.importorskip", "builtins.__import__"})


def _imported(arguments: Arguments, gives_the_top: bool, frame: Frame) -> Value:
    """The module that a call imports by its literal name; ``__import__("a.b")`` gives ``a``."""
    given = arguments.positional[0] if arguments.positional else arguments.keywords.get("name")
    if not isinstance(given, Text) or not given.literal or given.literal.startswith("."):
        return UNKNOWN
    name = frame.engine.project.name_for(given.literal, frame.module)
    return Symbol(name.partition(".")[0] if gives_the_top and len(arguments.all_values()) == 1 else name)


def _symbol(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    engine = frame.engine
    root = name.partition(".")[0]
    if name in _IMPORTING:
        return _imported(arguments, name == "builtins.__import__", frame)
    if name == "typing.cast" and len(argument_nodes(node)) == 2:
        meant = frame.engine.annotation(argument_node(node), frame.function or frame.module)
        given = arguments.positional[1] if len(arguments.positional) > 1 else UNKNOWN
        # It converts nothing: `cast(int, lengths[0])` is what it was.
        return parameters.as_one_number(given) if isinstance(given, Tensor) and isinstance(meant, Scalar) else meant
    if root in _HOST_LIBRARIES:
        of_record = records.function(name, arguments, frame, node)
        if of_record is not None:
            return of_record
        return host_calls.call(name, arguments, node, frame)
    if name == "types.SimpleNamespace" and not arguments.positional:
        return Mapping(tuple(arguments.keywords.items()))
    if root == "tqdm" and arguments.positional:
        return Instance("tqdm.tqdm", None, (("iterable", arguments.positional[0]),))
    name = engine.api.canonical(name)
    is_setting = frame.function is None and not frame.module.is_test
    if is_setting and host_calls.first(arguments) == Scalar("bool", False):
        frame.engine.note_switch(name)
    if name == "torch.get_device_module" and attributes.text_of(host_calls.first(arguments)) != "cpu":
        return Symbol("torch.cuda")
    note_captured(name, arguments, frame)
    if name in ("torch.is_tensor",):
        return attributes.instance_of_kind("bool")
    if name == "torch.device":
        return tensor_methods.device_made(arguments)
    if name.startswith("torch.Tensor."):
        return _unbound_method(name.rpartition(".")[2], arguments, node, frame)
    overloads = engine.api.function(name)
    if overloads or name in engine.entries:
        return torch_function(name, overloads, arguments, node, frame)
    if engine.api.class_(name) is not None or name in engine.catalog.classes:
        return _construct_library(name, arguments, node, frame)
    kind = engine.catalog.functions.get(name)
    if kind == "DeviceLoader":
        return prepared_loaders.made(arguments)
    if kind is not None:
        return attributes.instance_of_kind(kind, place_of(operands(arguments.all_values())))
    if name == custom_operators.LIBRARY:
        return Instance(name, None, (("ns", host_calls.first(arguments)),))
    if name == "torch.library.define":
        custom_operators.define("", arguments, frame)
        return UNKNOWN
    if name.startswith("torch.ops.") and (operator := custom_operators.registered(name, frame)) is not None:
        if isinstance(operator, Text):
            return custom_operators.result_by_schema(operator.literal or "", arguments)
        return apply(operator, arguments, node, frame)
    if root == "torch":
        return tensor_methods.unlisted_function(name, arguments)
    owner, _, method = name.rpartition(".")
    if engine.api.class_(owner) is not None or owner in engine.catalog.classes:
        return (
            _construct_library(owner, arguments, node, frame)
            if method in ("from_pretrained", "from_module")
            else UNKNOWN
        )
    if method[:1].isupper():
        composed = {"transforms": arguments.positional[0]} if method == "Compose" and arguments.positional else {}
        return Instance(name, None, tuple({**composed, **arguments.keywords}.items()))
    return UNKNOWN


def _unbound_method(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if not arguments.positional:
        return UNKNOWN
    receiver, *rest = arguments.positional
    inner = Arguments(rest, arguments.keywords, arguments.complete)
    tensor = tensor_of(receiver) or Tensor(trust=Confidence.MEDIUM)
    return tensor_call(name, tensor, inner, node, frame)


def torch_function(
    name: str, overloads: tuple[Overload, ...], arguments: Arguments, node: ast.Call, frame: Frame
) -> Value:
    """Call a function of torch."""
    chosen = choose_overload(overloads, arguments.positional, arguments.keywords, not arguments.complete)
    if chosen is None:
        bound: Bound = {**arguments.keywords}
        if arguments.positional:
            bound.setdefault("input", arguments.positional[0])
        check_entries((name,), bound, overloads[0] if overloads else None, arguments, node, frame)
        if overloads:
            return function_result(name, bound, overloads[0])
        kind = frame.engine.catalog.functions.get(name)
        return attributes.instance_of_kind(kind) if kind is not None else UNKNOWN
    overload, bound = chosen
    bound = _surely_tensors(overload, overloads, bound, arguments, frame)
    seen = bound
    first = overload.parameters[0].name if overload.parameters else None
    if first in bound and not any(p.name == "input" for known in overloads for p in known.parameters):
        seen = {"input": bound[first], **bound}
    if name in ("torch.tensor", "torch.as_tensor"):
        tensor_from_tensors(bound, node, frame)
    if not check_entries((name,), seen, overload, arguments, node, frame):
        host_parameters(overload, bound, arguments, node, frame)
    special = tensor_methods.function(name, bound, frame)
    result = special if special is not None else function_result(name, bound, overload)
    return tensor_methods.with_origin(result, f"returned by `{name}`", node, frame)


def _surely_tensors(
    overload: Overload, overloads: Iterable[Overload], bound: Bound, arguments: Arguments, frame: Frame
) -> Bound:
    """What is unknown and stands where torch takes nothing but a tensor is one, here and from here on."""
    found = dict(bound)
    # An attribute of something unknown may be anywhere: beside a tensor it is where that one is.
    unknown = (Unknown, BoundMethod) if any(map(tensor_of, bound.values())) else Unknown
    beside = _place_beside(operands(bound.values()))
    for index, parameter in enumerate(overload.parameters):
        if isinstance(bound.get(parameter.name), unknown) and all(
            other.kind == "Tensor" for known in overloads for other in known.parameters[index : index + 1]
        ):
            found[parameter.name] = Tensor(beside, trust=Confidence.MEDIUM)
            node = arguments.nodes.get(parameter.name, arguments.nodes.get(index))
            if isinstance(node, ast.Name):
                frame.know(node.id, found[parameter.name])
    return found


def _place_beside(tensors: list[Tensor]) -> Device:
    """Where a tensor must be that is computed with together with others: only numbers may come from elsewhere."""
    on_cpu = [tensor for tensor in tensors if tensor.device is Device.CPU and tensor.ndim != 0]
    return Device.CPU if on_cpu and len(on_cpu) == len(tensors) else Device.UNKNOWN


def _construct_library(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    engine = frame.engine
    known = engine.api.class_(name)
    overloads = known.constructor if known is not None else ()
    chosen = choose_overload(overloads, arguments.positional, arguments.keywords, not arguments.complete)
    bound: Bound = dict(chosen[1]) if chosen is not None else dict(arguments.keywords)
    names = _entry_names(classes.library_bases(engine, name), "__init__")
    engine.note_host_functions(arguments, frame.module)
    check_entries(names, bound, chosen[0] if chosen is not None else None, arguments, node, frame)
    if (made := tensor_methods.constructed(name, bound, arguments)) is not None:
        if isinstance(made, Tensor) and ".cuda." in name and _is_data(arguments):
            frame.report("tensor-from-host-data", node, made, argument_node(node), known=arguments.positional[0])
        if isinstance(made, Tensor) and arguments.positional:
            tensor_from_tensors({"data": arguments.positional[0]}, node, frame)
        return made
    if chosen is not None:
        bound = {**_defaults(chosen[0]), **bound}
    if classes.METRIC in classes.library_bases(engine, name):
        bound["device"] = DeviceName(Device.CPU)
    is_kept = name.endswith("DataLoader") or name.startswith("torch.optim.")
    made_here = frame.origin(f"`{name}` is made", node) if is_kept else None
    return Instance(name, None, tuple(bound.items()), made=made_here)


def _moved(instance: Instance) -> Instance:
    """An object after ``.to(device)`` or ``.cuda()``: what it holds is on the device."""
    return replace(instance, fields=tuple((key, value) for key, value in instance.fields if key != "device"))


def _is_data(arguments: Arguments) -> bool:
    """Whether a legacy constructor is given values, not sizes."""
    return len(arguments.positional) == 1 and isinstance(arguments.positional[0], (Sequence, Array))


@cache
def _defaults(overload: Overload) -> Bound:
    """The values of the parameters that a call may leave out, where they are plain literals."""
    found: Bound = {}
    for parameter in overload.parameters:
        if parameter.default is not None and (value := literal_value(parameter.default)) is not None:
            found[parameter.name] = value
    return found


def _entry_names(bases: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The names under which the catalogue may speak of a method, those of the class itself first.

    What ``Distribution`` checks is said of each distribution of torch's own by itself.
    """
    is_left_to_others = name in ("__init__", "log_prob", "cdf") and bases[0] != DISTRIBUTION
    return tuple(f"{base}.{name}" for base in bases if base != DISTRIBUTION or not is_left_to_others)


def _checks_nothing(receiver: Instance) -> bool:
    """Whether a distribution of the project's own declares no constraints of its parameters."""
    if receiver.record is None or classes.find_method(receiver.record, "arg_constraints") is not None:
        return False
    scopes = (ancestor.scope for ancestor in receiver.record.ancestors)
    declared = next((scope["arg_constraints"] for scope in scopes if "arg_constraints" in scope), None)
    return declared is None or (isinstance(declared, Mapping) and not declared.entries)


def _library_method(
    owner: str, name: str, receiver: Instance, arguments: Arguments, node: ast.Call, frame: Frame
) -> Value | None:
    """Call a method of an instance of an outside class; None if nothing is known of it."""
    engine = frame.engine
    owner = engine.api.canonical(owner)
    bases = classes.library_bases(engine, owner)
    known = engine.api.class_(owner)
    overloads = known.constructor if known is not None and name == "__init__" else engine.api.class_method(owner, name)
    chosen = choose_overload(overloads, arguments.positional, arguments.keywords, not arguments.complete)
    bound: Bound = {"self": receiver}
    bound |= (
        dict(chosen[1])
        if chosen is not None
        else {"kwargs": Mapping(tuple(arguments.keywords.items())), **arguments.keywords}
    )
    if chosen is None and arguments.positional:
        bound.setdefault("value", arguments.positional[0])
    names = _entry_names(bases, name)
    if name == "__call__":
        names += _entry_names(bases, "forward")
    on_cpu = receiver.given("device") == DeviceName(Device.CPU)
    if not on_cpu and not (bases[0] == DISTRIBUTION and name == "__init__" and _checks_nothing(receiver)):
        check_entries(names, bound, chosen[0] if chosen is not None else None, arguments, node, frame)
    for base in bases:
        model = engine.catalog.classes.get(base)
        if model is not None and name in model.methods:
            place = Device.CPU if on_cpu else _place_beside(operands(arguments.all_values()))
            return attributes.instance_of_kind(model.methods[name], place)
    if overloads and (chosen[0] if chosen else overloads[0]).returns == "self":
        return receiver
    if overloads:
        given = [*arguments.all_values(), *(value for _, value in receiver.fields)]
        operand = next((t for value in given if (t := tensor_of(value))), None)
        if operand is None and DISTRIBUTION in bases and receiver.fields:
            operand = Tensor(Device.CPU)
        result = attributes.instance_of_kind((chosen[0] if chosen else overloads[0]).returns)
        on_host = f"{owner.rpartition('.')[2]}.{name}" in load_result_rules().cpu
        on_host = on_host or (operand is not None and operand.device is Device.CPU)
        device = Device.CPU if on_host else Device.UNKNOWN
        return replace(result, device=device, dtype=DType.FLOAT) if isinstance(result, Tensor) else result
    return None


# --- methods --------------------------------------------------------------------------------------------


def _method(callee: BoundMethod, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    receiver, name = callee.receiver, callee.name
    if (start := given_to_backward(node)) is not None and not is_known(frame.scope.get(start.id, NOTHING)):
        frame.know(start.id, Tensor(trust=Confidence.MEDIUM))
    if name in SCALER_METHODS and _is_used_as_scaler(receiver, node, frame):
        receiver = SCALER
    if name == "__iter__":
        return receiver
    if name == "__next__":
        return iterate(receiver)
    if isinstance(receiver, Tensor):
        return tensor_call(name, receiver, arguments, node, frame)
    if not frame.module.is_test and not isinstance(receiver, _OF_THE_LANGUAGE) and not _is_outside(receiver):
        frame.engine.note_called_on_unknown(name)
    if isinstance(receiver, Instance):
        return _instance_method(receiver, name, arguments, node, frame)
    frame.engine.note_handed_on(arguments, frame, node, is_certain=name in RUNS_WHAT_IT_IS_GIVEN)
    if name in ("to", "cuda") and isinstance(receiver, (Unknown, BoundMethod)):
        if tensor_methods.is_brought(node, frame):
            # The line is known; what comes of it may be more than a tensor.
            tensor_call(name, Tensor(trust=Confidence.MEDIUM), arguments, node, frame)
            return UNKNOWN
    if isinstance(receiver, (Unknown, BoundMethod)):
        frame.engine.note_unresolved(name, frame, node)
        if name in _TELLING and (found := _of_told_class(_TELLING[name], name, arguments, node, frame)) is not None:
            return found
        return host_methods.unknown_method(name, arguments, node, frame)
    if isinstance(receiver, _OF_THE_LANGUAGE):
        return host_methods.method(receiver, name, arguments, node, frame)
    return UNKNOWN


_TELLING = facts_of("libraries", "telling-methods")


def _of_told_class(owner: str, name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value | None:
    """Call a method of something unknown whose name tells of which class it is."""
    return _library_method(owner, name, Instance(owner), arguments, node, frame) if uses_torch(frame) else None


SCALER_METHODS = frozenset({"step", "get_scale"})


def _is_used_as_scaler(receiver: Value, node: ast.Call, frame: Frame) -> bool:
    """Whether something of which nothing is known is a gradient scaler, by what is done with it in the same file."""
    if not isinstance(receiver, (Unknown, BoundMethod)) or not isinstance(node.func, ast.Attribute):
        return False
    owner = node.func.value
    name = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
    return name in frame.module.scalers


_OF_THE_LANGUAGE = (Sequence, Mapping, Text, Array, Scalar)


def _is_outside(receiver: Value) -> bool:
    """Whether a value is an object of a class that is not of the project."""
    return isinstance(receiver, Instance) and receiver.record is None and receiver.name != "builtins.super"


_MOVES = names_in("modules", "moves")
_KEEPS_RECEIVER = names_in("modules", "returning-themselves")


def _instance_method(receiver: Instance, name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    return _as_configured(f"{receiver.name}.{name}", _called_on_instance(receiver, name, arguments, node, frame), frame)


def _called_on_instance(receiver: Instance, name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    engine = frame.engine
    if receiver.record is not None and classes.is_a(engine, receiver.record, "torch.Tensor"):
        return tensor_call(name, Tensor(), arguments, node, frame)
    if receiver.name == host_calls.NUMPY_GENERATOR:
        return host_calls.drawn(name, arguments)
    if receiver.name == custom_operators.LIBRARY and name == "define":
        custom_operators.define(custom_operators.namespace_of(receiver), arguments, frame)
        return UNKNOWN
    if receiver.name == DATASET and (made := called_dataset(receiver, name, arguments)) is not None:
        if changes_format(name) and isinstance(node.func, ast.Attribute):
            attributes.rebind(node.func.value, made, frame)
        return made
    if name in _MOVES:
        return _moved(receiver)
    if name in prepared_loaders.METHODS and receiver.record is None:
        return prepared_loaders.prepared(arguments)
    changed = host_methods.module_container_method(receiver, name, arguments, node, frame)
    if changed is not None:
        return changed
    of_record = records.method(receiver, name, arguments, frame, node)
    if of_record is not None:
        return of_record
    held = records.contents(receiver, frame, node)
    if isinstance(held, Mapping):
        return host_methods.method(held, name, arguments, node, frame)
    if name in ("parameters", "named_parameters", "buffers", "named_buffers"):
        return host_methods.unknown_method(name, arguments, node, frame)
    if name == "state_dict" and (is_known(_output(engine, receiver)) or _is_optimizer(engine, receiver)):
        return host_methods.STATE_DICT
    if receiver.record is not None:
        found = host_methods.registration(receiver, name, arguments, frame)
        if found is not None:
            return found
        for base in classes.external_bases(engine, receiver.record):
            result = _library_method(base, name, receiver, arguments, node, frame)
            if result is not None:
                return receiver if name in _KEEPS_RECEIVER else result
    elif name in _KEEPS_RECEIVER:
        return receiver
    else:
        result = _library_method(receiver.name, name, receiver, arguments, node, frame)
        if result is not None:
            return result
    return host_methods.unknown_method(name, arguments, node, frame, of_instance=True)


def entered(value: Value, frame: Frame, node: ast.AST) -> Value:
    """What ``with value as name`` binds."""
    if isinstance(value, Instance) and value.record is not None:
        method = classes.find_method(value.record, "__enter__")
        if method is not None:
            result = frame.engine.call(FunctionValue(method, value), Arguments(), frame, node)
            return result if not isinstance(result, Unknown) else value
        return value
    if isinstance(value, Sequence) and value.kind == "generator":
        return any_item(value)
    return value
