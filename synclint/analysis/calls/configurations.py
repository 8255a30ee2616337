"""Configurations that make what they configure: ``config.build()`` calls a class on the configuration itself.

The class is the value of an attribute (``self._target(self)``), or, where a base class gives the attribute its value
as subclasses are made, the class in whose body that of the configuration stands.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.values import (
    ClassRecord,
    ClassValue,
    FunctionRecord,
    FunctionValue,
    Instance,
    Value,
    options,
)
from synclint.analysis.objects import classes
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.receivers import SelfGiven


def made(callee: FunctionValue, arguments: Arguments, node: ast.Call, frame: Frame) -> Value | None:
    """What a method of a configuration makes by calling a class on it; None for other methods.

    The class is called where the method is: a method that a hundred configurations inherit makes a hundred things.
    """
    receiver = callee.receiver
    if not isinstance(receiver, Instance) or receiver.record is None:
        return None
    for given in _given(receiver.record, callee.record.name):
        for owner in _owners(receiver, receiver.record, given.attribute, frame, node):
            constructor = classes.find_method(owner, "__init__")
            if constructor is None:
                return instance_of(owner)
            if (handed := _handed(constructor, given, receiver, arguments)) is not None:
                return frame.engine.apply(ClassValue(owner), handed, node, frame)
    return None


def _given(record: ClassRecord, name: str) -> Iterator[SelfGiven]:
    """The attributes that methods of this name call on their receivers, those that are overridden included."""
    for ancestor in record.ancestors:
        if (method := ancestor.methods.get(name)) is not None:
            yield from (given for given in method.calls_given_receiver if given.attribute not in record.all_methods)


def _owners(receiver: Instance, record: ClassRecord, name: str, frame: Frame, node: ast.Call) -> Iterator[ClassRecord]:
    """The class that a configuration is of: what the attribute holds, else the class around that of the object."""
    held = frame.engine.attribute(receiver, name, frame, node)
    known = [option.record for option in options(held) if isinstance(option, ClassValue)] if held is not None else []
    if known:
        yield from known
    elif record.enclosing is not None:
        yield record.enclosing


def _handed(
    constructor: FunctionRecord, given: SelfGiven, receiver: Instance, arguments: Arguments
) -> Arguments | None:
    """What a constructor gets: the configuration, and what its method was given; None if it does not take that."""
    if given.keyword is None:
        return Arguments([receiver, *arguments.positional], arguments.keywords, arguments.complete)
    if not any(parameter.kind == "**" or parameter.name == given.keyword for parameter in constructor.parameters):
        return None
    return Arguments(arguments.positional, {**arguments.keywords, given.keyword: receiver}, arguments.complete)
