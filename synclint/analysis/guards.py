"""Tests that make the code behind them run seldom: every n-th step, the first step, debugging, the main process."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from synclint.analysis.frames import Frame
from synclint.analysis.walk import children, dotted_name

_SELDOM = re.compile(
    r"(^|_)(log|logging|should_log|print|debug|verbose|eval|evaluate|validate|save|checkpoint|report|profile|profiling|dump|"
    r"visuali[sz]e|plot|display|show|sanity|dry_run|wandb|tensorboard|is_last|last_(step|epoch|batch)|first_(step|batch)|"
    r"freq|frequency|interval|every|period|log_steps?|warn|warning|collect_stats|benchmark)(_|$)"
)
_LOG_LEVEL = frozenset({"isEnabledFor", "getEffectiveLevel"})


def cold_reason(test: ast.expr, taken: bool, frame: Frame) -> str | None:
    """Why the branch of a test runs seldom, None where it may run every time."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return cold_reason(test.operand, not taken, frame)
    if isinstance(test, ast.BoolOp):
        reasons = [cold_reason(value, taken, frame) for value in test.values]
        if isinstance(test.op, ast.And) is taken:  # all of the values have this outcome
            return next((reason for reason in reasons if reason), None)
        return reasons[-1] if all(reasons) else None
    if isinstance(test, ast.Name) and test.id in frame.tests:
        return cold_reason(frame.tests[test.id], taken, frame) or (_seldom(test, frame) if taken else None)
    if _every_nth(test) is taken:
        return "runs only every so many steps"
    if not taken:
        return None
    if isinstance(test, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Compare)):
        return _seldom(test, frame)
    return None


def _every_nth(test: ast.expr) -> bool | None:
    """True for ``step % n == 0``, False for ``step % n`` (true on all but every n-th step), None for other tests."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        operator = test.ops[0]
        sides = (test.left, test.comparators[0])
        if any(_is_remainder(side) for side in sides):
            if isinstance(operator, ast.Eq):
                return True
            if isinstance(operator, (ast.NotEq, ast.Gt)):
                return False
        if isinstance(operator, ast.Eq) and any(_is_counter(s) for s in sides):
            return True
    if _is_remainder(test):
        return False
    return None


def _is_remainder(node: ast.expr) -> bool:
    """``step % n``, ``(i + 1) % n``: the remainder of a counter, not of a size."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mod):
        return False
    return any(_COUNTED.search(name.lower()) for name in _names(node.left))


_COUNTED = re.compile(
    r"(^|_)(step|steps|iter|iters|iteration|iterations|it|i|j|k|n|idx|index|epoch|epochs|batch|batches|counter|count|updates|"
    r"update|num_updates|tick|round)$"
)
_COUNTERS = re.compile(r"(^|_)(step|steps|iter|iteration|epoch|batch_idx|batch_index|idx|global_step|curr_step)$")


def _is_counter(node: ast.expr) -> bool:
    path = dotted_name(node)
    return path is not None and bool(_COUNTERS.search(path.rpartition(".")[2])) and "idx" not in path


def _seldom(test: ast.expr, frame: Frame) -> str | None:
    """Why a test is seldom true, by the words in it; remembered, since a loop's body is run several times."""
    known = frame.engine.seldom
    if test not in known:
        known[test] = _by_words(test)
    return known[test]


def _by_words(test: ast.expr) -> str | None:
    for name in _names(test):
        if name in _LOG_LEVEL or _SELDOM.search(name.lower().strip("_")):
            return f"runs only where `{name}` says so"
    return None


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
        stack.extend(reversed(list(children(current))))
