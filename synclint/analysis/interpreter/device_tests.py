"""Tests of where something is, such as ``x.device.type == "cuda"``, and what they say of the code behind them."""

from __future__ import annotations

import ast

from synclint.analysis.domain.values import UNKNOWN, DeviceName, FunctionRecord, FunctionValue, Symbol, Text, Value
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name

# What texts that name a GPU begin with: PyTorch's own name of it, and what options of programs call it.
_GPUS = ("cuda", "gpu", "GPU")


def current(path: str | None, node: ast.expr, frame: Frame) -> Value:
    """The value of a name or path, without reporting anything that evaluating it would."""
    if path is None:
        return UNKNOWN
    if path in frame.scope:
        return frame.scope[path]
    frame.muted += 1
    value = frame.evaluate(node)
    frame.muted -= 1
    return value


def arguments_of(call: ast.Call) -> list[ast.expr]:
    """What a call is given, by whatever means."""
    positional = [argument.value if isinstance(argument, ast.Starred) else argument for argument in call.args]
    return [*positional, *(keyword.value for keyword in call.keywords)]


def text_of(node: ast.expr) -> str | None:
    """What a string literal says."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def runs_on_a_gpu(test: ast.expr, outcome: bool, frame: Frame) -> bool | None:
    """Whether what is asked for its place is on a GPU where a test has an outcome; None where that is not told.

    Where it is not, nothing waits for a GPU: ``x.device.type == "cpu"``, ``not x.is_cuda``. So it is with a function of
    the project that returns such a test of what it is given.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return runs_on_a_gpu(test.operand, not outcome, frame)
    if isinstance(test, ast.Attribute) and test.attr in ("is_cuda", "is_cpu"):
        return outcome is (test.attr == "is_cuda")
    if isinstance(test, ast.Call):
        returned, inside = _returned_test(test, frame)
        return None if returned is None else runs_on_a_gpu(returned, outcome, inside)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    operator, left, right = test.ops[0], test.left, test.comparators[0]
    if isinstance(operator, (ast.In, ast.NotIn)):
        is_inside = outcome is isinstance(operator, ast.In)
        return False if _is_excluded_by_membership(left, right, frame, is_inside) else None
    if not isinstance(operator, EQUALITY):
        return None
    literal = _device_literal(right)
    if literal is None or not is_of_device(left, right, frame):
        return None
    equal, on_cuda = outcome is isinstance(operator, (ast.Eq, ast.Is)), literal.startswith(_GPUS)
    return on_cuda is equal if on_cuda or equal else None


def _returned_test(call: ast.Call, frame: Frame) -> tuple[ast.expr | None, Frame]:
    """What a function of the project returns, if that is all it does, and a frame that holds what the call gives it."""
    path = dotted_name(call.func)
    called = current(path, call.func, frame)
    called = frame.engine.resolve(called.name) if isinstance(called, Symbol) else called
    if not isinstance(called, FunctionValue):
        return None, frame
    returned = _only_tests(called.record)
    if returned is None:
        return None, frame
    parameters = [one.name for one in called.record.parameters]
    given = [*zip(parameters, call.args, strict=False), *((one.arg, one.value) for one in call.keywords)]
    scope = {name: current("", node, frame) for name, node in given if name is not None}
    return returned, Frame(frame.engine, called.record.module, called.record, scope)


@text_fact
def _only_tests(record: FunctionRecord) -> ast.expr | None:
    """The test of which a function returns the outcome, if that is all it does."""
    if not isinstance(record.node, ast.FunctionDef):
        return None
    body = [one for one in record.node.body if not isinstance(one, ast.Expr) or text_of(one.value) is None]
    returned = asked = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    while isinstance(asked, ast.UnaryOp) and isinstance(asked.op, ast.Not):
        asked = asked.operand
    return returned if isinstance(asked, (ast.Attribute, ast.Compare)) else None


EQUALITY = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)


def is_of_device(left: ast.expr, right: ast.expr, frame: Frame) -> bool:
    """Whether a comparison asks for a device: ``device != torch.device("cuda")``."""
    literal = _device_literal(right)
    return literal is not None and (_is_device_text(left, frame) or _may_name(left, literal, frame))


def _device_literal(node: ast.expr) -> str | None:
    """The device that is written out: ``"cuda:0"``, ``torch.device("cpu")``."""
    if isinstance(node, ast.Call) and dotted_name(node.func) in ("torch.device", "device"):
        return next(map(text_of, arguments_of(node)), None)
    return text_of(node)


def _is_excluded_by_membership(left: ast.expr, right: ast.expr, frame: Frame, inside: bool) -> bool:
    """``x.device.type in ("cpu", "xpu")``, ``"mps" in str(device)``: whether a GPU is excluded."""
    if (literal := text_of(left)) is not None and _is_device_text(right, frame):
        return bool(literal) and inside is not literal.startswith(_GPUS) and (inside or literal in _GPUS)
    if not isinstance(right, (ast.Tuple, ast.List, ast.Set)) or not inside:
        return False
    texts = [text for element in right.elts if (text := text_of(element)) is not None]
    is_told = len(texts) == len(right.elts) and _is_device_text(left, frame)
    return is_told and not any(text.startswith(_GPUS) for text in texts)


def _is_device_text(node: ast.expr, frame: Frame) -> bool:
    """Whether an expression is the name of a device: ``x.device.type``, ``str(device)``, ``device``."""
    if isinstance(node, ast.Call) and dotted_name(node.func) == "str" and (arguments := arguments_of(node)):
        return _is_device_text(arguments[0], frame)
    if isinstance(node, ast.Attribute) and node.attr == "type":
        node = node.value
    path = dotted_name(node)
    if path is None:
        return isinstance(node, ast.Attribute) and node.attr == "device"
    if path.rpartition(".")[2] in ("device", "device_type"):
        return True
    value = current(path, node, frame)
    return isinstance(value, DeviceName) or (isinstance(value, Text) and value.literal in ("cuda", "cpu"))


def _may_name(node: ast.expr, literal: str, frame: Frame) -> bool:
    """Whether an expression is some text, which is the name of a device if it is compared with one."""
    is_device = literal.partition(":")[0] in ("cpu", "cuda")
    value = current(dotted_name(node), node, frame)
    return is_device and isinstance(value, Text) and value.is_any


def holder_of(node: ast.expr) -> ast.expr:
    """``x`` of ``x.device.type``, ``str(x.device)``."""
    while True:
        if isinstance(node, ast.Call) and (arguments := arguments_of(node)):
            node = arguments[0]
        elif isinstance(node, ast.Attribute) and node.attr in ("type", "device"):
            node = node.value
        else:
            return node
