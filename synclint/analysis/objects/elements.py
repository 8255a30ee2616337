"""Parameters that stand for one element of a tensor that the object itself holds.

A class that keeps ``self.timesteps`` on the device hands its elements out to whoever loops over them, and gets them
back one by one: the ``timestep`` of its methods is such an element, even where it is annotated as the ``int`` that it
might as well be.
"""

from __future__ import annotations

from dataclasses import replace

from synclint.analysis.domain.values import Device, FunctionRecord, Nothing, Scalar, Tensor, Unknown, Value, options
from synclint.analysis.objects import classes
from synclint.analysis.program.heads import Parameter
from synclint.analysis.state.frames import Interpreter
from synclint.findings import Confidence


def element_given(engine: Interpreter, record: FunctionRecord, parameter: Parameter, said: Value) -> Tensor | None:
    """The element that a parameter is by its name, None where what is ``said`` of it, or the class, tells otherwise."""
    owner = record.owner
    plural = f"{parameter.name}s"
    if owner is None or record.receiver is None or record.name == "__init__" or not _may_be_a_number(said):
        return None
    assigners = [method for ancestor in owner.ancestors for method in ancestor.assigners.get(plural, ())]
    if record in assigners or not any(_takes_a_device(method) for method in assigners):
        return None
    held = classes.assigned_attribute(engine, owner, plural)
    for option in options(held) if held is not None else ():
        if isinstance(option, Tensor) and option.device is not Device.CPU and option.ndim in (None, 1):
            place = Device.UNKNOWN if option.device is Device.EITHER else option.device
            return replace(option, device=place, ndim=0, trust=Confidence.MEDIUM, origin=None)
    return None


def _may_be_a_number(said: Value) -> bool:
    kinds = [option for option in options(said) if not isinstance(option, (Nothing, Unknown, Tensor))]
    return bool(kinds) and all(isinstance(kind, Scalar) and kind.kind != "bool" for kind in kinds)


def _takes_a_device(method: FunctionRecord) -> bool:
    """Whether a method is told where what it makes shall live."""
    return any(parameter.name == "device" for parameter in method.parameters)
