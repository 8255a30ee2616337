"""Calls on abstract values: what is called, and what it returns."""

from __future__ import annotations

import ast

from synclint.analysis.annotations.presumed_loaders import without_presumption
from synclint.analysis.calls import engines, host_methods
from synclint.analysis.calls.called_objects import call_object
from synclint.analysis.calls.configured_results import as_configured
from synclint.analysis.calls.evaluated_arguments import evaluate_arguments
from synclint.analysis.calls.meant_options import meant, meant_below
from synclint.analysis.calls.methods import call_method
from synclint.analysis.calls.named_functions import call_named
from synclint.analysis.calls.opaque_calls import note_function, note_unknown
from synclint.analysis.calls.project_calls import call_class, call_function
from synclint.analysis.calls.super_calls import super_object
from synclint.analysis.calls.tensor_calls import tensor_call
from synclint.analysis.domain.callables import PARTIAL
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import (
    UNKNOWN,
    Alternatives,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Instance,
    Mapping,
    Nothing,
    Sequence,
    Symbol,
    Tensor,
    Unknown,
    Value,
)
from synclint.analysis.frequency.names import RUNS_WHAT_IT_IS_GIVEN, STARTS_WHAT_IT_IS_GIVEN
from synclint.analysis.objects import ancestry, attributes, batches
from synclint.analysis.objects.answers import note_answer
from synclint.analysis.state.frames import Arguments, Frame, Interpreter
from synclint.catalog.names import names_in
from synclint.findings import Phase

_EXPLAINING_ERRORS = names_in("torch", "explaining-errors")
_AT_THE_END = names_in("python", "running-at-the-end")


def call(node: ast.Call, frame: Frame) -> Value:
    """What a call returns; waits in it and in its arguments are reported."""
    if isinstance(node.func, ast.Name) and node.func.id == "super":
        return super_object(node, frame)
    return called(frame.engine.evaluate(node.func, frame), node, frame)


def called(callee: Value, node: ast.Call, frame: Frame) -> Value:
    """What a call returns whose function has been evaluated."""
    return apply(callee, evaluate_arguments(node, frame), node, frame)


def apply(callee: Value, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call a value."""
    callee = without_presumption(callee)
    if isinstance(callee, Alternatives):
        known: list[Value] = [option for option in callee.options if not isinstance(option, (Unknown, Nothing))]
        if any(isinstance(option, Unknown) for option in callee.options):
            note_unknown(node, frame)
        known = meant(known, arguments)
        doubtful = len(known) > 1 and all(map(_is_of_one_class, known)) and not _share_a_class(known, frame.engine)
        doubtful = doubtful or (any(map(_is_of_tensor, known)) and any(_is_of_untold(c, frame.engine) for c in known))
        frame.doubts += doubtful
        results = [_apply_one(option, arguments, node, frame) for option in known or [UNKNOWN]]
        frame.doubts -= doubtful
        return join_all(results)
    if isinstance(callee, Symbol):
        _note_handed_on(callee.name, arguments, node, frame)
        note_function(callee.name, arguments, node, frame)
        return as_configured(callee.name, call_named(callee.name, arguments, node, frame), frame)
    if isinstance(callee, BoundMethod):
        return call_method(callee, arguments, node, frame)
    if isinstance(callee, FunctionValue):
        if below := meant_below(callee, arguments, frame.engine):
            return join_all(apply(option, arguments, node, frame) for option in below)
        result = call_function(callee, arguments, node, frame)
        return as_configured(callee.record.qualified_name, result, frame)
    if isinstance(callee, ClassValue):
        return call_class(callee, arguments, node, frame)
    if isinstance(callee, Unknown):
        frame.engine.note_handed_on(arguments, frame, node, is_certain=False)
        note_unknown(node, frame)
        if isinstance(node.func, ast.Attribute):
            frame.engine.note_unresolved(node.func.attr, arguments, frame, node)
        note_answer(arguments, node, frame)
        return host_methods.of_unknown(node, arguments)
    if isinstance(callee, Instance):
        if callee.name == "typing.Callable":
            note_unknown(node, frame)
            return callee.given("returns") or UNKNOWN
        if callee.name == PARTIAL:
            return _partial(callee, arguments, node, frame)
        return call_object(callee, arguments, node, frame)
    if isinstance(callee, Tensor) and (method := batches.method_called(node, frame)) is not None:
        return tensor_call(method, callee, arguments, node, frame)
    note_unknown(node, frame)
    return UNKNOWN


# Source: Python's library reference, "Built-in Functions".
_ASKING = frozenset(
    f"builtins.{name}"
    for name in ("callable", "getattr", "hasattr", "hash", "id", "isinstance", "issubclass", "repr", "type")
)


def _note_handed_on(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """Remember the functions that one outside the project is given: that of a message runs only before an error.

    What only asks something about a function does not call it.
    """
    if name in _ASKING or name.startswith("inspect."):
        return
    when = "before the program aborts" if name in _EXPLAINING_ERRORS else "at the end" if name in _AT_THE_END else ""
    if when:
        frame.guard(Phase.ONCE, f"runs only {when}")
    last = name.rpartition(".")[2]
    is_certain, starts = bool(when) or last in RUNS_WHAT_IT_IS_GIVEN, last in STARTS_WHAT_IT_IS_GIVEN
    if name in engines.ENGINES:
        engines.note_process_function(arguments, frame)
    frame.engine.note_handed_on(arguments, frame, node, is_certain=is_certain, starts=starts)
    if when:
        frame.guards.pop()


def _apply_one(callee: Value, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call one of several values, which may be the one only where an option is set."""
    option = attributes.option_for(callee, node, frame)
    if not option:
        return apply(callee, arguments, node, frame)
    frame.guard(Phase.STEP, "", option=option)
    result = apply(callee, arguments, node, frame)
    frame.guards.pop()
    return result


def _is_of_one_class(callee: Value) -> bool:
    """Whether what is called is an object, or a method of one: of another class it would be something else."""
    receiver = callee.receiver if isinstance(callee, BoundMethod) else callee
    return isinstance(receiver, Instance)


def _is_of_tensor(callee: Value) -> bool:
    return isinstance(callee, BoundMethod) and isinstance(callee.receiver, Tensor)


def _is_of_untold(callee: Value, engine: Interpreter) -> bool:
    """Whether a method is that of an object of a class outside of which nothing but its name is known.

    It may well have a tensor's methods, as operators that stand for matrices do, and wait for nothing in them.
    """
    receiver = callee.receiver if isinstance(callee, BoundMethod) else None
    if not isinstance(receiver, Instance) or receiver.record is not None:
        return False
    return engine.api.class_(receiver.name) is None and receiver.name not in engine.catalog.classes


def _share_a_class(callees: list[Value], engine: Interpreter) -> bool:
    """Whether methods are those of objects that have a class in common, as far as libraries tell.

    Of classes of the project, that one has to have the method: each of them may change it, but none is without it.
    """
    shared: set[str] | None = None
    for callee in callees:
        if not isinstance(callee, BoundMethod) or not isinstance(callee.receiver, Instance):
            return False
        receiver = callee.receiver
        if receiver.record is None:
            bases = set(ancestry.library_bases(engine, receiver.name))
        else:
            outside = ancestry.external_bases(engine, receiver.record)
            bases = {base for base in outside if engine.api.class_method(base, callee.name)}
        shared = bases if shared is None else shared & bases
    return bool(shared)


def _partial(callee: Instance, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call what ``functools.partial`` made."""
    first, keywords = callee.given("positional"), callee.given("keywords")
    whole = Arguments(
        [*(first.items or () if isinstance(first, Sequence) else ()), *arguments.positional],
        {**dict(keywords.entries if isinstance(keywords, Mapping) else ()), **arguments.keywords},
        arguments.complete,
    )
    return apply(callee.given("function") or UNKNOWN, whole, node, frame)
