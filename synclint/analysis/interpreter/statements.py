"""Statements on abstract values: binding, branching, looping, leaving."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial

from synclint.analysis.annotations.presumed_loaders import gives_batches, on_host, with_batches
from synclint.analysis.calls.context_managers import entered
from synclint.analysis.domain.lattice import join, widen
from synclint.analysis.domain.selection import truth
from synclint.analysis.domain.tensors import device_tensor_within, tensor_of
from synclint.analysis.domain.values import (
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
    Tensor,
    Value,
    is_known,
)
from synclint.analysis.interpreter import definitions, guards, indexing
from synclint.analysis.interpreter.asked_for import option_behind
from synclint.analysis.interpreter.expressions import bind_target, evaluate, test
from synclint.analysis.interpreter.narrowing import constant, narrowed
from synclint.analysis.interpreter.switches import need_of
from synclint.analysis.models.operators import arithmetic
from synclint.analysis.objects.captures import captured_in_block
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.program.outlines import OutlinedAsyncFunction, OutlinedFunction
from synclint.analysis.state.frames import Frame, Loop, LoopExits
from synclint.analysis.state.join_points import JoinPoint, Scope, merge, root_of
from synclint.analysis.syntax.carried_names import captured_names, carried_names
from synclint.analysis.syntax.walk import dotted_name, subscript_path, walk
from synclint.findings import Phase, place_in_words

# After so many rounds of a loop what still changes is widened: lists that grow into each other would do so for ever.
_ROUNDS_BEFORE_WIDENING = 4
# Every round may hand a value on to one more name: no loop that people write has chains as long.
MOST_ROUNDS = 40
# In a file that takes very much work, loops that call loops: there, long chains are given up before the file is.
_FEWEST_ROUNDS = 3


def run_body(body: Iterable[ast.stmt], frame: Frame) -> None:
    """Run statements one after the other, as far as control reaches."""
    count = frame.engine.count_statement
    for statement in body:
        if not frame.alive:
            return
        count()
        kind = type(statement)
        if kind is ast.Expr:
            guards.follow_mode(statement, frame)
        handler = _HANDLERS.get(kind)
        if handler is not None:
            handler(statement, frame)


def _suite(suite: list[ast.stmt], frame: Frame) -> None:
    guards_outside = len(frame.guards)
    run_body(suite, frame)
    del frame.guards[guards_outside:]


def _expression(node: ast.Expr, frame: Frame) -> None:
    evaluate(node.value, frame)


def _assign(node: ast.Assign, frame: Frame) -> None:
    value = _bound(evaluate(node.value, frame), frame)
    for target in node.targets:
        bind_target(target, value, frame)
    _infer_dimensions(node, frame)
    _remember_test(node, frame)
    if frame.function is None and isinstance(node.value, (ast.Subscript, ast.BinOp)):
        if isinstance(node.targets[0], ast.Name):
            frame.module.aliases[node.targets[0].id] = node.value
    if frame.function is None and len(node.targets) == 1:
        definitions.note_named_tuple(node, value, frame)
        _note_switch(node.targets[0], node.value, frame)


# Attributes of classes of torch's, with the function that is meant to set them.
_SWITCHED_BY = {"_validate_args": "set_default_validate_args"}


def _note_switch(target: ast.expr, value: ast.expr, frame: Frame) -> None:
    """``Distribution._validate_args = False`` does what ``Distribution.set_default_validate_args(False)`` does."""
    if not isinstance(target, ast.Attribute) or target.attr not in _SWITCHED_BY or frame.module.is_test:
        return
    owner = evaluate(target.value, frame)
    if isinstance(owner, Symbol) and isinstance(value, ast.Constant) and value.value is False:
        frame.engine.note_switch(f"{owner.name}.{_SWITCHED_BY[target.attr]}")


def _bound(value: Value, frame: Frame) -> Value:
    """What a name stands for: a switch at the top of a script, or among the defaults of a class, is to be turned."""
    return BOOLEAN if frame.function is None and isinstance(value, Scalar) and value.kind == "bool" else value


def _infer_dimensions(node: ast.Assign, frame: Frame) -> None:
    """``batch, length = x.shape`` works when there are two dimensions only."""
    target, shape = node.targets[0], node.value
    if not isinstance(target, (ast.Tuple, ast.List)) or any(isinstance(part, ast.Starred) for part in target.elts):
        return
    if isinstance(shape, ast.Call) and not shape.args and not shape.keywords:
        shape = shape.func
    if not isinstance(shape, ast.Attribute) or shape.attr not in ("shape", "size"):
        return
    path = dotted_name(shape.value)
    known = frame.lookup(path) if path is not None else None
    if path is not None and isinstance(known, Tensor) and known.ndim is None:
        frame.know(path, replace(known, ndim=len(target.elts)))


_KIND_TESTS = frozenset({"isinstance", "torch.is_tensor"})


def _remember_test(node: ast.Assign, frame: Frame) -> None:
    """``log_now = step % 100 == 0``: a later ``if log_now`` is that test, as long as its names mean the same."""
    target = node.targets[0]
    if isinstance(target, ast.Name) and (
        isinstance(node.value, (ast.Compare, ast.BoolOp, ast.UnaryOp))
        or (isinstance(node.value, ast.Call) and dotted_name(node.value.func) in _KIND_TESTS)
    ):
        names = {inner.id for inner in walk(node.value) if isinstance(inner, ast.Name)}
        if names.isdisjoint({target.id, *frame.tests}):
            frame.tests[target.id] = node.value


def _annotated(node: ast.AnnAssign, frame: Frame) -> None:
    value = evaluate(node.value, frame) if node.value is not None else None
    owner = frame.function or frame.module
    declared = frame.engine.annotation(node.annotation, owner)
    if value is None and frame.function is not None and isinstance(node.target, ast.Name):
        if is_known(declared):
            frame.bind(node.target.id, declared)
        return
    if value is None:
        if isinstance(node.target, ast.Name):
            if node.target.id not in frame.scope:
                frame.know(node.target.id, declared)
        return
    if _is_empty(node.value) and is_known(declared) and device_tensor_within(declared) is None:
        value = declared  # `sizes: dict[int, list[int]] = {}` is filled as it says
    elif not is_known(value) or (isinstance(value, Nothing) and is_known(declared)):
        value = declared if not isinstance(value, Nothing) else join(NOTHING, declared)
    bind_target(node.target, _bound(value, frame), frame)


def _is_empty(node: ast.expr | None) -> bool:
    """Whether an expression makes a container without anything in it."""
    if isinstance(node, ast.Call):
        called = (dotted_name(node.func) or "").rpartition(".")[2]
        return not node.keywords and (called == "defaultdict" or (called in ("dict", "list") and not node.args))
    return (isinstance(node, ast.List) and not node.elts) or (isinstance(node, ast.Dict) and not node.keys)


def _augmented(node: ast.AugAssign, frame: Frame) -> None:
    operator = type(node.op)
    right = evaluate(node.value, frame)
    target = node.target
    if isinstance(target, ast.Subscript):
        container = evaluate(target.value, frame)
        if indexing.update(target, container, right, frame):
            return
        left = indexing.read(target, container, frame)
        result = arithmetic(operator, left, right)
        kept = tensor_of(left)
        if kept is None or tensor_of(container) is None:
            if path := subscript_path(target):
                frame.bind(path, result)
            indexing.write(target, container, result, frame)
        return
    left = evaluate(target, frame)
    result = arithmetic(operator, left, right)
    mine = tensor_of(left)
    if mine is not None and mine == left and tensor_of(result) is not None:
        result = mine if mine.device is not Device.UNKNOWN else result
    bind_target(target, result, frame)


def _return(node: ast.Return, frame: Frame) -> None:
    frame.returned.append(evaluate(node.value, frame) if node.value is not None else NOTHING)
    frame.alive = False


def _raise(node: ast.Raise, frame: Frame) -> None:
    frame.guard(Phase.ONCE, "runs only when an error is raised")
    if node.exc is not None:
        evaluate(node.exc, frame)
    frame.guards.pop()
    frame.alive = False


def _assert(node: ast.Assert, frame: Frame) -> None:
    test(node.test, frame, "assert-condition")
    if isinstance(node.test, ast.Constant) and not node.test.value:
        frame.alive = False
    elif constant(node.test, frame) is not False:
        narrowed(node.test, frame, True)


@dataclass(slots=True)
class _Branching:
    """An ``if`` whose branches have not been joined yet: the scope before it, and the scopes at their ends.

    ``guards`` is how many reasons to be cold held before the branch that has been run last, ``since`` when they parted.
    """

    node: ast.If
    certain: bool | None
    start: Scope
    muted: int
    guards: int
    since: int
    outcomes: list[Scope] = field(default_factory=list)
    impossible: list[Scope] = field(default_factory=list)
    reached: list[bool] = field(default_factory=list)


def _if(node: ast.If, frame: Frame) -> None:
    """An ``if`` with all of its ``elif``, one after the other: code that was generated has thousands of them."""
    branchings: list[_Branching] = []
    following: ast.If | None = node
    while following is not None:
        branching = _branch(following, frame)
        branchings.append(branching)
        following = None
        if branching.certain is not True:
            orelse = branching.node.orelse
            frame.carry_changes(branching.since)
            _enter_branch(branching, False, frame)
            if len(orelse) == 1 and isinstance(orelse[0], ast.If):
                following = orelse[0]
            else:
                run_body(orelse, frame)
    rest = JoinPoint(frame.scope, set())
    until = frame.now
    for branching in reversed(branchings):
        if branching.certain is not True:
            _leave_branch(branching, False, frame)
        _join(branching, rest, frame.changed_since(branching.since, until), frame)
        until = branching.since
    frame.carry_changes(branchings[0].since)


def _branch(node: ast.If, frame: Frame) -> _Branching:
    """Test, and run what stands behind the test."""
    value = test(node.test, frame)
    certain = truth(value)
    if certain is None:
        certain = constant(node.test, frame)
    branching = _Branching(node, certain, frame.scope, frame.muted, len(frame.guards), frame.now)
    if certain is not False:
        _enter_branch(branching, True, frame)
        run_body(node.body, frame)
        _leave_branch(branching, True, frame)
    if certain is not None and truth(value) is None:
        _note_excluded(node, not certain, frame)
    return branching


def _note_excluded(node: ast.If, taken: bool, frame: Frame) -> None:
    """Remember the functions that are called in what never runs: who is called nowhere else never runs either."""
    known = frame.engine.readings.called
    key = (node, taken)
    if key not in known:
        calls = (inner for inner in walk(node.body if taken else node.orelse) if isinstance(inner, ast.Call))
        known[key] = tuple(dict.fromkeys(call.func.id for call in calls if isinstance(call.func, ast.Name)))
    for name in known[key]:
        called = frame.lookup(name)
        if isinstance(called, Symbol):
            called = frame.engine.resolve(called.name)
        if isinstance(called, FunctionValue):
            frame.engine.note_excluded(called.record)


def _enter_branch(branching: _Branching, taken: bool, frame: Frame) -> None:
    frame.scope, frame.alive, frame.muted = dict(branching.start), True, branching.muted
    narrowed(branching.node.test, frame, taken)
    if said := guards.of_branch(branching.node, taken, frame):
        frame.guard(*said)
        return
    need, option = need_of(branching.node.test, taken, frame), option_behind(branching.node.test, taken, frame)
    if need is not None or option is not None:
        frame.guard(Phase.STEP, "", need=need, option=option or "")


def _leave_branch(branching: _Branching, taken: bool, frame: Frame) -> None:
    del frame.guards[branching.guards :]
    if frame.alive:
        (branching.impossible if frame.muted > branching.muted else branching.outcomes).append(frame.scope)
        branching.reached.append(taken)


def _join(branching: _Branching, rest: JoinPoint, changed: set[str], frame: Frame) -> None:
    """Go on with the join of the scopes at the ends of the branches.

    ``rest`` is the join point of the branchings within this one's ``else``, and ``changed`` what changed before those.
    """
    frame.muted = branching.muted if branching.outcomes or not branching.impossible else branching.muted + 1
    outcomes = branching.outcomes or branching.impossible
    if len(branching.reached) == 1 and branching.certain is None:
        if said := guards.of_rest(branching.node, branching.reached[0], frame):
            frame.guard(*said)
        elif option := option_behind(branching.node.test, branching.reached[0], frame):
            frame.guard(Phase.STEP, "", option=option)
    frame.alive = bool(outcomes)
    if len(outcomes) == 2:
        rest.precede(outcomes[0], changed)
    else:
        rest.scope = outcomes[0] if outcomes else branching.start
        rest.open |= changed
    frame.scope = rest.scope


def _for(node: ast.For | ast.AsyncFor, frame: Frame) -> None:
    frame.iterated = node
    iterable = evaluate(node.iter, frame)
    frame.iterated = None
    # Loops that are run once for each element multiply: one within another is a loop like any other.
    if not frame.loops and isinstance(iterable, Sequence) and iterable.items and _sets_attributes(node, frame):
        _unrolled(node, iterable.items, frame)
        return
    element = iterate(iterable)
    presumed = with_batches(element)
    if presumed is not element and frame.module.has_torch_in_reach and _gives_batches(node, frame):
        element = presumed
    element = on_host(element, node)
    _loop(node, node.orelse, frame, lambda: bind_target(node.target, element, frame), certain=False)


def _sets_attributes(node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    """Whether a loop gives names to attributes: each of its rounds means something else then."""
    known = frame.engine.readings.setting
    if node not in known:
        known[node] = any(type(inner) is ast.Call and dotted_name(inner.func) == "setattr" for inner in walk(node.body))
    return known[node]


def _gives_batches(node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    known = frame.engine.readings.batches
    if node not in known:
        known[node] = gives_batches(node)
    return known[node]


def _unrolled(node: ast.For | ast.AsyncFor, items: tuple[Value, ...], frame: Frame) -> None:
    """Run a loop's body once for each of the known elements."""
    for index, item in enumerate(items, start=1):
        frame.heads.clear()  # each round is another program, and not one more way to the loops within
        if frame.alive:
            orelse = node.orelse if index == len(items) else []
            _loop(node, orelse, frame, partial(bind_target, node.target, item, frame), certain=False)


def _while(node: ast.While, frame: Frame) -> None:
    endless = isinstance(node.test, (ast.Name, ast.Constant)) and truth(evaluate(node.test, frame)) is True

    def begin() -> None:
        test(node.test, frame)
        narrowed(node.test, frame, True)

    _loop(node, node.orelse, frame, begin, certain=endless)


def _loop(
    node: ast.For | ast.AsyncFor | ast.While,
    orelse: list[ast.stmt],
    frame: Frame,
    begin: Callable[[], None],
    certain: bool,
) -> None:
    """Run a loop's body until the scope no longer changes; ``certain`` loops are left by ``break`` only.

    ``orelse`` is what follows where the loop was not left so. A loop within another goes on from where its last round
    in the other's last round has led: what holds there holds in the next one as well, and rounds do not multiply.
    """
    loop = Loop(node)
    before, start = dict(frame.scope), frame.now
    if frame.loops:
        frame.resume(node)
    frame.loops.append(loop)
    for turn in range(MOST_ROUNDS):
        entry, begun = dict(frame.scope), frame.now
        muted = frame.muted
        frame.alive = True
        begin()
        _suite(node.body, frame)
        frame.muted = muted
        changed = frame.changed_since(begun)
        after = merge(entry, frame.scope, changed) if frame.alive else entry
        if loop.repeats.joined is not None:
            after = merge(after, loop.repeats.joined.scope, changed)
        frame.carry_changes(begun)
        loop.repeats = LoopExits()
        growing = [name for name in changed if after.get(name) != entry.get(name) and _is_carried(name, node, frame)]
        if turn >= _ROUNDS_BEFORE_WIDENING:
            after.update({name: widen(entry[name], after[name]) for name in growing if name in entry and name in after})
        frame.scope = after
        if not growing or (turn + 1 >= _FEWEST_ROUNDS and not frame.engine.has_work_to_spare):
            break
    frame.loops.pop()
    if frame.loops:
        frame.heads[node] = dict(frame.scope), start
    frame.alive = not certain
    if frame.alive:
        _suite(orelse, frame)
        frame.carry_changes(start)
    if loop.exits.joined is not None:
        broken = loop.exits.joined.scope
        frame.scope = merge(frame.scope, broken, frame.changed_since(start)) if frame.alive else broken
        frame.alive = True
    elif certain:
        frame.scope = before


def _is_carried(path: str, loop: ast.For | ast.AsyncFor | ast.While, frame: Frame) -> bool:
    """Whether a round of a loop may read what the one before it has given a name or a path.

    What is at the top of a module is read by functions that are called in the loop.
    """
    function = frame.function
    if function is None or isinstance(function.node, ast.Lambda):
        return True
    name = root_of(path)
    readings = frame.engine.readings
    if loop not in readings.carried:
        readings.carried[loop] = carried_names(loop)
    if name in readings.carried[loop]:
        return True
    if function.node not in readings.captured:
        readings.captured[function.node] = captured_names(function.nodes)
    return name in readings.captured[function.node]


def _break(node: ast.Break, frame: Frame) -> None:
    if frame.loops:
        frame.loops[-1].exits.add(frame)
    frame.alive = False


def _continue(node: ast.Continue, frame: Frame) -> None:
    if frame.loops:
        frame.loops[-1].repeats.add(frame)
    frame.alive = False


def _with(node: ast.With | ast.AsyncWith, frame: Frame) -> None:
    outside = len(frame.guards)
    for item in node.items:
        value = evaluate(item.context_expr, frame)
        _note_capture(item.context_expr, frame)
        if item.optional_vars is not None:
            bind_target(item.optional_vars, entered(value, frame, item.context_expr), frame)
    _suite(node.body, frame)
    del frame.guards[outside:]


def _note_capture(expression: ast.expr, frame: Frame) -> None:
    """Note that what follows is captured as a graph, if this begins one."""
    if isinstance(expression, ast.Call) and (dotted_name(expression.func) or "").endswith("graph"):
        captured = captured_in_block(expression, evaluate(expression.func, frame))
        if captured is not None:
            where = place_in_words(str(frame.module.path), frame.module.line_of(expression))
            frame.guard(Phase.STEP, "", captured=f"{captured} at {where}")


def _try(node: ast.Try, frame: Frame) -> None:
    start, begun = dict(frame.scope), frame.now
    interrupted = _tried(node.body, frame)
    if node.orelse and frame.alive:
        _suite(node.orelse, frame)
    changed = frame.changed_since(begun)
    join_point = JoinPoint(frame.scope, changed) if frame.alive else None
    interrupted = merge(start, interrupted, changed)
    since = begun
    for handler in node.handlers:
        frame.carry_changes(since)
        since = frame.now
        frame.scope, frame.alive = dict(interrupted), True
        if handler.name is not None:
            frame.bind(handler.name, UNKNOWN)
        frame.guard(Phase.ONCE, "runs only when an exception is handled")
        _suite(handler.body, frame)
        frame.guards.pop()
        if frame.alive and join_point is None:
            join_point = JoinPoint(frame.scope, frame.changed_since(since))
        elif frame.alive and join_point is not None:
            _join_handler(join_point, frame.scope, frame.changed_since(since))
    frame.alive = join_point is not None
    frame.scope = join_point.scope if join_point is not None else interrupted
    frame.carry_changes(begun)
    if node.finalbody:
        alive, frame.alive = frame.alive, True
        _suite(node.finalbody, frame)
        frame.alive = alive and frame.alive


def _tried(body: list[ast.stmt], frame: Frame) -> Scope:
    """Run what is tried; what may hold where it raises, beside what held before it.

    A last statement that raises has bound nothing.
    """
    outside = len(frame.guards)
    last = body[-1]
    run_body(body[:-1], frame)
    interrupted = dict(frame.scope) if isinstance(last, (ast.Assign, ast.AnnAssign)) else None
    if frame.alive:
        run_body([last], frame)
    del frame.guards[outside:]
    return frame.scope if interrupted is None else interrupted


def _join_handler(join_point: JoinPoint, handled: Scope, changed: set[str]) -> None:
    """``try: import fast as lib``/``except ImportError: lib = None``: what was imported counts."""
    tried = join_point.scope
    for name in join_point.follow(handled, changed):
        value = tried.get(name)
        if value is not None and type(value) in _IMPORTED:
            instead = handled.get(name)
            join_point.scope[name] = instead if instead is not None and _is_torch_instead(instead, value) else value


def _is_torch_instead(instead: Value, tried: Value) -> bool:
    """Whether what is imported where something else is not installed is torch's: the other one is used alike."""
    if not isinstance(instead, Symbol) or not isinstance(tried, Symbol):
        return False
    return instead.name.startswith("torch.") and not tried.name.startswith("torch.")


_IMPORTED = frozenset({Symbol, ProjectModule, FunctionValue, ClassValue})


def _match(node: ast.Match, frame: Frame) -> None:
    subject = evaluate(node.subject, frame)
    start, begun = frame.scope, frame.now
    since = begun
    join_point = JoinPoint(start, set())
    for case in node.cases:
        frame.carry_changes(since)
        frame.scope, frame.alive, since = dict(start), True, frame.now
        definitions.bind_pattern(case.pattern, subject, frame)
        if case.guard is not None:
            test(case.guard, frame)
        _suite(case.body, frame)
        if frame.alive:
            join_point.follow(frame.scope, frame.changed_since(since))
    frame.alive = True
    frame.scope = dict(start) if join_point.scope is start else join_point.scope
    frame.carry_changes(begun)


def _delete(node: ast.Delete, frame: Frame) -> None:
    for target in node.targets:
        path = dotted_name(target)
        if path is not None:
            frame.drop(path)


_HANDLERS: dict[type[ast.stmt], Callable[..., None]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.Match: _match,
    ast.Delete: _delete,
    ast.FunctionDef: definitions.define_function,
    ast.AsyncFunctionDef: definitions.define_function,
    OutlinedFunction: definitions.define_function,
    OutlinedAsyncFunction: definitions.define_function,
    ast.ClassDef: definitions.define_class,
    ast.Import: definitions.import_modules,
    ast.ImportFrom: definitions.import_names,
}
if sys.version_info >= (3, 11):
    _HANDLERS[ast.TryStar] = _try
