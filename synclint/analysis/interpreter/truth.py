"""Expressions whose truth is asked for, and those that choose by it: tests, ``and``, ``or``, comparisons."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.calls.searches import search
from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.paces import DRAWN, compared, conjoined, pace_of
from synclint.analysis.domain.selection import truth
from synclint.analysis.domain.tensors import device_tensor_of, tensor_of
from synclint.analysis.domain.values import (
    BOOLEAN,
    UNKNOWN,
    BoundMethod,
    DeviceName,
    Mapping,
    Pace,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.analysis.interpreter import guards
from synclint.analysis.interpreter.asked_for import option_behind
from synclint.analysis.interpreter.counters import draws, of_bound, under_guard
from synclint.analysis.interpreter.device_tests import runs_on_a_gpu
from synclint.analysis.interpreter.narrowing import constant, narrowed
from synclint.analysis.interpreter.operator_methods import by_operator_method
from synclint.analysis.models.operators import comparison
from synclint.analysis.models.torch_results import legacy_type
from synclint.analysis.objects import batches
from synclint.analysis.objects.answers import as_operand
from synclint.analysis.objects.attributes import may_be_of_tensor
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, walk
from synclint.findings import Confidence, Phase


def test(node: ast.expr, frame: Frame, construct: str = "condition") -> Value:
    """Evaluate an expression whose truth is asked for: of a tensor on the device, the host waits for it.

    ``a and b`` has asked for the truth of ``a``, and does not again.
    """
    if isinstance(node, ast.BoolOp):
        value, last = _operands(node, frame)
        _ask_truth(last, node.values[-1], frame, construct)
        return frame.record(node, value)
    if isinstance(node, ast.Lambda):
        return _TRUE  # as any function; nobody has it, so that it is never called
    value = frame.evaluate(node)
    _note_pace(node, value, frame)
    _ask_truth(value, node, frame, construct)
    return value


_TRUE = Scalar("bool", True)


def _note_pace(node: ast.expr, value: Value, frame: Frame) -> None:
    """Remember with a test which of its outcomes is the seldom one, if any is: what stands behind it asks for that."""
    if isinstance(node, (ast.BoolOp, ast.Compare)):
        return  # it has been noted with its operands
    pace = pace_of(value) or _pace_of_any(node, frame)
    if pace is None and frame.paces and isinstance(node, ast.Name) and node.id in frame.tests:
        pace = frame.paces.get(frame.tests[node.id])
    _keep_pace(node, pace, frame)


def _pace_of_any(node: ast.expr, frame: Frame) -> Pace | None:
    """The pace of ``any([...])`` and ``all([...])``, which are ``or`` and ``and`` of what is written in them."""
    if not frame.paces or not isinstance(node, ast.Call) or len(node.args) != 1:
        return None
    written, name = node.args[0], dotted_name(node.func)
    if name not in ("any", "all") or not isinstance(written, (ast.List, ast.Tuple)):
        return None
    return conjoined([frame.paces.get(one) for one in written.elts], is_and=name == "all")


def _keep_pace(node: ast.expr, pace: Pace | None, frame: Frame) -> None:
    if pace is not None:
        frame.paces[node] = pace
    elif frame.paces:
        frame.paces.pop(node, None)


def _ask_truth(value: Value, node: ast.expr, frame: Frame, construct: str) -> None:
    if (tensor := device_tensor_of(value)) is not None and not _is_asked_for_more(node, frame):
        may_be_number = any(isinstance(option, Scalar) for option in options(value))
        is_assumed = frame.engine.runs_on_text or tensor.trust is not Confidence.HIGH
        is_doubtful = may_be_number and is_assumed and _asks_a_parameter(node, frame)
        is_doubtful = is_doubtful or _is_looked_for(node, frame)
        frame.report(construct, node, tensor, None, Confidence.LOW if is_doubtful else None)


def _is_looked_for(test: ast.expr, frame: Frame) -> bool:
    """Whether a test asks a dictionary for what may be there under a name: ``if kwargs.get("use_cache"):``.

    Tensors that it holds under other names tell little of that, if nobody is seen to put one there.
    """
    match test:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[ast.Constant(value=str() as key)]):
            held = frame.lookup(name)
            found = [one for one in options(held) if isinstance(one, Mapping)] if held is not None else []
            return bool(found) and all(key not in one.by_key for one in found)
    return False


def _is_asked_for_more(test: ast.expr, frame: Frame) -> bool:
    """Whether what is tested is asked elsewhere in the function for what no tensor has: whether it is there at all."""
    path = dotted_name(test)
    if path is None or frame.function is None:
        return False
    asked = (one for one in frame.function.nodes.of(ast.Attribute) if dotted_name(one.value) == path)
    return any(not may_be_of_tensor(one.attr) for one in asked)


def _asks_a_parameter(test: ast.expr, frame: Frame) -> bool:
    """Whether a test is about a parameter that is a tensor or a number, as its callers like."""
    parameters_of = frame.function.parameters if frame.function is not None else ()
    given = {parameter.name for parameter in parameters_of}
    for name in walk(test):
        if isinstance(name, ast.Name) and name.id in given:
            kinds = {type(option) for option in options(frame.scope.get(name.id, UNKNOWN))}
            if {Tensor, Scalar} <= kinds:
                return True
    return False


def evaluate_boolean(node: ast.BoolOp, frame: Frame) -> Value:
    return _operands(node, frame)[0]


def _operands(node: ast.BoolOp, frame: Frame) -> tuple[Value, Value]:
    """What ``a and b and c`` stands for, and what its last operand does, where that is reached.

    Each operand is evaluated on what the ones before it tell.
    """
    conjunction = isinstance(node.op, ast.And)
    value = test(node.values[0], frame, "boolean-operator")
    guards_outside = len(frame.guards)
    right: Value = UNKNOWN
    outcome = constant(node.values[0], frame)
    kept, muted = frame.scope, frame.muted
    narrowing, narrowing_muted = dict(kept), muted
    for index, operand in enumerate(node.values[1:], start=1):
        before = node.values[index - 1]
        if index > 1:
            _ask_truth(right, before, frame, "boolean-operator")
            outcome = _constant_of_both(outcome, constant(before, frame), conjunction)
        certain = truth(value) if truth(value) is not None else outcome
        if certain is not None and certain is not conjunction:
            right = UNKNOWN
            if frame.loops:
                _note_pace_of_unasked(operand, frame)
            continue
        _guard(before, conjunction, frame)
        frame.scope, frame.muted = narrowing, narrowing_muted
        start = frame.now
        narrowed(before, frame, conjunction)
        narrowing_muted = frame.muted
        last = operand is node.values[-1]
        binds = last or _may_bind(operand)
        frame.scope = dict(narrowing) if binds and not last else narrowing
        right = frame.evaluate(operand)
        _note_pace(operand, right, frame)
        if frame.muted > muted:
            right = BOOLEAN if tensor_of(right) is not None else right
        for name in frame.changed_since(start):
            if name not in kept and "." not in name and name in frame.scope:
                kept[name] = narrowing[name] = frame.scope[name]
        frame.scope, frame.muted = kept, muted
        if certain is conjunction:
            value = right
        else:
            value = join(value if conjunction else without_false(value), right)
    del frame.guards[guards_outside:]
    return _paced(node, value, frame), right


def _note_pace_of_unasked(operand: ast.expr, frame: Frame) -> None:
    """Remember how often an operand is true that is not asked in this round of a loop, but may be in others."""
    kept = frame.scope
    frame.scope = dict(kept)
    frame.muted += 1
    _note_pace(operand, frame.evaluate(operand), frame)
    frame.muted -= 1
    frame.scope = kept


def _guard(test: ast.expr, outcome: bool, frame: Frame) -> None:
    """Guard what is evaluated where a test has come out so."""
    if said := guards.of_test(test, outcome, frame):
        frame.guard(*said)
    elif option := option_behind(test, outcome, frame):
        frame.guard(Phase.STEP, "", option=option)


def _paced(node: ast.BoolOp, value: Value, frame: Frame) -> Value:
    """What ``a and b`` stands for, with how often it is so."""
    if not frame.paces:
        return value
    is_and = isinstance(node.op, ast.And)
    # What has one outcome wherever code runs on a GPU decides nothing beside others.
    asked = [one for one in node.values if constant(one, frame) is not is_and]
    pace = conjoined([frame.paces.get(one) for one in asked], is_and)
    if pace is None:
        frame.paces.pop(node, None)
        return value
    frame.paces[node] = pace
    return Scalar("bool", pace=pace) if isinstance(value, (Scalar, Unknown, BoundMethod)) else value


def _constant_of_both(first: bool | None, second: bool | None, conjunction: bool) -> bool | None:
    """The outcome of ``first and second``, or of ``first or second``, where one or both are the same in every run."""
    deciding = not conjunction
    if first is deciding or second is deciding:
        return deciding
    return conjunction if first is not None and second is not None else None


def _may_bind(node: ast.expr) -> bool:
    """Whether evaluating an expression can change the scope, or keep it for a function that runs later."""
    return any(isinstance(inner, (ast.BoolOp, ast.Call, ast.Lambda, ast.NamedExpr)) for inner in walk(node))


def without_false(value: Value) -> Value:
    """What is left of a value once it has been found true."""
    left = [option for option in options(value) if truth(option) is not False]
    return join_all(left) if left else UNKNOWN


def evaluate_comparison(node: ast.Compare, frame: Frame) -> Value:
    left = frame.evaluate(node.left)
    result: Value = BOOLEAN
    left_node = node.left
    links: list[Pace | None] = []
    for index, (operator, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = frame.evaluate(right_node)
        if isinstance(operator, (ast.In, ast.NotIn)):
            _containment(node, left, right, frame)
            result = BOOLEAN
        else:
            if frame.answers:
                left, right = (
                    as_operand(left_node, left, right, frame),
                    as_operand(right_node, right, left, frame),
                )
            left, right = batches.as_operand(left, right), batches.as_operand(right, left)
            if isinstance(left, Sequence) and isinstance(right, Sequence) and isinstance(operator, (ast.Eq, ast.NotEq)):
                _comparison_of_lists(node, left, right, frame)
            defined = by_operator_method(type(operator), left, right, node, frame)
            result = defined or comparison(type(operator), left, right)
        number = DRAWN if draws(left_node) else left
        links.append(of_bound(operator, left, right_node) or compared(type(operator), number, right))
        if links[-1] is not None and isinstance(result, Scalar):
            result = Scalar("bool", pace=links[-1])
        if index + 1 < len(node.ops) and (tensor := device_tensor_of(result)):
            frame.report("chained-comparison", node, tensor, left_node, known=left)
        left, left_node = right, right_node
    _keep_pace(node, conjoined(links, is_and=True) if len(links) > 1 else links[0], frame)
    return result


def _comparison_of_lists(node: ast.Compare, left: Sequence, right: Sequence, frame: Frame) -> None:
    """``a == [t]``: pairs of elements are compared until two differ, and each result is asked whether it is true."""
    if () in (left.items, right.items):
        return
    for one, other, where in ((left, right, node.left), (right, left, node.comparators[-1])):
        tensor = device_tensor_of(any_item(one))
        if tensor is not None and isinstance(any_item(other), (Tensor, Unknown, Scalar)):
            frame.report("list-comparison", node, tensor, where, known=one)
            return


def _containment(node: ast.Compare, left: Value, right: Value, frame: Frame) -> None:
    """``a in b``: a list compares its elements; a set or dictionary looks for a hash, here that of the object.

    Source: ``torch/_tensor.py``, ``Tensor.__hash__``.
    """
    if isinstance(left, Text):  # no tensor can be asked for one: what may be a tensor is a dictionary here
        return
    if tensor := device_tensor_of(right):
        # Among the keys of a dictionary, or in a list, something is looked for more often than in a tensor.
        may_be_other = any(isinstance(option, (Mapping, Sequence)) for option in options(right))
        if not may_be_other or isinstance(left, (Scalar, Tensor)):
            frame.report("containment", node, tensor, node.comparators[-1])
        return
    if isinstance(right, Sequence):
        search(right, node.comparators[-1], left, node.left, node, frame)


def evaluate_conditional(node: ast.IfExp, frame: Frame) -> Value:
    value = test(node.test, frame)
    certain = truth(value) if truth(value) is not None else constant(node.test, frame)
    results: list[Value] = []
    kept, guards_outside = frame.scope, len(frame.guards)
    for branch, outcome in ((node.body, True), (node.orelse, False)):
        if certain is not None and certain is not outcome:
            continue
        frame.scope = dict(kept)
        muted = frame.muted
        narrowed(node.test, frame, outcome)
        _guard(node.test, outcome, frame)
        results.append(under_guard(frame.evaluate(branch), frame))
        del frame.guards[guards_outside:]
        frame.muted = muted
    frame.scope = kept
    if len(results) == 2 and _asks_for_emptiness(node.test, value, frame):
        results = _without_default(results)
    if len(results) == 2 and all(isinstance(one, (DeviceName, Text)) or legacy_type(one) for one in results):
        on_gpu = [at for at, outcome in enumerate((True, False)) if runs_on_a_gpu(node.test, outcome, frame)]
        # The device that is meant where nothing is on a GPU matters to nothing that waits for one.
        results = [results[on_gpu[0]]] if len(on_gpu) == 1 else results
    return join_all(results)


def _asks_for_emptiness(test: ast.expr, value: Value, frame: Frame) -> bool:
    """Whether a test is that of a list for something in it: ``parts``, ``len(parts) > 0``."""
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Call) and test.left.args:
        if dotted_name(test.left.func) == "len" and isinstance(test.ops[0], (ast.Gt, ast.NotEq)):
            path = dotted_name(test.left.args[0])
            return path is not None and isinstance(frame.lookup(path), Sequence)
    return isinstance(value, Sequence)


def _without_default(results: list[Value]) -> list[Value]:
    """What comes of a list's elements: what stands for those of an empty one is hardly ever asked for."""
    whole, default = results
    if isinstance(whole, Tensor) and isinstance(default, Tensor) and whole.may_be_on_device:
        return [whole, replace(default, device=whole.device)]
    return results
