"""What an optimizer of the project keeps under text keys: in the state of a parameter, in a parameter group.

One method puts it there and another takes it out, by way of ``self.state[p]`` and ``self.param_groups``. Keys are
names of such an optimizer's own choosing: what its methods put under one is what they find there.
"""

from __future__ import annotations

from dataclasses import replace

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import weaker
from synclint.analysis.domain.values import Instance, Mapping, Tensor, Unknown, Value, options
from synclint.analysis.objects import ancestry, attributes
from synclint.analysis.state.frames import Frame
from synclint.findings import Confidence


def keep(container: Mapping, key: str, value: Value, frame: Frame) -> None:
    """``state[key] = value``: other methods of the optimizer find it there."""
    optimizer = _optimizer(frame) if isinstance(container.element, Unknown) else None
    if optimizer is not None:
        attributes.hold(optimizer, _fields(container, key)[0], value, frame)


def keep_defaults(optimizer: Instance, defaults: Value, frame: Frame) -> None:
    """What is handed to the constructor of ``Optimizer`` stands in each parameter group."""
    if isinstance(defaults, Mapping):
        for key, value in defaults.entries:
            attributes.hold(optimizer, _of_group(key), value, frame)


def kept(container: Mapping, key: str, frame: Frame) -> Value:
    """What stands under a text key: what this function has put there, else what other methods of the optimizer have."""
    found = container.get(key)
    if not isinstance(found, Unknown) or not isinstance(container.element, Unknown):
        return found
    optimizer = _optimizer(frame)
    if optimizer is None or optimizer.record is None:
        return found
    for field in _fields(container, key):
        held = frame.engine.read_field(optimizer.record, field)
        if held is not None:
            return join_all([_by_key(option) for option in options(held)])
    return found


def _fields(container: Mapping, key: str) -> tuple[str, ...]:
    """Names that no attribute has, for what parameter groups hold and for what the states of parameters do.

    Where it is not seen that a dictionary is a group, it may be either.
    """
    return (_of_group(key),) if "params" in container.by_key else (f"state[{key}]", _of_group(key))


def _of_group(key: str) -> str:
    return f"group[{key}]"


def _by_key(option: Value) -> Value:
    # That the same key means the same thing is likely, and nothing more.
    return replace(option, trust=weaker(option.trust, Confidence.MEDIUM)) if isinstance(option, Tensor) else option


def _optimizer(frame: Frame) -> Instance | None:
    """The optimizer of the project whose method runs."""
    record = frame.function
    if record is None or record.owner is None:
        return None
    receiver = frame.scope.get("self")
    if not isinstance(receiver, Instance) or receiver.record is None:
        return None
    return receiver if ancestry.is_a(frame.engine, receiver.record, ancestry.OPTIMIZER) else None
