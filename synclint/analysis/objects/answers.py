"""What functions give of which nothing is known, such as models and norms that are passed in, for tensors.

Nothing says that it is a tensor. Where it is used as one is, in arithmetic, in a comparison with a number, by a method
that tensors share with arrays, hardly anything else is left.
"""

from __future__ import annotations

import ast

from synclint.analysis.domain.tensors import tensor_of
from synclint.analysis.domain.values import BoundMethod, Scalar, Tensor, Unknown, Value
from synclint.analysis.state.frames import Arguments, Frame
from synclint.catalog.names import names_in
from synclint.findings import Confidence

_ARITHMETIC = names_in("torch", "shared-with-arrays")


def note_answer(arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """Remember the call of a function of which nothing is known, if it is given nothing but tensors."""
    given = arguments.positional
    if given and not arguments.keywords and frame.module.has_torch_in_reach:
        if all(tensor_of(value) is not None for value in given):
            frame.answers.add(node)


def is_answer(node: ast.AST, value: Value, frame: Frame) -> bool:
    """Whether an expression is what such a function gives for tensors."""
    return type(value) is Unknown and node in frame.answers


def as_operand(node: ast.AST, value: Value, other: Value, frame: Frame) -> Value:
    """An operand, beside the other one: what stands beside a number or a tensor is a tensor, if it is an answer."""
    if not is_answer(node, value, frame) or not (isinstance(other, Scalar) or tensor_of(other) is not None):
        return value
    return answered(node, frame)


def is_asked_of_answer(name: str, node: ast.Call, receiver: Value, frame: Frame) -> bool:
    """Whether a method that tensors share with arrays is called on an answer."""
    return name in _ARITHMETIC and isinstance(node.func, ast.Attribute) and is_answer(node.func.value, receiver, frame)


def held_by_tensor(name: str, receiver: Value, node: ast.Call, frame: Frame) -> Tensor | None:
    """The tensor for which is taken what is asked for such a method, and is held by what is taken for a tensor.

    No tensor has an attribute of that name of its own: it is a batch, or holds what somebody has given it.
    """
    if name not in _ARITHMETIC or not isinstance(receiver, BoundMethod) or not isinstance(receiver.receiver, Tensor):
        return None
    origin = frame.origin("what something taken for a tensor holds, used as a tensor", node)
    return Tensor(receiver.receiver.device, trust=Confidence.MEDIUM, origin=origin)


def answered(node: ast.AST, frame: Frame) -> Tensor:
    """The tensor for which an answer is taken."""
    origin = frame.origin("what a function gives for tensors, used as a tensor", node)
    return Tensor(trust=Confidence.MEDIUM, origin=origin)
