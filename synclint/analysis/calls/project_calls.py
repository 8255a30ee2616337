"""Calls of functions and classes of the project."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.calls import configurations, host_methods
from synclint.analysis.calls.entry_checks import check_entries
from synclint.analysis.calls.handed_through import given_through
from synclint.analysis.calls.library_classes import call_library_method, given_to_library
from synclint.analysis.calls.opaque_calls import note_decorators
from synclint.analysis.domain.callables import classes_of, instance_of
from synclint.analysis.domain.module_containers import container_of_class, made_container
from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassRecord,
    ClassValue,
    Device,
    DeviceName,
    FunctionValue,
    Instance,
    Sequence,
    Value,
    is_known,
    options,
)
from synclint.analysis.models.overloads import choose_overload
from synclint.analysis.models.torch_results import Bound
from synclint.analysis.objects import ancestry, classes, data_classes, records
from synclint.analysis.objects.distributions import DISTRIBUTION
from synclint.analysis.program.patterns import without_marks
from synclint.analysis.state.frames import Arguments, Frame


def call_function(callee: FunctionValue, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call a function or a method of the project."""
    if isinstance(callee.receiver, Instance):
        host_methods.registration(callee.receiver, callee.record.name, arguments, frame)
    if without_marks(callee.record.qualified_name) in frame.engine.entries:
        _check_own_entries(callee, arguments, node, frame)
    note_decorators(callee.record, node, frame)
    result = frame.engine.call(callee, arguments, frame, node)
    result = given_through(callee.record, result, arguments, node, frame)
    made = configurations.made(callee, arguments, node, frame) if not is_known(result) else None
    return result if made is None else made


def _check_own_entries(callee: FunctionValue, arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """Report what the catalogue says of a function of the project, by the names of its own parameters."""
    names = [parameter.name for parameter in callee.record.parameters if parameter.kind in ("positional", "keyword")]
    if callee.record.receiver is not None:
        names = names[1:]
    bound: Bound = {**dict(zip(names, arguments.positional, strict=False)), **arguments.keywords}
    if callee.receiver is not None:
        bound["self"] = callee.receiver
    check_entries((without_marks(callee.record.qualified_name),), bound, None, arguments, node, frame)


def call_class(callee: ClassValue, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call a class of the project: by the metaclass, where that one has a method for it.

    What comes back is an object of this very class unless it is known to be something else.
    """
    made_by = classes.call_of_metaclass(frame.engine, callee.record)
    if made_by is None:
        return construct(callee, arguments, node, frame)
    if isinstance(made_by, FunctionValue):
        result = frame.engine.call(made_by, arguments, frame, node)
        if is_known(result):
            is_own = any(isinstance(one, Instance) and callee.record in classes_of(one) for one in options(result))
            return instance_of(callee.record) if is_own else result
    # What such a metaclass gives to a constructor outside the project is anybody's guess.
    return _constructed(callee.record, arguments, node, frame) or instance_of(callee.record)


def construct(callee: ClassValue, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Make an instance of a class of the project, as ``type`` does."""
    record = callee.record
    data_classes.note_given(record, arguments, frame)
    made = _constructed(record, arguments, node, frame)
    if isinstance(made, Instance) and made.record is record:
        return _with_given(made, record, arguments, frame)
    if made is not None:
        return made
    held_by = container_of_class(record)
    if held_by is not None:
        return made_container(record, held_by, Sequence("tuple", tuple(arguments.positional)))
    instance = instance_of(record)
    bases = ancestry.external_bases(frame.engine, record)
    for base in bases:
        if call_library_method(base, "__init__", instance, arguments, node, frame) is not None:
            break
    if DISTRIBUTION in bases:
        return replace(instance, fields=tuple(_given_to(bases[0], arguments, frame).items()))
    return _with_given(instance, record, arguments, frame)


def made_by_library(callee: ClassValue, arguments: Arguments, frame: Frame) -> Value:
    """What a method of a library's class gives that makes an object of the class on which it is called."""
    return _with_given(instance_of(callee.record), callee.record, arguments, frame)


def _with_given(instance: Instance, record: ClassRecord, arguments: Arguments, frame: Frame) -> Instance:
    """An object with what the constructor of its class of a library is given, if entries ask about that.

    A constructor of the class's own hands on what it is given under the same name. What the class says instead of a
    default of the library's holds where nothing is given.
    """
    model = next((one for one in classes.library_models(frame.engine, record) if one.parameters), None)
    if model is None:
        return instance
    given = given_to_library(model, arguments)
    if classes.find_method(record, "__init__") is not None:
        given = {name: arguments.keywords.get(name, UNKNOWN) for name in given}
    for ancestor in record.ancestors:
        given = {**{name: ancestor.scope[name] for name in model.parameters if name in ancestor.scope}, **given}
    return replace(instance, fields=tuple({**dict(instance.fields), **given}.items()))


def _given_to(name: str, arguments: Arguments, frame: Frame) -> Bound:
    """What the constructor of a class outside the project is given, by the names of its parameters."""
    known = frame.engine.api.class_(name)
    overloads = known.constructor if known is not None else ()
    chosen = choose_overload(overloads, arguments.positional, arguments.keywords, not arguments.complete)
    return chosen[1] if chosen is not None else {}


def _constructed(record: ClassRecord, arguments: Arguments, node: ast.Call, frame: Frame) -> Value | None:
    """An instance of a class, None where the constructor is one outside the project."""
    engine = frame.engine
    instance = instance_of(record)
    constructor = classes.find_method(record, "__init__")
    if constructor is not None:
        engine.call(FunctionValue(constructor, instance), arguments, frame, node)
        return instance
    if ancestry.is_a(engine, record, ancestry.METRIC):
        return replace(instance, fields=(("device", DeviceName(Device.CPU)),))
    return records.constructed(record, arguments, node, frame)
