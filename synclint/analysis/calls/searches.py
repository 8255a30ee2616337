"""What is looked for in a list: its elements are compared one by one, and each result is asked whether it is true."""

from __future__ import annotations

import ast

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.tensors import device_tensor_of
from synclint.analysis.domain.values import BoundMethod, Scalar, Sequence, Tensor, Unknown, Value, options
from synclint.analysis.state.frames import Frame
from synclint.findings import Confidence


def search(
    held: Sequence,
    held_node: ast.expr | None,
    sought: Value,
    sought_node: ast.expr | None,
    node: ast.expr,
    frame: Frame,
) -> None:
    """Report that something is ``sought`` in what is ``held``: ``a in b``, ``b.index(a)``, ``b.remove(a)``.

    Source: ``Objects/listobject.c``, ``list_contains``, ``list_index``, ``list_count`` and ``list_remove``.
    """
    if held.kind == "set" or held.items == ():
        return
    inner = any_item(held)
    if (tensor := device_tensor_of(sought)) and (limit := _comparable(inner)) is not None:
        frame.report("containment", node, tensor, sought_node, limit)
    elif isinstance(sought, Scalar) and isinstance(inner, Tensor) and (tensor := device_tensor_of(inner)):
        frame.report("containment", node, tensor, held_node)


def _comparable(held: Value) -> Confidence | None:
    """How likely it is that what a list holds is compared with a tensor; None where it is something else."""
    if any(isinstance(option, (Scalar, Tensor)) for option in options(held)):
        return Confidence.HIGH
    # A tensor is looked for among numbers as a rule.
    return Confidence.MEDIUM if any(isinstance(option, (Unknown, BoundMethod)) for option in options(held)) else None
