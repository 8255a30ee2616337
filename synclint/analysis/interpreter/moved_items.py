"""Items that are replaced by themselves on another device: ``views[0] = views[0].cuda()``.

A row of a tensor would be copied back to where the tensor is. What is written so is a list of tensors, whatever else a
batch of a loader could have there.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import Sequence, Tensor, Value, options
from synclint.analysis.state.frames import Frame
from synclint.findings import Confidence

_MOVES = frozenset({"to", "cuda"})


def take_for_list(node: ast.Assign, frame: Frame) -> None:
    """Know a name for that of a list of tensors if one of its items is replaced by itself on another device."""
    target, call = node.targets[0], node.value
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in _MOVES:
        return
    moved = call.func.value
    if not isinstance(moved, ast.Subscript) or not isinstance(moved.value, ast.Name):
        return
    if moved.value.id != target.value.id or ast.dump(moved.slice) != ast.dump(target.slice):
        return
    held = frame.lookup(target.value.id)
    if held is not None and any(map(_is_presumed, options(held))):
        frame.know(target.value.id, join_all(map(_as_list, options(held))))


def _is_presumed(option: Value) -> bool:
    return isinstance(option, Tensor) and option.trust is not Confidence.HIGH


def _as_list(option: Value) -> Value:
    if isinstance(option, Tensor) and _is_presumed(option):
        return Sequence("list", None, replace(option, ndim=None))
    return option
