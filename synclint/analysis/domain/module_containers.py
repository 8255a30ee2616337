"""``ModuleList``, ``ParameterDict`` and their like: the modules or parameters that they hold.

Source: ``torch/nn/modules/container.py``.
"""

from __future__ import annotations

from dataclasses import replace

from synclint.analysis.domain.containers import any_item, held_besides, with_inserted
from synclint.analysis.domain.values import UNKNOWN, Device, Instance, Mapping, Sequence, Tensor, Value, options
from synclint.catalog.names import facts_of

# The parameter of the constructor by which each of them is given its modules.
_GIVEN_AS = facts_of("modules", "given-as")
_DICT = "torch.nn.ModuleDict"
SEQUENTIAL = "torch.nn.Sequential"


_OF_PARAMETERS: dict[str, Sequence | Mapping] = {
    "torch.nn.ParameterList": Sequence("list", None, Tensor(Device.DEVICE)),
    "torch.nn.ParameterDict": Mapping((), Tensor(Device.DEVICE)),
}


def modules_in(instance: Instance) -> Sequence | Mapping | None:
    """The modules or parameters that a container holds, by position or by key; None for what is none."""
    if instance.name in _OF_PARAMETERS:
        return _OF_PARAMETERS[instance.name]
    parameter = _GIVEN_AS.get(instance.name)
    if parameter is None:
        return None
    given = options(instance.given(parameter) or UNKNOWN)
    if instance.name == _DICT:
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
    parameter = _GIVEN_AS[instance.name]
    return replace(instance, fields=(*(field for field in instance.fields if field[0] != parameter), (parameter, more)))
