"""Objects that are declared by what can be done with them: annotations say so, and leave open which ones they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.module_containers import holding, modules_in
from synclint.analysis.domain.values import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Instance,
    Mapping,
    Sequence,
    Unknown,
    Value,
    options,
)

# `Callable[[X], Y]`, and the base of all modules.
_OPEN = frozenset({"typing.Callable", "torch.nn.Module"})
_PROTOCOLS = frozenset({"typing.Protocol", "typing_extensions.Protocol"})


def is_interface(value: Value) -> bool:
    """Whether something is declared as a function, a module or a protocol: an object of any class that is one."""
    if not isinstance(value, Instance):
        return False
    if value.record is None:
        return value.name in _OPEN
    return any(isinstance(base, str) and base in _PROTOCOLS for base in value.record.bases)


def implemented(declared: Value, given: Value) -> Value:
    """What is ``declared``, with those of the project's objects and functions that are ``given`` for interfaces.

    Of an object of a library's class, which is declared by that class, what is given tells with what it was made. Of a
    container that is filled with what is unknown, they are what it may hold.
    """
    if not any(map(_leaves_open, options(declared))):
        return declared
    return join_all([found for one in options(declared) for found in _implementing(one, given)])


def _implementing(declared: Value, given: Value) -> Iterator[Value]:
    """What one option stands for."""
    container = _container(declared)
    if container is not None and _holds_open(container):
        others = [_container(option) for option in options(given) if type(option) is type(declared)]
        if held := [any_item(other) for other in others if other is not None]:
            container = replace(container, element=implemented(container.element, join_all(held)))
        yield holding(declared, container) if isinstance(declared, Instance) else container
        return
    found = [option for option in options(given) if _tells_of(option, declared)] if _is_open(declared) else []
    # What a function returns is declared as well, and may be all that is known of that.
    if not found or not isinstance(declared, Instance) or declared.fields:
        yield declared
    yield from found


def _leaves_open(declared: Value) -> bool:
    """Whether something is an interface, or a container of any number of them, or of what is unknown."""
    container = _container(declared)
    return _is_open(declared) or (container is not None and _holds_open(container))


def _container(value: Value) -> Sequence | Mapping | None:
    """What holds others, as it holds them: a ``ModuleList`` is a list of modules."""
    if isinstance(value, (Sequence, Mapping)):
        return value
    return modules_in(value) if isinstance(value, Instance) else None


def _holds_open(container: Sequence | Mapping) -> bool:
    is_counted = container.items is not None if isinstance(container, Sequence) else bool(container.entries)
    return not is_counted and any(map(_leaves_open, options(container.element)))


def _is_open(declared: Value) -> bool:
    return isinstance(declared, Unknown) or is_interface(declared) or _is_declared_by_class(declared)


def _is_declared_by_class(value: Value) -> bool:
    """Whether of an object the class alone is known, which is none of the project: what it was given is not."""
    return isinstance(value, Instance) and value.record is None and not value.fields and value.made is None


def _tells_of(given: Value, declared: Value) -> bool:
    """Whether what is given says which object is meant by what is declared."""
    if isinstance(declared, Instance) and _is_declared_by_class(declared) and not is_interface(declared):
        return isinstance(given, Instance) and given != declared and given.is_of(declared.name)
    return _is_own(given)


def _is_own(value: Value) -> bool:
    """Whether something is defined in the project."""
    if isinstance(value, Instance):
        return value.record is not None and not is_interface(value)
    if isinstance(value, BoundMethod):
        return _is_own(value.receiver)
    return isinstance(value, (ClassValue, FunctionValue))
