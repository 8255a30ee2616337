"""Branching: ``if`` and ``match`` on abstract values, and where their branches join."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from synclint.analysis.domain.paces import commonness
from synclint.analysis.domain.selection import truth
from synclint.analysis.domain.values import (
    FunctionValue,
    Symbol,
    Value,
)
from synclint.analysis.frequency.loops import trains
from synclint.analysis.interpreter import definitions, guards
from synclint.analysis.interpreter.asked_for import option_behind
from synclint.analysis.interpreter.exchanges import exchanged, exchanges
from synclint.analysis.interpreter.narrowing import constant, narrowed, narrowed_by_pattern
from synclint.analysis.interpreter.rounds_meant import round_meant
from synclint.analysis.interpreter.switches import need_of
from synclint.analysis.interpreter.truth import test
from synclint.analysis.state.control_context import NotedGuard
from synclint.analysis.state.frames import Frame
from synclint.analysis.state.join_points import JoinPoint, Scope
from synclint.analysis.syntax.walk import walk
from synclint.findings import Phase

# What is told of the rest where every way to it is one of these, the commonest first.
_RARE = (Phase.INTERVAL, Phase.EVAL, Phase.UNREACHED)


@dataclass(slots=True)
class _Branching:
    """An ``if`` whose branches have not been joined yet: the scope before it, and the scopes at their ends.

    ``guards`` is how many reasons to be cold held before the branch that has been run last, ``entered`` how many hold
    where it begins, ``since`` when they parted, ``kept`` the reason that holds at the end of each branch, by its own
    test or by tests within it that leave.
    """

    node: ast.If
    certain: bool | None
    start: Scope
    muted: int
    guards: int
    since: int
    entered: int = 0
    outcomes: list[Scope] = field(default_factory=list)
    impossible: list[Scope] = field(default_factory=list)
    reached: list[bool] = field(default_factory=list)
    kept: list[NotedGuard | None] = field(default_factory=list)


def run_if(node: ast.If, frame: Frame) -> None:
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
                frame.engine.run_body(orelse, frame)
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
    value = _tested(node, frame)
    certain = truth(value)
    if certain is None:
        certain = constant(node.test, frame)
    branching = _Branching(node, certain, frame.scope, frame.muted, len(frame.guards), frame.now)
    if certain is not False:
        _enter_branch(branching, True, frame)
        frame.engine.run_body(node.body, frame)
        _leave_branch(branching, True, frame)
    if certain is not None and truth(value) is None:
        _note_excluded(node, not certain, frame)
    return branching


def _tested(node: ast.If, frame: Frame) -> Value:
    exchange = exchanged(node, exchanges(frame), frame)
    if not exchange:
        return test(node.test, frame)
    around = len(frame.guards)
    frame.guard(Phase.STEP, "", exchange=exchange)
    value = test(node.test, frame)
    del frame.guards[around]
    return value


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
    _guard_branch(branching, taken, frame)
    branching.entered = len(frame.guards)


def _guard_branch(branching: _Branching, taken: bool, frame: Frame) -> None:
    frame.scope, frame.alive, frame.muted = dict(branching.start), True, branching.muted
    narrowed(branching.node.test, frame, taken)
    node = branching.node
    suite = node.body if taken else node.orelse
    if not suite:
        return  # nothing stands there
    said = guards.of_branch(node, taken, frame)
    if said is not None:
        frame.guard(*said)
        if not said.counts:
            return
        for further in guards.each_of(node.test, taken, suite, frame):
            frame.guard(*further)
    elif (counted := round_meant(node.test, taken, frame)) > 0:
        frame.guard(Phase.STEP, "", counts=counted)
    need = need_of(node.test, taken, frame) if said is None else None
    option = option_behind(node.test, taken, frame)
    if need is not None or option is not None:
        frame.guard(Phase.STEP, "", need=need, option=option or "")


def _leave_branch(branching: _Branching, taken: bool, frame: Frame) -> None:
    # A test of which only the outcome in the first round is known, as `if done:`, says nothing of what follows.
    asked = branching.node.test
    parts = asked.values if isinstance(asked, ast.BoolOp) else [asked]
    is_of_round = branching.certain is not None and any(guards.varies(part, frame) for part in parts)
    since = branching.entered if is_of_round else branching.guards
    rare = [guard for guard in frame.guards[since:] if guard.runs in _RARE and not guard.is_mode]
    del frame.guards[branching.guards :]
    if frame.alive:
        (branching.impossible if frame.muted > branching.muted else branching.outcomes).append(frame.scope)
        branching.reached.append(taken)
        branching.kept.append(rare[0] if rare else None)


def _kept_by_all(branching: _Branching, frame: Frame) -> NotedGuard | None:
    """The reason of the commonest way on, where on each way some test has left in most of the rounds."""
    kept = [guard for guard in branching.kept if guard is not None]
    if not kept or len(kept) < len(branching.kept) or trains(guards.after(branching.node, frame)):
        return None
    return min(kept, key=lambda guard: (_RARE.index(guard.runs), commonness(guard.reason)))


def _join(branching: _Branching, rest: JoinPoint, changed: set[str], frame: Frame) -> None:
    """Go on with the join of the scopes at the ends of the branches.

    ``rest`` is the join point of the branchings within this one's ``else``, and ``changed`` what changed before those.
    """
    frame.muted = branching.muted if branching.outcomes or not branching.impossible else branching.muted + 1
    outcomes = branching.outcomes or branching.impossible
    if len(branching.reached) == 1 and branching.certain is None:
        if said := guards.of_rest(branching.node, branching.reached[0], frame):
            frame.guard(*said)
        elif (counted := round_meant(branching.node.test, branching.reached[0], frame)) > 0:
            frame.guard(Phase.STEP, "", counts=counted)
        elif option := option_behind(branching.node.test, branching.reached[0], frame):
            frame.guard(Phase.STEP, "", option=option)
    if (kept := _kept_by_all(branching, frame)) is not None:
        frame.guards.append(kept)
    frame.alive = bool(outcomes)
    if len(outcomes) == 2:
        rest.precede(outcomes[0], changed)
    else:
        rest.scope = outcomes[0] if outcomes else branching.start
        rest.open |= changed
    frame.scope = rest.scope


def run_match(node: ast.Match, frame: Frame) -> None:
    subject, guards_outside = frame.evaluate(node.subject), len(frame.guards)
    start, begun = frame.scope, frame.now
    since = begun
    join_point = JoinPoint(start, set())
    passed: list[ast.pattern] = []
    for case in node.cases:
        frame.carry_changes(since)
        frame.scope, frame.alive, since = dict(start), True, frame.now
        for pattern in passed:
            narrowed_by_pattern(pattern, node.subject, frame, False)
        narrowed_by_pattern(case.pattern, node.subject, frame, True)
        definitions.bind_pattern(case.pattern, subject, frame)
        if said := guards.of_pattern(case.pattern, subject, node.subject, frame):
            frame.guard(*said)
        if case.guard is not None:
            test(case.guard, frame)
            narrowed(case.guard, frame, True)
            if said := guards.of_test(case.guard, True, frame):
                frame.guard(*said)
        else:
            passed.append(case.pattern)
        frame.run_suite(case.body)
        del frame.guards[guards_outside:]
        if frame.alive:
            join_point.follow(frame.scope, frame.changed_since(since))
    frame.alive = True
    frame.scope = dict(start) if join_point.scope is start else join_point.scope
    frame.carry_changes(begun)
