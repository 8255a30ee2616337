"""Methods that Python itself calls of an object: what a ``with`` statement enters, what is turned into text."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from synclint.analysis.domain.values import FunctionValue, Instance, Value, options
from synclint.analysis.objects import classes
from synclint.analysis.state.frames import Arguments, Frame

# What Python asks for the text of an object, the first one that its class has.
# Source: the Python reference, "Basic customization".
_OF_TEXT = ("__str__", "__repr__")


def call_special(
    receiver: Instance, name: str, arguments: Iterable[Value], frame: Frame, node: ast.AST
) -> Value | None:
    """What a method of the project returns to Python for an object; None if its class has none of its own."""
    method = classes.find_method(receiver.record, name) if receiver.record is not None else None
    if method is None:
        return None
    return frame.engine.call(FunctionValue(method, receiver), Arguments([*arguments]), frame, node)


def made_text(value: Value, frame: Frame, node: ast.AST) -> None:
    """Call what makes text of an object."""
    for option in options(value):
        if isinstance(option, Instance):
            for name in _OF_TEXT:
                if call_special(option, name, (), frame, node) is not None:
                    break
