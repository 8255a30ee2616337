"""Dictionaries that are known by what is asked of them: ``for name, value in target.items()``.

A part of a batch is taken for a tensor as long as nothing shows what else it is. No tensor has these methods.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import BOOLEAN, STRING, Mapping, Scalar, Tensor, Text, Value, options
from synclint.analysis.state.frames import Frame
from synclint.findings import Confidence

# Methods of `dict` (https://docs.python.org/3/library/stdtypes.html#mapping-types-dict) that `torch.Tensor` has not;
# sparse tensors have `values`.
_ASKED_OF_DICTIONARIES = frozenset({"get", "items", "keys", "popitem", "setdefault", "update"})


def asked_as_dictionary(name: str, receiver: Tensor, node: ast.Call, frame: Frame) -> Mapping | None:
    """The dictionary of tensors that a supposed tensor is if it is asked for what only a dictionary has.

    A name that held it is known for one from then on.
    """
    if name not in _ASKED_OF_DICTIONARIES or not _is_supposed(receiver):
        return None
    found = Mapping((), replace(receiver, ndim=None))
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        held = frame.lookup(node.func.value.id) or receiver
        others = (option for option in options(held) if not _is_supposed(option))
        frame.know(node.func.value.id, join_all([found, *others]))
    return found


def setting_meant(found: Value, default: Value) -> Value | None:
    """What stands under a key of a dictionary of supposed tensors whose default is none: ``batch.get("on", True)``."""
    if not _is_supposed(found):
        return None
    if isinstance(default, Text):
        return STRING
    return BOOLEAN if isinstance(default, Scalar) and default.kind == "bool" else None


def _is_supposed(value: Value) -> bool:
    return isinstance(value, Tensor) and value.trust is not Confidence.HIGH
