"""What a dataset gives for one position, and what PyTorch makes of a number of such rows.

Source: ``torch/utils/data/_utils/collate.py``, ``default_collate``; ``torch/utils/data/dataset.py``, ``Subset``.
"""

from __future__ import annotations

import ast

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.paces import COUNTED
from synclint.analysis.domain.values import (
    DEEPEST_NESTING,
    Alternatives,
    Array,
    Device,
    FunctionValue,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Value,
    is_known,
    options,
)
from synclint.analysis.state.frames import Frame
from synclint.findings import Confidence

_SUBSET = "torch.utils.data.Subset"
_STACKED = Tensor(Device.CPU, trust=Confidence.MEDIUM)


def row_of(dataset: Value | None, node: ast.Call, frame: Frame) -> Value | None:
    """What a dataset gives for one position; None where nothing tells that."""
    rows = [_row_of(option, node, frame) for option in options(dataset)] if dataset is not None else []
    known = [row for row in rows if row is not None and is_known(row)]
    return join_all(known) if known and len(known) == len(rows) else None


def _row_of(dataset: Value, node: ast.Call, frame: Frame) -> Value | None:
    if isinstance(dataset, Sequence):
        return any_item(dataset)
    if not isinstance(dataset, Instance):
        return None
    if dataset.name == _SUBSET:
        return row_of(dataset.given("dataset"), node, frame)
    if dataset.record is None or "__getitem__" not in dataset.record.all_methods:
        return None
    method = frame.engine.attribute(dataset, "__getitem__", frame, node)
    if not isinstance(method, FunctionValue):
        return None
    frame.engine.note_loaded(method.record, frame.module)
    return frame.engine.call_with(method, [COUNTED], frame, node)


def stacked(row: Value, depth: int = DEEPEST_NESTING) -> Value:
    """What PyTorch makes of many such rows: texts stay in a list; numbers, arrays, what is unknown become tensors."""
    if isinstance(row, (Tensor, Array, Scalar)):
        is_moved = isinstance(row, Tensor) and row.device.in_use is Device.DEVICE
        return row if is_moved else _STACKED
    if isinstance(row, Text):
        return Sequence("list", None, Text())
    if isinstance(row, Alternatives):
        return join_all(stacked(option, depth) for option in row.options)
    if isinstance(row, Mapping) and depth:
        entries = tuple((key, stacked(held, depth - 1)) for key, held in row.entries)
        return Mapping(entries, stacked(row.element, depth - 1))
    if isinstance(row, Sequence) and depth:
        if row.items is not None:
            return Sequence("list", tuple(stacked(item, depth - 1) for item in row.items))
        kind = "batch" if row.kind == "batch" else "list"
        return Sequence(kind, None, stacked(row.element, depth - 1))
    return _STACKED
