"""How numbers and booleans change from round to round of the loops that run the code, and what that says of tests.

A number may count rounds, be the remainder or the quotient of such a count, the distance between two counts, a reading
of a clock, the time since one, or drawn at random. Comparing it may give a boolean that is true, or false, only now
and then, and ``detail`` says in words when: "every 100 steps". Numbers keep what they may be: one that counts in one
place counts. Booleans keep only what holds whichever path has made them, except for the outcome that is frequent.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from synclint.analysis.domain.values import (
    Array,
    BoundMethod,
    Mapping,
    Nothing,
    Pace,
    Scalar,
    Sequence,
    Symbol,
    Unknown,
    Value,
    options,
)

COUNT = Pace("count")
REMAINDER, QUOTIENT = "remainder", "quotient"
DISTANCE = Pace("distance")
CLOCK = Pace("clock")
ELAPSED = Pace("elapsed")
DRAW = Pace("draw")
_MIXED = Pace("mixed")
TRUE, FALSE = "true", "false"

COUNTED = Scalar("int", pace=COUNT)
DRAWN = Scalar("float", pace=DRAW)

FIRST, LAST, ONE = "in the first step only", "in the last step only", "in one step only"
FIRST_FEW, LAST_FEW = "in the first steps only", "in the last steps only"
LISTED, AT_RANDOM = "at the listed steps only", "in steps that are drawn at random"
EPISODE = "only at the end of an episode"
SOME = "only in some steps"
MOVED = "only when a count has come to a bound that is then moved"
_TIME_PASSED = "only when some time has passed"
OUTSIDE = "outside of training"
# Whether a module trains, as ``Module.train`` and ``Module.eval`` set it (``torch/nn/modules/module.py``).
TRAINING = Scalar("bool", pace=Pace(FALSE, OUTSIDE))
# Beyond such a bound a count is taken for one that most rounds are below.
_FEW = 20

_EQUAL = (ast.Eq,)
_UNEQUAL = (ast.NotEq,)
_MIRRORED: dict[type, type] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def every(divisor: str) -> str:
    """What holds when a remainder is a given one."""
    return f"only every {divisor or 'N'} steps"


def joined_pace(first: Scalar, second: Scalar) -> Pace | None:
    """The pace of what is one of two numbers or booleans."""
    if first.kind == second.kind == "bool":
        return _joined_outcomes(first, second)
    mine, yours = (None if one.kind == "bool" else one.pace for one in (first, second))
    if mine is None or yours is None or mine == yours:
        return mine or yours
    return Pace(mine.kind) if mine.kind == yours.kind else _MIXED


def _joined_outcomes(first: Scalar, second: Scalar) -> Pace | None:
    for one, other in ((first, second), (second, first)):
        if one.literal is not None and one.pace is None:
            seldom = FALSE if one.literal else TRUE
            is_so = other.pace is not None and other.pace.kind == seldom
            return other.pace if is_so else None
    mine, yours = first.pace, second.pace
    if mine is None or yours is None or mine.kind != yours.kind:
        return None
    return mine if mine == yours else Pace(mine.kind)


def pace_of(value: Value) -> Pace | None:
    """The pace of a value, whatever else it may be of which nothing is known; an array that is asked so is a number."""
    if isinstance(value, Scalar):
        return value.pace
    found: Pace | None = None
    for option in options(value):
        if isinstance(option, Scalar):
            found = option.pace
        elif not isinstance(option, (Unknown, Nothing, BoundMethod, Array)):
            return None
    return found


def pace_of_number(value: Value) -> Pace | None:
    """The pace of a value that is a number."""
    pace = pace_of(value)
    return pace if pace is not None and pace.kind not in (TRUE, FALSE) else None


def uncounted(value: Value) -> Value:
    """A value as it is where nobody knows that it counts rounds."""
    if isinstance(value, Scalar):
        return Scalar(value.kind) if value.pace == COUNT else value
    return value


def counts(value: Value) -> bool:
    """Whether a value counts rounds."""
    return pace_of(value) == COUNT


def seldom(outcome: bool, when: str) -> Scalar:
    """A boolean that has an outcome only now and then."""
    return Scalar("bool", pace=Pace(TRUE if outcome else FALSE, when))


def negated(pace: Pace | None) -> Pace | None:
    """The pace of ``not x``."""
    when = outcome(pace)
    return None if when is None else Pace(FALSE if when[0] else TRUE, when[1])


def outcome(pace: Pace | None) -> tuple[bool, str] | None:
    """Which outcome of a test of a value with such a pace is the seldom one, and when it has it."""
    if pace is None:
        return None
    if pace.kind in (TRUE, FALSE):
        return pace.kind == TRUE, pace.detail or SOME
    if pace == COUNT:
        return False, FIRST
    if pace.kind == REMAINDER:
        return None if pace.detail == "1" else (False, every(pace.detail))
    return None


def conjoined(paces: Iterable[Pace | None], is_and: bool) -> Pace | None:
    """The pace of ``a and b``, which is true only where each of them is; of ``a or b`` with true and false turned."""
    found = [outcome(pace) for pace in paces]
    deciding = next((one for one in found if one is not None and one[0] is is_and), None)
    if deciding is not None:
        return Pace(TRUE if is_and else FALSE, deciding[1])
    if found and all(one is not None for one in found):
        return Pace(FALSE if is_and else TRUE, min((one[1] for one in found if one is not None), key=commonness))
    return None


def commonness(when: str) -> tuple[bool, str]:
    """What orders the reasons of which any is enough: what comes again and again is told first."""
    return "every" not in when, when


# --- arithmetic ------------------------------------------------------------------------------------------


def combined(operator: type[ast.AST], left: Value, right: Value) -> Pace | None:
    """The pace of the result of an arithmetic operator."""
    mine, yours = pace_of(left), pace_of(right)
    if operator in (ast.Add, ast.Sub):
        if operator is ast.Sub and mine == CLOCK:
            return ELAPSED
        if operator is ast.Sub and mine == yours == COUNT:
            return DISTANCE
        kept = {COUNT, CLOCK, ELAPSED, DISTANCE, DRAW}
        if mine in kept or yours in kept:
            return mine if mine in kept else yours
        return mine if mine is not None and mine.kind in (REMAINDER, QUOTIENT) and yours is None else None
    if operator is ast.Mult:
        return next((one for one in (mine, yours) if one in (COUNT, ELAPSED, DRAW)), None)
    if mine is not None and (mine == COUNT or mine.kind == QUOTIENT) and operator in (ast.Mod, ast.FloorDiv):
        # Of a quotient, the remainder is that of several rounds.
        divisor = _written(right) if mine == COUNT else ""
        return Pace(REMAINDER if operator is ast.Mod else QUOTIENT, divisor)
    if operator is ast.BitAnd and COUNT in (mine, yours):
        mask = right if mine == COUNT else left
        if isinstance(mask, Scalar) and mask.kind == "bool":
            return Pace(TRUE, SOME)  # `step & 127 == 0` without the parentheses that it needs: it is never true
        size = mask.literal if isinstance(mask, Scalar) else None
        return Pace(REMAINDER, str(size + 1) if isinstance(size, int) else "")
    return mine if mine in (ELAPSED, DRAW) and operator is ast.Div else None


def _written(divisor: Value) -> str:
    literal = divisor.literal if isinstance(divisor, Scalar) else None
    return str(abs(literal)) if isinstance(literal, int) and not isinstance(literal, bool) and literal else ""


# --- comparisons -----------------------------------------------------------------------------------------


def compared(operator: type[ast.AST], left: Value, right: Value) -> Pace | None:
    """The pace of the outcome of a comparison."""
    mine, yours = pace_of(left), pace_of(right)
    if mine is None and yours is None:
        return None
    if operator in (ast.In, ast.NotIn):
        return _as_outcome(_membership(mine, right), operator is ast.In)
    if mine is None or (mine.kind in (TRUE, FALSE) and yours is not None):
        mine, yours, left, right = yours, mine, right, left
        operator = _MIRRORED.get(operator, operator)
    if mine is None or isinstance(right, Nothing):
        return None
    if operator in _EQUAL or operator in _UNEQUAL:
        return _as_outcome(_equality(mine, yours, right), operator in _EQUAL)
    if operator in (ast.Gt, ast.GtE):
        return _as_outcome(_below(mine, right, operator is ast.Gt), False) or _as_outcome(_above(mine, yours, right))
    if operator in (ast.Lt, ast.LtE):
        is_below = _below(mine, right, operator is ast.LtE)
        return _as_outcome(is_below) or _as_outcome(_above(mine, yours, right), False)
    return None


def _as_outcome(when: str | None, is_true: bool = True) -> Pace | None:
    return None if when is None else Pace(TRUE if is_true else FALSE, when)


def _membership(mine: Pace | None, right: Value) -> str | None:
    """``step in (10, 100)``; what stands in a range is most of it, as a rule."""
    if mine is None or not any(isinstance(one, (Sequence, Mapping, Unknown, BoundMethod)) for one in options(right)):
        return None
    if mine == COUNT:
        return LISTED
    return every(mine.detail) if mine.kind == REMAINDER else None


def _equality(mine: Pace, yours: Pace | None, right: Value) -> str | None:
    literal = right.literal if isinstance(right, Scalar) else None
    if mine == COUNT and yours != COUNT:
        return FIRST if literal == 0 and literal is not False else ONE
    if mine.kind == REMAINDER and mine.detail != "1":
        return every(mine.detail)
    if mine == DISTANCE:
        return ONE
    if mine.kind == QUOTIENT:
        return SOME
    return AT_RANDOM if mine == DRAW and isinstance(literal, int) else None


def _above(mine: Pace, yours: Pace | None, right: Value) -> str | None:
    """When a value is above a bound, if that is seldom."""
    bound = right.literal if isinstance(right, Scalar) else None
    if mine == ELAPSED:
        seconds = f"{bound:g}" if isinstance(bound, (int, float)) else ""
        return f"only when {seconds} seconds have passed" if seconds else _TIME_PASSED
    if mine == DISTANCE:
        return every(str(bound) if isinstance(bound, int) and bound > 0 else "")
    if mine == CLOCK and yours != CLOCK:
        return _TIME_PASSED
    if mine == DRAW and isinstance(bound, (int, float)):
        return AT_RANDOM if bound > 0.5 else None
    if mine.kind == REMAINDER:
        return every(mine.detail) if isinstance(bound, int) and _is_most(bound, mine.detail) else None
    if mine.kind == QUOTIENT and (not isinstance(bound, int) or (yours is not None and yours.kind == QUOTIENT)):
        return every(mine.detail)
    return None


def _below(mine: Pace, right: Value, is_included: bool) -> str | None:
    """When a value is below a bound, if that is seldom.

    Of a count that grows by a batch, the remainder is below the size of that once in so many steps.
    """
    bound = right.literal if isinstance(right, Scalar) else None
    if mine == DRAW:
        return AT_RANDOM if isinstance(bound, (int, float)) and bound < 0.5 else None
    if mine.kind == REMAINDER and bound is None and isinstance(right, (Scalar, Unknown, BoundMethod, Symbol)):
        return every(mine.detail)
    if not isinstance(bound, int):
        return None
    if mine in (COUNT, DISTANCE):
        return FIRST_FEW if bound <= _FEW else None
    if mine.kind == REMAINDER:
        held = bound + is_included
        is_few = 2 * held <= int(mine.detail) if mine.detail else held <= 1
        return every(mine.detail) if is_few else None
    return None


def _is_most(bound: int, divisor: str) -> bool:
    """Whether most remainders are below a bound."""
    return bool(divisor) and 2 * bound >= int(divisor)
