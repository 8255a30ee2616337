"""Tests that make the code behind them run seldom: every n-th step, the first step, debugging, the main process."""

from __future__ import annotations

import re

import libcst as cst

from synclint.analysis.frames import Frame
from synclint.analysis.walk import dotted_name, walk

_SELDOM = re.compile(
    r"(^|_)(log|logging|should_log|print|debug|verbose|eval|evaluate|validate|save|checkpoint|report|profile|profiling|dump|"
    r"visuali[sz]e|plot|display|show|sanity|dry_run|wandb|tensorboard|is_last|last_(step|epoch|batch)|first_(step|batch)|"
    r"freq|frequency|interval|every|period|log_steps?|warn|warning|collect_stats|benchmark)(_|$)"
)
_LOG_LEVEL = frozenset({"isEnabledFor", "getEffectiveLevel"})


def cold_reason(test: cst.BaseExpression, taken: bool, frame: Frame) -> str | None:
    """Why the branch of a test runs seldom, None where it may run every time."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return cold_reason(test.expression, not taken, frame)
    if isinstance(test, cst.BooleanOperation):
        left, right = cold_reason(test.left, taken, frame), cold_reason(test.right, taken, frame)
        both_hold = isinstance(test.operator, cst.And) is taken
        return left or right if both_hold else left and right
    if isinstance(test, cst.Name) and test.value in frame.tests:
        return cold_reason(frame.tests[test.value], taken, frame) or (_seldom(test) if taken else None)
    if _every_nth(test) is taken:
        return "runs only every so many steps"
    if not taken:
        return None
    if isinstance(test, (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Comparison)):
        return _seldom(test)
    return None


def _every_nth(test: cst.BaseExpression) -> bool | None:
    """True for ``step % n == 0``, False for ``step % n`` (true on all but every n-th step), None for other tests."""
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        target = test.comparisons[0]
        sides = (test.left, target.comparator)
        if any(_is_remainder(side) for side in sides):
            if isinstance(target.operator, cst.Equal):
                return True
            if isinstance(target.operator, (cst.NotEqual, cst.GreaterThan)):
                return False
        if isinstance(target.operator, cst.Equal) and any(_is_counter(s) for s in sides):
            return True
    if _is_remainder(test):
        return False
    return None


def _is_remainder(node: cst.BaseExpression) -> bool:
    """``step % n``, ``(i + 1) % n``: the remainder of a counter, not of a size."""
    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Modulo):
        return False
    names = [inner.value for inner in walk(node.left) if isinstance(inner, cst.Name)]
    return any(_COUNTED.search(name.lower()) for name in names)


_COUNTED = re.compile(
    r"(^|_)(step|steps|iter|iters|iteration|iterations|it|i|j|k|n|idx|index|epoch|epochs|batch|batches|counter|count|updates|"
    r"update|num_updates|tick|round)$"
)
_COUNTERS = re.compile(r"(^|_)(step|steps|iter|iteration|epoch|batch_idx|batch_index|idx|global_step|curr_step)$")


def _is_counter(node: cst.BaseExpression) -> bool:
    path = dotted_name(node)
    return path is not None and bool(_COUNTERS.search(path.rpartition(".")[2])) and "idx" not in path


def _seldom(test: cst.BaseExpression) -> str | None:
    for node in walk(test):
        if isinstance(node, (cst.Name, cst.Attribute)):
            name = node.value if isinstance(node, cst.Name) else node.attr.value
            if name in _LOG_LEVEL or _SELDOM.search(name.lower().strip("_")):
                return f"runs only where `{name}` says so"
    return None
