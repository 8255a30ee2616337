"""Calls of methods of tensors."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.calls import tensor_methods
from synclint.analysis.calls.entry_checks import check_entries
from synclint.analysis.calls.implicit_scalar_reads import host_parameters
from synclint.analysis.calls.opaque_calls import note_what_may_wait
from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.tensors import weaker
from synclint.analysis.domain.values import (
    BOOLEAN,
    DEEPEST_NESTING,
    FLOAT,
    INTEGER,
    NUMBER,
    UNKNOWN,
    DType,
    Sequence,
    Tensor,
    Text,
    Value,
)
from synclint.analysis.models.overloads import choose_overload, could_be_method
from synclint.analysis.models.torch_results import method_result
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.walk import dotted_name
from synclint.findings import Confidence


def _listed(tensor: Tensor) -> Value:
    """What ``tolist`` gives: a number, or lists in lists of them."""
    number = {DType.INT: INTEGER, DType.FLOAT: FLOAT, DType.BOOL: BOOLEAN}.get(tensor.dtype, NUMBER)
    if tensor.ndim is None or tensor.ndim > DEEPEST_NESTING:
        return Sequence("list", None, join(number, Sequence("list")))
    listed: Value = number
    for _ in range(tensor.ndim):
        listed = Sequence("list", None, listed)
    return listed


# What waits or not by where tensors are, of which more than the analysis can know: what allocator has pinned them.
_PLACING = frozenset({"to", "type_as", "to_as", "cuda", "copy_"})
_ASKING_MASKS = frozenset({"any", "all"})


def know_mask(node: ast.expr, asked: Tensor, frame: Frame) -> None:
    """What is asked whether any or all of it is true is a mask from here on."""
    path = dotted_name(node)
    if path is not None and frame.scope.get(path) == asked:
        trust = weaker(asked.trust, Confidence.MEDIUM)
        frame.know(path, replace(asked, dtype=DType.BOOL, trust=trust))


def _no_tensor(node: ast.Call, receiver: Tensor, frame: Frame) -> Value:
    """What comes of a call that gives a text where no tensor takes one, `caption.split(",")`: that asks no tensor."""
    path = dotted_name(node.func.value) if isinstance(node.func, ast.Attribute) else None
    if path is not None and frame.scope.get(path) == receiver:
        frame.know(path, UNKNOWN)
    return UNKNOWN


def tensor_call(name: str, receiver: Tensor, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """Call a method of a tensor."""
    if name in _ASKING_MASKS and receiver.dtype is DType.UNKNOWN and isinstance(node.func, ast.Attribute):
        know_mask(node.func.value, receiver, frame)
    if name in _PLACING:
        note_what_may_wait(node, frame)
    special = tensor_methods.method(name, receiver, arguments, node, frame)
    if special is not None:
        return special
    is_of_text = any(isinstance(one, Text) for one in arguments.positional)
    if is_of_text and not could_be_method(name, arguments.positional, arguments.keywords):
        return _no_tensor(node, receiver, frame)
    overloads = frame.engine.api.method(name)
    chosen = choose_overload(overloads, arguments.positional, arguments.keywords, not arguments.complete)
    if chosen is None:
        check_entries((f"Tensor.{name}",), {"input": receiver, **arguments.keywords}, None, arguments, node, frame)
        if overloads:
            return method_result(name, receiver, {}, overloads[0])
        return UNKNOWN
    overload, bound = chosen
    if not check_entries((f"Tensor.{name}",), {"input": receiver, **bound}, overload, arguments, node, frame):
        host_parameters(overload, bound, arguments, node, frame)
    result = method_result(name, receiver, bound, overload) if name != "tolist" else _listed(receiver)
    if not arguments.complete and isinstance(result, Tensor):
        result = replace(result, ndim=None)  # `x.reshape(-1, *shape)`: what the star gives may be dimensions
    return tensor_methods.with_origin(result, f"result of `.{name}()`", node, frame, receiver)
