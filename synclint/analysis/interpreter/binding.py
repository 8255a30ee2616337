"""What the parameters of a function are bound to under a call."""

from __future__ import annotations

from synclint.analysis.annotations.presumed_loaders import without_presumption
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.summaries import generalised
from synclint.analysis.domain.values import (
    BOOLEAN,
    NEVER,
    NOTHING,
    UNKNOWN,
    FunctionValue,
    Mapping,
    Never,
    Nothing,
    Scalar,
    Sequence,
    Tensor,
    Unknown,
    Value,
    is_known,
    is_of_unknown,
    options,
)
from synclint.analysis.objects import annotated_values, parameters
from synclint.analysis.objects.asserted_places import asserted_on_host, on_host
from synclint.analysis.objects.before_uploads import before_upload
from synclint.analysis.objects.uploads_ahead import uploads_of_parameters
from synclint.analysis.program.heads import Parameter
from synclint.analysis.state.frames import Arguments, Interpreter
from synclint.analysis.state.join_points import Scope


def bound(engine: Interpreter, target: FunctionValue, arguments: Arguments, assumed: Scope) -> Scope:
    """The parameters of a function under a call: what is unknown of an argument, its own text may have ``assumed``."""
    record, receiver = target.record, target.receiver
    positional = arguments.positional
    if receiver is not None and record.owner is not None and not record.is_static:
        positional = [receiver, *positional]
    keywords = dict(arguments.keywords)
    at, given = 0, len(positional)
    scope: Scope = {}
    for parameter in record.parameters:
        name, kind = parameter.name, parameter.kind
        if kind == "positional" and at < given:
            scope[name] = _argument(positional[at], parameter, assumed, target, engine)
            at += 1
        elif kind == "*":
            scope[name] = _further(positional[at:], arguments)
            at = given
        elif kind == "**":
            scope[name] = Mapping(tuple(keywords.items()), NEVER if arguments.complete else arguments.others)
        elif name in keywords:
            scope[name] = _argument(keywords.pop(name), parameter, assumed, target, engine)
        elif parameter.default is not None and arguments.complete:
            scope[name] = parameters.default_value(engine, record, parameter)
        else:
            scope[name] = _perhaps_of_batch(parameter, arguments, assumed)
    uploads = uploads_of_parameters(engine, record)
    for name in scope.keys() & uploads.parameters:
        scope[name] = before_upload(scope[name], name, uploads)
    for name in scope.keys() & asserted_on_host(record):
        scope[name] = on_host(scope[name])
    return scope


def _perhaps_of_batch(parameter: Parameter, arguments: Arguments, assumed: Scope) -> Value:
    """What no argument of a known name is passed for: by ``**batch`` it may be a part of the batch."""
    others, meant = arguments.others, assumed.get(parameter.name, UNKNOWN)
    told = [option for option in options(meant) if not isinstance(option, Unknown)]
    if not isinstance(others, Tensor) or any(not isinstance(option, Nothing) for option in told):
        return meant
    return join(NOTHING, others) if told else others


def _further(positional: list[Value], arguments: Arguments) -> Sequence:
    """What ``*args`` are."""
    if arguments.complete or isinstance(arguments.more, Never):
        return Sequence("tuple", tuple(positional))
    return Sequence("tuple", None, join_all([*positional, arguments.more]))


def _argument(value: Value, parameter: Parameter, assumed: Scope, target: FunctionValue, engine: Interpreter) -> Value:
    meant = assumed.get(parameter.name, UNKNOWN)
    value = without_presumption(value)
    if not is_known(value) or (is_known(meant) and is_of_unknown(value)):
        return meant if is_known(meant) else value
    if isinstance(meant, Scalar):
        value = annotated_values.as_one_number(value)
    if isinstance(value, Sequence):
        value = parameters.as_counters(value, parameter.name)
    is_declared = parameter.annotation is not None or (
        meant == BOOLEAN and parameter.name in parameters.documented_parameters(engine, target.record)
    )
    if isinstance(value, Mapping) and parameters.questioned(target.record):
        is_declared = False  # the annotation may be too narrow: the body asks whether something is a tensor
    return generalised(annotated_values.as_annotated(value, meant) if is_declared else value)
