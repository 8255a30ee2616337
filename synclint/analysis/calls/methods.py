"""Calls of methods, by what the receiver is."""

from __future__ import annotations

import ast

from synclint.analysis.annotations.presumed_scalers import SCALER
from synclint.analysis.calls import engines, host_methods, tensor_methods
from synclint.analysis.calls.dictionaries_by_use import asked_as_dictionary
from synclint.analysis.calls.implied_classes import note_drawn, of_implied_class
from synclint.analysis.calls.object_methods import call_object_method
from synclint.analysis.calls.opaque_calls import note_unknown
from synclint.analysis.calls.project_calls import construct, made_by_library
from synclint.analysis.calls.tensor_calls import tensor_call
from synclint.analysis.domain.callables import partial_of
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import (
    NOTHING,
    UNKNOWN,
    Array,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Unknown,
    Value,
    is_known,
    options,
)
from synclint.analysis.frequency.names import RUNS_WHAT_IT_IS_GIVEN, STARTS_WHAT_IT_IS_GIVEN
from synclint.analysis.objects import ancestry, classes
from synclint.analysis.objects.answers import answered, held_by_tensor, is_asked_of_answer
from synclint.analysis.objects.array_libraries import uses_arrays, uses_torch
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.objects.usages import MASK_METHODS, given_to_backward
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.walk import compares_elements
from synclint.catalog.names import facts_of, names_in
from synclint.findings import Confidence, Phase


def call_method(callee: BoundMethod, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call a method that has been taken from a value."""
    receiver, name = classes.dictionary_of(frame.engine, callee.receiver), callee.name
    if (start := given_to_backward(node)) is not None and not is_known(frame.scope.get(start.id, NOTHING)):
        frame.know(start.id, Tensor(trust=Confidence.MEDIUM))
    if name in _SCALER_METHODS and _is_used_as_scaler(receiver, node, frame):
        receiver = SCALER
    if name == "__get__" and isinstance(receiver, FunctionValue) and arguments.positional:
        return partial_of(receiver, arguments.positional[0])
    if name == "__iter__":
        return receiver
    if name == "__next__":
        return iterate(receiver)
    if isinstance(receiver, Tensor):
        if (entries := asked_as_dictionary(name, receiver, node, frame)) is not None:
            return host_methods.method(entries, name, arguments, node, frame)
        return tensor_call(name, receiver, arguments, node, frame)
    if name in _HOOKS:
        frame.guard(Phase.ONCE, _HOOKS[name])
        frame.engine.note_handed_on(arguments, frame, node, is_certain=True)
        frame.guards.pop()
    if name == engines.REGISTERING:
        engines.note_handler(arguments, node, frame)
    if name in _HOOKS_OF_STEPS and not _takes_hooks_away(frame):
        for given in arguments.positional[:1]:
            if isinstance(given, FunctionValue):
                frame.engine.note_hooked(given.record, frame.module, "is a hook, which runs")
    if not frame.module.is_test and not isinstance(receiver, _BUILT_IN_KINDS) and not _is_outside(receiver):
        frame.engine.note_called_on_unknown(name, frame.module, by_place=bool(arguments.positional))
    if isinstance(receiver, Instance):
        if receiver.name == ancestry.MODULE and not frame.engine.api.class_method(ancestry.MODULE, name):
            frame.engine.note_unresolved(name, arguments, frame, node, of_module=True)
        return call_object_method(receiver, name, arguments, node, frame)
    is_certain, starts = name in RUNS_WHAT_IT_IS_GIVEN, name in STARTS_WHAT_IT_IS_GIVEN
    frame.engine.note_handed_on(arguments, frame, node, is_certain=is_certain, starts=starts)
    if name in ("to", "cuda") and isinstance(receiver, (Unknown, BoundMethod)):
        if tensor_methods.is_brought(node, frame):
            # The line is known; what comes of it may be more than a tensor.
            tensor_call(name, Tensor(trust=Confidence.MEDIUM), arguments, node, frame)
            return UNKNOWN
    if isinstance(receiver, (Unknown, BoundMethod)):
        if name == "update":
            host_methods.keep_entries(node, arguments, frame)
        if is_asked_of_answer(name, node, receiver, frame) or _is_asked_of_comparison(name, node, frame):
            return tensor_call(name, answered(node, frame), arguments, node, frame)
        if (held := held_by_tensor(name, receiver, node, frame)) is not None:
            return tensor_call(name, held, arguments, node, frame)
        frame.engine.note_unresolved(name, arguments, frame, node)
        note_drawn(name, node, frame)
        if (found := of_implied_class(name, arguments, node, frame)) is not None:
            return found
        return host_methods.unknown_method(name, arguments, node, frame)
    if isinstance(receiver, _BUILT_IN_KINDS):
        return host_methods.method(receiver, name, arguments, node, frame)
    if isinstance(receiver, ClassValue) and name != "__call__":
        return made_by_library(receiver, arguments, frame)
    note_unknown(node, frame)
    if name == "__call__":  # that of ``type``, which a metaclass calls through ``super()``
        called = [option for option in options(receiver) if isinstance(option, ClassValue)]
        return join_all(construct(one, arguments, node, frame) for one in called) if called else UNKNOWN
    return UNKNOWN


def _is_asked_of_comparison(name: str, node: ast.Call, frame: Frame) -> bool:
    """Whether ``(a == b).all()`` is called where there are tensors and no arrays: other comparisons have no methods."""
    if name not in MASK_METHODS or not isinstance(node.func, ast.Attribute):
        return False
    compared = node.func.value
    is_mask = isinstance(compared, ast.Compare) and compares_elements(compared)
    return is_mask and uses_torch(frame) and not uses_arrays(frame)


_BUILT_IN_KINDS = (Sequence, Mapping, Text, Array, Scalar)


def _is_outside(receiver: Value) -> bool:
    """Whether a value is an object of a class that is not of the project."""
    return isinstance(receiver, Instance) and receiver.record is None and receiver.name != "builtins.super"


def _takes_hooks_away(frame: Frame) -> bool:
    """Whether the function that registers a hook takes one away as well, having looked at a few calls."""
    return frame.function is not None and any(node.attr == "remove" for node in frame.function.nodes.of(ast.Attribute))


_HOOKS = facts_of("called", "hooks")
_HOOKS_OF_STEPS = names_in("called", "hooks-of-steps")
_SCALER_METHODS = frozenset({"step", "get_scale"})


def _is_used_as_scaler(receiver: Value, node: ast.Call, frame: Frame) -> bool:
    """Whether something of which nothing is known is a gradient scaler, by what is done with it in the same file."""
    if not isinstance(receiver, (Unknown, BoundMethod)) or not isinstance(node.func, ast.Attribute):
        return False
    owner = node.func.value
    name = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
    return name in frame.module.scalers
