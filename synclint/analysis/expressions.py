"""Expressions on abstract values: what each stands for, and where evaluating it makes the host wait."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import replace

import libcst as cst

from synclint.analysis import attributes, calls, indexing
from synclint.analysis.frames import Frame, Loop
from synclint.analysis.modules import FunctionRecord
from synclint.analysis.narrowing import constant, narrowed
from synclint.analysis.operators import arithmetic, comparison, unary
from synclint.analysis.values import (
    BOOLEAN,
    INTEGER,
    LONGEST_SEQUENCE,
    NOTHING,
    NUMBER,
    STRING,
    UNKNOWN,
    Array,
    DType,
    FunctionValue,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Value,
    device_tensor_of,
    device_tensor_within,
    is_shallow,
    join,
    join_all,
    options,
    tensor_of,
    truth,
    weaker,
)
from synclint.analysis.walk import dotted_name
from synclint.findings import Confidence

_BUILTIN_NAMES = frozenset(dir(builtins))
_CONSTANTS: dict[str, Value] = {"True": Scalar("bool", True), "False": Scalar("bool", False), "None": NOTHING}


def evaluate(node: cst.BaseExpression, frame: Frame) -> Value:
    """What an expression stands for; events within it are reported to the frame."""
    handler = _HANDLERS.get(type(node))
    value = handler(node, frame) if handler is not None else UNKNOWN
    watched = frame.engine.watched
    if watched is not None and id(node) in watched:
        watched[id(node)].append(value)
    return value


def test(node: cst.BaseExpression, frame: Frame, construct: str = "condition") -> Value:
    """Evaluate an expression whose truth is asked for: of a tensor on the device, the host waits for it."""
    value = evaluate(node, frame)
    ask_truth(value, node, frame, construct)
    return value


def ask_truth(value: Value, node: cst.BaseExpression, frame: Frame, construct: str) -> None:
    """Note the wait of a truth test on a value that was evaluated already."""
    tensor = device_tensor_of(value)
    if tensor is not None and not isinstance(node, (cst.BooleanOperation,)):
        frame.report(construct, node, tensor)
    elif tensor is not None and isinstance(node, cst.BooleanOperation):
        last = node.right
        frame.report(construct, last, tensor)


def _name(node: cst.Name, frame: Frame) -> Value:
    name = node.value
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    value = frame.lookup(name)
    if value is None:
        return Symbol(f"builtins.{name}") if name in _BUILTIN_NAMES else UNKNOWN
    if isinstance(value, Symbol):
        return attributes.symbol_value(frame.engine.resolve(value.name))
    return value


def _attribute(node: cst.Attribute, frame: Frame) -> Value:
    path = dotted_name(node)
    if path is not None and path in frame.scope:
        return frame.scope[path]
    container = evaluate(node.value, frame)
    return attributes.attribute_of(container, node.attr.value, node, frame)


def _call(node: cst.Call, frame: Frame) -> Value:
    return calls.call(node, frame)


def _subscript(node: cst.Subscript, frame: Frame) -> Value:
    path = subscript_path(node)
    container = evaluate(node.value, frame)
    if path is not None and path in frame.scope:
        return frame.scope[path]
    return indexing.read(node, container, frame)


def subscript_path(node: cst.Subscript) -> str | None:
    """``name["key"]`` as a path that the scope can hold, None for other subscripts."""
    base = dotted_name(node.value)
    if base is None or len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
        return None
    index = node.slice[0].slice.value
    if isinstance(index, (cst.SimpleString, cst.Integer)):
        return f"{base}[{index.value}]"
    return None


_LONGEST_INTEGER = 18


def _integer(node: cst.Integer, frame: Frame) -> Value:
    if len(node.value) > _LONGEST_INTEGER:
        return INTEGER
    return Scalar("int", int(node.value, 0))


def _float(node: cst.Float, frame: Frame) -> Value:
    return Scalar("float", float(node.value))


def _string(node: cst.SimpleString | cst.ConcatenatedString, frame: Frame) -> Value:
    if isinstance(node, cst.ConcatenatedString):
        left, right = evaluate(node.left, frame), evaluate(node.right, frame)
        if (
            isinstance(left, Text)
            and isinstance(right, Text)
            and left.literal is not None
            and right.literal is not None
        ):
            return Text(left.literal + right.literal)
        return STRING
    plain = not node.prefix and "\\" not in node.value
    value = node.raw_value if plain else node.evaluated_value
    return Text(value) if isinstance(value, str) and len(value) <= 64 else STRING


def _formatted(node: cst.FormattedString, frame: Frame) -> Value:
    for part in node.parts:
        if isinstance(part, cst.FormattedStringExpression):
            value = evaluate(part.expression, frame)
            if tensor := device_tensor_within(value):
                frame.report("format-tensor", part.expression, tensor)
            if part.format_spec is not None:
                for inner in part.format_spec:
                    if isinstance(inner, cst.FormattedStringExpression):
                        evaluate(inner.expression, frame)
    return STRING


def _elements(nodes: tuple[cst.BaseElement, ...] | list[cst.BaseElement], kind: str, frame: Frame) -> Value:
    items: list[Value] = []
    complete = True
    for element in nodes:
        value = evaluate(element.value, frame)
        if not is_shallow(value):
            value = UNKNOWN
        if isinstance(element, cst.StarredElement):
            inner = iterate(value)
            if isinstance(value, Sequence) and value.items is not None:
                items += value.items
            else:
                complete = False
                items.append(inner)
        else:
            items.append(value)
    if complete and len(items) <= LONGEST_SEQUENCE:
        return Sequence(kind, tuple(items))
    return Sequence(kind, None, join_all(items[:LONGEST_SEQUENCE]))


def _tuple(node: cst.Tuple, frame: Frame) -> Value:
    return _elements(list(node.elements), "tuple", frame)


def _list(node: cst.List, frame: Frame) -> Value:
    return _elements(list(node.elements), "list", frame)


def _set(node: cst.Set, frame: Frame) -> Value:
    return _elements(list(node.elements), "set", frame)


def _dict(node: cst.Dict, frame: Frame) -> Value:
    entries: dict[str, Value] = {}
    others: list[Value] = []
    for element in node.elements:
        value = evaluate(element.value, frame)
        if isinstance(element, cst.DictElement):
            key = evaluate(element.key, frame)
            if isinstance(key, Text) and key.literal is not None:
                entries[key.literal] = value
                continue
            others.append(value)
        elif isinstance(value, Mapping):
            entries.update(value.entries)
            others.append(value.element)
        else:
            others.append(UNKNOWN)
    if len(entries) > LONGEST_SEQUENCE:
        return Mapping((), join_all(list(entries.values())[:LONGEST_SEQUENCE]))
    return Mapping(tuple(entries.items()), join_all(others) if others else UNKNOWN)


def _unary(node: cst.UnaryOperation, frame: Frame) -> Value:
    if isinstance(node.operator, cst.Not):
        value = test(node.expression, frame, "boolean-operator")
        known = truth(value)
        return BOOLEAN if known is None else Scalar("bool", not known)
    return unary(type(node.operator), evaluate(node.expression, frame))


def _binary(node: cst.BinaryOperation, frame: Frame) -> Value:
    left, right = evaluate(node.left, frame), evaluate(node.right, frame)
    if isinstance(node.operator, cst.Modulo) and isinstance(left, Text):
        if tensor := device_tensor_within(right):
            frame.report("format-tensor", node.right, tensor)
        return STRING
    if isinstance(node.operator, cst.Multiply):
        for count, other, where in ((left, right, node.left), (right, left, node.right)):
            if (
                isinstance(other, (Sequence, Text))
                and (tensor := device_tensor_of(count))
                and tensor.dtype is not DType.FLOAT
            ):
                frame.report("index-protocol", where, tensor)
                return other
    return arithmetic(type(node.operator), left, right)


def _boolean(node: cst.BooleanOperation, frame: Frame) -> Value:
    left = test(node.left, frame, "boolean-operator")
    conjunction = isinstance(node.operator, cst.And)
    certain = truth(left) if truth(left) is not None else constant(node.left, frame)
    if certain is not None and certain is not conjunction:
        return left
    kept = frame.scope
    muted = frame.muted
    frame.scope = dict(kept)
    narrowed(node.left, frame, conjunction)
    right = evaluate(node.right, frame)
    if frame.muted > muted:
        right = BOOLEAN if tensor_of(right) is not None else right
    changed = frame.scope
    frame.scope = kept
    frame.muted = muted
    for name, value in changed.items():
        if name not in kept and "." not in name:
            kept[name] = value
    if certain is conjunction:
        return right
    if not conjunction:
        left = without_false(left)
    return join(left, right)


def without_false(value: Value) -> Value:
    """What is left of a value once it has been found true."""
    left = [option for option in options(value) if truth(option) is not False]
    return join_all(left) if left else UNKNOWN


def _comparison(node: cst.Comparison, frame: Frame) -> Value:
    left = evaluate(node.left, frame)
    result: Value = BOOLEAN
    left_node: cst.BaseExpression = node.left
    for index, target in enumerate(node.comparisons):
        right = evaluate(target.comparator, frame)
        if isinstance(target.operator, (cst.In, cst.NotIn)):
            _containment(node, left, right, frame)
            result = BOOLEAN
        else:
            result = comparison(type(target.operator), left, right)
        if index + 1 < len(node.comparisons) and (tensor := device_tensor_of(result)):
            frame.report("chained-comparison", node, tensor, left_node)
        left, left_node = right, target.comparator
    return result


def _containment(node: cst.Comparison, left: Value, right: Value, frame: Frame) -> None:
    if tensor := device_tensor_of(right):
        frame.report("containment", node, tensor)
        return
    if (tensor := device_tensor_of(left)) and isinstance(right, Sequence):
        inner = right.any_item
        if isinstance(inner, (Scalar, Tensor)) and right.items != ():
            frame.report("containment", node, tensor)


def _conditional(node: cst.IfExp, frame: Frame) -> Value:
    value = test(node.test, frame)
    certain = truth(value) if truth(value) is not None else constant(node.test, frame)
    results: list[Value] = []
    kept = frame.scope
    for branch, outcome in ((node.body, True), (node.orelse, False)):
        if certain is not None and certain is not outcome:
            continue
        frame.scope = dict(kept)
        muted = frame.muted
        narrowed(node.test, frame, outcome)
        results.append(evaluate(branch, frame))
        frame.muted = muted
    frame.scope = kept
    return join_all(results)


def iterate(value: Value) -> Value:
    """What a loop over a value binds its target to."""
    results: list[Value] = []
    for option in options(value):
        if isinstance(option, Tensor):
            results.append(_row(option))
        elif isinstance(option, Sequence):
            results.append(option.any_item)
        elif isinstance(option, Array):
            results.append(option.row())
        elif isinstance(option, (Mapping, Text)):
            results.append(STRING)
        elif isinstance(option, Instance):
            wrapped = option.given("iterable")
            results.append(iterate(wrapped) if wrapped is not None else attributes.iterated(option))
        else:
            results.append(UNKNOWN)
    return join_all(results)


def _row(tensor: Tensor) -> Tensor:
    """An element of a tensor; integers are counts, lengths or indices as a rule, one number each."""
    if tensor.ndim:
        return replace(tensor, ndim=tensor.ndim - 1)
    if tensor.dtype is DType.INT:
        return replace(tensor, ndim=0, trust=weaker(tensor.trust, Confidence.MEDIUM))
    return replace(tensor, ndim=None)


def bind_target(target: cst.BaseExpression, value: Value, frame: Frame) -> None:
    """Bind the target of a loop, a ``with`` or an unpacking to a value."""
    if isinstance(target, cst.Name):
        frame.bind(target.value, value)
    elif isinstance(target, (cst.Tuple, cst.List)):
        _unpack(list(target.elements), value, frame)
    elif isinstance(target, cst.Attribute):
        attributes.assign(target, value, frame)
    elif isinstance(target, cst.Subscript):
        container = evaluate(target.value, frame)
        indexing.write(target, container, value, frame)
        if path := subscript_path(target):
            frame.bind(path, value)


def _unpack(elements: list[cst.BaseElement], value: Value, frame: Frame) -> None:
    starred = any(isinstance(element, cst.StarredElement) for element in elements)
    for index, element in enumerate(elements):
        if isinstance(element, cst.StarredElement):
            bind_target(element.value, Sequence("list", None, iterate(value)), frame)
            continue
        parts: list[Value] = []
        for option in options(value):
            items = option.items if isinstance(option, Sequence) else None
            if items is not None and not starred:
                if len(items) == len(elements):
                    parts.append(items[index])
                elif len(options(value)) == 1:
                    parts.append(UNKNOWN)
            elif items is not None and not any(isinstance(e, cst.StarredElement) for e in elements[:index]):
                parts.append(items[index] if index < len(items) else UNKNOWN)
            elif isinstance(option, Instance) and option.record is not None and option.record.annotations:
                names = list(option.record.annotations)
                found = frame.engine.attribute(option, names[index], frame, element) if index < len(names) else None
                parts.append(found if found is not None else UNKNOWN)
            else:
                parts.append(iterate(option))
        bind_target(element.value, join_all(parts), frame)


def _comprehension(node: cst.ListComp | cst.SetComp | cst.GeneratorExp, frame: Frame) -> Value:
    kind = {cst.ListComp: "list", cst.SetComp: "set"}.get(type(node), "generator")
    kept = frame.scope
    frame.scope = dict(kept)
    length = _clauses(node.for_in, frame)
    element = evaluate(node.elt, frame)
    _leave_clauses(node.for_in, frame)
    frame.scope = kept
    if length is not None and length <= 4:
        return Sequence(kind, (element,) * length)
    return Sequence(kind, None, element)


def _dict_comprehension(node: cst.DictComp, frame: Frame) -> Value:
    kept = frame.scope
    frame.scope = dict(kept)
    _clauses(node.for_in, frame)
    evaluate(node.key, frame)
    element = evaluate(node.value, frame)
    _leave_clauses(node.for_in, frame)
    entries = _keyed(node, frame)
    frame.scope = kept
    return Mapping(entries, UNKNOWN if entries else element)


def _keyed(node: cst.DictComp, frame: Frame) -> tuple[tuple[str, Value], ...]:
    """The entries of ``{key: f(value) for key, value in known.items()}``; empty where not every key is known."""
    clause = node.for_in
    frame.muted += 1
    items = evaluate(clause.iter, frame)
    entries: dict[str, Value] = {}
    if not clause.ifs and clause.inner_for_in is None and isinstance(items, Sequence) and items.items:
        for item in items.items:
            bind_target(clause.target, item, frame)
            key = evaluate(node.key, frame)
            if not isinstance(key, Text) or key.literal is None:
                entries.clear()
                break
            entries[key.literal] = evaluate(node.value, frame)
    frame.muted -= 1
    return tuple(entries.items())


def _clauses(clause: cst.CompFor, frame: Frame) -> int | None:
    """Bind the targets of a comprehension; the number of its elements if that is certain."""
    iterable = evaluate(clause.iter, frame)
    frame.loops.append(Loop(clause))
    bind_target(clause.target, iterate(iterable), frame)
    length = len(iterable.items) if isinstance(iterable, Sequence) and iterable.items is not None else None
    for condition in clause.ifs:
        test(condition.test, frame)
        narrowed(condition.test, frame, True)
        length = None
    if clause.inner_for_in is not None:
        _clauses(clause.inner_for_in, frame)
        return None
    return length


def _leave_clauses(clause: cst.CompFor | None, frame: Frame) -> None:
    while clause is not None:
        frame.loops.pop()
        clause = clause.inner_for_in


def _lambda(node: cst.Lambda, frame: Frame) -> Value:
    record = frame.module.by_node.get(id(node))
    if not isinstance(record, FunctionRecord):
        outer = frame.function.qualified_name if frame.function else frame.module.name
        record = FunctionRecord("<lambda>", f"{outer}.<lambda>", frame.module, node, None, frame.function)
        frame.module.by_node[id(node)] = record
    frame.nested.append((record, frame.scope))
    return FunctionValue(record, None, frame.scope)


def _named(node: cst.NamedExpr, frame: Frame) -> Value:
    value = evaluate(node.value, frame)
    bind_target(node.target, value, frame)
    return value


def _await(node: cst.Await, frame: Frame) -> Value:
    return evaluate(node.expression, frame)


def _yield(node: cst.Yield, frame: Frame) -> Value:
    frame.yields = True
    if node.value is not None:
        if isinstance(node.value, cst.From):
            frame.yielded.append(iterate(evaluate(node.value.item, frame)))
        else:
            frame.yielded.append(evaluate(node.value, frame))
    return UNKNOWN


_HANDLERS: dict[type[cst.CSTNode], Callable[..., Value]] = {
    cst.Name: _name,
    cst.Attribute: _attribute,
    cst.Call: _call,
    cst.Subscript: _subscript,
    cst.Integer: _integer,
    cst.Float: _float,
    cst.Imaginary: lambda node, frame: NUMBER,
    cst.SimpleString: _string,
    cst.ConcatenatedString: _string,
    cst.FormattedString: _formatted,
    cst.Tuple: _tuple,
    cst.List: _list,
    cst.Set: _set,
    cst.Dict: _dict,
    cst.UnaryOperation: _unary,
    cst.BinaryOperation: _binary,
    cst.BooleanOperation: _boolean,
    cst.Comparison: _comparison,
    cst.IfExp: _conditional,
    cst.ListComp: _comprehension,
    cst.SetComp: _comprehension,
    cst.GeneratorExp: _comprehension,
    cst.DictComp: _dict_comprehension,
    cst.Lambda: _lambda,
    cst.NamedExpr: _named,
    cst.Await: _await,
    cst.Yield: _yield,
}
