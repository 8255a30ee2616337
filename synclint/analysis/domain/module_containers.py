"""``ModuleList``, ``ParameterDict`` and their like: the modules or parameters that they hold.

Source: ``torch/nn/modules/container.py``.
"""

from __future__ import annotations

from dataclasses import replace

from synclint.analysis.domain.containers import any_item, held_besides, item_at, with_inserted
from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassRecord,
    Device,
    Instance,
    Mapping,
    Sequence,
    Tensor,
    Unknown,
    Value,
    options,
)
from synclint.catalog.names import facts_of

# The parameter of the constructor by which each of them is given its modules.
_GIVEN_AS = facts_of("modules", "given-as")
_DICT = "torch.nn.ModuleDict"
SEQUENTIAL = "torch.nn.Sequential"


_OF_PARAMETERS: dict[str, Sequence | Mapping] = {
    "torch.nn.ParameterList": Sequence("list", None, Tensor(Device.MODULE)),
    "torch.nn.ParameterDict": Mapping((), Tensor(Device.MODULE)),
}


# A class of the project that has none of these of its own holds modules as the class does from which it derives.
_HOLDING = frozenset(
    {
        "__init__", "__getitem__", "__setitem__", "__iter__", "append", "extend", "insert", "update",
        "items", "values", "keys", "pop",
    }
)  # fmt: skip


def container_of(instance: Instance) -> str | None:
    """The name of the class by which an object holds modules, which may be a base of its own; None for others."""
    if instance.record is None:
        return instance.name if instance.name in _GIVEN_AS else None
    return container_of_class(instance.record)


def container_of_class(record: ClassRecord) -> str | None:
    """The name of the class by which objects of a class of the project hold modules; None for other classes."""
    bases = (base for ancestor in record.ancestors for base in ancestor.bases if isinstance(base, str))
    name = next((base for base in bases if base in _GIVEN_AS), None)
    return None if name is None or not _HOLDING.isdisjoint(record.all_methods) else name


def made_container(record: ClassRecord, name: str, arguments: Sequence) -> Instance:
    """An object of a class of the project that holds modules as the class of this name does, which it was given."""
    given = Sequence("list", arguments.items, arguments.element) if name == SEQUENTIAL else item_at(arguments, 0)
    empty: Value = Mapping() if name == _DICT else Sequence("list", ())
    held = empty if arguments.items == () else given
    return Instance(record.qualified_name, record, ((_GIVEN_AS[name], held),))


def modules_in(instance: Instance) -> Sequence | Mapping | None:
    """The modules or parameters that a container holds, by position or by key; None for what is none."""
    if instance.name in _OF_PARAMETERS:
        return _OF_PARAMETERS[instance.name]
    name = container_of(instance)
    if name is None:
        return None
    passed = instance.given(_GIVEN_AS[name])
    given = options(passed or UNKNOWN)
    if passed is None and instance.record is not None and name != _DICT:
        return Sequence("list")  # somebody has made it
    if name == _DICT:
        return next((option for option in given if isinstance(option, Mapping)), Mapping())
    found = next((option for option in given if isinstance(option, Sequence)), Sequence("list", ()))
    # `Sequential` takes a dictionary in the place of its modules, too.
    return Sequence("list") if isinstance(any_item(found), Mapping) else found


def module_called(instance: Instance, name: str) -> Value | None:
    """What a ``ModuleDict`` holds under a name, which is an attribute of it as well: ``self.transformer.wte``."""
    held = modules_in(instance) if instance.name == _DICT else None
    return held.by_key.get(name) if isinstance(held, Mapping) else None


def with_module(instance: Instance, module: Value) -> Instance:
    """A container after one more module, of any position or key, has been put into it."""
    if instance.name in _OF_PARAMETERS:
        return instance
    held = modules_in(instance)
    if isinstance(held, Mapping):
        more: Value = Mapping((), held_besides(any_item(held), module))
    else:
        more = with_inserted(held or Sequence("list", ()), module)
    return holding(instance, more)


def with_modules_of(instance: Instance, added: Value) -> Instance | None:
    """``layers + [layer]``: a list of modules, or ``Sequential``, with those of another one; None for what is none."""
    held = modules_in(instance)
    if not isinstance(held, Sequence):
        return None
    others = modules_in(added) if isinstance(added, Instance) else added
    if isinstance(others, Sequence):
        return instance if others.items == () else with_module(instance, any_item(others))
    return with_module(instance, UNKNOWN) if isinstance(others, Unknown) else None


def holding(instance: Instance, held: Value) -> Instance:
    """A container that holds these modules in the place of its own."""
    parameter = _GIVEN_AS[container_of(instance) or instance.name]
    return replace(instance, fields=(*(field for field in instance.fields if field[0] != parameter), (parameter, held)))
