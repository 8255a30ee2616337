"""Statements on abstract values: binding, branching, looping, leaving."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import libcst as cst

from synclint.analysis import calls, definitions, guards, indexing
from synclint.analysis.expressions import (
    bind_target,
    evaluate,
    iterate,
    subscript_path,
    test,
)
from synclint.analysis.frames import Frame, Loop, Scope, merge
from synclint.analysis.narrowing import constant, narrowed
from synclint.analysis.operators import arithmetic
from synclint.analysis.values import (
    BOOLEAN,
    NOTHING,
    UNKNOWN,
    ClassValue,
    Device,
    FunctionValue,
    Nothing,
    ProjectModule,
    Scalar,
    Sequence,
    Symbol,
    Value,
    is_known,
    join,
    tensor_of,
    truth,
)
from synclint.analysis.walk import dotted_name, walk

MOST_ROUNDS = 3


def run_body(body: Iterable[cst.BaseStatement | cst.BaseSmallStatement], frame: Frame) -> None:
    """Run statements one after the other, as far as control reaches."""
    for statement in body:
        if not frame.alive:
            return
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if frame.alive:
                    _run(small, frame)
        else:
            _run(statement, frame)


def _run(statement: cst.CSTNode, frame: Frame) -> None:
    handler = _HANDLERS.get(type(statement))
    if handler is not None:
        handler(statement, frame)


def _suite(suite: cst.BaseSuite, frame: Frame) -> None:
    guards_outside = len(frame.cold)
    run_body(suite.body, frame)
    del frame.cold[guards_outside:]


def _expression(node: cst.Expr, frame: Frame) -> None:
    evaluate(node.value, frame)


def _assign(node: cst.Assign, frame: Frame) -> None:
    value = evaluate(node.value, frame)
    if frame.function is None and isinstance(value, Scalar) and value.kind == "bool":
        value = BOOLEAN  # a switch at the top of a script is there to be turned
    for target in node.targets:
        bind_target(target.target, value, frame)
    _remember_test(node, frame)
    if frame.function is None and isinstance(node.value, (cst.Subscript, cst.BinaryOperation)):
        if isinstance(node.targets[0].target, cst.Name):
            frame.module.aliases[node.targets[0].target.value] = node.value
    if frame.function is None and len(node.targets) == 1:
        definitions.note_named_tuple(node, value, frame)


def _remember_test(node: cst.Assign, frame: Frame) -> None:
    """``log_now = step % 100 == 0``: a later ``if log_now`` is that test, as long as its names mean the same."""
    target = node.targets[0].target
    if isinstance(target, cst.Name) and isinstance(
        node.value, (cst.Comparison, cst.BooleanOperation, cst.UnaryOperation)
    ):
        names = {inner.value for inner in walk(node.value) if isinstance(inner, cst.Name)}
        if names.isdisjoint({target.value, *frame.tests}):
            frame.tests[target.value] = node.value


def _annotated(node: cst.AnnAssign, frame: Frame) -> None:
    value = evaluate(node.value, frame) if node.value is not None else None
    owner = frame.function or frame.module
    declared = frame.engine.annotation(node.annotation.annotation, owner)
    if value is None and frame.function is not None and isinstance(node.target, cst.Name):
        if is_known(declared):
            frame.bind(node.target.value, declared)
        return
    if value is None:
        if isinstance(node.target, cst.Name):
            frame.scope.setdefault(node.target.value, declared)
        return
    if not is_known(value) or (isinstance(value, Nothing) and is_known(declared)):
        value = declared if not isinstance(value, Nothing) else join(NOTHING, declared)
    bind_target(node.target, value, frame)


def _augmented(node: cst.AugAssign, frame: Frame) -> None:
    operator = _AUGMENTED.get(type(node.operator))
    right = evaluate(node.value, frame)
    target = node.target
    if isinstance(target, cst.Subscript):
        container = evaluate(target.value, frame)
        if indexing.update(target, container, right, frame):
            return
        left = indexing.read(target, container, frame)
        result = arithmetic(operator, left, right) if operator is not None else UNKNOWN
        kept = tensor_of(left)
        if kept is None or tensor_of(container) is None:
            if path := subscript_path(target):
                frame.bind(path, result)
            indexing.write(target, container, result, frame)
        return
    left = evaluate(target, frame)
    result = arithmetic(operator, left, right) if operator is not None else UNKNOWN
    mine = tensor_of(left)
    if mine is not None and mine == left and tensor_of(result) is not None:
        result = mine if mine.device is not Device.UNKNOWN else result
    bind_target(target, result, frame)


_AUGMENTED: dict[type[cst.CSTNode], type[cst.CSTNode]] = {
    cst.AddAssign: cst.Add, cst.SubtractAssign: cst.Subtract, cst.MultiplyAssign: cst.Multiply,
    cst.DivideAssign: cst.Divide, cst.FloorDivideAssign: cst.FloorDivide, cst.ModuloAssign: cst.Modulo,
    cst.PowerAssign: cst.Power, cst.BitAndAssign: cst.BitAnd, cst.BitOrAssign: cst.BitOr, cst.BitXorAssign: cst.BitXor,
    cst.MatrixMultiplyAssign: cst.MatrixMultiply, cst.LeftShiftAssign: cst.LeftShift,
    cst.RightShiftAssign: cst.RightShift,
}  # fmt: skip


def _return(node: cst.Return, frame: Frame) -> None:
    frame.returned.append(evaluate(node.value, frame) if node.value is not None else NOTHING)
    frame.alive = False


def _raise(node: cst.Raise, frame: Frame) -> None:
    frame.cold.append("runs only when an error is raised")
    if node.exc is not None:
        evaluate(node.exc, frame)
    frame.cold.pop()
    frame.alive = False


def _assert(node: cst.Assert, frame: Frame) -> None:
    test(node.test, frame, "assert-condition")
    if constant(node.test, frame) is not False:
        narrowed(node.test, frame, True)


def _if(node: cst.If, frame: Frame) -> None:
    value = test(node.test, frame)
    certain = truth(value)
    if certain is None:
        certain = constant(node.test, frame)
    start, muted = frame.scope, frame.muted
    outcomes: list[Scope] = []
    impossible: list[Scope] = []
    reached: list[bool] = []
    for taken in (True, False):
        if certain is not None and certain is not taken:
            continue
        frame.scope, frame.alive, frame.muted = dict(start), True, muted
        narrowed(node.test, frame, taken)
        guard = guards.cold_reason(node.test, taken, frame)
        if guard:
            frame.cold.append(guard)
        if taken:
            _suite(node.body, frame)
        elif isinstance(node.orelse, cst.If):
            _if(node.orelse, frame)
        elif node.orelse is not None:
            _suite(node.orelse.body, frame)
        if guard:
            frame.cold.pop()
        if frame.alive:
            (impossible if frame.muted > muted else outcomes).append(frame.scope)
            reached.append(taken)
    frame.muted = muted if outcomes or not impossible else muted + 1
    outcomes = outcomes or impossible
    if len(reached) == 1 and certain is None and (rest := guards.cold_reason(node.test, reached[0], frame)):
        frame.cold.append(rest)
    frame.alive = bool(outcomes)
    frame.scope = merge(outcomes[0], outcomes[1]) if len(outcomes) == 2 else (outcomes[0] if outcomes else start)


def _for(node: cst.For, frame: Frame) -> None:
    iterable = evaluate(node.iter, frame)
    if isinstance(iterable, Sequence) and iterable.items and _sets_attributes(node):
        _unrolled(node, iterable.items, frame)
        return
    element = iterate(iterable)
    _loop(node, node.body, frame, lambda: bind_target(node.target, element, frame), certain=False)
    if node.orelse is not None and frame.alive:
        _suite(node.orelse.body, frame)


def _sets_attributes(node: cst.For) -> bool:
    """Whether a loop gives names to attributes: each of its rounds means something else then."""
    return any(type(inner) is cst.Call and dotted_name(inner.func) == "setattr" for inner in walk(node.body))


def _unrolled(node: cst.For, items: tuple[Value, ...], frame: Frame) -> None:
    """Run a loop's body once for each of the known elements."""
    for item in items:
        if frame.alive:
            _loop(node, node.body, frame, partial(bind_target, node.target, item, frame), certain=False)


def _while(node: cst.While, frame: Frame) -> None:
    endless = truth(evaluate(node.test, frame)) is True if isinstance(node.test, (cst.Name, cst.Integer)) else False

    def begin() -> None:
        test(node.test, frame)
        narrowed(node.test, frame, True)

    _loop(node, node.body, frame, begin, certain=endless)
    if node.orelse is not None and frame.alive:
        _suite(node.orelse.body, frame)


def _loop(
    node: cst.For | cst.While, body: cst.BaseSuite, frame: Frame, begin: Callable[[], None], certain: bool
) -> None:
    """Run a loop's body until the scope no longer changes; ``certain`` loops are left by ``break`` only."""
    loop = Loop(node)
    before = dict(frame.scope)
    broken: list[Scope] = []
    frame.loops.append(loop)
    for _ in range(MOST_ROUNDS):
        entry = dict(frame.scope)
        muted = frame.muted
        frame.alive = True
        begin()
        _suite(body, frame)
        frame.muted = muted
        after = merge(entry, frame.scope) if frame.alive else entry
        for scope, again in loop_exits(loop):
            if again:
                after = merge(after, scope)
            else:
                broken.append(scope)
        loop.exits.clear()
        frame.scope = after
        if after == entry:
            break
    frame.loops.pop()
    frame.alive = not certain or bool(broken)
    result = frame.scope if not certain else (broken[0] if broken else before)
    for scope in broken:
        result = merge(result, scope)
    frame.scope = result


def loop_exits(loop: Loop) -> list[tuple[Scope, bool]]:
    """The scopes in which a loop was left or begun anew, the latter marked true."""
    return [({k: v for k, v in scope.items() if k != _AGAIN}, _AGAIN in scope) for scope in loop.exits]


_AGAIN = " continue"


def _break(node: cst.Break, frame: Frame) -> None:
    if frame.loops:
        frame.loops[-1].exits.append(dict(frame.scope))
    frame.alive = False


def _continue(node: cst.Continue, frame: Frame) -> None:
    if frame.loops:
        frame.loops[-1].exits.append({**frame.scope, _AGAIN: NOTHING})
    frame.alive = False


def _with(node: cst.With, frame: Frame) -> None:
    for item in node.items:
        value = evaluate(item.item, frame)
        if item.asname is not None:
            bind_target(item.asname.name, calls.entered(value, frame, item.item), frame)
    _suite(node.body, frame)


def _try(node: cst.Try | cst.TryStar, frame: Frame) -> None:
    start = dict(frame.scope)
    _suite(node.body, frame)
    if node.orelse is not None and frame.alive:
        _suite(node.orelse.body, frame)
    outcomes = [frame.scope] if frame.alive else []
    interrupted = merge(start, frame.scope)
    for handler in node.handlers:
        frame.scope, frame.alive = dict(interrupted), True
        if handler.name is not None:
            bind_target(handler.name.name, UNKNOWN, frame)
        frame.cold.append("runs only when an exception is handled")
        _suite(handler.body, frame)
        frame.cold.pop()
        if frame.alive:
            outcomes.append(frame.scope)
    frame.alive = bool(outcomes)
    frame.scope = outcomes[0] if outcomes else interrupted
    for scope in outcomes[1:]:
        frame.scope = _prefer_imports(frame.scope, scope)
    if node.finalbody is not None:
        alive, frame.alive = frame.alive, True
        _suite(node.finalbody.body, frame)
        frame.alive = alive and frame.alive


def _prefer_imports(tried: Scope, handled: Scope) -> Scope:
    """``try: import fast as lib``/``except ImportError: lib = None``: what was imported counts."""
    merged = merge(tried, handled)
    for name, value in tried.items():
        if isinstance(value, (Symbol, ProjectModule, FunctionValue, ClassValue)):
            merged[name] = value
    return merged


def _match(node: cst.Match, frame: Frame) -> None:
    subject = evaluate(node.subject, frame)
    start = frame.scope
    outcomes: list[Scope] = [dict(start)]
    for case in node.cases:
        frame.scope, frame.alive = dict(start), True
        definitions.bind_pattern(case.pattern, subject, frame)
        if case.guard is not None:
            test(case.guard, frame)
        _suite(case.body, frame)
        if frame.alive:
            outcomes.append(frame.scope)
    frame.alive = True
    frame.scope = outcomes[0]
    for scope in outcomes[1:]:
        frame.scope = merge(frame.scope, scope)


def _delete(node: cst.Del, frame: Frame) -> None:
    path = dotted_name(node.target)
    if path is not None:
        frame.forget(path)
        frame.scope.pop(path, None)


_HANDLERS: dict[type[cst.CSTNode], Callable[..., None]] = {
    cst.Expr: _expression,
    cst.Assign: _assign,
    cst.AnnAssign: _annotated,
    cst.AugAssign: _augmented,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Assert: _assert,
    cst.If: _if,
    cst.For: _for,
    cst.While: _while,
    cst.Break: _break,
    cst.Continue: _continue,
    cst.With: _with,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.Match: _match,
    cst.Del: _delete,
    cst.FunctionDef: definitions.define_function,
    cst.ClassDef: definitions.define_class,
    cst.Import: definitions.import_modules,
    cst.ImportFrom: definitions.import_names,
}
