"""Calls of methods of objects that no method of the project has been found for."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.calls import custom_operators, host_methods, library_functions, prepared_loaders
from synclint.analysis.calls.called_objects import module_output
from synclint.analysis.calls.configured_results import as_configured
from synclint.analysis.calls.implied_classes import of_implied_class
from synclint.analysis.calls.library_classes import call_library_method
from synclint.analysis.calls.opaque_calls import note_method
from synclint.analysis.calls.tensor_calls import tensor_call
from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.command_lines import PARSER, called_parser
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import UNKNOWN, FunctionValue, Instance, Mapping, Tensor, Value, is_known
from synclint.analysis.frequency.names import RUNS_WHAT_IT_IS_GIVEN
from synclint.analysis.objects import ancestry, attributes, classes, records
from synclint.analysis.objects.formatted_datasets import DATASET, changes_format
from synclint.analysis.objects.formatted_datasets import called as called_dataset
from synclint.analysis.state.frames import Arguments, Frame, Interpreter
from synclint.catalog.names import names_in


def call_object_method(receiver: Instance, name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call a method of an object, unless it is one that its class in the project defines."""
    note_method(receiver, name, node, frame)
    return as_configured(f"{receiver.name}.{name}", _called_on_object(receiver, name, arguments, node, frame), frame)


def _called_on_object(receiver: Instance, name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    engine = frame.engine
    if receiver.record is not None and ancestry.is_a(engine, receiver.record, "torch.Tensor"):
        return tensor_call(name, Tensor(), arguments, node, frame)
    if receiver.name == PARSER:
        return called_parser(receiver, name)
    if receiver.name == library_functions.GENERATOR:
        return library_functions.random_result(name, arguments, node, frame)
    if receiver.name == library_functions.NUMPY_GENERATOR:
        return library_functions.drawn(name, arguments)
    if receiver.name == custom_operators.LIBRARY and name == "define":
        custom_operators.define(custom_operators.namespace_of(receiver), arguments, frame)
        return UNKNOWN
    if receiver.name == DATASET and (made := called_dataset(receiver, name, arguments)) is not None:
        if changes_format(name) and isinstance(node.func, ast.Attribute):
            attributes.rebind(node.func.value, made, frame)
        return made
    if name in _MOVES:
        moved = _moved(receiver)
        if moved.fields != receiver.fields and isinstance(node.func, ast.Attribute):
            attributes.rebind(node.func.value, moved, frame)  # a module moves, whatever is made of what it returns
        return moved
    if receiver.record is None and prepared_loaders.prepares(receiver, name):
        return prepared_loaders.prepared(arguments, receiver)
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
    if name == "state_dict" and (is_known(module_output(engine, receiver)) or _is_optimizer(engine, receiver)):
        return host_methods.STATE_DICT
    runs_it = name in RUNS_WHAT_IT_IS_GIVEN or (name == "step" and _is_optimizer(engine, receiver))
    engine.note_handed_on(arguments, frame, node, is_certain=runs_it)
    if receiver.record is not None:
        found = host_methods.registration(receiver, name, arguments, frame)
        if found is not None:
            return found
        for base in ancestry.external_bases(engine, receiver.record):
            result = call_library_method(base, name, receiver, arguments, node, frame)
            if result is not None:
                return receiver if name in _KEEPS_RECEIVER else result
        if ancestry.may_inherit_from_outside(engine, receiver.record):
            if (implied := of_implied_class(name, arguments, node, frame)) is not None:
                return implied
        else:  # a class that derives from this one may have it
            engine.note_unresolved(name, arguments, frame, node)
            below = classes.implemented_elsewhere_below(engine, receiver.record, name)
            given = [call_object_method(instance_of(owner), name, arguments, node, frame) for owner in below]
            if given:
                return join_all(given)
    else:
        result = call_library_method(receiver.name, name, receiver, arguments, node, frame)
        if result is None and _GIVEN_TO_BACKBONES.issubset(arguments.keywords):
            result = call_library_method(receiver.name, "forward", receiver, arguments, node, frame)
        if runs_it and name == "step":
            result = _loss_of(arguments, node, frame) or result
        if name in _KEEPS_RECEIVER:
            return receiver
        if result is not None:
            return result
    return host_methods.unknown_method(name, arguments, node, frame, of_instance=True)


# What a model holds and is given these, such as its encoder, does with the mask what the model itself does.
# Source: transformers/masking_utils.py, which models call where they have the embeddings: `create_causal_mask(config=,
# inputs_embeds=, attention_mask=, ...)`, `create_bidirectional_mask`; what is within takes `hidden_states`. Of the
# classes of 5.24 that take both, 295 make the mask, and 35, such as `CLIPEncoder`, are given one that has been made.
_GIVEN_TO_BACKBONES = frozenset({"inputs_embeds", "attention_mask"})


def _loss_of(arguments: Arguments, node: ast.Call, frame: Frame) -> Value | None:
    """What the step of an optimizer returns: what the closure does that it is given (``torch/optim/optimizer.py``)."""
    closure = next(iter(arguments.all_values()), None)
    return frame.engine.call_with(closure, [], frame, node) if isinstance(closure, FunctionValue) else None


_MOVES = names_in("modules", "moves")


_KEEPS_RECEIVER = names_in("modules", "returning-themselves")


def _moved(instance: Instance) -> Instance:
    """An object after ``.to(device)`` or ``.cuda()``: what it holds is on the device."""
    return replace(instance, fields=tuple((key, value) for key, value in instance.fields if key != "device"))


def _is_optimizer(engine: Interpreter, instance: Instance) -> bool:
    return instance.record is None and ancestry.is_optimizer(engine, instance)
