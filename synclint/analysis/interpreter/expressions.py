"""Expressions on abstract values: what each stands for, and where evaluating it makes the host wait."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from dataclasses import replace

from synclint.analysis.annotations.presumed_loaders import MAY_BE_LOADER, by_name
from synclint.analysis.calls import calls
from synclint.analysis.domain import literals
from synclint.analysis.domain.containers import any_item, as_part, concatenated, item_at, mapping
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.selection import truth
from synclint.analysis.domain.tensors import device_tensor_of, device_tensor_within, tensor_of
from synclint.analysis.domain.values import (
    BOOLEAN,
    LONGEST_TEXT,
    NEVER,
    STRING,
    UNKNOWN,
    BoundMethod,
    DType,
    FunctionRecord,
    FunctionValue,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.analysis.interpreter import indexing
from synclint.analysis.interpreter.narrowing import constant, narrowed
from synclint.analysis.models.operators import arithmetic, comparison, unary
from synclint.analysis.objects import attributes, parameters, records
from synclint.analysis.objects.classes import PACKED, PACKED_PARTS, find_method
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.program import modules
from synclint.analysis.results.expression_facts import record_another
from synclint.analysis.state.frames import Frame, Loop
from synclint.analysis.syntax.walk import dotted_name, subscript_path, walk
from synclint.findings import Confidence

_BUILTINS = {name: Symbol(f"builtins.{name}") for name in dir(builtins)}
_Link = ast.Attribute | ast.Call | ast.Subscript


def evaluate(node: ast.expr, frame: Frame) -> Value:
    """What an expression stands for; events within it are reported to the frame."""
    handler = _HANDLERS.get(type(node))
    value = handler(node, frame) if handler is not None else UNKNOWN
    # What `_evaluated` does, without another call for each of the expressions.
    engine = frame.engine
    recorded = engine.recorded
    if recorded is not None:
        known = recorded.setdefault(node, value)
        if known is not value:
            record_another(node, known, value, recorded)
    if engine.recording is not None and engine.recording.wants(node):
        engine.record(node, value, frame)
    return value


def _evaluated(node: ast.expr, value: Value, frame: Frame) -> Value:
    """Keep what an expression stands for, as long as anybody wants to know."""
    engine = frame.engine
    if engine.recorded is not None:
        known = engine.recorded.setdefault(node, value)
        if known is not value:
            record_another(node, known, value, engine.recorded)
    if engine.recording is not None and engine.recording.wants(node):
        engine.record(node, value, frame)
    return value


def test(node: ast.expr, frame: Frame, construct: str = "condition") -> Value:
    """Evaluate an expression whose truth is asked for: of a tensor on the device, the host waits for it.

    ``a and b`` has asked for the truth of ``a``, and does not again.
    """
    if isinstance(node, ast.BoolOp):
        value, last = _operands(node, frame)
        _ask_truth(last, node.values[-1], frame, construct)
        return _evaluated(node, value, frame)
    value = evaluate(node, frame)
    _ask_truth(value, node, frame, construct)
    return value


def _ask_truth(value: Value, node: ast.expr, frame: Frame, construct: str) -> None:
    if (tensor := device_tensor_of(value)) is not None:
        may_be_number = any(isinstance(option, Scalar) for option in options(value))
        is_doubtful = may_be_number and frame.engine.runs_on_text and _asks_a_parameter(node, frame)
        frame.report(construct, node, tensor, None, Confidence.LOW if is_doubtful else None)


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
        return attributes.symbol_value(frame.engine.resolve(value.name))
    return by_name(node.id, value) if type(value) in MAY_BE_LOADER else value


def _attribute(node: ast.Attribute, frame: Frame) -> Value:
    path = dotted_name(node)
    if path is not None and path in frame.scope:
        return by_name(node.attr, frame.scope[path])
    if type(node.value) in _LINKS:
        return _chain(node, frame)
    container = evaluate(node.value, frame)
    value = attributes.attribute_of(container, node.attr, node, frame)
    return by_name(node.attr, value) if type(value) in MAY_BE_LOADER else value


def _call(node: ast.Call, frame: Frame) -> Value:
    function = node.func
    if type(function) in _LINKS and (type(function) is not ast.Attribute or type(function.value) in _LINKS):
        return _chain(node, frame)
    return calls.call(node, frame)


def _subscript(node: ast.Subscript, frame: Frame) -> Value:
    if type(node.value) in _LINKS:
        return _chain(node, frame)
    return _item(node, evaluate(node.value, frame), frame)


def _item(node: ast.Subscript, container: Value, frame: Frame) -> Value:
    path = subscript_path(node)
    if path is not None and path in frame.scope:
        return frame.scope[path]
    return indexing.read(node, container, frame)


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
            value = calls.called(value, link, frame)
        elif isinstance(link, ast.Attribute):
            value = attributes.attribute_of(value, link.attr, link, frame)
        else:
            value = _item(link, value, frame)
        if link is not node:
            _evaluated(link, value, frame)
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
    value = _evaluated(links[left], frame.scope[known], frame)
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
            if tensor := device_tensor_within(value):
                frame.report("format-tensor", part.value, tensor)
            for inner in part.format_spec.values if isinstance(part.format_spec, ast.JoinedStr) else ():
                if isinstance(inner, ast.FormattedValue):
                    evaluate(inner.value, frame)
        whole = whole + text if whole is not None and text is not None else None
        if whole is not None and len(whole) > LONGEST_TEXT:
            whole = None
    return Text(whole) if whole is not None else STRING


def _elements(nodes: list[ast.expr], kind: str, frame: Frame) -> Value:
    elements = Sequence(kind, ())
    for element in nodes:
        value = as_part(evaluate(element.value if isinstance(element, ast.Starred) else element, frame))
        if isinstance(element, ast.Starred):
            more = value if isinstance(value, Sequence) else Sequence(kind, None, iterate(value))
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
    # From the end: what stands under a key is what was put there last, or under a key that is not known after that.
    entries: dict[str, Value] = {}
    element: Value = NEVER
    for name, value in reversed(parts):
        if name is None:
            element = join(element, value)
        elif name not in entries:
            entries[name] = join(value, element)
    return mapping(entries, element)


def _unary(node: ast.UnaryOp, frame: Frame) -> Value:
    if isinstance(node.op, ast.Not):
        value = test(node.operand, frame, "boolean-operator")
        known = truth(value)
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
            _evaluated(operation, value, frame)
    return value


def _combined(node: ast.BinOp, left: Value, frame: Frame) -> Value:
    right = evaluate(node.right, frame)
    if isinstance(node.op, ast.Mod) and isinstance(left, Text):
        if tensor := device_tensor_within(right):
            frame.report("format-tensor", node.right, tensor)
        return STRING
    if isinstance(node.op, ast.Mult):
        for count, other, where in ((left, right, node.left), (right, left, node.right)):
            if (
                isinstance(other, (Sequence, Text))
                and (tensor := device_tensor_of(count))
                and tensor.dtype is not DType.FLOAT
            ):
                frame.report("index-protocol", where, tensor)
                return other
    return _by_class(type(node.op), left, right, node, frame) or arithmetic(type(node.op), left, right)


_METHODS: dict[type[ast.AST], str] = {
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__", ast.MatMult: "__matmul__",
    ast.Pow: "__pow__", ast.FloorDiv: "__floordiv__", ast.Mod: "__mod__", ast.BitAnd: "__and__", ast.BitOr: "__or__",
    ast.Eq: "__eq__", ast.NotEq: "__ne__", ast.Lt: "__lt__", ast.LtE: "__le__", ast.Gt: "__gt__", ast.GtE: "__ge__",
}  # fmt: skip


def _by_class(operator: type[ast.AST], left: Value, right: Value, node: ast.expr, frame: Frame) -> Value | None:
    """What an operator gives that the class of its left operand defines, None where it is another one."""
    if not isinstance(left, Instance) or left.record is None or operator not in _METHODS:
        return None
    method = find_method(left.record, _METHODS[operator])
    return frame.engine.call_with(FunctionValue(method, left), [right], frame, node) if method is not None else None


def _boolean(node: ast.BoolOp, frame: Frame) -> Value:
    return _operands(node, frame)[0]


def _operands(node: ast.BoolOp, frame: Frame) -> tuple[Value, Value]:
    """What ``a and b and c`` stands for, and what its last operand does, where that is reached.

    Each operand is evaluated on what the ones before it tell.
    """
    conjunction = isinstance(node.op, ast.And)
    value = test(node.values[0], frame, "boolean-operator")
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
            continue
        frame.scope, frame.muted = narrowing, narrowing_muted
        start = frame.now
        narrowed(before, frame, conjunction)
        narrowing_muted = frame.muted
        last = operand is node.values[-1]
        binds = last or _may_bind(operand)
        frame.scope = dict(narrowing) if binds and not last else narrowing
        right = evaluate(operand, frame)
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
    return value, right


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


def _comparison(node: ast.Compare, frame: Frame) -> Value:
    left = evaluate(node.left, frame)
    result: Value = BOOLEAN
    left_node = node.left
    for index, (operator, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = evaluate(right_node, frame)
        if isinstance(operator, (ast.In, ast.NotIn)):
            _containment(node, left, right, frame)
            result = BOOLEAN
        else:
            result = _by_class(type(operator), left, right, node, frame) or comparison(type(operator), left, right)
        if index + 1 < len(node.ops) and (tensor := device_tensor_of(result)):
            frame.report("chained-comparison", node, tensor, left_node, known=left)
        left, left_node = right, right_node
    return result


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
    if not isinstance(right, Sequence) or right.kind == "set" or right.items == ():
        return
    inner = any_item(right)
    if (tensor := device_tensor_of(left)) and isinstance(inner, (Scalar, Tensor)):
        frame.report("containment", node, tensor, node.left)
    elif isinstance(left, Scalar) and isinstance(inner, Tensor) and (tensor := device_tensor_of(inner)):
        frame.report("containment", node, tensor, node.comparators[-1])


def _conditional(node: ast.IfExp, frame: Frame) -> Value:
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
    if len(results) == 2 and _asks_for_emptiness(node.test, value, frame):
        results = _without_default(results)
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


def bind_target(target: ast.expr, value: Value, frame: Frame) -> None:
    """Bind the target of a loop, a ``with`` or an unpacking to a value."""
    if isinstance(target, ast.Name):
        used = parameters.by_use(target, frame) if _is_unknown(value, frame) else UNKNOWN
        frame.bind(target.id, parameters.as_counters(value if isinstance(used, Unknown) else used, target.id))
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(target.elts, value, frame)
    elif isinstance(target, ast.Attribute):
        attributes.assign(target, value, frame)
    elif isinstance(target, ast.Subscript):
        container = evaluate(target.value, frame)
        indexing.write(target, container, value, frame)
        if path := subscript_path(target):
            frame.bind(path, value)


def _is_unknown(value: Value, frame: Frame) -> bool:
    """Whether nothing is known of a value but the name of what it comes from.

    ``Loss(x)`` is an object of a class as a rule, but ``Loss`` may as well be a function, where it is not at hand.
    """
    if not isinstance(value, Instance) or value.record is not None:
        return isinstance(value, (Unknown, BoundMethod))
    engine = frame.engine
    return engine.api.class_(value.name) is None and value.name not in engine.catalog.classes


def _unpack(elements: list[ast.expr], value: Value, frame: Frame) -> None:
    star = next((at for at, element in enumerate(elements) if isinstance(element, ast.Starred)), len(elements))
    starred = star < len(elements)
    for index, element in enumerate(elements):
        if isinstance(element, ast.Starred):
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
            elif items is not None and index > star and len(items) >= len(elements) - 1:
                parts.append(items[index - len(elements)])  # `*_, last = outputs`
            elif isinstance(option, Sequence) and index < star:
                parts.append(item_at(option, index) if items is None or index < len(items) else UNKNOWN)
            elif isinstance(option, Instance) and option.name == PACKED and len(elements) == len(PACKED_PARTS):
                parts.append(PACKED_PARTS[index])
            elif isinstance(option, Instance) and isinstance(
                held := records.contents(option, frame, element), Sequence
            ):
                parts.append(item_at(held, index))
            elif isinstance(option, Instance) and option.record is not None and option.record.annotations:
                names = list(option.record.annotations)
                found = frame.engine.attribute(option, names[index], frame, element) if index < len(names) else None
                parts.append(found if found is not None else UNKNOWN)
            elif isinstance(option, Tensor) and option.ndim is None:
                parts.append(option)  # as in `row, column = edges`, which takes apart more often than it counts
            else:
                parts.append(iterate(option))
        bind_target(element, join_all(parts), frame)


def _comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp, frame: Frame) -> Value:
    kind = {ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "generator")
    kept = frame.scope
    frame.scope = dict(kept)
    iterable = _clauses(node.generators, frame)
    element = as_part(evaluate(node.elt, frame))
    _leave_clauses(node.generators, frame)
    frame.scope = kept
    if isinstance(iterable, Sequence) and iterable.items is not None and len(iterable.items) <= 4:
        return Sequence(kind, (element,) * len(iterable.items))
    return Sequence(kind, None, element)


def _dict_comprehension(node: ast.DictComp, frame: Frame) -> Value:
    kept = frame.scope
    frame.scope = dict(kept)
    iterable = _clauses(node.generators, frame)
    evaluate(node.key, frame)
    element = as_part(evaluate(node.value, frame))
    _leave_clauses(node.generators, frame)
    entries = _keyed(node, iterable, frame)
    frame.scope = kept
    return Mapping(entries, NEVER if entries else element)


def _keyed(node: ast.DictComp, iterable: Value | None, frame: Frame) -> tuple[tuple[str, Value], ...]:
    """The entries of ``{key: f(value) for key, value in known.items()}``; empty where not every key is known."""
    if not isinstance(iterable, Sequence) or not iterable.items or _holds_dict_comprehension(node):
        return ()
    entries: dict[str, Value] = {}
    frame.muted += 1
    for item in iterable.items:
        bind_target(node.generators[0].target, item, frame)
        key = evaluate(node.key, frame)
        if not isinstance(key, Text) or key.literal is None:
            entries.clear()
            break
        entries[key.literal] = as_part(evaluate(node.value, frame))
    frame.muted -= 1
    return tuple(entries.items())


def _holds_dict_comprehension(node: ast.DictComp) -> bool:
    """Whether there is another one in it: they would be evaluated more often by a factor for each level of nesting."""
    return any(isinstance(inner, ast.DictComp) for part in (node.key, node.value) for inner in walk(part))


def _clauses(clauses: list[ast.comprehension], frame: Frame) -> Value | None:
    """Bind the targets of a comprehension; what it goes through if it takes each of its elements once."""
    iterable: Value = UNKNOWN
    for clause in clauses:
        iterable = evaluate(clause.iter, frame)
        frame.loops.append(Loop(clause))
        bind_target(clause.target, iterate(iterable), frame)
        for condition in clause.ifs:
            test(condition, frame)
            narrowed(condition, frame, True)
    return iterable if len(clauses) == 1 and not clauses[0].ifs else None


def _leave_clauses(clauses: list[ast.comprehension], frame: Frame) -> None:
    del frame.loops[-len(clauses) :]


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
    frame.yielded.append(iterate(evaluate(node.value, frame)))
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
    ast.BoolOp: _boolean,
    ast.Compare: _comparison,
    ast.IfExp: _conditional,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _dict_comprehension,
    ast.Lambda: _lambda,
    ast.NamedExpr: _named,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
}
