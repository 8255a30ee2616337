"""Tests that make the code behind them run in another phase: in few of the steps, on an error, in evaluation.

What a test says follows from what its operands are (``domain/paces``): a count of rounds, a time that passes, a number
that is drawn. Only where nothing is known of them a few names speak (``guard_words``), and the reason says so.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from synclint.analysis.domain.paces import (
    CLOCK,
    COUNT,
    ELAPSED,
    EPISODE,
    LAST,
    MOVED,
    ONE,
    OUTSIDE,
    commonness,
    compared,
    outcome,
    pace_of,
)
from synclint.analysis.domain.tensors import tensor_of
from synclint.analysis.domain.values import Scalar, Value
from synclint.analysis.frequency.loops import LOOPS, is_further_pass, rounds, trains
from synclint.analysis.interpreter import guard_words
from synclint.analysis.interpreter.constants import constants_of
from synclint.analysis.interpreter.counters import counted_loop, increased_by
from synclint.analysis.interpreter.device_tests import runs_on_a_gpu
from synclint.analysis.interpreter.episodes import ends_an_episode
from synclint.analysis.interpreter.kept_by_calls import is_made_by_a_call, is_outgrown
from synclint.analysis.interpreter.misses import body_of, compares_records, is_known_miss
from synclint.analysis.interpreter.narrowing import constant
from synclint.analysis.interpreter.set_once import is_given_once, is_set_once
from synclint.analysis.interpreter.values_out_of_range import is_of_no_number
from synclint.analysis.results.facts import Evidence
from synclint.analysis.state.frames import Frame
from synclint.analysis.state.readings import GuardedPhase
from synclint.analysis.syntax.walk import dotted_name, last_name, walk
from synclint.findings import Phase

_EXITS = frozenset({"exit", "_exit", "quit", "abort", "fail", "skip", "skipTest"})
_EXTREMES = frozenset({"isnan", "isinf", "isfinite", "any", "all", "min", "max", "amin", "amax"})
_TELLING = frozenset({"print", "warn", "warning", "warning_once", "error", "info", "debug", "critical", "exception"})

_WARNING = GuardedPhase(Phase.ONCE, "runs only to warn of unusual values")
_ERROR = GuardedPhase(Phase.ONCE, "runs only before the program aborts")
_OFF = GuardedPhase(Phase.ONCE, "never runs as long as a constant of the module is what it is")
_MISS = GuardedPhase(Phase.ONCE, "runs once, and its result is kept")
_OUTGROWN = GuardedPhase(Phase.INTERVAL, "runs only where what is kept is too small")
_OUTSIDE = GuardedPhase(Phase.EVAL, "runs outside of training")
_NO_NUMBER = GuardedPhase(Phase.INTERVAL, "runs only where a value is not finite")
# What the rounds of a loop are by its text, if they are steps.
_STEPS = frozenset({Evidence.OPTIMIZER, Evidence.BACKWARD, Evidence.BATCHES, Evidence.ENVIRONMENT})


def of_branch(node: ast.If, taken: bool, frame: Frame) -> GuardedPhase | None:
    """What a test says of its branch, None where that may run every time."""
    suite = node.body if taken else node.orelse
    read = _by_text(node, taken, suite, frame)
    if read is _MISS and compares_records(node.test, frame):
        return None
    if read is not None and read.runs is not Phase.INTERVAL and read is not _WARNING:
        return read
    said = of_facts(node.test, taken, suite, frame)
    if said is not None and (_is_for_good(node, taken, frame) or _works_off(node, suite, frame)):
        said = None
    said = said or read or _of_kept(node.test, taken, suite, frame) or _of_leaving(suite, frame)
    return None if said is None or _makes_steps(node, taken, suite, frame) else said


def each_of(test: ast.expr, taken: bool, suite: list[ast.stmt], frame: Frame) -> Iterator[GuardedPhase]:
    """What each of several tests says that all have one outcome: ``debug and part == 0``.

    One may count what is a part of a step, so that the others decide.
    """
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is taken:
        for one in test.values:
            if (said := of_facts(one, taken, suite, frame) or _of_text(one, taken, frame)) is not None:
                yield said


def _of_leaving(suite: list[ast.stmt], frame: Frame) -> GuardedPhase | None:
    """What runs in one round of the loop at most: a branch that leaves it. What leaves a function may leave several."""
    is_left = bool(suite) and bool(frame.loops) and isinstance(frame.loops[-1].node, LOOPS)
    if is_left and isinstance(suite[-1], (ast.Break, ast.Return) if len(frame.loops) == 1 else ast.Break):
        return GuardedPhase(Phase.INTERVAL, "runs only in the round that ends the loop", len(frame.loops))
    return None


def _of_kept(test: ast.expr, taken: bool, suite: list[ast.stmt], frame: Frame) -> GuardedPhase | None:
    """What a test says of a suite that fills in, by a call, what is missing, or replaces what is too small."""
    if is_made_by_a_call(test, taken, suite, frame):
        return _MISS
    return _OUTGROWN if is_outgrown(test, taken, suite, frame) else None


def _is_for_good(node: ast.If, taken: bool, frame: Frame) -> bool:
    """Whether what a test counts is counted only where it fails: ``if filled == size: ... else: filled += 1``."""
    suite, other = (node.body, node.orelse) if taken else (node.orelse, node.body)
    counted = {path for part in walk(other) if (path := _increased_path(part)) is not None}
    return not counted.isdisjoint(_paths(node.test)) and not _sets_one_of(counted, suite)


def _increased_path(part: ast.AST) -> str | None:
    target = increased_by(part) if isinstance(part, (ast.AugAssign, ast.Assign)) else None
    return dotted_name(target) if target is not None else None


def _works_off(node: ast.If, suite: list[ast.stmt], frame: Frame) -> bool:
    """Whether a loop only collects until a branch works off what has been collected: its rounds are the work."""
    loop = frame.loops[-1].node if frame.loops else None
    if not isinstance(loop, LOOPS) or node not in loop.body:
        return False
    collected = {path for one in loop.body if one is not node for path in [_collecting(one)]}
    return None not in collected and _sets_one_of({*collected} & {*_paths(node.test)}, suite)  # type: ignore[arg-type]


def _collecting(statement: ast.stmt) -> str | None:
    """The list to which a statement appends something that it need not compute."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "append":
        return None
    if any(isinstance(part, ast.Call) for given in call.args for part in walk(given)):
        return None
    return dotted_name(call.func.value)


def _by_text(node: ast.If, taken: bool, suite: list[ast.stmt], frame: Frame) -> GuardedPhase | None:
    """What the text of a test and its branch says; read once, unless the test has been given a name."""
    if frame.tests and not frame.tests.keys().isdisjoint(_tested(node.test, frame)):
        return _read(node, taken, suite, frame)
    known = frame.engine.readings.branches
    key = (node, taken)
    if key not in known:
        known[key] = _read(node, taken, suite, frame)
    return known[key]


def _read(node: ast.If, taken: bool, suite: list[ast.stmt], frame: Frame) -> GuardedPhase | None:
    if suite and _gives_up(suite[-1]):
        return _ERROR
    if _only_warns(node.test, suite):
        return _WARNING
    said = _of_text(node.test, taken, frame)
    return _MISS if said is None and is_known_miss(node, taken, suite, frame) else said


def _makes_steps(node: ast.If, taken: bool, suite: list[ast.stmt], frame: Frame) -> bool:
    """Whether a branch steps an optimizer: what runs once for several batches is the step.

    One that runs a backward pass beside that of each round is none: a loss that is added now and then, or a look at it.
    """
    known = frame.engine.readings.steps
    key = (node, taken)
    if key not in known:
        loop = frame.loops[-1].node if frame.loops else None
        around = loop.body if isinstance(loop, LOOPS) else []
        rest = [statement for statement in around if statement is not node]
        known[key] = trains(suite) and not (len(rest) < len(around) and is_further_pass(suite, rest))
    return known[key]


def of_rest(node: ast.If, taken: bool, frame: Frame) -> GuardedPhase | None:
    """What a test says of all that follows, where its other branch leaves: ``if not should_log: return``."""
    left = node.orelse if taken else node.body
    if not left or _gives_up(left[-1]):
        return None
    said = _of_text(node.test, taken, frame)
    if said is None and isinstance(left[-1], ast.Return) and is_known_miss(node, taken, body_of(frame), frame):
        return _MISS
    if said is not None and said.runs is not Phase.INTERVAL:
        return said
    rest = after(node, frame)
    found = of_facts(node.test, taken, rest, frame)
    if found is not None and (isinstance(left[-1], ast.Break) or (found.counts and isinstance(left[-1], ast.Return))):
        found = None  # the rounds in which it had the other outcome are those that come to the end of the loop
    said = found or said
    if said is None and isinstance(left[-1], ast.Return):
        said = _of_kept(node.test, taken, rest, frame)
    return None if said is None or trains(rest) else said


def after(node: ast.If, frame: Frame) -> list[ast.stmt]:
    """The statements of the innermost loop, or of the function, that stand after one."""
    body: list[ast.stmt] = frame.loops[-1].node.body if frame.loops else body_of(frame)  # type: ignore[attr-defined]
    return [statement for statement in body if statement.lineno > (node.end_lineno or 0)]


def of_test(test: ast.expr, taken: bool, frame: Frame) -> GuardedPhase | None:
    """What a test says of the expression behind it."""
    return of_facts(test, taken, [], frame) or _of_text(test, taken, frame)


def of_pattern(pattern: ast.pattern, subject: Value, asked: ast.expr, frame: Frame) -> GuardedPhase | None:
    """What ``case 0`` says of a ``match step % 100``: that it is equal."""
    patterns = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
    if pace_of(subject) is None or not all(isinstance(one, ast.MatchValue) for one in patterns):
        return None
    found = outcome(compared(ast.Eq, subject, frame.evaluate(patterns[0].value)))  # type: ignore[attr-defined]
    if found is None or not found[0]:
        return None
    return GuardedPhase(Phase.INTERVAL, f"runs {found[1]}", counted_loop(asked, frame))


def of_facts(test: ast.expr, taken: bool, suite: list[ast.stmt], frame: Frame) -> GuardedPhase | None:
    """What a test says of a suite by what its operands are, as they were when it was evaluated last."""
    when = _when(test, taken, suite, frame)
    if when is None:
        return None
    if when == OUTSIDE:
        return _OUTSIDE
    # No round of the loop over the environments that is asked which of them have ended is counted.
    counted = 0 if when == EPISODE else counted_loop(test, frame)
    if when == ONE and not counted and not any(part in frame.paces for part in walk(test)):
        counted = len(frame.loops)  # nothing is counted: the innermost loop is the one that a branch is taken in once
    return GuardedPhase(Phase.INTERVAL, f"runs {when}", counted)


def _when(test: ast.expr, taken: bool, suite: list[ast.stmt], frame: Frame) -> str | None:
    """When a test has an outcome that it has in few rounds; None for one that is usual."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _when(test.operand, not taken, suite, frame)
    if isinstance(test, ast.BoolOp):
        is_and = isinstance(test.op, ast.And)
        if is_and is taken:  # all of the values have this outcome
            return next((when for one in test.values if (when := _when(one, taken, suite, frame))), None)
        asked = [one for one in test.values if not _is_excluded(one, taken, frame)]  # the others decide nothing
        found = {one: when for one in asked if (when := _when(one, taken, suite, frame))}
        if found:
            found |= {one: when for one in asked if one not in found and (when := _by_name(one, taken, frame))}
        when = min(found.values(), key=commonness, default=None)
        is_settled = (
            when is not None and "every" in when and all(varies(one, frame) for one in asked if one not in found)
        )
        return when if is_settled or len(found) == len(asked) else None
    if isinstance(test, ast.NamedExpr):
        return _when(test.target, taken, suite, frame) or _when(test.value, taken, suite, frame)
    found_here = outcome(frame.paces.get(test))
    if found_here is not None and found_here[0] is taken:
        return found_here[1]
    if isinstance(test, ast.Name) and test.id in frame.tests:
        if (when := _when(frame.tests[test.id], taken, suite, frame)) is not None:
            return when
    if taken and _ends_a_loop(test, frame):
        return LAST
    if taken and ends_an_episode(test, frame):
        return EPISODE
    if isinstance(test, ast.Name) and is_set_once(test.id, not taken, suite, frame):
        return ONE
    if isinstance(test, ast.Compare) and is_given_once(test, taken, suite, frame):
        return ONE
    return MOVED if isinstance(test, ast.Compare) and _moves_its_bound(test, taken, suite, frame) else None


def _by_name(test: ast.expr, taken: bool, frame: Frame) -> str | None:
    """When a test has an outcome, judging by its names."""
    said = _of_text(test, taken, frame)
    return said.reason.removeprefix("runs ") if said is not None and said.runs is Phase.INTERVAL else None


def _is_excluded(test: ast.expr, outcome: bool, frame: Frame) -> bool:
    """Whether a test has an outcome only where nothing waits for a GPU, or under other calls than those of this run."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _is_excluded(test.operand, not outcome, frame)
    if isinstance(test, ast.Name) and frame.function is not None:
        given = frame.scope.get(test.id)
        is_parameter = any(parameter.name == test.id for parameter in frame.function.parameters)
        if is_parameter and isinstance(given, Scalar) and given.kind == "bool" and given.literal is (not outcome):
            return True
    return constant(test, frame) is (not outcome) or runs_on_a_gpu(test, outcome, frame) is False


def varies(test: ast.expr, frame: Frame) -> bool:
    """Whether a test may have another outcome in the next round: it is of a count, or of what the loop assigns.

    Nobody asks for every hundredth round as well where that has the same outcome in most of them.
    """
    loop = frame.loops[-1].node if frame.loops else None
    if not isinstance(loop, LOOPS):
        return False
    if isinstance(test, ast.UnaryOp):
        return varies(test.operand, frame)
    if isinstance(test, ast.BoolOp):
        return (any if isinstance(test.op, ast.And) else all)(varies(one, frame) for one in test.values)
    operands = [test.left, *test.comparators] if isinstance(test, ast.Compare) else [test]
    if _sets_one_of([path for one in operands if (path := dotted_name(one))], loop.body):
        return True
    frame.muted += 1
    paces = [pace_of(frame.evaluate(one)) for one in operands if dotted_name(one)]
    frame.muted -= 1
    return COUNT in paces


def _ends_a_loop(test: ast.expr, frame: Frame) -> bool:
    """Whether a loop of steps is left where a test is true, so that it is true in the last one."""
    if not frame.loops or not isinstance(test, (ast.Name, ast.Attribute, ast.Compare)):
        return False
    known = frame.engine.readings.leaving
    loop = frame.loops[-1].node
    if loop not in known:
        known[loop] = frozenset(_ending(loop)) if isinstance(loop, LOOPS) else frozenset()
    return bool(known[loop]) and ast.unparse(test) in known[loop]


def _ending(loop: ast.For | ast.AsyncFor | ast.While) -> Iterator[str]:
    """The tests of which one that is true ends a loop of steps: ``if done: break``, ``if step >= total: return``."""
    if rounds(loop).evidence not in _STEPS:
        return
    waiting: list[ast.stmt] = [*loop.body]
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, ast.If):
            if isinstance(statement.body[-1], (ast.Break, ast.Return)):
                yield ast.unparse(statement.test)
            waiting += [*statement.body, *statement.orelse]


def _moves_its_bound(test: ast.Compare, taken: bool, suite: list[ast.stmt], frame: Frame) -> bool:
    """``if step >= following: ...; following += 100``: a branch that moves the bound, or resets what has come to it.

    So does one that ends the rounds: ``if step >= limit: ...; break``. One number that comes up to another one, from
    which it then is as far as before, need not be known to count: ``if step - last >= 100: ...; last = step``.
    """
    if len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
        return False
    left, right = test.left, test.comparators[0]
    greater, less = (left, right) if isinstance(test.ops[0], (ast.Gt, ast.GtE)) is taken else (right, left)
    is_left = isinstance(suite[-1], (ast.Break, ast.Return)) if suite else False
    called = [node.func for node in walk(greater) if isinstance(node, ast.Call)]
    if not suite or any(not isinstance(one, (ast.Name, ast.Attribute)) or not _is_cheap(one) for one in called):
        return False
    frame.muted += 1
    value = frame.evaluate(greater)
    frame.muted -= 1
    if pace_of(value) not in (COUNT, CLOCK, ELAPSED):
        return tensor_of(value) is None and _closes_a_distance(greater, suite)
    return is_left or _sets_one_of({*_paths(greater), *_paths(less)}, suite)


def _closes_a_distance(distance: ast.expr, suite: list[ast.stmt]) -> bool:
    """Whether a suite gives one of two names or attributes, of which this is the distance, the value of the other."""
    if not isinstance(distance, ast.BinOp) or not isinstance(distance.op, ast.Sub):
        return False
    ahead, behind = dotted_name(distance.left), dotted_name(distance.right)
    return None not in (ahead, behind) and any(
        isinstance(node, ast.Assign)
        and dotted_name(node.value) == ahead
        and any(dotted_name(target) == behind for target in node.targets)
        for node in suite
    )


def _is_cheap(function: ast.expr) -> bool:
    """Whether a call in a test may be looked at once more: of a container for its length, or of a clock."""
    path = dotted_name(function) or ""
    return path == "len" or path.startswith("time.")


def _paths(node: ast.expr) -> list[str]:
    return [path for part in walk(node) if isinstance(part, (ast.Name, ast.Attribute)) and (path := dotted_name(part))]


def _sets_one_of(paths: Collection[str], suite: list[ast.stmt]) -> bool:
    """Whether a suite gives one of some names or attributes another value, or empties it."""
    for node in walk(suite):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AugAssign):
            targets = [node.target]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "clear":
            targets = [node.func.value]
        for target in targets:
            for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                if dotted_name(part) in paths:
                    return True
    return False


def _tested(test: ast.expr, frame: Frame) -> tuple[str, ...]:
    """The names that are operands of a test: each may be that of another test."""
    known = frame.engine.readings.tested
    if test not in known:
        known[test] = tuple(_names_tested(test))
    return known[test]


def _names_tested(test: ast.expr) -> Iterator[str]:
    if isinstance(test, ast.UnaryOp):
        yield from _names_tested(test.operand)
    elif isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _names_tested(value)
    elif isinstance(test, ast.Name):
        yield test.id


def _only_warns(test: ast.expr, suite: list[ast.stmt]) -> bool:
    """Whether a branch does nothing but tell of values that should not be: ``if x.max() > 1: print(x.max())``."""
    return (
        bool(suite)
        and all(
            isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Call)
            and last_name(statement.value.func) in _TELLING
            for statement in suite
        )
        and any(last_name(node.func) in _EXTREMES for node in walk(test) if isinstance(node, ast.Call))
    )


def _gives_up(statement: ast.stmt) -> bool:
    """Whether a branch ends by raising, or by leaving the program, or by returning where somebody wants no error."""
    if isinstance(statement, ast.If) and statement.orelse:
        arms = statement.body, statement.orelse
        return any(_aborts(arm[-1]) for arm in arms) and all(_aborts(arm[-1]) or _only_leaves(arm) for arm in arms)
    return _aborts(statement)


def _aborts(statement: ast.stmt) -> bool:
    """Whether a statement raises, or leaves the program."""
    if isinstance(statement, ast.Raise):
        return True
    if isinstance(statement, ast.Assert):
        return isinstance(statement.test, ast.Constant) and not statement.test.value
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    return (dotted_name(statement.value.func) or "").rpartition(".")[2] in _EXITS


def _only_leaves(suite: list[ast.stmt]) -> bool:
    """Whether a branch does nothing but return nothing; one of many that are dispatched to returns what it computes."""
    return len(suite) == 1 and isinstance(suite[0], ast.Return) and suite[0].value is None


def _of_text(test: ast.expr, taken: bool, frame: Frame) -> GuardedPhase | None:
    """What the text of a test says: the mode of a model, or names, where no more is known than these."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _of_text(test.operand, not taken, frame)
    if isinstance(test, ast.BoolOp):
        said = [_of_text(value, taken, frame) for value in test.values]
        if isinstance(test.op, ast.And) is taken:  # all of the values have this outcome
            return next((one for one in said if one), None)
        return said[-1] if all(said) else None
    if isinstance(test, ast.Name) and test.id in frame.tests:
        return _of_text(frame.tests[test.id], taken, frame)
    if isinstance(test, ast.Name) and (fixed := _fixed(test.id, frame)) is not None:
        return None if fixed is taken else _OFF
    if not taken and isinstance(test, ast.Attribute) and test.attr == "training":
        return _OUTSIDE
    if is_of_no_number(test, taken):
        return _NO_NUMBER
    return guard_words.of_test(test, taken, frame)


def _fixed(name: str, frame: Frame) -> bool | None:
    """What a constant of the module is that stands for true or false: ``DEBUG = False``; None for other names."""
    if frame.function is not None and (name in frame.scope or frame.further_out(name) is not None):
        return None
    return constants_of(frame.module).get(name)
