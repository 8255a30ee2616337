"""What names say of tests of which nothing else is known: the last resort, and the reason says so."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.domain.paces import FIRST, every
from synclint.analysis.interpreter.modes_by_default import is_mode_by_default
from synclint.analysis.state.frames import Frame
from synclint.analysis.state.readings import GuardedPhase
from synclint.analysis.syntax.walk import dotted_name, walk
from synclint.catalog.names import names_in
from synclint.findings import Phase

_COUNTING = names_in("guards", "counting")
_SELDOM = names_in("guards", "seldom")
_EVALUATING = names_in("guards", "evaluating")
_ASKING = names_in("guards", "asking")
_TRAINING = names_in("guards", "training")
_MODES_OF_EVALUATION = _EVALUATING | names_in("guards", "modes-of-evaluation")


def of_test(test: ast.expr, taken: bool, frame: Frame) -> GuardedPhase | None:
    """What the names in a test say of what stands behind one of its outcomes."""
    if isinstance(test, ast.Compare):
        return _of_comparison(test, taken, frame) if len(test.ops) == 1 else None
    if isinstance(test, ast.BinOp):
        return None if taken else _of_remainder(test, frame)
    name = _name(test.func if isinstance(test, ast.Call) else test)
    if name is None or _is_default(name, taken, frame) or is_mode_by_default(test, taken, frame):
        return None
    if not taken:
        return _judged(Phase.EVAL, "outside of training", name) if name in _TRAINING else None
    if not _SELDOM.isdisjoint(_words(name)):
        return _judged(Phase.INTERVAL, "only now and then", name)
    if not _EVALUATING.isdisjoint(_words_but_values(name)):
        return _judged(Phase.EVAL, "in evaluation", name)
    return None


def _judged(runs: Phase, when: str, name: str) -> GuardedPhase:
    return GuardedPhase(runs, f"runs {when}, judging by the name `{name}`")


def _name(node: ast.expr) -> str | None:
    path = dotted_name(node)
    return None if path is None else path.rpartition(".")[2]


def _words(name: str) -> list[str]:
    return name.lower().split("_")


def _words_but_values(name: str) -> list[str]:
    """The words of a name, without the last one of ``ret_val`` and its like, which is short for "value"."""
    words = _words(name)
    return words[:-1] if len(words) > 1 and words[-1] == "val" and words[0] not in _ASKING else words


def _is_default(name: str, value: bool, frame: Frame) -> bool:
    """Whether a name is a parameter that has a value unless a caller says otherwise."""
    parameters = frame.function.parameters if frame.function is not None else ()
    return any(
        parameter.name == name and isinstance(parameter.default, ast.Constant) and parameter.default.value is value
        for parameter in parameters
    )


def _of_comparison(test: ast.Compare, taken: bool, frame: Frame) -> GuardedPhase | None:
    operator, left, right = test.ops[0], test.left, test.comparators[0]
    if isinstance(operator, (ast.Is, ast.IsNot)) and isinstance(operator, ast.IsNot) is taken:
        # Whether an object has something is the same in all rounds; a function may be given it now and then.
        if isinstance(left, ast.Name) and not _SELDOM.isdisjoint(_words(left.id)):
            return _judged(Phase.INTERVAL, "only now and then", left.id)
        return None
    level = _name(left)
    if level is not None and not _SELDOM.isdisjoint(_words(level)) and _is_above_zero(operator, right, taken):
        return _judged(Phase.INTERVAL, "only now and then", level)
    if not isinstance(operator, (ast.Eq, ast.NotEq)):
        return None
    is_equal = isinstance(operator, ast.Eq) is taken
    if (mode := _mode(right)) is not None and dotted_name(left) is not None:
        said = _MODES_OF_EVALUATION if is_equal else _TRAINING
        return _judged(Phase.EVAL, "outside of training", mode) if mode.lower() in said else None
    is_number = isinstance(right, ast.Constant)
    is_first = is_equal and isinstance(right, ast.Constant) and right.value == 0
    if is_first and isinstance(left, ast.Name) and _is_divided(left.id, frame):
        return None if _COUNTING.isdisjoint(_words(left.id)) else _judged(Phase.INTERVAL, FIRST, left.id)
    return _of_remainder(left, frame) if is_equal and is_number and isinstance(left, ast.BinOp) else None


def _is_divided(name: str, frame: Frame) -> bool:
    """Whether a function asks for the remainder of something elsewhere: of what counts, as a rule."""
    nodes = frame.function.nodes.of(ast.BinOp) if frame.function is not None else ()
    return any(isinstance(one.op, ast.Mod) and isinstance(one.left, ast.Name) and one.left.id == name for one in nodes)


def _is_above_zero(operator: ast.cmpop, right: ast.expr, taken: bool) -> bool:
    """Whether an outcome of a comparison with a number says that something is more than nothing: ``if debug > 1``."""
    number = right.value if isinstance(right, ast.Constant) else None
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        return False
    match operator:
        case ast.Gt():
            return taken
        case ast.LtE():
            return not taken
        case ast.GtE():
            return taken and number > 0
        case ast.Lt():
            return not taken and number > 0
        case ast.Eq():
            return taken is (number > 0)
        case ast.NotEq():
            return taken is (number == 0)
    return False


def _mode(node: ast.expr) -> str | None:
    """What a mode is compared with: a text, or a member of an enumeration (``Stage.TRAIN``)."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    return node.attr if isinstance(node, ast.Attribute) and node.attr.isupper() else None


def _of_remainder(node: ast.BinOp, frame: Frame) -> GuardedPhase | None:
    """``step % 100`` of a parameter of which no caller is known, or of an attribute that nothing here sets."""
    if not isinstance(node.op, ast.Mod):
        return None
    divisor = str(node.right.value) if isinstance(node.right, ast.Constant) else ""
    owner = frame.function.owner if frame.function is not None else None
    known = {name for one in owner.ancestors for name in one.assigners} if owner is not None else set()
    unknown = (name for name in _names(node.left) if name not in known)
    counted = next((name for name in unknown if not _COUNTING.isdisjoint(_words(name))), None)
    return None if counted is None else _judged(Phase.INTERVAL, every(divisor), counted)


def _names(node: ast.expr) -> Iterator[str]:
    for part in walk(node):
        if isinstance(part, (ast.Name, ast.Attribute)) and (name := _name(part)) is not None:
            yield name
