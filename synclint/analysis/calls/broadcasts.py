"""``torch.broadcast_tensors``, and ``broadcast_all`` of distributions, which takes numbers as well.

Source: ``torch/distributions/utils.py``. Each number becomes a tensor where the first tensor is, by a blocking copy.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.promotion import place_of
from synclint.analysis.domain.tensors import device_tensor_of, tensor_of
from synclint.analysis.domain.values import DType, Scalar, Sequence, Tensor, Unknown, Value, options
from synclint.analysis.models.torch_results import operands
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.arguments import argument_node
from synclint.findings import Confidence

BROADCAST_ALL = "torch.distributions.utils.broadcast_all"
_SOME_TENSOR = Tensor(trust=Confidence.MEDIUM)


def broadcast(arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Tensors of one shape, one for each argument; where numbers stand beside a device tensor, the host waits."""
    values = arguments.positional
    number = next((index for index, value in enumerate(values) if _may_be_number(value)), None)
    if number is not None and arguments.complete:
        others = [value for index, value in enumerate(values) if index != number]
        # Nothing but numbers and tensors may be passed: what is unknown beside a number is a tensor, as a rule.
        beside = [tensor for value in others if (tensor := _device_tensor(value)) is not None]
        if beside:
            known = values[number]
            frame.report("broadcast-number", node, beside[0], argument_node(node, number), known=known)
    tensors = operands(values)
    like = Tensor(place_of(tensors), DType.UNKNOWN, trust=Confidence.HIGH if tensors else Confidence.MEDIUM)
    return Sequence("tuple", tuple(like for _ in values)) if arguments.complete else Sequence("tuple", None, like)


def of_one_shape(tensors: Value) -> Sequence:
    """What ``torch.broadcast_tensors`` gives: each of its arguments in the shape of all, of whatever type it was."""
    if not isinstance(tensors, Sequence) or tensors.items is None:
        return Sequence("tuple", None, _expanded(any_item(tensors) if isinstance(tensors, Sequence) else tensors))
    return Sequence("tuple", tuple(map(_expanded, tensors.items)))


def _expanded(value: Value) -> Tensor:
    tensor = tensor_of(value)
    return _SOME_TENSOR if tensor is None else replace(tensor, ndim=None)


def _may_be_number(value: Value) -> bool:
    return any(isinstance(option, Scalar) for option in options(value))


def _device_tensor(value: Value) -> Tensor | None:
    """The device tensor that a value is, or may be as well as a number, or that is unknown."""
    if tensor_of(value) is not None:
        return device_tensor_of(value)
    return _SOME_TENSOR if any(isinstance(option, Unknown) for option in options(value)) else None
