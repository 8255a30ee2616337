"""The values of record classes: what constructing one gives, and what it holds as a tuple or a dictionary."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.containers import any_item, objects_in
from synclint.analysis.domain.interfaces import is_interface
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassRecord,
    ClassValue,
    FunctionRecord,
    FunctionValue,
    Instance,
    Mapping,
    Nothing,
    Sequence,
    Symbol,
    Tensor,
    Value,
    is_known,
    options,
)
from synclint.analysis.objects.attributes import hold
from synclint.analysis.objects.record_classes import AFTER_CONSTRUCTION, RecordField, RecordKind, fields_of, kind_of
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.walk import dotted_name
from synclint.catalog.names import facts_of, names_in

_DEFINING = facts_of("python", "record-factories")
_COPYING = names_in("python", "record-copying")
_TO_MAPPING = names_in("python", "record-to-mapping")
_TO_TUPLE = names_in("python", "record-to-tuple")
# Records hold records; what holds itself ends here.
_DEEPEST = 3


def constructed(record: ClassRecord, arguments: Arguments, node: ast.Call, frame: Frame) -> Value | None:
    """What the constructor that Python makes of a record's fields returns; None for classes that are no records."""
    kind = kind_of(record)
    if kind is None:
        return None
    if kind is RecordKind.TYPED_DICT:
        return _typed_dict(arguments)
    fields = fields_of(record)
    parameters = {field.parameter: field for field in fields if field.parameter is not None}
    positional = [field for field in parameters.values() if not field.keyword_only]
    given = {field.name: value for field, value in zip(positional, arguments.positional, strict=False)}
    given.update((parameters[name].name, v) for name, v in arguments.keywords.items() if name in parameters)
    _note_given(record, given, frame)
    instance = _holding(record, given)
    after = _method(record, AFTER_CONSTRUCTION.get(kind, ""))
    if after is not None:
        handed = [given.get(f.name, f.owner.scope.get(f.name, UNKNOWN)) for f in fields if f.init_only]
        frame.engine.call(FunctionValue(after, instance), Arguments(handed), frame, node)
    return instance


def makers(record: ClassRecord) -> tuple[FunctionRecord, ...]:
    """The functions in the module of a record class that make objects of it: what they give counts for its fields.

    Those elsewhere count as well, but only where they are run anyway.
    """
    if kind_of(record) is None:
        return ()
    made = f"{record.name}("
    lines = [number for number, line in enumerate(record.module.lines, 1) if made in line]
    return tuple(
        function
        for function in record.module.functions
        if function.parent is None and any(map(function.stands_at, lines))
    )


def _note_given(record: ClassRecord, given: dict[str, Value], frame: Frame) -> None:
    """Let fields know which objects, functions and tensors they are given, where no annotation says it.

    Most are read where no more is known. What else they are given nobody may have seen.
    """
    if frame.engine.is_trial(frame.module, record.module):
        return
    for field in fields_of(record):
        value, owner = given.get(field.name, UNKNOWN), field.owner
        if not is_known(value) or field.init_only:
            continue
        said = frame.engine.annotation(field.annotation, owner) if field.annotation is not None else UNKNOWN
        if isinstance(value, Tensor) and (isinstance(said, Tensor) or not is_known(said)):
            # An annotation says at most that it is a tensor, and not where it is.
            hold(instance_of(owner), field.name, Tensor(value.device, value.dtype, trust=value.trust), frame)
        elif _leaves_open(_innermost(said)) and (objects := objects_in(value)) is not None:
            hold(instance_of(owner), field.name, join(objects, UNKNOWN), frame)


def _leaves_open(said: Value) -> bool:
    """Whether an annotation does not tell which object something is."""
    return not is_known(said) or all(map(is_interface, options(said)))


def _innermost(said: Value) -> Value:
    """What a container holds by its annotation, and what is no container itself."""
    known = [option for option in options(said) if not isinstance(option, Nothing)]
    return join_all(any_item(one) if isinstance(one, (Sequence, Mapping)) else one for one in known)


def _holding(record: ClassRecord, given: dict[str, Value]) -> Instance:
    """An object of a record class, with what it was given in the order of its fields."""
    names = [field.name for field in fields_of(record) if not field.init_only]
    return Instance(record.qualified_name, record, tuple((name, given[name]) for name in names if name in given))


def _method(record: ClassRecord, name: str) -> FunctionRecord | None:
    return record.all_methods.get(name)


def _typed_dict(arguments: Arguments) -> Value:
    first = arguments.positional[0] if arguments.positional else Mapping(())
    if not isinstance(first, Mapping):
        return Mapping()
    return Mapping(tuple({**dict(first.entries), **arguments.keywords}.items()), first.element)


def contents(instance: Instance, frame: Frame, node: ast.AST) -> Sequence | Mapping | None:
    """A named tuple as a tuple, a ``TypedDict`` as a dictionary; None for everything else."""
    kind = kind_of(instance.record) if instance.record is not None else None
    if kind is RecordKind.NAMED_TUPLE:
        return _as_tuple(instance, frame, node)
    return _as_mapping(instance, frame, node) if kind is RecordKind.TYPED_DICT else None


def items_given(instance: Instance) -> Value | None:
    """What a loop over a named tuple gives, as far as its constructor was given it; None for everything else."""
    if instance.record is None or kind_of(instance.record) is not RecordKind.NAMED_TUPLE:
        return None
    values = [instance.given(field.name) for field in fields_of(instance.record)]
    return join_all([value if value is not None else UNKNOWN for value in values])


def method(receiver: Instance, name: str, arguments: Arguments, frame: Frame, node: ast.AST) -> Value | None:
    """What the methods of named tuples return; None for other methods, and for those of other classes."""
    if receiver.record is None or kind_of(receiver.record) is not RecordKind.NAMED_TUPLE:
        return None
    if name == "_replace":
        return _replaced(receiver, receiver.record, arguments)
    return _as_mapping(receiver, frame, node) if name == "_asdict" else None


def function(name: str, arguments: Arguments, frame: Frame, node: ast.Call) -> Value | None:
    """What ``dataclasses.replace``, ``asdict`` and ``astuple`` return, and those of attrs; None for others.

    A field with a factory is the object or the class that this gives, unless the constructor is given another one.
    """
    if name in _DEFINING:
        factory = arguments.keywords.get(_DEFINING[name])
        return _by_factory(factory, frame, node) if factory is not None else None
    instance = arguments.positional[0] if arguments.positional else None
    if not isinstance(instance, Instance) or instance.record is None or kind_of(instance.record) is None:
        return None
    if name in _COPYING:
        return _replaced(instance, instance.record, arguments)
    if name in _TO_MAPPING:
        return _as_plain(_as_mapping(instance, frame, node), frame, node)
    return _as_tuple(instance, frame, node) if name in _TO_TUPLE else None


def _by_factory(factory: Value, frame: Frame, node: ast.Call) -> Value | None:
    """The object, the class or the function that a factory gives; None for what else it gives.

    What it names need not be there yet where the field is defined: ``lambda: Model`` stands above the class.
    """
    body = factory.record.node.body if isinstance(factory, FunctionValue) else None
    if isinstance(body, (ast.Name, ast.Attribute)) and (named := dotted_name(body)) is not None:
        return Symbol(f"{frame.module.name}.{named}")
    made = frame.engine.apply(factory, Arguments(), node, frame)
    return made if isinstance(made, (Instance, ClassValue, FunctionValue)) else None


def _replaced(instance: Instance, record: ClassRecord, arguments: Arguments) -> Instance:
    return _holding(record, {**dict(instance.fields), **arguments.keywords})


def _values(instance: Instance, frame: Frame, node: ast.AST) -> list[tuple[str, Value]]:
    fields = fields_of(instance.record) if instance.record is not None else ()
    return [(field.name, _value(instance, field, frame, node)) for field in fields if not field.init_only]


def _value(instance: Instance, field: RecordField, frame: Frame, node: ast.AST) -> Value:
    given = instance.given(field.name)
    if given is not None:
        return given
    # The fields of a dictionary are no attributes.
    if kind_of(field.owner) is RecordKind.TYPED_DICT and field.annotation is not None:
        return frame.engine.annotation(field.annotation, field.owner)
    return frame.engine.attribute(instance, field.name, frame, node) or UNKNOWN


def _as_tuple(instance: Instance, frame: Frame, node: ast.AST) -> Sequence:
    return Sequence("tuple", tuple(value for _, value in _values(instance, frame, node)))


def _as_mapping(instance: Instance, frame: Frame, node: ast.AST) -> Mapping:
    return Mapping(tuple(_values(instance, frame, node)))


def _as_plain(mapping: Mapping, frame: Frame, node: ast.AST, depth: int = 1) -> Mapping:
    """A mapping in which records are mappings, too."""
    entries: list[tuple[str, Value]] = []
    for name, value in mapping.entries:
        if isinstance(value, Instance) and value.record is not None and kind_of(value.record) and depth < _DEEPEST:
            value = _as_plain(_as_mapping(value, frame, node), frame, node, depth + 1)
        entries.append((name, value))
    return replace(mapping, entries=tuple(entries))
