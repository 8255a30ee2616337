"""Calls of objects: ``__call__``, or ``forward`` of a module."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.calls import host_methods, library_functions
from synclint.analysis.calls.distributed_inputs import report_copied_inputs
from synclint.analysis.calls.library_classes import call_library_method
from synclint.analysis.calls.opaque_calls import note_method, note_unknown
from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.module_containers import SEQUENTIAL, modules_in
from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassRecord,
    FunctionValue,
    Instance,
    Mapping,
    Sequence,
    Tensor,
    Value,
    is_known,
    options,
)
from synclint.analysis.domain.wrapped_modules import given_to_wrapped, wrapped_module
from synclint.analysis.objects import ancestry, classes
from synclint.analysis.objects.descendants import definitions_below
from synclint.analysis.state.frames import Arguments, Frame, Interpreter
from synclint.findings import Confidence

_MOST_SUBCLASSES = 8
_MOST_CANDIDATES = 24


def call_object(callee: Instance, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call an object: ``__call__``, or ``forward`` of a module."""
    engine = frame.engine
    if callee.record is not None:
        for name in ("__call__", "forward"):
            method = classes.find_method(callee.record, name)
            if method is not None:
                return engine.call(FunctionValue(method, callee), arguments, frame, node)
        outside = ancestry.external_bases(engine, callee.record)
        if ancestry.METRIC in outside and (computed := _measured(callee, arguments, node, frame)) is not None:
            return computed
        for base in outside:
            found = call_library_method(base, "forward", callee, arguments, node, frame)
            if found is not None and is_known(found):
                return found
        if (made := _by_subclasses(callee.record, arguments, node, frame)) is not None:
            return made
        note_unknown(node, frame)
        return module_output(engine, callee)
    if is_known(tokens := host_methods.tokens(arguments)):
        return tokens
    if (wrapped := _wrapped(engine, callee, arguments)) is not None:
        return wrapped
    if callee.name.endswith(".Compose"):
        return _composed(callee, arguments, node, frame)
    if callee.name == SEQUENTIAL:
        return _in_turn(callee, arguments, node, frame)
    if (module := wrapped_module(callee)) is not None:
        return _passed_on(callee, module, arguments, node, frame)
    note_method(callee, "__call__" if engine.api.class_method(callee.name, "__call__") else "forward", node, frame)
    for name in ("__call__", "forward"):
        found = call_library_method(callee.name, name, callee, arguments, node, frame)
        if found is not None and is_known(found):
            return found
    return module_output(engine, callee)


def _measured(metric: Instance, arguments: Arguments, node: ast.Call, frame: Frame) -> Value | None:
    """Call a metric of the project's own: it is updated by what it is given, and then computed.

    Source: ``Metric.forward`` in torchmetrics/metric.py.
    """
    assert metric.record is not None
    update, compute = (classes.find_method(metric.record, name) for name in ("update", "compute"))
    if update is None or compute is None:
        return None
    frame.engine.call(FunctionValue(update, metric), arguments, frame, node)
    return frame.engine.call(FunctionValue(compute, metric), Arguments([]), frame, node)


def _by_subclasses(record: ClassRecord, arguments: Arguments, node: ast.Call, frame: Frame) -> Value | None:
    """What calling an object gives whose class leaves that to its subclasses; None where these do not say it either.

    Where there are many of them, any may be meant, and none of them gets what the call passes. What derives from the
    class from which all modules of a project do says nothing.
    """
    engine = frame.engine
    methods = definitions_below(engine, record, "forward")
    if len(methods) > _MOST_CANDIDATES:
        return None
    if len(methods) > _MOST_SUBCLASSES:
        engine.note_handed_on(Arguments([*methods]), frame, node, is_certain=False)
        return None
    known = [value for method in methods if is_known(value := engine.call(method, arguments, frame, node))]
    return join_all(known) if known else None


def _wrapped(engine: Interpreter, callee: Instance, arguments: Arguments) -> Value | None:
    """``torch.enable_grad()(closure)``: a function that does what it did; None for objects that wrap no function."""
    overloads = engine.api.class_method(callee.name, "__call__")
    is_wrapper = any(parameter.name == "orig_func" for known in overloads for parameter in known.parameters)
    return library_functions.first(arguments) if is_wrapper and arguments.positional else None


def _composed(callee: Instance, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call transforms one after the other: those of albumentations take and give what is called ``image``."""
    steps = callee.given("transforms")
    known = steps.items if isinstance(steps, Sequence) and steps.items is not None else ()
    value = library_functions.first(arguments)
    for step in known:
        result = frame.engine.apply(step, Arguments([value]), node, frame)
        value = result if is_known(result) else value
    return value if arguments.positional else Mapping((), value)


def _passed_on(callee: Instance, module: Value, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call the module of a wrapper, which may wait on its own account."""
    call_library_method(callee.name, "__call__", callee, arguments, node, frame)
    report_copied_inputs(callee, arguments, node, frame)
    given = given_to_wrapped(callee, arguments.positional)
    named = dict(zip(arguments.keywords, given_to_wrapped(callee, arguments.keywords.values()), strict=True))
    result = frame.engine.apply(module, replace(arguments, positional=given, keywords=named), node, frame)
    return result if is_known(result) else module_output(frame.engine, callee)


def _in_turn(callee: Instance, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call the modules of a ``Sequential`` one after the other; one that stands for many is called once."""
    held = modules_in(callee)
    modules = (held.items or (any_item(held),)) if isinstance(held, Sequence) else ()
    value = library_functions.first(arguments)
    for module in modules:
        result = frame.engine.apply(module, Arguments([value]), node, frame) if _is_of_project(module) else UNKNOWN
        value = result if is_known(result) else module_output(frame.engine, callee)
    return value if modules else module_output(frame.engine, callee)


def _is_of_project(value: Value) -> bool:
    """Whether a value may be an object of a class of the project."""
    return any(isinstance(option, Instance) and option.record is not None for option in options(value))


def module_output(engine: Interpreter, callee: Instance) -> Value:
    """What a module of unknown ``forward`` returns: a tensor, as a rule."""
    bases = (
        ancestry.external_bases(engine, callee.record)
        if callee.record is not None
        else ancestry.library_bases(engine, callee.name)
    )
    return Tensor(trust=Confidence.MEDIUM) if ancestry.MODULE in bases else UNKNOWN
