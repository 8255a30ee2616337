"""Expressions on abstract values: what each stands for, and where evaluating it makes the host wait."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable

from synclint.analysis.annotations.host_names import MAY_BE_PLACED, is_for_host, placed_by_class, placed_by_name
from synclint.analysis.annotations.presumed_loaders import MAY_BE_LOADER, by_name
from synclint.analysis.calls import calls
from synclint.analysis.calls.special_methods import made_text
from synclint.analysis.domain import literals
from synclint.analysis.domain.containers import as_part, concatenated, item_at, mapping
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.paces import counts, negated
from synclint.analysis.domain.selection import truth
from synclint.analysis.domain.tensors import device_tensor_of, device_tensor_within
from synclint.analysis.domain.values import (
    BOOLEAN,
    LONGEST_TEXT,
    NEVER,
    STRING,
    UNKNOWN,
    Alternatives,
    Device,
    DeviceName,
    DType,
    FunctionRecord,
    FunctionValue,
    Mapping,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
    is_known,
    options,
)
from synclint.analysis.interpreter import indexing
from synclint.analysis.interpreter.comprehensions import evaluate_comprehension, evaluate_dict_comprehension
from synclint.analysis.interpreter.counters import as_dividend, as_divisor, read_off
from synclint.analysis.interpreter.operator_methods import by_operator_method
from synclint.analysis.interpreter.truth import evaluate_boolean, evaluate_comparison, evaluate_conditional, test
from synclint.analysis.interpreter.unpacking import bind_target
from synclint.analysis.models.operators import arithmetic, unary
from synclint.analysis.objects import attributes, batches
from synclint.analysis.objects.answers import as_operand
from synclint.analysis.objects.array_libraries import uses_arrays, uses_torch
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.objects.own_iterators import element_of
from synclint.analysis.program import modules
from synclint.analysis.results.expression_facts import record_another
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, keyed_path, subscript_path
from synclint.findings import Confidence

_BUILTINS = {name: Symbol(f"builtins.{name}") for name in dir(builtins)}
_Link = ast.Attribute | ast.Call | ast.Subscript


def evaluate(node: ast.expr, frame: Frame) -> Value:
    """What an expression stands for; events within it are reported to the frame."""
    handler = _HANDLERS.get(type(node))
    value = handler(node, frame) if handler is not None else UNKNOWN
    # What `Frame.record` does, without another call for each of the expressions.
    engine = frame.engine
    recorded = engine.recorded
    if recorded is not None:
        known = recorded.setdefault(node, value)
        if known is not value:
            record_another(node, known, value, recorded)
    if engine.recording is not None and engine.recording.wants(node):
        engine.record(node, value, frame)
    return value


def _name(node: ast.Name, frame: Frame) -> Value:
    value = frame.scope.get(node.id)
    if value is None:
        value = frame.lookup(node.id)
    if value is None:
        builtin = _BUILTINS.get(node.id)
        if builtin is not None:
            return builtin
        value = frame.engine.from_star(frame.module, node.id)
    if value is None:
        # An `import *` of a module that is not at hand may give torch.
        return Symbol("torch") if node.id == "torch" else UNKNOWN
    if isinstance(value, Symbol):
        return _resolved(value, frame)
    if type(value) is Alternatives and any(type(option) is Symbol for option in value.options):
        value = join_all(_resolved(option, frame) for option in value.options)
    return _as_called(node.id, value, frame) if type(value) in _TOLD_BY_NAME else value


def _resolved(value: Value, frame: Frame) -> Value:
    """What an imported name stands for; anything else is what it is."""
    return attributes.symbol_value(frame.engine.resolve(value.name)) if isinstance(value, Symbol) else value


# The kinds of which the name of a value may tell more.
_TOLD_BY_NAME = MAY_BE_LOADER | MAY_BE_PLACED


def _as_called(name: str, value: Value, frame: Frame) -> Value:
    """What a value of this name is, where the name says what nothing else does."""
    if type(value) in MAY_BE_LOADER:
        value = by_name(name, value)
    return _placed(name, value, frame)


def _placed(name: str, value: Value, frame: Frame) -> Value:
    """A value with the place that its name says, or the class in whose method it is used, where nothing else tells."""
    if type(value) not in MAY_BE_PLACED:
        return value
    record = frame.function
    if record is not None and record.owner is not None:
        known = frame.engine.readings.for_host
        if record.node not in known:
            known[record.node] = is_for_host(record)
        if known[record.node]:
            return placed_by_class(record.owner.name, value)
    return placed_by_name(name, value)


def _attribute(node: ast.Attribute, frame: Frame) -> Value:
    path = dotted_name(node)
    if path is not None and path in frame.scope:
        value = frame.scope[path]
    elif type(node.value) in _LINKS:
        return _chain(node, frame)
    else:
        value = attributes.attribute_of(evaluate(node.value, frame), node.attr, node, frame)
    return _as_called(node.attr, value, frame) if type(value) in _TOLD_BY_NAME else value


def _call(node: ast.Call, frame: Frame) -> Value:
    function = node.func
    if type(function) in _LINKS and (type(function) is not ast.Attribute or type(function.value) in _LINKS):
        return _chain(node, frame)
    return read_off(node, calls.call(node, frame), frame)


def _subscript(node: ast.Subscript, frame: Frame) -> Value:
    if type(node.value) in _LINKS:
        return _chain(node, frame)
    return _item(node, evaluate(node.value, frame), frame)


def _item(node: ast.Subscript, container: Value, frame: Frame) -> Value:
    path = subscript_path(node) or keyed_path(node)
    known = frame.scope.get(path) if path is not None else None
    if known is None:
        return indexing.read(node, container, frame)
    if not isinstance(container, Mapping) or UNKNOWN not in options(known):
        return known
    # Where only some paths have put something under a key, the others have found there what the dictionary holds.
    held = indexing.read(node, container, frame)
    return known if UNKNOWN in options(held) else join_all([held, *(one for one in options(known) if one != UNKNOWN)])


_LINKS = frozenset({ast.Attribute, ast.Call, ast.Subscript})


def _chain(node: _Link, frame: Frame) -> Value:
    """``a.b(c)[d].e()`` from the inside out, without recursion: code that was generated has chains of thousands."""
    links: list[_Link] = []
    inner: ast.expr = node
    while isinstance(inner, (ast.Attribute, ast.Call, ast.Subscript)):
        links.append(inner)
        inner = inner.func if isinstance(inner, ast.Call) else inner.value
    if isinstance(inner, ast.Name) and isinstance(links[-1], ast.Call):
        value = evaluate(links.pop(), frame)
    elif isinstance(inner, ast.Name) and isinstance(links[-1], ast.Attribute):
        value = _known_path(links, inner, frame)
    else:
        value = evaluate(inner, frame)
    for link in reversed(links):
        if isinstance(link, ast.Call):
            value = read_off(link, calls.called(value, link, frame), frame)
        elif isinstance(link, ast.Attribute):
            value = _placed(link.attr, attributes.attribute_of(value, link.attr, link, frame), frame)
        else:
            value = _item(link, value, frame)
        if link is not node:
            frame.record(link, value)
    return value


def _known_path(links: list[_Link], name: ast.Name, frame: Frame) -> Value:
    """The value of the longest path at the start of a chain that the scope holds; its links are taken off."""
    path = name.id
    known, left = None, len(links)
    for index in range(len(links) - 1, -1, -1):
        link = links[index]
        if not isinstance(link, ast.Attribute):
            break
        path = f"{path}.{link.attr}"
        if path in frame.scope:
            known, left = path, index
    if known is None:
        return evaluate(name, frame)
    value = frame.record(links[left], _placed(known.rpartition(".")[2], frame.scope[known], frame))
    del links[left:]
    return value


def _constant(node: ast.Constant, frame: Frame) -> Value:
    return literals.constant(node)


def _formatted(node: ast.JoinedStr, frame: Frame) -> Value:
    whole: str | None = ""
    for part in node.values:
        text = part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else None
        if isinstance(part, ast.FormattedValue):
            value = evaluate(part.value, frame)
            if isinstance(value, Text) and part.format_spec is None and part.conversion == -1:
                text = value.literal
            made_text(value, frame, part.value)
            if tensor := device_tensor_within(value):
                frame.report("format-tensor", part.value, tensor)
            for inner in part.format_spec.values if isinstance(part.format_spec, ast.JoinedStr) else ():
                if isinstance(inner, ast.FormattedValue):
                    evaluate(inner.value, frame)
        whole = whole + text if whole is not None and text is not None else None
        if whole is not None and len(whole) > LONGEST_TEXT:
            whole = None
    if whole is None and isinstance(node.values[0], ast.Constant):
        return _text_beginning_with(str(node.values[0].value))
    return Text(whole) if whole is not None else STRING


def _text_beginning_with(start: str) -> Value:
    """A text of which the beginning is known: that of the device with some number is as good as its name."""
    return DeviceName(Device.DEVICE) if start.startswith("cuda:") else STRING


def taken_apart(node: ast.Tuple | ast.List, parts: int, frame: Frame) -> Value:
    """What is taken apart into ``parts``: ``rows, _, heads = *x.shape, self.heads`` tells how long a shape is."""
    return _elements(node.elts, "tuple", frame, parts)


def _elements(nodes: list[ast.expr], kind: str, frame: Frame, length: int | None = None) -> Value:
    elements = Sequence(kind, ())
    starred = sum(isinstance(element, ast.Starred) for element in nodes)
    for element in nodes:
        value = as_part(evaluate(element.value if isinstance(element, ast.Starred) else element, frame))
        if isinstance(element, ast.Starred):
            more = value if isinstance(value, Sequence) else Sequence(kind, None, iterate(value))
            if length is not None and more.items is None and starred == 1:
                more = Sequence(kind, tuple(item_at(more, at) for at in range(length - len(nodes) + 1)))
        else:
            more = Sequence(kind, (value,))
        elements = concatenated(elements, more)
    return elements


def _tuple(node: ast.Tuple, frame: Frame) -> Value:
    return _elements(node.elts, "tuple", frame)


def _list(node: ast.List, frame: Frame) -> Value:
    return _elements(node.elts, "list", frame)


def _set(node: ast.Set, frame: Frame) -> Value:
    return _elements(node.elts, "set", frame)


def _dict(node: ast.Dict, frame: Frame) -> Value:
    parts: list[tuple[str | None, Value]] = []
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = as_part(evaluate(value_node, frame))
        if key_node is not None:
            key = evaluate(key_node, frame)
            parts.append((key.literal if isinstance(key, Text) else None, value))
        elif isinstance(value, Mapping):
            parts += [(None, value.element), *value.entries]
        else:
            parts.append((None, UNKNOWN))
    # From the end: what stands under a key is what was put there last. Keys that are not known are others as a rule.
    entries: dict[str, Value] = {}
    element: Value = NEVER
    for name, value in reversed(parts):
        if name is None:
            element = join(element, value)
        elif name not in entries:
            entries[name] = value if is_known(value) else join(value, element)
    return mapping(entries, element)


def _unary(node: ast.UnaryOp, frame: Frame) -> Value:
    if isinstance(node.op, ast.Not):
        value = test(node.operand, frame, "boolean-operator")
        known = truth(value)
        if (pace := negated(frame.paces.get(node.operand))) is not None:
            return Scalar("bool", pace=pace)
        return BOOLEAN if known is None else Scalar("bool", not known)
    return unary(type(node.op), evaluate(node.operand, frame))


def _binary(node: ast.BinOp, frame: Frame) -> Value:
    """``a + b + c`` from the left, without recursion: code that was generated adds up thousands."""
    if type(node.left) is not ast.BinOp:
        return _combined(node, evaluate(node.left, frame), frame)
    operations = [node]
    while isinstance(inner := operations[-1].left, ast.BinOp):
        operations.append(inner)
    value = evaluate(inner, frame)
    for operation in reversed(operations):
        value = _combined(operation, value, frame)
        if operation is not node:
            frame.record(operation, value)
    return value


def _combined(node: ast.BinOp, left: Value, frame: Frame) -> Value:
    right = evaluate(node.right, frame)
    if frame.answers:
        left, right = as_operand(node.left, left, right, frame), as_operand(node.right, right, left, frame)
    if isinstance(node.op, ast.Mod) and isinstance(left, Text):
        for shown in right.items or () if isinstance(right, Sequence) else (right,):
            made_text(shown, frame, node.right)
        if tensor := device_tensor_within(right):
            frame.report("format-tensor", node.right, tensor)
        return _text_beginning_with(left.literal or "")
    if isinstance(node.op, ast.Mult):
        for count, other, where in ((left, right, node.left), (right, left, node.right)):
            if (
                isinstance(other, (Sequence, Text))
                and (tensor := device_tensor_of(count))
                and tensor.dtype is not DType.FLOAT
            ):
                frame.report("index-protocol", where, tensor)
                return other
    if not isinstance(node.op, _OF_LISTS):
        left, right = batches.as_operand(left, right), batches.as_operand(right, left)
        left, right = _array_part(node.left, left, frame), _array_part(node.right, right, frame)
    if isinstance(node.op, (ast.Mod, ast.FloorDiv)) and counts(left := as_dividend(node.left, left, frame)):
        right = as_divisor(node.right, right, frame)
    return by_operator_method(type(node.op), left, right, node, frame) or arithmetic(type(node.op), left, right)


# The operators that parts of lists and texts have as well.
_OF_LISTS = (ast.Add, ast.Mult, ast.Mod)


def _array_part(node: ast.expr, value: Value, frame: Frame) -> Value:
    """An operand of an operator that lists do not have: it is part of a tensor if it was taken by a slice.

    So ``ends[1:] - ends[:-1]``, where no arrays are.
    """
    if not isinstance(value, (Unknown, Sequence)) or not isinstance(node, ast.Subscript):
        return value
    if not isinstance(node.slice, ast.Slice) or not uses_torch(frame) or uses_arrays(frame):
        return value
    return Tensor(
        trust=Confidence.MEDIUM, origin=frame.origin("a part that is calculated with, as those of tensors", node)
    )


def _lambda(node: ast.Lambda, frame: Frame) -> Value:
    record = frame.module.by_node.get(id(node))
    if not isinstance(record, modules.FunctionRecord):
        outer = frame.function.qualified_name if frame.function else frame.module.name
        record = FunctionRecord("<lambda>", f"{outer}.<lambda>", frame.module, node, None, frame.function)
        frame.module.by_node[id(node)] = record
    frame.nested.append((record, frame.scope))
    return FunctionValue(record, None, frame.scope)


def _named(node: ast.NamedExpr, frame: Frame) -> Value:
    value = evaluate(node.value, frame)
    bind_target(node.target, value, frame)
    return value


def _await(node: ast.Await, frame: Frame) -> Value:
    return evaluate(node.value, frame)


def _yield(node: ast.Yield, frame: Frame) -> Value:
    frame.yields = True
    if node.value is not None:
        frame.yielded.append(evaluate(node.value, frame))
    return UNKNOWN


def _yield_from(node: ast.YieldFrom, frame: Frame) -> Value:
    frame.yields = True
    frame.yielded.append(element_of(evaluate(node.value, frame), node.value, frame))
    return UNKNOWN


_HANDLERS: dict[type[ast.AST], Callable[..., Value]] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Subscript: _subscript,
    ast.Constant: _constant,
    ast.JoinedStr: _formatted,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.BoolOp: evaluate_boolean,
    ast.Compare: evaluate_comparison,
    ast.IfExp: evaluate_conditional,
    ast.ListComp: evaluate_comprehension,
    ast.SetComp: evaluate_comprehension,
    ast.GeneratorExp: evaluate_comprehension,
    ast.DictComp: evaluate_dict_comprehension,
    ast.Lambda: _lambda,
    ast.NamedExpr: _named,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
}
