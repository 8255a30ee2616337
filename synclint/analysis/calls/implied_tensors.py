"""What is unknown, and is given where torch takes nothing but a tensor: it is one."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from synclint.analysis.domain.promotion import device_beside
from synclint.analysis.domain.tensors import tensor_of
from synclint.analysis.domain.values import BoundMethod, Tensor, Unknown, Value
from synclint.analysis.models.torch_results import Bound, operands
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
        if isinstance(bound.get(parameter.name), unknown) and all(
            other.kind == "Tensor" for known in overloads for other in known.parameters[index : index + 1]
        ):
            found[parameter.name] = Tensor(beside, trust=Confidence.MEDIUM)
            node = arguments.nodes.get(parameter.name, arguments.nodes.get(index))
            if isinstance(node, ast.Name):
                frame.know(node.id, found[parameter.name])
    return found


def unknown_beside(values: Iterable[Value]) -> tuple[type, ...]:
    """The kinds of what is unknown: an attribute of something unknown is where a tensor is beside which it is given."""
    return (Unknown, BoundMethod) if any(map(tensor_of, values)) else (Unknown,)
