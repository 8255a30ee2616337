"""Which of several things that a call may be one of it can mean: those that take what it gives.

A model that is one of several classes, by a name in a checkpoint, is called as only some of them can be.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.calls.asked_methods import taken_by
from synclint.analysis.domain.values import ClassValue, FunctionRecord, FunctionValue, Instance, Tensor, Value
from synclint.analysis.models.overloads import choose_overload
from synclint.analysis.objects import classes
from synclint.analysis.results.signatures import Asked, Signature
from synclint.analysis.state.frames import Arguments, Interpreter
from synclint.catalog.torch_api import load_torch_api


def meant(options: list[Value], arguments: Arguments) -> list[Value]:
    """Those of several values that can be called so; all of them where none can."""
    if len(options) < 2 or not arguments.complete:
        return options
    return [option for option in options if _can_be_called(option, arguments)] or options


def meant_below(callee: FunctionValue, arguments: Arguments, engine: Interpreter) -> list[Value]:
    """The overrides of a method that can be called so, where that one cannot: the object is one of their classes."""
    method, receiver = callee.record, callee.receiver
    if not isinstance(receiver, Instance) or receiver.record is None or not arguments.complete:
        return []
    if len(arguments.positional) < len(method.parameters) and not (
        arguments.keywords and arguments.keywords.keys() - {one.name for one in method.parameters}
    ):
        return []  # nothing is given that it could not take
    if _can_be_called(callee, arguments):
        return []
    return [one for one in classes.overrides(engine, receiver.record, method.name) if _can_be_called(one, arguments)]


def _can_be_called(option: Value, arguments: Arguments) -> bool:
    if isinstance(option, Instance) and option.record is None:
        overloads = load_torch_api().class_method(option.name, "forward")
        return not overloads or choose_overload(overloads, arguments.positional, arguments.keywords) is not None
    record = _function_of(option)
    takes = taken_by(record) if record is not None else None
    if record is None or takes is None:
        return True
    asked = Asked("", len(arguments.positional), tuple(sorted(arguments.keywords)), is_open=False)
    return takes.fits(asked) and not any(
        isinstance(value, Tensor) and _is_flag(record, name) for name, value in _given(takes, arguments)
    )


def _function_of(option: Value) -> FunctionRecord | None:
    """The function that runs where a value is called; None where it is not the project's, or an object comes first."""
    if isinstance(option, FunctionValue):
        is_bound = option.record.receiver is None or option.receiver is not None
        return option.record if is_bound else None
    if isinstance(option, ClassValue):
        return classes.find_method(option.record, "__init__")
    if isinstance(option, Instance) and option.record is not None:
        return classes.find_method(option.record, "__call__") or classes.find_method(option.record, "forward")
    return None


def _given(takes: Signature, arguments: Arguments) -> Iterator[tuple[str, Value]]:
    """What is given for each parameter."""
    yield from zip(takes.positional, arguments.positional, strict=False)
    yield from arguments.keywords.items()


def _is_flag(record: FunctionRecord, name: str) -> bool:
    """Whether a parameter is true or false by default, and therefore no tensor of a batch."""
    default = next((one.default for one in record.parameters if one.name == name), None)
    return isinstance(default, ast.Constant) and isinstance(default.value, bool)
