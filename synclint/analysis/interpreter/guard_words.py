"""What names say of tests of which nothing else is known: the last resort, and the reason says so."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.domain.paces import FIRST, every
from synclint.analysis.interpreter.constants import numbers_of
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
    return any(default is value for default in _defaults_of(name, frame))


def _of_comparison(test: ast.Compare, taken: bool, frame: Frame) -> GuardedPhase | None:
    operator, left, right = test.ops[0], test.left, test.comparators[0]
    if isinstance(operator, (ast.Is, ast.IsNot)) and isinstance(operator, ast.IsNot) is taken:
        # Whether an object has something is the same in all rounds; a function may be given it now and then.
        if isinstance(left, ast.Name) and not _SELDOM.isdisjoint(_words(left.id)):
            return _judged(Phase.INTERVAL, "only now and then", left.id)
        return None
    level = _name(left)
    if level is not None and not _SELDOM.isdisjoint(_words(level)) and _is_above_zero(operator, right, taken):
        is_usual = isinstance(left, ast.Name) and _is_above_zero_by_default(left.id, operator, right, frame)
        return None if is_usual else _judged(Phase.INTERVAL, "only now and then", level)
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


def _is_above_zero_by_default(name: str, operator: ast.cmpop, right: ast.expr, frame: Frame) -> bool:
    """Whether a name is a parameter that such a comparison says of that it is more than nothing, unless a caller does.

    ``def fit(x, verbose=1): ... if verbose > 0:``
    """
    bound = right.value if isinstance(right, ast.Constant) else None
    if not isinstance(bound, int):
        return False
    for default in _defaults_of(name, frame):
        if isinstance(default, int):
            more, less = default > bound, default < bound
            match operator:
                case ast.Gt() | ast.LtE():
                    return more
                case ast.GtE() | ast.Lt():
                    return not less
                case ast.Eq() | ast.NotEq():
                    return (more or less) is (bound == 0)
    return False


def _defaults_of(name: str, frame: Frame) -> Iterator[object]:
    """The value that a parameter of this name has by default, if it has one that is written out."""
    for parameter in frame.function.parameters if frame.function is not None else ():
        if parameter.name == name and isinstance(parameter.default, ast.Constant):
            yield parameter.default.value


def _mode(node: ast.expr) -> str | None:
    """What a mode is compared with: a text, or a member of an enumeration (``Stage.TRAIN``)."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    return node.attr if isinstance(node, ast.Attribute) and node.attr.isupper() else None


def _of_remainder(node: ast.BinOp, frame: Frame) -> GuardedPhase | None:
    """``step % 100`` of a parameter of which no caller is known, or of an attribute that nothing here sets."""
    if not isinstance(node.op, ast.Mod):
        return None
    divisor = _divisor(node.right, frame)
    if divisor == "1":
        return None
    owner = frame.function.owner if frame.function is not None else None
    known = {name for one in owner.ancestors for name in one.assigners} if owner is not None else set()
    unknown = (name for name in _names(node.left) if name not in known)
    counted = next((name for name in unknown if not _COUNTING.isdisjoint(_words(name))), None)
    return None if counted is None else _judged(Phase.INTERVAL, every(divisor), counted)


def _divisor(node: ast.expr, frame: Frame) -> str:
    """The number by which something is divided, written out there or at the top of the module; empty for others."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if not isinstance(node, ast.Name) or (frame.function is not None and node.id in frame.function.stored_names):
        return ""
    is_parameter = frame.function is not None and any(one.name == node.id for one in frame.function.parameters)
    number = None if is_parameter else numbers_of(frame.module).get(node.id)
    return "" if number is None else str(number)


def _names(node: ast.expr) -> Iterator[str]:
    for part in walk(node):
        if isinstance(part, (ast.Name, ast.Attribute)) and (name := _name(part)) is not None:
            yield name
