"""From rows of a table to abstract values, in a project in which the functions and classes are found again."""

from __future__ import annotations

import ast
from collections.abc import Callable
from collections.abc import Sequence as SequenceOf
from typing import Any, Protocol, TypeAlias

from synclint.analysis.domain.evidence import place_only
from synclint.analysis.domain.values import (
    NEVER,
    NOTHING,
    Alternatives,
    Array,
    BoundMethod,
    Breadth,
    ClassRecord,
    ClassValue,
    Device,
    DeviceName,
    DType,
    DTypeName,
    FunctionRecord,
    FunctionValue,
    Instance,
    Mapping,
    ModuleRecord,
    Origin,
    Pace,
    ProjectModule,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
)
from synclint.analysis.run_records.records import NONE, Row
from synclint.analysis.state.join_points import Scope
from synclint.findings import Confidence

# The scope of a function within another one is gone with the run of that one: whoever calls it cannot go on.
LOST_SCOPE: Scope = {}


Numbers: TypeAlias = tuple[int, ...]
Named: TypeAlias = tuple[tuple[str, int], ...]
# The file of a node, what it is, where it begins and where it ends.
NodePlace: TypeAlias = tuple[str, str, int, int, int, int]


class Records(Protocol):
    """Where functions, classes and modules are found by their places."""

    def function_at(self, place: str) -> FunctionRecord:
        """The function at a place; raises ForgottenError where there is none."""

    def class_at(self, place: str) -> ClassRecord:
        """The class at a place; raises ForgottenError where there is none."""

    def module_at(self, path: str) -> ModuleRecord:
        """The module of a file; raises ForgottenError where there is none."""


class ForgottenError(Exception):
    """Something is asked for that is not remembered."""


class Decoder:
    """Makes values of rows, each of which is made once.

    ``lines_now`` tell, for files that have another text by now, on which line of that text a line stands.
    """

    def __init__(self, rows: SequenceOf[Row], records: Records) -> None:
        self._rows = rows
        self._records = records
        self._values: dict[int, Value] = {}
        self._origins: dict[int, Origin | None] = {NONE: None}
        self.lines_now: dict[str, Callable[[int], int]] = {}

    def value(self, number: int) -> Value:
        """The value of a row."""
        known = self._values.get(number)
        if known is None:
            kind, *parts = self._rows[number]
            known = self._values[number] = _DECODE[str(kind)](self, *parts)
        return known

    def names(self, number: int) -> tuple[str, ...]:
        """The names of a row."""
        _, *names = self._rows[number]
        return tuple(map(str, names))

    def _origin(self, number: int) -> Origin | None:
        waiting = []
        while number not in self._origins:
            waiting.append(number)
            number = self._parent(number)
        origin = self._origins[number]
        for each in reversed(waiting):
            row: tuple[Any, ...] = self._rows[each]
            _, text, place, _, parameter = row
            module, node = self._node(place)
            origin = self._origins[each] = Origin(text, module, node, origin, parameter)
        return origin

    def _parent(self, number: int) -> int:
        parent: Any = self._rows[number][3]
        return int(parent)

    def _node(self, place: NodePlace | None) -> tuple[ModuleRecord | None, ast.AST | None]:
        """A node that stands where one stood, and is of its kind."""
        if place is None:
            return None, None
        path, kind, line, column, end_line, end_column = place
        module = self._records.module_at(path)
        now = self.lines_now.get(path)
        if now is not None:
            line, end_line = now(line), now(end_line)
        node: ast.AST = getattr(ast, kind)()
        node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = line, column, end_line, end_column  # type: ignore[attr-defined]
        return module, place_only(node)

    def _tensor(
        self, device: str, dtype: str, ndim: int | None, trust: str, pinned: bool | None, is_empty: bool, origin: int
    ) -> Value:
        return Tensor(Device(device), DType(dtype), ndim, Confidence(trust), pinned, self._origin(origin), is_empty)

    def _sequence(self, kind: str, items: Numbers | None, element: int, first: Numbers) -> Value:
        known = None if items is None else tuple(map(self.value, items))
        return Sequence(kind, known, self.value(element), tuple(map(self.value, first)))

    def _mapping(self, entries: Named, element: int) -> Value:
        return Mapping(tuple((name, self.value(held)) for name, held in entries), self.value(element))

    def _function(self, place: str, receiver: int, is_closure: bool) -> Value:
        bound = None if receiver == NONE else self.value(receiver)
        return FunctionValue(self._records.function_at(place), bound, LOST_SCOPE if is_closure else None)

    def _class(self, place: str) -> Value:
        return ClassValue(self._records.class_at(place))

    def _instance(self, name: str, record: str, fields: Named, shared: tuple[str, ...], made: int) -> Value:
        return Instance(
            name,
            self._records.class_at(record) if record else None,
            tuple((key, self.value(held)) for key, held in fields),
            tuple(map(self._records.class_at, shared)),
            self._origin(made),
        )

    def _method(self, receiver: int, name: str) -> Value:
        return BoundMethod(self.value(receiver), name)

    def _alternatives(self, options: Numbers) -> Value:
        return Alternatives(tuple(map(self.value, options)))


_DECODE: dict[str, Callable[..., Value]] = {
    "Never": lambda decoder: NEVER,
    "Nothing": lambda decoder: NOTHING,
    "Unknown": lambda decoder, breadth: Unknown(Breadth(breadth)),
    "Scalar": lambda decoder, kind, literal, pace: Scalar(
        kind, _literal(literal), None if pace is None else Pace(*pace)
    ),
    "Text": lambda decoder, literal, usual: Text(literal, tuple(usual)),
    "Tensor": Decoder._tensor,
    "Array": lambda decoder, dtype, ndim: Array(DType(dtype), ndim),
    "Sequence": Decoder._sequence,
    "Mapping": Decoder._mapping,
    "DeviceName": lambda decoder, device, is_named: DeviceName(Device(device), is_named),
    "DTypeName": lambda decoder, dtype: DTypeName(DType(dtype)),
    "Symbol": lambda decoder, name: Symbol(name),
    "ProjectModule": lambda decoder, name: ProjectModule(name),
    "FunctionValue": Decoder._function,
    "ClassValue": Decoder._class,
    "Instance": Decoder._instance,
    "BoundMethod": Decoder._method,
    "Alternatives": Decoder._alternatives,
}


def _literal(written: str | None) -> int | float | complex | bool | None:
    if written is None:
        return None
    kind, _, text = written.partition(":")
    if kind == "bool":
        return text == "True"
    if kind == "int":
        return int(text, 16)
    return float(text) if kind == "float" else complex(text)
