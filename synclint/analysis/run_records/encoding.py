"""From abstract values to rows of a table, each of which stands for equal values with the same reasons."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TypeAlias

from synclint.analysis.domain.values import (
    Alternatives,
    Array,
    BoundMethod,
    ClassRecord,
    ClassValue,
    DeviceName,
    DTypeName,
    FunctionRecord,
    FunctionValue,
    Instance,
    Mapping,
    ModuleRecord,
    Never,
    Nothing,
    Origin,
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

Literal: TypeAlias = "int | float | complex | bool | None"


class Places:
    """The places by which functions, classes and nodes are known: those that they had in the stored text of a file.

    ``lines_then`` tell, for files that have another text now, on which line of that text a line stood.
    """

    def __init__(self) -> None:
        self.lines_then: dict[str, Callable[[int], int]] = {}
        self._known: dict[FunctionRecord | ClassRecord, str] = {}

    def of(self, record: FunctionRecord | ClassRecord) -> str:
        """The place of a function or class."""
        known = self._known.get(record)
        if known is None:
            path = str(record.module.real_path)
            line, column = record.node.lineno, record.node.col_offset
            known = self._known[record] = f"{path}:{self._then(path, line)}:{column}"
        return known

    def _then(self, path: str, line: int) -> int:
        then = self.lines_then.get(path)
        return line if then is None else then(line)

    def of_node(self, module: ModuleRecord, node: ast.AST) -> tuple[str, str, int, int, int, int]:
        """The file of a node, what it is, where it begins and where it ends."""
        path = str(module.real_path)
        line, end = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) or 0
        columns = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0) or 0
        kind = next(one.__name__ for one in type(node).__mro__ if one.__module__ == "ast")
        return path, kind, self._then(path, line), columns[0], self._then(path, end), columns[1]


class Encoder:
    """Gives values the numbers of their rows in a table, which may have rows already."""

    def __init__(self, places: Places, rows: list[Row], *, may_add: bool = True) -> None:
        self._places = places
        self._rows = rows
        self._numbers = {row: number for number, row in enumerate(rows)}
        self._may_add = may_add
        # By the identities of values, which are held so that nothing else is given them.
        self._known: dict[int, int] = {}
        self._known_keys: dict[int, int] = {}
        self._held: list[object] = []

    def value(self, value: Value) -> int:
        """The row of a value with the reasons for it."""
        found = self._known.get(id(value))
        return self._numbered(value, self._known, with_reasons=True) if found is None else found

    def values(self, values: Iterable[Value]) -> tuple[int, ...]:
        """The rows of values with the reasons for them."""
        known = self._known
        # Most have been seen before: a call for each would take as long as all the rest.
        return tuple([self.value(value) if (found := known.get(id(value))) is None else found for value in values])

    def key(self, value: Value) -> int:
        """The row of a value whatever the reasons for it are."""
        found = self._known_keys.get(id(value))
        return self._numbered(value, self._known_keys, with_reasons=False) if found is None else found

    def names(self, names: tuple[str, ...]) -> int:
        """The row of some names."""
        return self._row(("names", *names))

    def _numbered(self, value: Value, known: dict[int, int], *, with_reasons: bool) -> int:
        number = known[id(value)] = self._row(self._encoded(value, with_reasons))
        self._held.append(value)
        return number

    def _row(self, row: Row) -> int:
        number = self._numbers.get(row)
        if number is None:
            if not self._may_add:
                raise UnknownRowError
            number = self._numbers[row] = len(self._rows)
            self._rows.append(row)
        return number

    def _encoded(self, value: Value, with_reasons: bool) -> Row:
        number = self.value if with_reasons else self.key
        kind = type(value).__name__
        match value:  # what there is most of comes first
            case Tensor():
                origin = self._origin(value.origin) if with_reasons else NONE
                what = value.device.value, value.dtype.value, value.ndim, value.trust.value
                return kind, *what, value.pinned, value.is_empty, origin
            case Alternatives(options):
                return kind, tuple(map(number, options))
            case Instance():
                of_class = "" if value.record is None else self._places.of(value.record)
                fields = tuple((name, number(held)) for name, held in value.fields)
                made = self._origin(value.made) if with_reasons else NONE
                return kind, value.name, of_class, fields, tuple(map(self._places.of, value.shared)), made
            case Sequence():
                items = None if value.items is None else tuple(map(number, value.items))
                return kind, value.kind, items, number(value.element), tuple(map(number, value.first))
            case Mapping():
                return kind, tuple((name, number(held)) for name, held in value.entries), number(value.element)
            case FunctionValue():
                receiver = NONE if value.receiver is None else number(value.receiver)
                return kind, self._places.of(value.record), receiver, with_reasons and value.scope is not None
            case Scalar(name, literal, pace):
                return kind, name, _literal(literal), pace
            case Text(literal=text, usual=usual):
                return kind, text, usual
            case Symbol(name) | ProjectModule(name):
                return kind, name
            case Never() | Nothing():
                return (kind,)
            case Unknown(breadth):
                return kind, int(breadth)
            case Array(dtype, ndim):
                return kind, dtype.value, ndim
            case DeviceName(device, is_named):
                return kind, device.value, is_named
            case DTypeName(dtype):
                return kind, dtype.value
            case ClassValue(record):
                return kind, self._places.of(record)
            case BoundMethod(receiver, name):
                return kind, number(receiver), name

    def _origin(self, origin: Origin | None) -> int:
        """The row of the last of a chain of reasons, which may be long."""
        if origin is None:
            return NONE
        chain = []
        link: Origin | None = origin
        while link is not None and id(link) not in self._known:
            chain.append(link)
            link = link.parent
        number = NONE if link is None else self._known[id(link)]
        for each in reversed(chain):
            module, node = each.module, each.node
            place = None if module is None or node is None else self._places.of_node(module, node)
            number = self._row(("Origin", each.text, place, number, each.parameter))
            self._known[id(each)] = number
            self._held.append(each)
        return number


class UnknownRowError(Exception):
    """A value is not in a table to which nothing may be added."""


def _literal(literal: Literal) -> str | None:
    if literal is None:
        return None
    return f"int:{literal:x}" if type(literal) is int else f"{type(literal).__name__}:{literal!r}"
