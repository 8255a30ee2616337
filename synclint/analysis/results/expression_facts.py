"""What the analysis concluded about an expression, as a plain record that can leave the process that concluded it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.kinds import kind_of
from synclint.analysis.domain.tensors import as_tensor, join_device, join_tensors, weaker
from synclint.analysis.domain.values import (
    UNKNOWN,
    BoundMethod,
    Device,
    DeviceName,
    DTypeName,
    FunctionValue,
    Instance,
    Never,
    Nothing,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.analysis.syntax.walk import children
from synclint.findings import Confidence
from synclint.frozen import dataclass

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEEPEST_ITERABLE = 4
# Of an expression with more different values than these it is not known what it is.
_MOST_VALUES = 12
_MOST_BITS = 63
Literal: TypeAlias = int | float | complex | bool | str | None


class NodePosition(NamedTuple):
    """Where a node stands, as Python's parser counts: lines from 1, columns in bytes of UTF-8 from 0."""

    line: int
    column: int
    end_line: int
    end_column: int


class AllocationSite(NamedTuple):
    """A call that made an object: the resolved path of its file, and where it stands there."""

    path: str
    place: NodePosition


@dataclass(frozen=True)
class Fact:
    """What an expression was found to be, on all paths on which the analysis reached it.

    ``kinds`` are "tensor", "bool", "int", "float", "number" (one of these), "none", "text", "array", "sequence",
    "mapping", "device", "dtype", "symbol", "module", "function", "class", "instance", "method" and "unknown": more than
    one where it may be one or the other. The fields up to ``is_certain`` speak of the tensor, ``literal`` of a number
    or a text where it is always the same, ``items`` of the elements of a sequence whose number is known,
    ``element`` of any of them. ``name`` is the qualified name of a symbol or of the class of an instance. ``made`` are
    the calls that made an optimizer or a loader, or the loaders that an iterable goes through.
    """

    kinds: frozenset[str]
    device: str = "unknown"
    dtype: str = "unknown"
    ndim: int | None = None
    pinned: bool | None = None
    trust: Confidence = Confidence.LOW
    literal: int | float | bool | str | None = None
    kind: str = ""
    items: tuple[Fact, ...] | None = None
    element: Fact | None = None
    name: str = ""
    made: tuple[AllocationSite, ...] = ()

    @property
    def is_tensor(self) -> bool:
        """Whether it is a tensor on all paths."""
        return self.kinds == {"tensor"}

    @property
    def is_certain(self) -> bool:
        """Whether it is a tensor on all paths, by evidence that leaves no doubt."""
        return self.is_tensor and self.trust is Confidence.HIGH

    @property
    def is_number(self) -> bool:
        """Whether it is a Python number on all paths."""
        return self.kinds <= {"bool", "int", "float", "number"}

    @property
    def is_integer(self) -> bool:
        """Whether it is a Python integer on all paths, and no boolean."""
        return self.kinds == {"int"}


Facts: TypeAlias = dict[NodePosition, Fact]
# What was seen of each expression: a value, or several that differ.
RecordedValues: TypeAlias = dict[ast.expr, "Value | tuple[Value, ...]"]


class KeptValues(NamedTuple):
    """The same of a run that has ended, in a fifth of the memory where runs of one function share ``expressions``."""

    expressions: tuple[ast.expr, ...] = ()
    values: tuple[Value | tuple[Value, ...], ...] = ()


def place_of(node: ast.expr | ast.stmt) -> NodePosition:
    """Where a node stands."""
    return NodePosition(node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)


def record_another(node: ast.expr, known: Value | tuple[Value, ...], value: Value, recorded: RecordedValues) -> None:
    """Keep what an expression was seen to be that was seen before, as something that is ``known``."""
    if isinstance(known, tuple):
        if value not in known and UNKNOWN not in known:
            recorded[node] = (*known, value if len(known) < _MOST_VALUES else UNKNOWN)
    elif known != value:
        recorded[node] = (known, value)


class FactsOf:
    """Makes facts of what was ``recorded``: one for those expressions that were found to be the same, as a rule."""

    def __init__(self, recorded: RecordedValues) -> None:
        self._recorded = recorded
        # By the identities of values, which are kept by what was recorded.
        self._made: dict[int | tuple[int, ...], Fact] = {}
        self._equal: dict[Fact, Fact] = {}

    def about(self, expressions: Iterable[ast.expr]) -> Facts:
        """The facts about those expressions that were seen."""
        facts: Facts = {}
        for node in expressions:
            seen = self._recorded.get(node)
            if seen is not None:
                facts[place_of(node)] = self._fact(seen)
        return facts

    def _fact(self, seen: Value | tuple[Value, ...]) -> Fact:
        key = tuple(map(id, seen)) if type(seen) is tuple else id(seen)
        fact = self._made.get(key)
        if fact is None:
            fact = fact_of(seen if isinstance(seen, tuple) else (seen,))
            if fact.literal is None and fact.items is None and fact.element is None:  # 0.0 and -0.0 are equal, too
                fact = self._equal.setdefault(fact, fact)
            self._made[key] = fact
        return fact


def expressions_within(root: ast.AST) -> Iterator[ast.expr]:
    """The expressions within a node, those of functions and classes within it, and docstrings, left out."""
    waiting: list[ast.AST] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.expr):
            yield node
        waiting += [child for child in children(node) if not isinstance(child, _DEFINITIONS) and not _is_text(child)]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def fact_of(values: Iterable[Value], depth: int = 2) -> Fact:
    """The fact that holds for each of some values."""
    seen = [as_tensor(option) for value in values for option in options(value) if not isinstance(option, Never)]
    if len(seen) == 1 and type(seen[0]) in _SIMPLE:
        return _simple_fact(seen[0])
    kinds = frozenset(map(kind_of, seen)) or frozenset({"unknown"})
    tensors = [option for option in seen if isinstance(option, Tensor)]
    tensor = _joined(tensors)
    sequences = [option for option in seen if isinstance(option, Sequence)]
    literals = {(type(o.literal), o.literal) for o in seen if isinstance(o, (Scalar, Text))}
    names = {o.name for o in seen if isinstance(o, (Symbol, Instance))}
    return Fact(
        kinds,
        device=tensor.device.in_use.value if tensor else "unknown",
        dtype=tensor.dtype.value if tensor else "unknown",
        ndim=tensor.ndim if tensor else None,
        pinned=tensor.pinned if tensor else None,
        trust=tensor.trust if tensor else Confidence.LOW,
        literal=_sendable(next(iter(literals))[1]) if len(literals) == 1 and len(kinds) == 1 else None,
        kind=sequences[0].kind if len({sequence.kind for sequence in sequences}) == 1 else "",
        items=_items(sequences, depth) if depth and kinds == {"sequence"} else None,
        element=fact_of([any_item(sequence) for sequence in sequences], depth - 1) if depth and sequences else None,
        name=next(iter(names)) if len(names) == 1 else "",
        made=tuple(dict.fromkeys(one for option in seen for one in _made(option, _DEEPEST_ITERABLE))),
    )


# What is one of these holds nothing, and no call has made it.
_SIMPLE = frozenset({Tensor, Scalar, Text, Nothing, Symbol, BoundMethod, FunctionValue, Unknown, DeviceName, DTypeName})


def _simple_fact(value: Value) -> Fact:
    """The fact that holds for one value of which there is little to say."""
    kinds = _only(kind_of(value))
    if isinstance(value, Tensor):
        return Fact(kinds, value.device.in_use.value, value.dtype.value, value.ndim, value.pinned, value.trust)
    if isinstance(value, (Scalar, Text)):
        return Fact(kinds, literal=_sendable(value.literal))
    return Fact(kinds, name=value.name if isinstance(value, Symbol) else "")


def _sendable(literal: Literal) -> int | float | bool | str | None:
    """A literal that every format can tell: no fix is about others."""
    if isinstance(literal, complex) or (isinstance(literal, int) and literal.bit_length() > _MOST_BITS):
        return None
    return literal


def either(first: Fact, second: Fact) -> Fact:
    """The fact that holds where one or the other does."""
    if first == second:
        return first
    if "tensor" not in first.kinds or "tensor" not in second.kinds:
        tensor = first if "tensor" in first.kinds else second
        device, dtype, ndim, pinned, trust = tensor.device, tensor.dtype, tensor.ndim, tensor.pinned, tensor.trust
    else:
        device = join_device(Device(first.device), Device(second.device)).value
        dtype = first.dtype if first.dtype == second.dtype else "unknown"
        ndim = first.ndim if first.ndim == second.ndim else None
        pinned = first.pinned if first.pinned == second.pinned else None
        trust = weaker(first.trust, second.trust)
    same_items = first.items is not None and second.items is not None and len(first.items) == len(second.items)
    return Fact(
        first.kinds | second.kinds,
        device,
        dtype,
        ndim,
        pinned,
        trust,
        first.literal if first.literal == second.literal and first.kinds == second.kinds else None,
        first.kind if first.kind == second.kind else "",
        tuple(map(either, first.items or (), second.items or ())) if same_items else None,
        either(first.element, second.element) if first.element and second.element else None,
        first.name if first.name == second.name else "",
        tuple(dict.fromkeys((*first.made, *second.made))),
    )


@lru_cache(maxsize=64)
def _only(kind: str) -> frozenset[str]:
    return frozenset({kind})


def _joined(tensors: list[Tensor]) -> Tensor | None:
    joined: Tensor | None = None
    for tensor in tensors:
        joined = tensor if joined is None else join_tensors(joined, tensor)
    return joined


def _items(sequences: list[Sequence], depth: int) -> tuple[Fact, ...] | None:
    lengths = {len(sequence.items) if sequence.items is not None else None for sequence in sequences}
    if len(lengths) != 1 or None in lengths:
        return None
    columns = zip(*(sequence.items or () for sequence in sequences), strict=True)
    return tuple(fact_of(column, depth - 1) for column in columns)


def _made(value: Value, depth: int) -> Iterator[AllocationSite]:
    """The calls that made an object, or the loaders that an iterable around them goes through."""
    if isinstance(value, Instance):
        if value.made is not None and value.made.module is not None and isinstance(value.made.node, ast.expr):
            yield AllocationSite(str(value.made.module.real_path), place_of(value.made.node))
        inner = value.given("iterable")
        if inner is not None and depth:
            for option in options(inner):
                yield from _made(option, depth - 1)
