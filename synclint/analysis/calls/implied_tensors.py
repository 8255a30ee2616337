"""What is unknown, and is given where torch takes nothing but a tensor: it is one."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.promotion import device_beside
from synclint.analysis.domain.selection import without
from synclint.analysis.domain.tensors import tensor_of
from synclint.analysis.domain.values import (
    Alternatives,
    BoundMethod,
    Nothing,
    Sequence,
    Tensor,
    Unknown,
    Value,
    options,
)
from synclint.analysis.models.torch_results import Bound, operands
from synclint.analysis.objects import ancestry
from synclint.analysis.state.frames import Arguments, Frame
from synclint.catalog.torch_api import Overload
from synclint.findings import Confidence


def as_tensors(
    overload: Overload,
    overloads: Iterable[Overload],
    bound: Bound,
    arguments: Arguments,
    frame: Frame,
    unknown: tuple[type, ...] = (Unknown,),
) -> Bound:
    """What is ``unknown`` and stands where torch takes nothing but a tensor is one, here and from here on."""
    found = dict(bound)
    beside = device_beside(operands(bound.values()))
    for index, parameter in enumerate(overload.parameters):
        value = bound.get(parameter.name)
        # Where it cannot be None it was none that a variable has held before.
        given = without(value, Nothing) if isinstance(value, Alternatives) else value
        if (
            given is not None
            and all(isinstance(option, unknown) for option in options(given))
            and all(other.kind == "Tensor" for known in overloads for other in known.parameters[index : index + 1])
        ):
            found[parameter.name] = Tensor(beside, trust=Confidence.MEDIUM)
            node = arguments.nodes.get(parameter.name, arguments.nodes.get(index))
            if isinstance(node, ast.Name):
                frame.know(node.id, found[parameter.name])
        elif parameter.kind == "Tensors" and (parts := _parts_of_samples(bound.get(parameter.name))) is not None:
            found[parameter.name] = parts
    return found


def _parts_of_samples(value: Value | None) -> Sequence | None:
    """A list of what each of several samples holds, as tensors where the samples are; None for other lists.

    What is taken for a tensor, and is asked for what no tensor has, is a sample of several parts.
    """
    part = any_item(value) if isinstance(value, Sequence) else None
    if not isinstance(part, BoundMethod) or not isinstance(part.receiver, Tensor):
        return None
    return Sequence("list", None, Tensor(part.receiver.device, trust=Confidence.MEDIUM, pinned=part.receiver.pinned))


def unknown_beside(values: Iterable[Value], frame: Frame) -> tuple[type, ...]:
    """The kinds of what is unknown: an attribute of something unknown is where a tensor is beside which it is given.

    What a module is given is where the module is, and so are the parts of it.
    """
    return (Unknown, BoundMethod) if _is_in_a_module(frame) or any(map(tensor_of, values)) else (Unknown,)


def _is_in_a_module(frame: Frame) -> bool:
    function = frame.function
    if function is None or function.owner is None or function.name == "__init__":
        return False
    return ancestry.is_module(frame.engine, function.owner)
