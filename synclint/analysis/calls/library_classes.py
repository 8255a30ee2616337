"""Objects of classes outside the project: how they are made, and what their methods return."""

from __future__ import annotations

import ast
import itertools
from dataclasses import replace
from functools import cache

from synclint.analysis.calls import tensor_methods
from synclint.analysis.calls.entry_checks import check_entries
from synclint.analysis.calls.implicit_scalar_reads import host_parameters, tensor_from_tensors
from synclint.analysis.calls.implied_tensors import as_tensors
from synclint.analysis.calls.inner_waits import report_inner_waits, summarized_result
from synclint.analysis.domain.containers import as_part
from synclint.analysis.domain.metric_collections import metrics_in
from synclint.analysis.domain.promotion import device_beside
from synclint.analysis.domain.tensors import tensor_of
from synclint.analysis.domain.values import (
    NOTHING,
    UNKNOWN,
    Array,
    BoundMethod,
    Device,
    DeviceName,
    DType,
    Instance,
    Mapping,
    Sequence,
    Tensor,
    Unknown,
    Value,
    options,
)
from synclint.analysis.models.conditions import literal_value
from synclint.analysis.models.overloads import choose_overload
from synclint.analysis.models.torch_results import Bound, load_result_rules, operands
from synclint.analysis.objects import (
    ancestry,
    attributes,
    classes,
    collation,
    distributions,
    lightning_modules,
    optimizer_state,
)
from synclint.analysis.objects.distributions import DISTRIBUTION, WITHOUT_CONSTRAINTS
from synclint.analysis.program.default_devices import TENSOR_TYPE, is_put_there
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.arguments import argument_node
from synclint.catalog.entries import LibraryClass
from synclint.catalog.torch_api import Overload

_COLLATION = frozenset({"collate_fn", "worker_init_fn"})


def construct_library_object(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Make an object of a class outside the project."""
    engine = frame.engine
    within = frame.function.name if frame.function is not None else None
    if name == "torch.Tensor" and is_put_there(frame.module.default_devices, (TENSOR_TYPE,), within):
        name = "torch.cuda.FloatTensor"
    known = engine.api.class_(name)
    overloads = known.constructor if known is not None else ()
    chosen = choose_overload(overloads, arguments.positional, arguments.keywords, not arguments.complete)
    bound: Bound = dict(chosen[1]) if chosen is not None else dict(arguments.keywords)
    names = _entry_names(ancestry.library_bases(engine, name), "__init__")
    check_entries(names, bound, chosen[0] if chosen is not None else None, arguments, node, frame)
    if name == "torch.Size" and chosen is not None:
        host_parameters(chosen[0], bound, arguments, node, frame)
    if (made := tensor_methods.constructed(name, bound, arguments)) is not None:
        if isinstance(made, Tensor) and ".cuda." in name and _is_data(arguments):
            frame.report("tensor-from-host-data", node, made, argument_node(node), known=arguments.positional[0])
        if isinstance(made, Tensor) and arguments.positional:
            tensor_from_tensors({"data": arguments.positional[0]}, node, frame)
        return made
    if chosen is not None:
        bound = {**_defaults(chosen[0]), **bound}
    elif (model := engine.catalog.classes.get(name)) is not None:
        bound = {**given_to_library(model, arguments), **bound}
    if ancestry.METRIC in ancestry.library_bases(engine, name):
        bound["device"] = DeviceName(Device.CPU)
    if name == "torch.utils.data.DataLoader" or not _COLLATION.isdisjoint(arguments.keywords):
        batch = collation.collated(bound, arguments, node, frame)
        if batch is not None:
            bound[collation.GIVEN] = as_part(batch)
    is_kept = name.endswith("DataLoader") or name.startswith("torch.optim.")
    made_here = frame.origin(f"`{name}` is made", node) if is_kept else None
    made_object = Instance(name, None, tuple(bound.items()), made=made_here)
    if name == "torch.utils.data.DataLoader":
        lightning_modules.report_copies(made_object, node, frame)
    return made_object


def _is_data(arguments: Arguments) -> bool:
    """Whether a legacy constructor is given values, not sizes: ``torch.Size`` (``torch/csrc/utils/tensor_new.cpp``)."""
    given = options(arguments.positional[0]) if len(arguments.positional) == 1 else ()
    return any(isinstance(one, Array) or (isinstance(one, Sequence) and one.kind != "Size") for one in given)


def given_to_library(model: LibraryClass, arguments: Arguments) -> Bound:
    """What a constructor is given of the parameters that entries ask about, as far as a call names them.

    Of a hundred options that ``**settings`` may hold, few programs set one of these.
    """
    names = [name for name in model.parameters if name != "*"]
    by_position = itertools.takewhile(lambda name: name != "*", model.parameters)
    by_name = {name: arguments.keywords[name] for name in names if name in arguments.keywords}
    return {**dict(zip(by_position, arguments.positional, strict=False)), **by_name}


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
    is_left_to_others = name in ("__init__", "log_prob", "cdf", "sample") and bases[0] != DISTRIBUTION
    return tuple(f"{base}.{name}" for base in bases if base != DISTRIBUTION or not is_left_to_others)


def _checks_nothing(receiver: Instance, name: str) -> bool:
    """Whether a distribution of the project's own declares no constraints of its parameters, or draws by itself."""
    if receiver.record is not None and name == "sample":
        return True
    if name != "__init__" or receiver.record is None:
        return False
    if classes.find_method(receiver.record, "arg_constraints") is not None:
        return False
    scopes = (ancestor.scope for ancestor in receiver.record.ancestors)
    declared = next((scope["arg_constraints"] for scope in scopes if "arg_constraints" in scope), None)
    return declared is None or (isinstance(declared, Mapping) and not declared.entries)


def call_library_method(
    owner: str, name: str, receiver: Instance, arguments: Arguments, node: ast.Call, frame: Frame
) -> Value | None:
    """Call a method of an instance of an outside class; None if nothing is known of it."""
    engine = frame.engine
    for metric in metrics_in(receiver):
        call_library_method(metric.name, name, metric, arguments, node, frame)
    owner = engine.api.canonical(owner)
    bases = ancestry.library_bases(engine, owner)
    known = engine.api.class_(owner)
    overloads = known.constructor if known is not None and name == "__init__" else engine.api.class_method(owner, name)
    chosen = choose_overload(overloads, arguments.positional, arguments.keywords, not arguments.complete)
    bound: Bound = {"self": distributions.as_constructed(receiver) if DISTRIBUTION in bases else receiver}
    if chosen is not None:
        bound |= chosen[1]
        if DISTRIBUTION in bases:
            bound |= as_tensors(chosen[0], overloads, chosen[1], arguments, frame, (Unknown, BoundMethod))
    else:
        bound |= {"kwargs": Mapping(tuple(arguments.keywords.items())), **arguments.keywords}
        if arguments.positional:
            bound.setdefault("value", arguments.positional[0])
    if name == "__init__" and ancestry.OPTIMIZER in bases:
        optimizer_state.keep_defaults(receiver, bound.get("defaults", UNKNOWN), frame)
    if bases[0] == lightning_modules.TRAINER and name == "fit":
        trained = arguments.keywords.get("model", bound.get("value", UNKNOWN))
        bound |= {"optimizer": lightning_modules.configured_optimizer(trained, node, frame) or NOTHING}
    is_left_to_base = name == "__init__" and bases[0] in WITHOUT_CONSTRAINTS
    names = (f"{DISTRIBUTION}.__init__",) if is_left_to_base else _entry_names(bases, name)
    if name == "__call__":
        names += _entry_names(bases, "forward")
    on_cpu = receiver.given("device") == DeviceName(Device.CPU)
    is_of_base = is_left_to_base or bases[0] == DISTRIBUTION
    if not on_cpu and not (is_of_base and _checks_nothing(receiver, name)):
        check_entries(names, bound, chosen[0] if chosen is not None else None, arguments, node, frame)
    has_state = not on_cpu and receiver.record is None
    report_inner_waits(names, arguments, node, frame, receiver=receiver, has_state=has_state)
    for base in bases:
        model = engine.catalog.classes.get(base)
        if model is not None and name in model.methods:
            if model.methods[name] == classes.OWN:
                return receiver
            place = Device.CPU if on_cpu else device_beside(operands(arguments.all_values()))
            return attributes.instance_of_kind(model.methods[name], place)
    if overloads and (chosen[0] if chosen else overloads[0]).returns == "self":
        return receiver
    if overloads:
        given = [*arguments.all_values(), *distributions.made_of(receiver)]
        operand = next((t for value in given if (t := tensor_of(value))), None)
        is_distribution = operand is None and DISTRIBUTION in bases
        if is_distribution and distributions.is_of_numbers(receiver):
            operand = Tensor(Device.CPU)
        result = attributes.instance_of_kind((chosen[0] if chosen else overloads[0]).returns)
        on_host = f"{owner.rpartition('.')[2]}.{name}" in load_result_rules().cpu
        on_host = on_host or (operand is not None and operand.device is Device.CPU)
        device = Device.CPU if on_host else Device.UNKNOWN
        if not on_host and is_distribution and distributions.may_be_of_numbers(receiver):
            device = Device.EITHER
        return replace(result, device=device, dtype=DType.FLOAT) if isinstance(result, Tensor) else result
    return summarized_result(names, device_beside(operands(arguments.all_values())), frame)
