"""Python's operators on abstract values."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.domain import paces
from synclint.analysis.domain.containers import any_item, concatenated, updated
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.paces import pace_of
from synclint.analysis.domain.promotion import family_of, place_of, promote
from synclint.analysis.domain.tensors import as_tensor, of_type, weaker
from synclint.analysis.domain.values import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    LONGEST_TEXT,
    NUMBER,
    STRING,
    UNKNOWN,
    UNKNOWN_TRUTH,
    Array,
    BoundMethod,
    DeviceName,
    DType,
    Instance,
    Mapping,
    Nothing,
    Pace,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.findings import Confidence

Operator = type[ast.AST]


def unary(operator: Operator, value: Value) -> Value:
    """``-x``, ``+x``, ``~x``."""
    results: list[Value] = []
    for option in options(value):
        if isinstance(option, Scalar):
            literal = option.literal
            if operator is ast.USub and isinstance(literal, (int, float)) and not isinstance(literal, bool):
                results.append(Scalar(option.kind, -literal))
            else:
                results.append(Scalar(option.kind))
        elif isinstance(option, (Tensor, Array)):
            results.append(option)
        else:
            results.append(UNKNOWN)
    return join_all(results)


def _rank(left: Value, right: Value) -> int | None:
    """The rank of an elementwise result: the larger one, a number or a 0-d tensor counting nothing."""
    ranks: list[int | None] = []
    for value in (left, right):
        if isinstance(value, Tensor):
            ranks.append(value.ndim)
        elif isinstance(value, Scalar):
            ranks.append(0)
        else:
            ranks.append(None)
    if None in ranks:
        return None
    return max(rank for rank in ranks if rank is not None)


def _elementwise(left: Value, right: Value, dtype: DType) -> Tensor:
    tensors = [value for value in (left, right) if isinstance(value, Tensor)]
    large = [tensor for tensor in tensors if tensor.ndim != 0] or tensors
    trust = weaker(tensors[0].trust, tensors[-1].trust)
    if any(tensor.trust.rank > trust.rank for tensor in tensors):
        trust = max(tensors, key=lambda tensor: tensor.trust.rank).trust
    origin = tensors[0].origin
    return Tensor(place_of(large if len(tensors) > 1 else tensors), dtype, _rank(left, right), trust, origin=origin)


def _array_rank(left: Value, right: Value) -> int | None:
    """The rank of what NumPy computes: beside what it does not know, one of its scalars is meant to give another."""
    ranks = [value.ndim for value in (left, right) if isinstance(value, Array)]
    if None in ranks:
        return None
    rank = max(rank for rank in ranks if rank is not None)
    is_whole = all(isinstance(value, (Array, Scalar)) for value in (left, right))
    return rank if is_whole or rank == 0 else None


_DIVISIONS = (ast.Div,)
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor)


def _pair(operator: Operator, left: Value, right: Value) -> Value:
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        if isinstance(left, (Text, Sequence, Mapping)) or isinstance(right, (Text, Mapping)):
            return UNKNOWN
        if isinstance(right, Sequence) and right.kind in ("tuple", "list") and operator is ast.Add:
            return UNKNOWN  # of both, only tuples and lists can be put together: it was no tensor
        family = promote([family_of(left), family_of(right)])
        if operator in _DIVISIONS and family is not DType.COMPLEX:
            family = DType.FLOAT
        elif operator in _BITS and DType.BOOL in (family_of(left), family_of(right)) and family is DType.UNKNOWN:
            family = DType.BOOL
        elif operator not in _BITS and family is DType.BOOL:
            family = DType.INT if operator is not ast.Mult and operator is not ast.Add else DType.BOOL
        return _elementwise(left, right, family)
    if isinstance(left, Array) or isinstance(right, Array):
        return Array(promote([family_of(left), family_of(right)]), _array_rank(left, right))
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        result = _numbers(operator, left, right)
        pace = paces.combined(operator, left, right) if left.pace is not None or right.pace is not None else None
        return result if pace is None else replace(result, pace=pace)
    if isinstance(left, Scalar) and left.pace is not None and isinstance(right, _UNTOLD):
        return _beside_unknown(paces.combined(operator, left, right), operator)
    if isinstance(right, Scalar) and right.pace is not None and isinstance(left, _UNTOLD):
        return _beside_unknown(paces.combined(operator, left, right), operator)
    if isinstance(left, Text) or isinstance(right, Text):
        return _texts(operator, left, right)
    if isinstance(left, Sequence) and isinstance(right, Sequence) and operator is ast.Add:
        return concatenated(left, right)
    if operator is ast.Mult:
        for sequence, count in ((left, right), (right, left)):
            if isinstance(sequence, Sequence):
                if isinstance(count, Scalar) and isinstance(count.literal, int) and sequence.items is not None:
                    total = len(sequence.items) * count.literal
                    if 0 <= total <= 8:
                        return Sequence(sequence.kind, sequence.items * count.literal)
                return Sequence(sequence.kind, None, any_item(sequence))
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return updated(left, right)
    if isinstance(left, Sequence) and left.kind == "set":
        return left
    return UNKNOWN


_UNTOLD = (Unknown, BoundMethod, Symbol)
_OF_INTEGERS = (ast.Mod, ast.FloorDiv, ast.BitAnd)


def _beside_unknown(pace: Pace | None, operator: Operator) -> Value:
    """What comes of a number with a pace and something unknown; the remainder of a count is a number."""
    if pace is None:
        return UNKNOWN
    number = Scalar(pace=pace)
    return number if operator in _OF_INTEGERS else join(number, UNKNOWN)


def _texts(operator: Operator, left: Value, right: Value) -> Text:
    if operator is ast.Add and isinstance(left, Text) and isinstance(right, Text):
        if left.literal is not None and right.literal is not None:
            whole = left.literal + right.literal
            return Text(whole) if len(whole) <= LONGEST_TEXT else STRING
    return STRING


def _numbers(operator: Operator, left: Scalar, right: Scalar) -> Scalar:
    if operator in _DIVISIONS:
        return FLOAT
    if "float" in (left.kind, right.kind):
        return FLOAT
    if operator in _BITS and left.kind == right.kind == "bool":
        return BOOLEAN
    if left.kind in ("int", "bool") and right.kind in ("int", "bool"):
        return INTEGER
    return NUMBER


def arithmetic(operator: Operator, left: Value, right: Value) -> Value:
    """A binary operator other than a comparison."""
    mine, yours = tuple(map(as_tensor, options(left))), tuple(map(as_tensor, options(right)))
    if len(mine) == 1 and len(yours) == 1:
        return _pair(operator, mine[0], yours[0])
    says_nothing = Unknown in (type(left), type(right)) and not any(isinstance(one, Tensor) for one in (*mine, *yours))
    pair = _pair if says_nothing else _alternative
    return join_all([pair(operator, a, b) for a in _without_none(mine) for b in _without_none(yours)])


def _without_none(alternatives: tuple[Value, ...]) -> tuple[Value, ...]:
    """What a value may be where an operator takes no None; None alone stays."""
    return tuple(one for one in alternatives if not isinstance(one, Nothing)) or alternatives


_ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def _alternative(operator: Operator, left: Value, right: Value) -> Value:
    """One of several pairs: what may be a number stays one beside what may be a tensor, or what may be unknown."""
    if {type(left), type(right)} == {Scalar, Unknown}:
        pace = paces.combined(operator, left, right) if operator in _OF_INTEGERS else None
        return NUMBER if pace is None else Scalar(pace=pace)
    return _pair(operator, left, right)


def comparison(operator: Operator, left: Value, right: Value) -> Value:
    """``==``, ``<`` and their like; identity is always a Python boolean."""
    if operator in (ast.Is, ast.IsNot):
        return BOOLEAN
    mine, yours = tuple(map(as_tensor, options(left))), tuple(map(as_tensor, options(right)))
    if operator in _ORDERING:  # nothing is less than None
        mine, yours = _without_none(mine), _without_none(yours)
    return join_all([_compared(operator, a, b) for a in mine for b in yours])


def _is_member(value: Value) -> bool:
    """Whether a value is an object of a class that stands by its name alone, such as a member of an enumeration."""
    return isinstance(value, Instance) and value.record is not None and value.record.is_enumeration


_ELEMENTWISE = (Tensor, Array)
_NEVER_ELEMENTWISE = (Text, Nothing, Mapping)


def _compared(operator: Operator, left: Value, right: Value) -> Value:
    for value, other in ((left, right), (right, left)):
        # Nobody compares a tensor with a string: a key of a dictionary is taken for one, but may be a number.
        if isinstance(value, Tensor) and value.trust is Confidence.HIGH and isinstance(other, Text) and other.is_any:
            return of_type(value, DType.BOOL)
        if isinstance(value, DeviceName) and isinstance(other, Text) and operator in (ast.Eq, ast.NotEq):
            return BOOLEAN if value.is_named else Scalar("bool", operator is ast.NotEq)
    if isinstance(left, _NEVER_ELEMENTWISE) or isinstance(right, _NEVER_ELEMENTWISE):
        return BOOLEAN
    if (isinstance(left, Scalar) and left.pace) or (isinstance(right, Scalar) and right.pace):
        pace = paces.compared(operator, left, right)
        if pace is not None and not isinstance(left, _ELEMENTWISE) and not isinstance(right, _ELEMENTWISE):
            is_known = not isinstance(left, _UNTOLD) and not isinstance(right, _UNTOLD)
            # Labels that are compared with the number of a class are a tensor.
            return (
                Scalar("bool", pace=pace) if is_known or paces.COUNT not in (pace_of(left), pace_of(right)) else UNKNOWN
            )
    if _is_member(left) or _is_member(right):
        return BOOLEAN
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        if isinstance(left, Sequence) or isinstance(right, Sequence):
            return BOOLEAN
        return replace(_elementwise(left, right, DType.BOOL), dtype=DType.BOOL)
    if isinstance(left, Array) or isinstance(right, Array):
        return Array(DType.BOOL)
    if isinstance(left, (Scalar, Sequence)) and isinstance(right, (Scalar, Sequence)):
        return BOOLEAN
    return UNKNOWN_TRUTH if isinstance(left, _UNTOLD) or isinstance(right, _UNTOLD) else UNKNOWN
