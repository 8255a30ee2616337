"""Checks on the host that the device can make itself: ``assert x.all()`` and ``if x.any(): raise``."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.place import NoFixError, Place

_LATER = "a failed check shows up later, as a device error, after which the process can no longer use the device"
_WITHOUT_MESSAGE = ", and without its message"
_TO_TRUTH = frozenset({"all", "any"})
_TO_NUMBER = frozenset({"sum", "max", "min", "mean", "amax", "amin", "prod"})
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_CHECK_THERE = "Check it on the device"


def asserted(place: Place) -> Fix | None:
    """``assert x.all(), "…"`` as ``torch._assert_async(x.all(), "…")``."""
    statement = place.statement
    if not isinstance(statement, ast.Assert):
        return None
    message = statement.msg
    is_text = isinstance(message, ast.Constant) and isinstance(message.value, str)
    rest = f", {place.text(message)}" if message is not None and is_text else ""
    lost = "" if message is None or is_text else _WITHOUT_MESSAGE
    return _checked(place, statement, _condition(place, statement.test), rest, lost)


def raised(place: Place) -> Fix | None:
    """``if x.any(): raise …`` as ``torch._assert_async(~x.any())``."""
    statement = place.statement
    if not isinstance(statement, ast.If) or statement.orelse or len(statement.body) != 1:
        return None
    error = statement.body[0]
    if not isinstance(error, ast.Raise) or _is_elif(place, statement):
        return None
    test = statement.test
    is_negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    inner = _condition(place, test.operand if isinstance(test, ast.UnaryOp) and is_negated else test)
    is_one = not isinstance(test, ast.Compare)
    condition = inner if is_negated else f"~{inner}" if is_one else f"~({inner})"
    return _checked(place, statement, condition, _text_of(place, error))


def _checked(place: Place, statement: ast.stmt, condition: str, message: str, lost: str = "") -> Fix:
    source = f"{place.name('torch._assert_async')}({condition}{message})"
    return place.fix(_CHECK_THERE, place.rewritten(statement, source), caveat=f"{_LATER}{lost}")


def _is_elif(place: Place, statement: ast.If) -> bool:
    return place.text(statement).startswith("elif")


def _condition(place: Place, test: ast.expr) -> str:
    """The source of a boolean tensor of one element, what turns it into a Python boolean taken off."""
    while isinstance(test, ast.Call):
        is_bool = isinstance(test.func, ast.Name) and test.func.id == "bool" and len(test.args) == 1
        if is_bool and not place.binds("bool") and not test.keywords:
            test = test.args[0]
        elif isinstance(test.func, ast.Attribute) and test.func.attr == "item" and not test.args:
            test = test.func.value
        else:
            break
    if "tensor" not in place.fact(test).kinds or not (_is_reduced(test, _TO_TRUTH) or _is_comparison(place, test)):
        raise NoFixError
    return place.text(test)


def _is_reduced(node: ast.expr, methods: frozenset[str]) -> bool:
    """Whether an expression reduces a tensor to a 0-dim one."""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    return isinstance(node.func, ast.Attribute) and node.func.attr in methods


def _is_comparison(place: Place, node: ast.expr) -> bool:
    """Whether an expression compares a 0-dim tensor with a number."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], _ORDERS):
        return False
    other = place.fact(node.comparators[0])
    return _is_reduced(node.left, _TO_NUMBER) and "tensor" not in other.kinds


def _text_of(place: Place, error: ast.Raise) -> str:
    """The message of an exception that is always the same."""
    made = error.exc
    if isinstance(made, ast.Call) and len(made.args) == 1 and not made.keywords:
        text = made.args[0]
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            return f", {place.text(text)}"
    return ""
