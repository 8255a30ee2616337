"""Calls of functions and classes outside the project, by their qualified names."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.calls import (
    broadcasts,
    custom_operators,
    host_calls,
    imported_modules,
    leaf_functions,
    library_functions,
    prepared_loaders,
    tensor_methods,
)
from synclint.analysis.calls.inner_waits import (
    constructor_arguments,
    is_summarized_module,
    report_inner_waits,
    summarized_result,
)
from synclint.analysis.calls.library_classes import construct_library_object
from synclint.analysis.calls.library_results import result_of_kind
from synclint.analysis.calls.project_calls import construct
from synclint.analysis.calls.tensor_calls import tensor_call
from synclint.analysis.calls.torch_functions import torch_function
from synclint.analysis.domain.callables import partial_of
from synclint.analysis.domain.command_lines import PARSER
from synclint.analysis.domain.promotion import place_of
from synclint.analysis.domain.tensors import tensor_of
from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassValue,
    Device,
    DeviceName,
    Instance,
    Mapping,
    Nothing,
    Scalar,
    Symbol,
    Tensor,
    Text,
    Value,
    is_known,
)
from synclint.analysis.models.torch_results import operands
from synclint.analysis.objects import annotated_values, attributes, data_classes, records
from synclint.analysis.objects.ancestry import known_as
from synclint.analysis.objects.captures import note_captured
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.arguments import argument_node, argument_nodes
from synclint.catalog.names import names_in
from synclint.findings import Confidence

_HOST_LIBRARIES = names_in("python", "host-libraries")
_GIVING_BACK = names_in("modules", "giving-back")
_DICTIONARIES = names_in("python", "dictionaries-by-attribute")
# What a configuration may be given anew before it is read, by ways that nobody follows.
_SETTINGS = (Scalar, Text, Nothing)


def call_named(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call what has this qualified name."""
    engine = frame.engine
    root = name.partition(".")[0]
    if name in imported_modules.IMPORTING:
        return imported_modules.imported(name, arguments, node, frame)
    if name == "builtins.type.__call__" and isinstance(made := library_functions.first(arguments), ClassValue):
        return construct(made, replace(arguments, positional=arguments.positional[1:], nodes={}), node, frame)
    if name == "typing.cast" and len(argument_nodes(node)) == 2:
        meant = frame.engine.annotation(argument_node(node), frame.function or frame.module)
        given = arguments.positional[1] if len(arguments.positional) > 1 else UNKNOWN
        # It converts nothing: `cast(int, lengths[0])` is what it was, and what is a number anyway needs no cast to one.
        tensor = tensor_of(given) if isinstance(meant, Scalar) else None
        return annotated_values.as_one_number(tensor) if tensor is not None else meant
    if name == PARSER:
        return Instance(name, None, made=frame.origin(f"`{name}` is made", node))
    if root in _HOST_LIBRARIES:
        of_record = records.function(name, arguments, frame, node)
        if of_record is not None:
            return of_record
        return host_calls.call(name, arguments, node, frame)
    if name == "types.SimpleNamespace" and not arguments.positional:
        return Mapping(tuple(arguments.keywords.items()))
    if name in _DICTIONARIES and (held := _dictionary_of_tensors(arguments)) is not None:
        return held
    if name == "types.MethodType" and len(arguments.positional) == 2:
        return partial_of(*arguments.positional)
    if root == "tqdm" and arguments.positional:
        if name.rpartition(".")[2] == "trange":
            return Instance("range")
        return Instance("tqdm.tqdm", None, (("iterable", arguments.positional[0]),))
    name = known_as(engine, engine.api.canonical(name))
    if _is_setting(frame) and library_functions.first(arguments) == Scalar("bool", False):
        owner, _, method = name.rpartition(".")
        known = engine.api.class_(owner)
        for each in (owner, *(known.bases if known is not None else ())):
            engine.note_switch(f"{each}.{method}")
    if name == "torch.get_device_module" and attributes.text_of(library_functions.first(arguments)) != "cpu":
        return Symbol("torch.cuda")
    if leaf_functions.calls_leaf_by_leaf(name):
        return leaf_functions.mapped(name, arguments, node, frame)
    note_captured(name, arguments, frame)
    if name in _GIVING_BACK and is_known(given_back := library_functions.first(arguments)):
        return given_back
    if name in ("torch.is_tensor",):
        return attributes.instance_of_kind("bool")
    if name == "torch.device":
        return tensor_methods.device_made(arguments)
    if name.startswith("torch.Tensor."):
        return _unbound_method(name.rpartition(".")[2], arguments, node, frame)
    if name == broadcasts.BROADCAST_ALL:
        return broadcasts.broadcast(arguments, node, frame)
    overloads = engine.api.function(name)
    if overloads or name in engine.entries:
        return torch_function(name, overloads, arguments, node, frame)
    if engine.api.class_(name) is not None or name in engine.catalog.classes:
        return construct_library_object(name, arguments, node, frame)
    if root != "torch":
        report_inner_waits((name, f"{name}.__init__"), arguments, node, frame)
    kind = engine.catalog.functions.get(name)
    if kind == "DeviceLoader":
        return prepared_loaders.made(arguments)
    if kind is not None:
        return result_of_kind(name, kind, arguments, frame)
    if name == custom_operators.LIBRARY:
        return Instance(name, None, (("ns", library_functions.first(arguments)),))
    if name == "torch.library.register_autograd":
        custom_operators.note_context(arguments, frame)
        return UNKNOWN
    if name == "torch.library.define":
        custom_operators.define("", arguments, frame)
        return UNKNOWN
    if name.startswith("torch.ops.") and (operator := custom_operators.registered(name, frame)) is not None:
        return custom_operators.called(name, operator, arguments, node, frame)
    if root == "torch":
        return tensor_methods.unlisted_function(name, arguments)
    result = summarized_result((name,), place_of(operands(arguments.all_values())), frame)
    if result is not None:
        return result
    owner, _, method = name.rpartition(".")
    if engine.api.class_(owner) is not None or owner in engine.catalog.classes:
        return (
            construct_library_object(owner, arguments, node, frame)
            if method in ("from_pretrained", "from_config", "from_module")
            else UNKNOWN
        )
    if method[:1].isupper():
        data_classes.note_given(name, arguments, frame)
        composed = {"transforms": arguments.positional[0]} if method == "Compose" and arguments.positional else {}
        state = {"device": DeviceName(Device.CPU)} if is_summarized_module(name, frame) else {}
        by_name = {**constructor_arguments(name, arguments, frame), **arguments.keywords}
        return Instance(name, None, tuple({**state, **composed, **by_name}.items()))
    return UNKNOWN


def _dictionary_of_tensors(arguments: Arguments) -> Mapping | None:
    """The dictionary that a class of dictionaries makes of tensors, None where it makes one of anything else."""
    given = library_functions.first(arguments)
    base = given if isinstance(given, Mapping) else Mapping(())
    entries = {**base.by_key, **arguments.keywords}
    if not any(tensor_of(value) is not None for value in (*entries.values(), base.element)):
        return None
    kept = {key: UNKNOWN if isinstance(value, _SETTINGS) else value for key, value in entries.items()}
    return Mapping(tuple(kept.items()), base.element)


def _is_setting(frame: Frame) -> bool:
    """Whether what is called here runs before anything else: at the top of a module, or in a constructor."""
    return not frame.module.is_test and (frame.function is None or frame.function.name == "__init__")


def _unbound_method(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    if not arguments.positional:
        return UNKNOWN
    receiver, *rest = arguments.positional
    inner = Arguments(rest, arguments.keywords, arguments.complete)
    tensor = tensor_of(receiver) or Tensor(trust=Confidence.MEDIUM)
    return tensor_call(name, tensor, inner, node, frame)
