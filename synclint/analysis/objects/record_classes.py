"""Classes that are records: their fields as the class body lists them, and the constructor that is made of these.

Dataclasses, ``attrs``, pydantic's models, ``NamedTuple`` and ``TypedDict``. Sources: Python's documentation of
``dataclasses`` and ``typing``, and that of ``attrs``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from synclint.analysis.domain.values import ClassRecord
from synclint.analysis.program.heads import decorator_name
from synclint.analysis.syntax.walk import dotted_name
from synclint.catalog.names import facts_of


class RecordKind(Enum):
    """What makes a class a record."""

    DATACLASS = "dataclass"
    ATTRS = "attrs"
    MODEL = "model"
    NAMED_TUPLE = "named-tuple"
    TYPED_DICT = "typed-dict"


@dataclass(frozen=True)
class RecordField:
    """A field of a record, as the class ``owner`` declares it.

    ``parameter`` is its name in the constructor, None where that takes none. An ``init_only`` one is handed to the
    method that runs after the constructor, and kept nowhere.
    """

    name: str
    owner: ClassRecord
    annotation: ast.expr | None
    parameter: str | None
    keyword_only: bool = False
    init_only: bool = False


# Python calls these when the fields have got their values.
AFTER_CONSTRUCTION = {RecordKind.DATACLASS: "__post_init__", RecordKind.ATTRS: "__attrs_post_init__"}
_DECORATORS = {name: RecordKind(kind) for name, kind in facts_of("python", "record-decorators").items()}
_BASES = {name: RecordKind(kind) for name, kind in facts_of("python", "record-bases").items()}
# Each subclass of these is one, too, without a decorator.
_INHERITED = frozenset({RecordKind.MODEL, RecordKind.TYPED_DICT})
_ATTRS_DEFINITIONS = frozenset({"ib", "attrib", "field"})


def kind_of(record: ClassRecord) -> RecordKind | None:
    """What makes a class, or the class that it inherits its constructor from, a record; None for other classes."""
    return next((kind for owner in record.ancestors if (kind := _own_kind(owner))), None)


def fields_of(record: ClassRecord) -> tuple[RecordField, ...]:
    """The fields of a record in the order of its constructor's parameters, none for other classes.

    A field that a subclass declares anew keeps its place.
    """
    kind = kind_of(record)
    found: dict[str, RecordField] = {}
    for owner in reversed(record.ancestors):
        if kind is not None and (_own_kind(owner) is not None or kind in _INHERITED):
            found.update((one.name, one) for one in _listed_by(owner, kind))
    return tuple(found.values())


_LISTED = "fields it lists"


def _listed_by(owner: ClassRecord, kind: RecordKind) -> tuple[RecordField, ...]:
    """The fields that the body of a class lists, which it remembers: each object made of it is asked for them."""
    known: dict[RecordKind, tuple[RecordField, ...]] = vars(owner).setdefault(_LISTED, {})
    if kind not in known:
        known[kind] = tuple(_own_fields(owner, kind))
    return known[kind]


def _own_kind(record: ClassRecord) -> RecordKind | None:
    for name in record.decorators:
        kind = _DECORATORS.get(name) or _DECORATORS.get(name.rpartition(".")[2])
        if kind is not None:
            return kind
    if "__post_init__" in record.methods and record.annotations and "__init__" not in record.all_methods:
        return RecordKind.DATACLASS  # whoever calls that afterwards
    for base in record.bases:
        if isinstance(base, str) and (kind := _BASES.get(base.rpartition(".")[2])):
            return kind
    return None


def _own_fields(owner: ClassRecord, kind: RecordKind) -> Iterator[RecordField]:
    keyword_only = any(_is_true(decorator, "kw_only") for decorator in owner.node.decorator_list)
    for statement in owner.node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            meaning = _outermost_name(statement.annotation)
            if meaning == "KW_ONLY":
                keyword_only = True
            elif meaning != "ClassVar":
                yield _field(
                    owner,
                    kind,
                    statement.target.id,
                    statement.annotation,
                    statement.value,
                    keyword_only=keyword_only,
                    init_only=meaning == "InitVar",
                )
        elif kind is RecordKind.ATTRS and isinstance(statement, ast.Assign) and _is_attrs_definition(statement.value):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    yield _field(
                        owner, kind, target.id, None, statement.value, keyword_only=keyword_only, init_only=False
                    )


def _field(
    owner: ClassRecord,
    kind: RecordKind,
    name: str,
    annotation: ast.expr | None,
    definition: ast.expr | None,
    *,
    keyword_only: bool,
    init_only: bool,
) -> RecordField:
    parameter: str | None = name.lstrip("_") if kind is RecordKind.ATTRS else name
    options = _keywords(definition)
    alias = options.get("alias")
    if isinstance(alias, ast.Constant) and isinstance(alias.value, str):
        parameter = alias.value
    if _is_constant(options.get("init"), False):
        parameter = None
    own = options.get("kw_only")
    keyword_only = keyword_only if own is None else _is_constant(own, True)
    return RecordField(name, owner, annotation, parameter, keyword_only, init_only)


def _is_attrs_definition(value: ast.expr) -> bool:
    name = decorator_name(value) if isinstance(value, ast.Call) else None
    return name is not None and name.rpartition(".")[2] in _ATTRS_DEFINITIONS


def _is_true(call: ast.expr, name: str) -> bool:
    return _is_constant(_keywords(call).get(name), True)


def _keywords(call: ast.expr | None) -> dict[str | None, ast.expr]:
    return {keyword.arg: keyword.value for keyword in call.keywords} if isinstance(call, ast.Call) else {}


def _is_constant(node: ast.expr | None, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def _outermost_name(annotation: ast.expr) -> str:
    """The last part of the name that an annotation begins with, quoted or not: ``ClassVar`` of ``ClassVar[int]``."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value.partition("[")[0].strip().rpartition(".")[2]
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    return (dotted_name(annotation) or "").rpartition(".")[2]
