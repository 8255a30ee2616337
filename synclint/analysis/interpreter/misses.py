"""Tests that find something missing which the code behind them then keeps: that runs once, as for a cache."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from synclint.analysis.domain.values import UNKNOWN, Instance, Value, options
from synclint.analysis.objects.record_classes import kind_of
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.nodes import Nodes
from synclint.analysis.syntax.walk import dotted_name, walk


def is_known_miss(node: ast.If, taken: bool, suite: list[ast.stmt], frame: Frame) -> bool:
    """Whether a branch is that of a cache miss; remembered, since a function's body is run several times."""
    known = frame.engine.readings.misses
    key = (node, taken, id(suite))
    if key not in known:
        # What a test that leaves finds missing is made behind it: what stands before only looks it up.
        behind = node.end_lineno or 0 if suite is body_of(frame) else 0
        known[key] = is_miss(node.test, taken, suite, behind, frame) or (
            suite is not body_of(frame) and _is_filled(node, taken, suite, frame)
        )
    return known[key]


def _is_filled(node: ast.If, taken: bool, suite: list[ast.stmt], frame: Frame) -> bool:
    """``if key not in cache: self.make(key)``, where ``cache[key]`` is read behind it: what it calls keeps it."""
    test = node.test
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.NotIn if taken else ast.In):
        return False
    kept = _kept(test, taken, frame)
    if kept is None or not suite or isinstance(suite[-1], _LEAVING) or not _lasts(kept, frame):
        return False
    behind = node.end_lineno or 0
    return any(
        isinstance(part.ctx, ast.Load) and part.lineno > behind and ast.unparse(part) == kept
        for part in _nodes_of(frame).of(ast.Subscript)
    )


def is_miss(test: ast.expr, taken: bool, suite: list[ast.stmt], behind: int, frame: Frame) -> bool:
    """Whether a test finds that something is not kept yet that the suite then keeps: ``if self.x is None``.

    Of the suite counts what stands behind a line.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return is_miss(test.operand, not taken, suite, behind, frame)
    if isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is taken:
            return any(is_miss(value, taken, suite, behind, frame) for value in test.values)
        return all(is_miss(value, taken, suite, behind, frame) for value in test.values)
    kept = _kept(test, taken, frame)
    return kept is not None and _lasts(kept, frame) and _sets(suite, kept, behind)


_IDENTIFIER = re.compile(r"\w+")
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_MADE = (ast.Dict, ast.List, ast.Set, ast.Call, ast.DictComp, ast.ListComp)


def compares_records(test: ast.expr, frame: Frame) -> bool:
    """Whether what is kept is compared with a record that a call is given: ``if self.last != mapping``.

    A number or a shape is that for which something is kept. A record may be another one in each call.
    """
    tests = (one for one in walk(test) if isinstance(one, ast.Compare) and isinstance(one.ops[0], (ast.Eq, ast.NotEq)))
    paths = (dotted_name(side) for one in tests for side in (one.left, *one.comparators))
    return any(_is_record(one) for path in paths if path for one in options(frame.scope.get(path, UNKNOWN)))


def _is_record(value: Value) -> bool:
    return isinstance(value, Instance) and value.record is not None and kind_of(value.record) is not None


def _lasts(kept: str, frame: Frame) -> bool:
    """Whether what is kept outlives the call: it belongs to nothing that the function itself makes."""
    root = _IDENTIFIER.search(kept.removeprefix("not "))
    return root is None or root.group() not in _made(frame) or is_shared(root.group(), frame)


def is_shared(name: str, frame: Frame) -> bool:
    """Whether a name of a function is one of the module, or of a function around it, and outlives a call."""
    function = frame.function
    if function is None or any(parameter.name == name for parameter in function.parameters):
        return False
    if name not in function.stored_names or any(name in node.names for node in function.nodes.of(ast.Global)):
        return True
    return any(name in node.names for node in function.nodes.of(ast.Nonlocal))


def missing(test: ast.expr, taken: bool, frame: Frame) -> Iterator[str]:
    """The attributes, items and globals that are missing where a test comes out so, if they are all it asks for."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from missing(test.operand, not taken, frame)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is taken:
            for value in test.values:
                yield from missing(value, taken, frame)
    elif (kept := _kept(test, taken, frame)) is not None and _lasts(kept, frame):
        yield kept


def _made(frame: Frame) -> frozenset[str]:
    """The names to which the function being run gives objects that it makes, and puts back nowhere."""
    node = frame.function.node if frame.function is not None else frame.module.tree
    known = frame.engine.readings.made
    if node not in known:
        known[node] = frozenset(
            target.id
            for inner in _nodes_of(frame).of(ast.Assign)
            if isinstance(inner.value, _MADE)
            for target in inner.targets
            if isinstance(target, ast.Name) and not (isinstance(inner.value, ast.Call) and _looks_up(inner.value))
        ).difference(_put_back(frame))
    return known[node]


def _put_back(frame: Frame) -> Iterator[str]:
    """The names whose values are put where the function has looked them up: ``entries[key] = entry``."""
    for node in _nodes_of(frame).of(ast.Assign):
        if isinstance(node.value, ast.Name):
            containers = {ast.unparse(target.value) for target in node.targets if isinstance(target, ast.Subscript)}
            if containers and _looked_up_in(node.value.id, frame) in containers:
                yield node.value.id


def _looks_up(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("get", "setdefault")


def _looked_up_in(name: str, frame: Frame) -> str | None:
    """What a name's value is looked up in.

    That is ``cache`` for ``x = cache.get(key)``, ``self.cache`` for ``self.cache[key]``, the attribute for ``self.x``
    and for ``getattr(self, "x", None)``.
    """
    node = frame.function.node if frame.function is not None else frame.module.tree
    known = frame.engine.readings.looked_up
    if node not in known:
        known[node] = dict(_lookups(_nodes_of(frame).of(ast.Assign)))
    container = known[node].get(name)
    return ast.unparse(container) if container is not None else None


def _lookups(assigned: Sequence[ast.Assign]) -> Iterator[tuple[str, ast.expr]]:
    """The names that are given what is looked up, and where; of several lookups the first one is the last here."""
    for node in reversed(assigned):
        if (kept := _looked_up(node.value)) is not None:
            yield from ((target.id, kept) for target in node.targets if isinstance(target, ast.Name))


def _looked_up(value: ast.expr) -> ast.expr | None:
    """The container, or the attribute, that an expression looks something up in."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and _looks_up(value):
        return value.func.value
    if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Attribute):
        return value.value
    return value if isinstance(value, ast.Attribute) else _named_attribute(value)


def _kept(test: ast.expr, taken: bool, frame: Frame) -> str | None:
    """The attribute, item or global of which a test finds that it is missing, as text; None for other tests."""
    test = _read(test)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, operator, right = test.left, test.ops[0], test.comparators[0]
        if isinstance(operator, ast.Eq) and taken and _is_zero(right) and _read(left) is not left:
            return _lasting(_read(left))
        is_none = isinstance(right, ast.Constant) and right.value is None
        if is_none and isinstance(operator, ast.Is if taken else ast.IsNot):
            if isinstance(left, ast.Name):
                return _looked_up_in(left.id, frame) or _shared(left, frame)
            return _lasting(left)
        if isinstance(operator, ast.NotIn if taken else ast.In):
            return f"{ast.unparse(right)}[{ast.unparse(left)}]" if not isinstance(right, ast.Constant) else None
        if isinstance(operator, ast.NotEq if taken else ast.Eq):
            return _compared(left, right, frame)
        if isinstance(operator, ast.Eq) and taken and _is_zero(right) and _is_length(left):
            return ast.unparse(left.args[0])  # type: ignore[attr-defined]
    if taken and isinstance(test, ast.Attribute):
        return f"not {ast.unparse(test)}"  # a flag that the branch clears
    if not taken and isinstance(test, ast.Call) and _is_length(test):
        return ast.unparse(test.args[0])
    if not taken and isinstance(test, (ast.Attribute, ast.Subscript, ast.Call)):
        return _lasting(test)
    if not taken and isinstance(test, ast.Name):
        return test.id if test.id in ("state", "param_state", "cache") else _shared(test, frame)
    return None


# What describes a tensor, as its attributes `shape`, `dtype` and `device` do.
_DESCRIBING = frozenset({"size", "type", "dim", "ndimension", "numel", "nelement", "get_device", "stride"})


def _compared(left: ast.expr, right: ast.expr, frame: Frame) -> str | None:
    """What is kept of what a test compares: an attribute, or what is told of one: ``self.mask.size(0) != x.size(0)``.

    What belongs to the object itself is kept there rather than what is told of what a call is given.
    """
    own = frame.function.parameters[0].name if frame.function is not None and frame.function.parameters else None
    found = [path for side in (left, right) if (path := _lasting(side) or _described(side)) is not None]
    return next((path for path in found if path.startswith(f"{own}.")), found[0] if found else None)


def _described(node: ast.expr) -> str | None:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _DESCRIBING:
        return None
    return ast.unparse(node.func) if isinstance(node.func.value, ast.Attribute) else None


def _shared(node: ast.Name, frame: Frame) -> str | None:
    return node.id if is_shared(node.id, frame) else None


def _read(test: ast.expr) -> ast.expr:
    """What a test reads a number or truth from: ``self.ready`` of ``self.ready.item()``, or of ``bool(self.ready)``."""
    if isinstance(test, ast.Call):
        if isinstance(test.func, ast.Attribute) and test.func.attr == "item" and not test.args:
            return test.func.value
        if dotted_name(test.func) in ("bool", "int") and len(test.args) == 1:
            return test.args[0]
    return test


def _lasting(node: ast.expr) -> str | None:
    """What outlives the call: an attribute, or an item, also where it is asked for: ``cache.get(key)``."""
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return ast.unparse(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        return f"{ast.unparse(node.func.value)}[{ast.unparse(node.args[0])}]"
    return ast.unparse(named) if (named := _named_attribute(node)) is not None else None


def _named_attribute(node: ast.expr) -> ast.Attribute | None:
    """The attribute that a call asks for by its name: ``self.x`` of ``getattr(self, "x", None)``."""
    if not isinstance(node, ast.Call) or dotted_name(node.func) not in ("getattr", "hasattr") or len(node.args) < 2:
        return None
    owner, name = node.args[:2]
    said = name.value if isinstance(name, ast.Constant) else None
    return ast.Attribute(owner, said, ast.Load()) if isinstance(said, str) else None


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and dotted_name(node.func) == "len" and len(node.args) == 1


_SETTING = frozenset({ast.Assign, ast.AnnAssign, ast.Call})


def _sets(suite: list[ast.stmt], kept: str, behind: int) -> bool:
    """Whether a suite gives what was missing a value: itself, an item of it, or one by a call that registers it."""
    is_flag = kept.startswith("not ")
    path = kept.removeprefix("not ")
    for node in walk(suite):
        if type(node) not in _SETTING or node.lineno <= behind:  # type: ignore[attr-defined]
            continue
        value = getattr(node, "value", None)
        for text in map(ast.unparse, _targets(node)):
            if is_flag:
                if text == path and isinstance(value, ast.Constant) and not value.value:
                    return True
            elif text == path or text.startswith(f"{path}[") or path.startswith((f"{text}.", f"{text}[")):
                return True
        if isinstance(node, ast.Call) and _written(node) == path and (not is_flag or _clears(node)):
            return True
        if not is_flag and isinstance(node, ast.Call) and dotted_name(node.func) in ("setattr", "self.register_buffer"):
            given = (a.value for a in node.args if isinstance(a, ast.Constant))
            if any(isinstance(name, str) and path.endswith(f".{name}") for name in given):
                return True
    return False


def _targets(node: ast.AST) -> list[ast.expr]:
    """What an assignment gives a value, the parts of tuples one by one."""
    if isinstance(node, ast.AnnAssign):
        return [node.target]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [part for one in targets for part in (one.elts if isinstance(one, (ast.Tuple, ast.List)) else [one])]


def assignments(suite: list[ast.stmt]) -> Iterator[tuple[list[ast.expr], ast.expr]]:
    """The assignments in a suite: what is given a value, and the value."""
    for node in walk(suite):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            yield _targets(node), node.value


def _written(call: ast.Call) -> str | None:
    """The tensor that a call writes another value to, as text: ``self.ready`` of ``self.ready.fill_(True)``."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("fill_", "copy_", "zero_"):
        return None
    return ast.unparse(call.func.value).removesuffix(".data")


def _clears(call: ast.Call) -> bool:
    """Whether a call writes what is false: ``fill_(0)``, ``zero_()``, ``copy_(torch.tensor(False))``."""
    value: ast.expr | None = call.args[0] if call.args else None
    while isinstance(value, (ast.Call, ast.List)):
        parts = value.args if isinstance(value, ast.Call) else value.elts
        value = parts[0] if len(parts) == 1 else None
    is_zeroed = isinstance(call.func, ast.Attribute) and call.func.attr == "zero_"
    return is_zeroed or (isinstance(value, ast.Constant) and not value.value)


def body_of(frame: Frame) -> list[ast.stmt]:
    """The body of the function being run, or of the module."""
    node = frame.function.node if frame.function is not None else frame.module.tree
    return node.body if not isinstance(node, ast.Lambda) else []


def _nodes_of(frame: Frame) -> Nodes:
    """The nodes of the function being run, or of the module."""
    return frame.function.nodes if frame.function is not None else Nodes(walk(frame.module.tree.body))
