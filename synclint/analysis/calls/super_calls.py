"""``super()``, along the method resolution order of the receiver's class."""

from __future__ import annotations

import ast

from synclint.analysis.calls.evaluated_arguments import evaluate_arguments
from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.values import UNKNOWN, ClassValue, Instance, Value, is_known
from synclint.analysis.state.frames import Frame


def super_object(node: ast.Call, frame: Frame) -> Value:
    """``super()``, or ``super(Class, self)``: what comes after a class in the order of the receiver's."""
    given = evaluate_arguments(node, frame).positional
    if len(given) == 2 and isinstance(given[0], ClassValue):
        made = given[1] if is_known(given[1]) else instance_of(given[0].record)
        return Instance("builtins.super", None, (("class", given[0]), ("self", made)))
    function = frame.function
    while function is not None and function.owner is None:
        function = function.parent
    if function is None or function.owner is None or not function.parameters:
        return UNKNOWN
    receiver = frame.lookup(function.parameters[0].name)  # that of `__new__` as well, which is a static method
    return Instance("builtins.super", None, (("class", ClassValue(function.owner)), ("self", receiver or UNKNOWN)))
