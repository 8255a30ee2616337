"""What a loader gives, of which nobody has told whether it is a tensor or holds some: what is done with it tells."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TypeGuard

from synclint.analysis.domain.tensors import tensor_of
from synclint.analysis.domain.values import STRING, Scalar, Sequence, Tensor, Value
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, walk

# Methods of tensors that records of tensors have as well (``torch_geometric/data/data.py``, and dictionaries).
_OF_RECORDS = frozenset(
    {
        "apply_", "clone", "coalesce", "contiguous", "cpu", "cuda", "detach", "detach_", "double", "float", "half",
        "index_select", "is_coalesced", "numpy", "pin_memory", "record_stream", "requires_grad_", "share_memory_",
        "size", "split", "to", "type", "values",
    }
)  # fmt: skip


def method_called(node: ast.Call, frame: Frame) -> str | None:
    """The method of a tensor that is called on a batch, which is a tensor from here on; None for other calls."""
    path = dotted_name(node.func.value) if isinstance(node.func, ast.Attribute) else None
    if path is None or not isinstance(node.func, ast.Attribute) or node.func.attr in _OF_RECORDS:
        return None
    batch = frame.lookup(path)
    if not _may_be_tensor(batch) or not frame.engine.api.method(node.func.attr):
        return None
    frame.know(path, batch.element)
    return node.func.attr


def as_operand(value: Value, other: Value) -> Value:
    """An operand, beside the other one: a batch that is calculated with is a tensor, and no list."""
    return value.element if _may_be_tensor(value) and (isinstance(other, Scalar) or tensor_of(other)) else value


def as_indexed(value: Sequence, node: ast.Subscript, frame: Frame) -> Tensor | None:
    """The tensor that a batch is which is indexed along several dimensions, or by a tensor; None for others."""
    if not _may_be_tensor(value) or not isinstance(value.element, Tensor):
        return None
    index = node.slice
    if isinstance(index, ast.Tuple):
        return value.element
    positions = tensor_of(frame.evaluate(index)) if isinstance(index, (ast.Name, ast.Attribute, ast.Compare)) else None
    return value.element if positions is not None and positions.ndim != 0 else None


def element_or_key(
    element: Value, value: Value, clause: ast.For | ast.AsyncFor | ast.comprehension, body: Iterable[ast.AST]
) -> Value:
    """What a loop over a batch gives its rounds: a key, where they look it up in the batch; else its ``element``."""
    path, target = dotted_name(clause.iter), clause.target
    if path is None or not isinstance(target, ast.Name) or not isinstance(value, Sequence) or value.kind != "batch":
        return element
    is_key = any(
        isinstance(part.slice, ast.Name) and part.slice.id == target.id and dotted_name(part.value) == path
        for one in body
        for part in walk(one)
        if isinstance(part, ast.Subscript)
    )
    return STRING if is_key else element


def _may_be_tensor(value: Value | None) -> TypeGuard[Sequence]:
    return isinstance(value, Sequence) and value.kind == "batch" and isinstance(value.element, Tensor)
