"""Objects, classes, functions and modules that a value may be: told apart by name, as long as they are few."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from synclint.analysis.domain.values import (
    BoundMethod,
    ClassRecord,
    ClassValue,
    FunctionValue,
    Instance,
    Mapping,
    ProjectModule,
    Sequence,
    Symbol,
    Value,
)

# The kinds of which a value may be several, and how many of each group at most.
NAMED = frozenset({Instance, ClassValue, FunctionValue, BoundMethod, Symbol, ProjectModule})
MOST_INSTANCES = 6
# A table of classes or functions to choose from may be longer.
MOST_CALLABLES = 16
MOST_NAMES = 6
PARTIAL = "functools.partial"


def distinguished(named: list[Value]) -> list[Value] | None:
    """The named values as they are told apart; None where they are too many.

    Objects of very many classes become one of what these have in common, and stay so whatever object is added. So it
    makes no difference in which order they came together.
    """
    instances = [value for value in named if isinstance(value, Instance)]
    callables = [value for value in named if isinstance(value, (ClassValue, FunctionValue))]
    if len(callables) > MOST_CALLABLES:
        return None
    others = {_named_by(value) for value in named if not isinstance(value, (Instance, ClassValue, FunctionValue))}
    if len(others) > MOST_NAMES:
        return None
    if len(instances) <= MOST_INSTANCES and not any(instance.shared for instance in instances):
        return list(named)
    common = _in_common(instances)
    return None if common is None else [common, *(value for value in named if not isinstance(value, Instance))]


def _named_by(value: Value) -> Hashable:
    """What one of the names stands for: a method of values of several kinds, of which there are few, is one."""
    is_of_kind = isinstance(value, BoundMethod) and type(value.receiver) not in NAMED
    return value.name if is_of_kind and isinstance(value, BoundMethod) else value


def _in_common(instances: Iterable[Instance]) -> Instance | None:
    """An object of which is known from which classes it derives; None where they have no class in common."""
    shared: set[ClassRecord] = set.intersection(*map(classes_of, instances))
    if not shared:
        return None
    nearest = max(shared, key=lambda record: (len(record.ancestors), record.key))
    return Instance(nearest.qualified_name, nearest, shared=tuple(sorted(shared, key=lambda record: record.key)))


def classes_of(instance: Instance) -> set[ClassRecord]:
    """The classes of the project of which an object is known to be."""
    if instance.shared or instance.record is None:
        return set(instance.shared)
    return set(instance.record.ancestors)


def instance_of(record: ClassRecord) -> Instance:
    """An object of a class of which nothing else is known: one for all, which is quickly compared with itself."""
    known = record.instance
    if not isinstance(known, Instance):
        record.instance = known = Instance(record.qualified_name, record)
    return known


def partial_of(function: Value, *leading: Value, keywords: Iterable[tuple[str, Value]] = ()) -> Instance:
    """What calls a function with more before, and beside, what it is given: ``functools.partial``, a bound method."""
    given = (("positional", Sequence("tuple", leading)), ("keywords", Mapping(tuple(keywords))))
    return Instance(PARTIAL, None, (("function", function), *given))
