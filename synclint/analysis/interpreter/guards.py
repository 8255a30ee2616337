"""Tests that make the code behind them run in another phase: every n-th step, the first step, an error, evaluation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from synclint.analysis.frequency.loops import trains
from synclint.analysis.frequency.texts import sets_mode
from synclint.analysis.state.frames import Frame
from synclint.analysis.state.readings import GuardedPhase
from synclint.analysis.syntax.walk import children, dotted_name, walk
from synclint.findings import Phase

_SELDOM = re.compile(
    r"(^|_)(log|logging|should_log|print|debug|verbose|save|checkpoint|report|profile|profiling|dump|"
    r"visuali[sz]e|plots?|display|show|sanity|dry_run|wandb|tensorboard|is_last|last_(step|epoch|batch)|first_(step|batch)|"
    r"freq|frequency|interval|every|period|log_steps?|warn|warning|collect_stats|benchmark|synchronize|sync|return_metrics|export|"
    r"is_main_process|is_master|master_process|snapshot|snapshots|done|is_done|finished)(_|$)"
)
# Arguments are validated, unless somebody switches it off, wherever they are given.
_EVALUATES = re.compile(
    r"(^|_)(eval|evals|evaluate|evaluation|val|validate(?!_(args?|arguments?|inputs?)$)|validation|is_test|testing|"
    r"sample_every)(_|$)"
)
_INTERVAL = re.compile(r"(^|_)(interval|every|period|freq|frequency|tick|ticks)(_|$)")
_LOG_LEVEL = frozenset({"isEnabledFor", "getEffectiveLevel"})
_TRAINS = frozenset({"train", "training", "is_train", "is_training", "train_mode", "isTrain"})
_TRAINING = frozenset({"train", "training"})
_OUTSIDE_OF_TRAINING = frozenset(
    {"val", "valid", "validation", "validate", "test", "testing", "eval", "evaluate", "evaluation", "dev"}
)
_EXITS = frozenset({"exit", "_exit", "quit", "abort", "fail", "skip", "skipTest"})


_EXTREMES = frozenset({"isnan", "isinf", "isfinite", "any", "all", "min", "max", "amin", "amax"})
_TELLING = frozenset({"print", "warn", "warning", "warning_once", "error", "info", "debug", "critical", "exception"})

_WARNING = GuardedPhase(Phase.ONCE, "runs only to warn of unusual values")
_ERROR = GuardedPhase(Phase.ONCE, "runs only before the program aborts")
_NTH = GuardedPhase(Phase.INTERVAL, "runs only every N steps")
_MISS = GuardedPhase(Phase.ONCE, "runs once, and its result is kept")
_IN_EVALUATION = "runs in evaluation, after `{}`"
_MODE_ENDED = "the mode has been set again"


def of_branch(node: ast.If, taken: bool, frame: Frame) -> GuardedPhase | None:
    """What a test says of its branch, None where that may run every time.

    The text alone decides, and is read once, unless the test has been given a name.
    """
    if frame.tests and not frame.tests.keys().isdisjoint(_tested(node.test, frame)):
        return _of_branch(node, taken, frame)
    known = frame.engine.readings.branches
    key = (node, taken)
    if key not in known:
        known[key] = _of_branch(node, taken, frame)
    return known[key]


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


def _of_branch(node: ast.If, taken: bool, frame: Frame) -> GuardedPhase | None:
    suite = node.body if taken else node.orelse
    if suite and _gives_up(suite[-1]):
        return _ERROR
    if _only_warns(node.test, suite):
        return _WARNING
    said = _of_test(node.test, taken, frame)
    if said is None and _is_known_miss(node, taken, suite, frame):
        return _MISS
    if said is not None and said.runs is Phase.INTERVAL and trains(suite):
        return None
    return said


def _only_warns(test: ast.expr, suite: list[ast.stmt]) -> bool:
    """Whether a branch does nothing but tell of values that should not be: ``if x.max() > 1: print(x.max())``."""
    return (
        bool(suite)
        and any(_last_name(node.func) in _EXTREMES for node in walk(test) if isinstance(node, ast.Call))
        and all(
            isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Call)
            and _last_name(statement.value.func) in _TELLING
            for statement in suite
        )
    )


def _last_name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def of_rest(node: ast.If, taken: bool, frame: Frame) -> GuardedPhase | None:
    """What a test says of all that follows, where its other branch leaves: ``if not should_log: return``."""
    left = node.orelse if taken else node.body
    if not left or _gives_up(left[-1]):
        return None
    said = _of_test(node.test, taken, frame)
    if said is None and isinstance(left[-1], ast.Return) and _is_known_miss(node, taken, _body(frame), frame):
        return _MISS
    if said is None and isinstance(left[-1], (ast.Return, ast.Continue)) and _waits_for_its_turn(node.test):
        return _NTH
    return said


def _body(frame: Frame) -> list[ast.stmt]:
    """The body of the function being run, or of the module."""
    node = frame.function.node if frame.function is not None else frame.module.tree
    return node.body if not isinstance(node, ast.Lambda) else []


def _nodes(frame: Frame) -> Iterable[ast.AST]:
    """The nodes of the function being run, or of the module."""
    return frame.function.nodes if frame.function is not None else walk(frame.module.tree.body)


def _waits_for_its_turn(test: ast.expr) -> bool:
    """``if step < last + interval: continue``: what follows runs whenever an interval is over."""
    return any(
        isinstance(part, ast.Compare)
        and isinstance(part.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
        and any(_INTERVAL.search(name.lower()) for name in _names(part))
        for part in walk(test)
    )


def follow_mode(statement: ast.stmt, frame: Frame) -> None:
    """Note ``model.eval()`` where the same function says ``model.train()`` as well: what is between them evaluates."""
    if type(statement) is not ast.Expr or not isinstance(statement.value, ast.Call):
        return
    call = statement.value
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("eval", "train") or call.args:
        return
    model = dotted_name(call.func.value)
    if model is None:
        return
    reason = _IN_EVALUATION.format(f"{model}.eval()")
    if sets_mode(statement, "train"):
        for index, guard in enumerate(frame.guards):
            if guard.reason == reason:
                frame.guards[index] = guard._replace(runs=Phase.STEP, reason=_MODE_ENDED)
    elif model in _trained(frame):
        frame.guard(Phase.EVAL, reason)


def _trained(frame: Frame) -> frozenset[str]:
    """The models that the function being run puts into training mode."""
    node = frame.function.node if frame.function is not None else frame.module.tree
    known = frame.engine.readings.trained
    if node not in known:
        known[node] = frozenset(
            dotted_name(call.func.value) or ""
            for call in _nodes(frame)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "train"
        )
    return known[node]


def _gives_up(statement: ast.stmt) -> bool:
    """Whether a branch ends by raising, or by leaving the program."""
    if isinstance(statement, ast.Raise):
        return True
    if isinstance(statement, ast.Assert):
        return isinstance(statement.test, ast.Constant) and not statement.test.value
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    return (dotted_name(statement.value.func) or "").rpartition(".")[2] in _EXITS


def _of_test(test: ast.expr, taken: bool, frame: Frame) -> GuardedPhase | None:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _of_test(test.operand, not taken, frame)
    if isinstance(test, ast.BoolOp):
        said = [_of_test(value, taken, frame) for value in test.values]
        if isinstance(test.op, ast.And) is taken:  # all of the values have this outcome
            return next((one for one in said if one), None)
        return said[-1] if all(said) else None
    if isinstance(test, ast.Name) and test.id in frame.tests:
        return _of_test(frame.tests[test.id], taken, frame) or (_seldom(test, frame) if taken else None)
    if _every_nth(test, frame) is taken:
        return _by_words(test, _NTH)
    if _is_mode(test, taken, frame):
        return GuardedPhase(Phase.EVAL, "runs outside of training")
    if not taken:
        return None
    if isinstance(test, ast.Name) and _is_on_by_default(test.id, frame):
        return None
    if isinstance(test, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Compare)):
        return _seldom(test, frame)
    return None


def _is_mode(test: ast.expr, taken: bool, frame: Frame) -> bool:
    """Whether a test has this outcome outside of training: ``self.training``, ``is_train``, ``phase == "val"``."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.NotEq)):
        said = test.comparators[0].value if isinstance(test.comparators[0], ast.Constant) else None
        if not isinstance(said, str) or dotted_name(test.left) is None:
            return False
        is_said = isinstance(test.ops[0], ast.Eq) is taken
        return said in _OUTSIDE_OF_TRAINING if is_said else said in _TRAINING
    if taken:
        return False
    if isinstance(test, ast.Attribute):
        return test.attr == "training" or test.attr in _TRAINS
    return isinstance(test, ast.Name) and test.id in _TRAINS and not _is_off_by_default(test.id, frame)


def _is_on_by_default(name: str, frame: Frame) -> bool:
    """Whether a name is a parameter that is true unless a caller says otherwise."""
    return _has_default(name, True, frame)


def _is_off_by_default(name: str, frame: Frame) -> bool:
    """Whether a name is a parameter that is false unless a caller says otherwise."""
    return _has_default(name, False, frame)


def _has_default(name: str, value: bool, frame: Frame) -> bool:
    if frame.function is None:
        return False
    return any(
        parameter.name == name and isinstance(parameter.default, ast.Constant) and parameter.default.value is value
        for parameter in frame.function.parameters
    )


def _is_known_miss(node: ast.If, taken: bool, suite: list[ast.stmt], frame: Frame) -> bool:
    """Whether a branch is that of a cache miss; remembered, since a function's body is run several times."""
    known = frame.engine.readings.misses
    key = (node, taken, id(suite))
    if key not in known:
        # What a test that leaves finds missing is made behind it: what stands before only looks it up.
        behind = node.end_lineno or 0 if suite is _body(frame) else 0
        known[key] = _is_miss(node.test, taken, suite, behind, frame)
    return known[key]


def _is_miss(test: ast.expr, taken: bool, suite: list[ast.stmt], behind: int, frame: Frame) -> bool:
    """Whether a test finds that something is not kept yet that the suite then keeps: ``if self.x is None``.

    Of the suite counts what stands behind a line.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _is_miss(test.operand, not taken, suite, behind, frame)
    if isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is taken:
            return any(_is_miss(value, taken, suite, behind, frame) for value in test.values)
        return all(_is_miss(value, taken, suite, behind, frame) for value in test.values)
    kept = _kept(test, taken, frame)
    return kept is not None and _lasts(kept, frame) and _sets(suite, kept, behind)


_IDENTIFIER = re.compile(r"\w+")
_MADE = (ast.Dict, ast.List, ast.Set, ast.Call, ast.DictComp, ast.ListComp)


def _lasts(kept: str, frame: Frame) -> bool:
    """Whether what is kept outlives the call: it belongs to nothing that the function itself makes."""
    root = _IDENTIFIER.search(kept.removeprefix("not "))
    return root is None or root.group() not in _made(frame)


def _made(frame: Frame) -> frozenset[str]:
    """The names to which the function being run gives objects that it makes."""
    node = frame.function.node if frame.function is not None else frame.module.tree
    known = frame.engine.readings.made
    if node not in known:
        known[node] = frozenset(
            target.id
            for inner in _nodes(frame)
            if isinstance(inner, ast.Assign) and isinstance(inner.value, _MADE)
            for target in inner.targets
            if isinstance(target, ast.Name) and not (isinstance(inner.value, ast.Call) and _looks_up(inner.value))
        )
    return known[node]


def _looks_up(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("get", "setdefault")


def _looked_up_in(name: str, frame: Frame) -> str | None:
    """The container that a name's value is looked up in: ``cache`` for ``x = cache.get(key)``."""
    node = frame.function.node if frame.function is not None else frame.module.tree
    known = frame.engine.readings.looked_up
    if node not in known:
        known[node] = dict(_lookups(_nodes(frame)))
    container = known[node].get(name)
    return ast.unparse(container) if container is not None else None


def _lookups(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """The names that are given what is looked up, and where; of several lookups the first one is the last here."""
    for node in reversed(tuple(nodes)):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _looks_up(node.value):
            container = node.value.func.value  # type: ignore[attr-defined]
            yield from ((target.id, container) for target in node.targets if isinstance(target, ast.Name))


def _kept(test: ast.expr, taken: bool, frame: Frame) -> str | None:
    """The attribute, item or global of which a test finds that it is missing, as text; None for other tests."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, operator, right = test.left, test.ops[0], test.comparators[0]
        is_none = isinstance(right, ast.Constant) and right.value is None
        if is_none and isinstance(operator, ast.Is if taken else ast.IsNot):
            return _looked_up_in(left.id, frame) if isinstance(left, ast.Name) else _lasting(left)
        if isinstance(operator, ast.NotIn if taken else ast.In):
            return f"{ast.unparse(right)}[{ast.unparse(left)}]" if not isinstance(right, ast.Constant) else None
        if isinstance(operator, ast.NotEq if taken else ast.Eq):
            return _lasting(left) or _lasting(right)
        if isinstance(operator, ast.Eq) and taken and _is_zero(right) and _is_length(left):
            return ast.unparse(left.args[0])  # type: ignore[attr-defined]
    if isinstance(test, ast.Call) and dotted_name(test.func) == "hasattr" and len(test.args) == 2 and not taken:
        owner, name = test.args
        said = name.value if isinstance(name, ast.Constant) else None
        return f"{ast.unparse(owner)}.{said}" if isinstance(said, str) else None
    if taken and isinstance(test, ast.Attribute):
        return f"not {ast.unparse(test)}"  # a flag that the branch clears
    if not taken and isinstance(test, (ast.Attribute, ast.Subscript)):
        return _lasting(test)
    if not taken and isinstance(test, ast.Call) and _is_length(test):
        return ast.unparse(test.args[0])
    if not taken and isinstance(test, ast.Name):
        return test.id if test.id in ("state", "param_state", "cache") else None
    return None


def _lasting(node: ast.expr) -> str | None:
    """What outlives the call: an attribute, or an item."""
    return ast.unparse(node) if isinstance(node, (ast.Attribute, ast.Subscript)) else None


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and dotted_name(node.func) == "len" and len(node.args) == 1


def _sets(suite: list[ast.stmt], kept: str, behind: int) -> bool:
    """Whether a suite gives what was missing a value: itself, an item of it, or one by a call that registers it."""
    is_flag = kept.startswith("not ")
    path = kept.removeprefix("not ")
    for node in walk(suite):
        if getattr(node, "lineno", 0) <= behind:
            continue
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                text = ast.unparse(part)
                if is_flag:
                    value = getattr(node, "value", None)
                    if text == path and isinstance(value, ast.Constant) and not value.value:
                        return True
                elif text == path or text.startswith(f"{path}[") or path.startswith((f"{text}.", f"{text}[")):
                    return True
        if not is_flag and isinstance(node, ast.Call) and dotted_name(node.func) in ("setattr", "self.register_buffer"):
            given = (a.value for a in node.args if isinstance(a, ast.Constant))
            if any(isinstance(name, str) and path.endswith(f".{name}") for name in given):
                return True
    return False


def _every_nth(test: ast.expr, frame: Frame) -> bool | None:
    """True for ``step % n == 0``, False for ``step % n`` (true on all but every n-th step), None for other tests."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        operator = test.ops[0]
        sides = (test.left, test.comparators[0])
        if any(_is_remainder(side, frame) for side in sides):
            if isinstance(operator, ast.Eq):
                return True
            if isinstance(operator, (ast.NotEq, ast.Gt)):
                return False
        if isinstance(operator, ast.Eq) and (any(map(_is_counter, sides)) or _is_one_round(*sides, frame)):
            return True
        if isinstance(operator, (ast.Lt, ast.LtE)) and _counts(sides[0], frame) and _is_few(sides[1]):
            return True
    if _is_remainder(test, frame):
        return False
    return None


def _is_remainder(node: ast.expr, frame: Frame) -> bool:
    """``step % n``, ``(i + 1) % n``: the remainder of a counter, not of a size.

    ``step % phase.interval`` in a loop over phases is none: each has an interval of its own, and some run in each step.
    """
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mod):
        return False
    if isinstance(node.right, (ast.Attribute, ast.Subscript)):
        if not _taken_in_turn(frame).isdisjoint(_names(node.right)):
            return False
    return any(_COUNTED.search(name.lower()) for name in _names(node.left))


def _taken_in_turn(frame: Frame) -> set[str]:
    """The names that the loops around give their values."""
    loops = (loop.node for loop in frame.loops if isinstance(loop.node, (ast.For, ast.AsyncFor)))
    return {part.id for loop in loops for part in walk(loop.target) if isinstance(part, ast.Name)}


_COUNTED = re.compile(
    r"(^|_)(step|steps|iter|iters|iteration|iterations|it|i|j|k|n|idx|index|epoch|epochs|batch|batches|counter|count|updates|"
    r"update|num_updates|tick|round|nimg|ni|t)$"
)
_COUNTERS = re.compile(r"(^|_)(step|steps|iter|iteration|epoch|batch_idx|batch_index|idx|global_step|curr_step)$")


def _is_one_round(left: ast.expr, right: ast.expr, frame: Frame) -> bool:
    """``i == 0``, ``step - first == 1``, ``i == len(loader) - 1``: one round of a loop."""
    if isinstance(right, ast.Constant) and isinstance(right.value, int):
        return _counts(left, frame) or (isinstance(left, ast.BinOp) and _counts(left.left, frame))
    is_last = isinstance(right, ast.BinOp) and isinstance(right.op, ast.Sub) and isinstance(right.right, ast.Constant)
    return is_last and _counts(left, frame)


def _counts(node: ast.expr, frame: Frame) -> bool:
    """Whether something counts rounds, by its name, or because a loop around gives it its values."""
    if isinstance(node, ast.Name) and _COUNTED.search(node.id.lower()):
        if node.id in _taken_in_turn(frame):
            return True
    path = dotted_name(node)
    return path is not None and bool(_COUNTERS.search(path.rpartition(".")[2].lower())) and "idx" not in path


def _is_few(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value <= 16


def _is_counter(node: ast.expr) -> bool:
    path = dotted_name(node)
    return path is not None and bool(_COUNTERS.search(path.rpartition(".")[2])) and "idx" not in path


def _seldom(test: ast.expr, frame: Frame) -> GuardedPhase | None:
    """Why a test is rarely true, by the words in it; remembered, since a loop's body is run several times."""
    known = frame.engine.readings.guarded_phases
    if test not in known:
        known[test] = _by_words(test, None)
    return known[test]


def _by_words(test: ast.expr, otherwise: GuardedPhase | None) -> GuardedPhase | None:
    for name in _names(test):
        word = name.lower().strip("_")
        if _EVALUATES.search(word):
            return GuardedPhase(Phase.EVAL, f"runs only where `{name}` says so")
    for name in _names(test):
        if otherwise is None and (name in _LOG_LEVEL or _SELDOM.search(name.lower().strip("_"))):
            return GuardedPhase(Phase.INTERVAL, f"runs only where `{name}` says so")
    return otherwise


def _names(node: ast.expr) -> Iterator[str]:
    """The names, attributes and keywords in an expression; a keyword comes after its value, which tells more."""
    stack: list[ast.AST | str] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, str):
            yield current
            continue
        if isinstance(current, ast.Name):
            yield current.id
        elif isinstance(current, ast.Attribute):
            yield current.attr
        elif isinstance(current, (ast.keyword, ast.arg)) and current.arg is not None:
            stack.append(current.arg)
        stack.extend(reversed(children(current)))
