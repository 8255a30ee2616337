"""What loaders give: what the project's ``collate_fn`` returns, or what PyTorch makes of the rows of a dataset.

Source: ``torch/utils/data/_utils/fetch.py``, ``_MapDatasetFetcher.fetch``. Without workers the function runs in the
program's own process, for each batch that a loop asks for: ``torch/utils/data/dataloader.py``,
``_SingleProcessDataLoaderIter``.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import weaker
from synclint.analysis.domain.values import (
    DEEPEST_NESTING,
    Alternatives,
    BoundMethod,
    Device,
    Mapping,
    Nothing,
    Scalar,
    Sequence,
    Tensor,
    Unknown,
    Value,
    is_known,
)
from synclint.analysis.models.torch_results import Bound
from synclint.analysis.objects import dataset_rows
from synclint.analysis.objects.functions_behind import functions_behind
from synclint.analysis.state.frames import Arguments, Frame
from synclint.findings import Confidence

# What a dataset gives is on the host, where nothing else is known of it.
_ROW = Sequence("batch", None, Tensor(Device.CPU, trust=Confidence.MEDIUM, pinned=False))
# The field of a loader that holds what it gives.
GIVEN = "collated"


def collated(bound: Bound, arguments: Arguments, node: ast.Call, frame: Frame) -> Value | None:
    """What a loader that is made with these arguments gives in each round, None where nothing tells that.

    The functions that it calls on the way are noted: in its workers, or in the process of the program.
    """
    collate = bound.get("collate_fn")
    is_told = arguments.complete or "num_workers" in arguments.keywords
    runs_here = is_told and bound.get("num_workers") == Scalar("int", 0)
    for key in ("collate_fn", "worker_init_fn"):
        for record in functions_behind(bound.get(key)):
            if runs_here and key == "collate_fn":
                frame.engine.note_collating(record, frame.module)
            else:
                frame.engine.note_loaded(record, frame.module)
    row = dataset_rows.row_of(bound.get("dataset"), node, frame)
    if collate is None or isinstance(collate, Nothing):
        is_whole = isinstance(bound.get("batch_size"), Nothing)
        made = row if is_whole or row is None else dataset_rows.stacked(row)
    elif any(True for _ in functions_behind(collate)):
        rows = Sequence("list", None, _ROW if row is None else row)
        made = frame.engine.apply(collate, Arguments([rows]), node, frame)
    else:
        return None
    if made is None or not is_known(made) or isinstance(made, BoundMethod):
        return None
    pins = bound.get("pin_memory")
    pinned = pins.literal is True if isinstance(pins, Scalar) and pins.literal is not None else None
    return _as_given(made, pinned, DEEPEST_NESTING)


def _as_given(value: Value, pinned: bool | None, depth: int) -> Value:
    """What a collate function returned, where the loader leaves it: on the host, unless that function has moved it."""
    if isinstance(value, Tensor):
        if value.device.in_use is Device.DEVICE:
            return value
        return replace(value, device=Device.CPU, pinned=pinned, trust=weaker(value.trust, Confidence.MEDIUM))
    if isinstance(value, (Unknown, BoundMethod)):
        return replace(_ROW, element=_as_given(_ROW.element, pinned, 0))
    if isinstance(value, Alternatives):
        kept = [option for option in value.options if is_known(option)]
        return join_all(_as_given(option, pinned, depth) for option in kept)
    if isinstance(value, Sequence) and depth:
        if value.items is not None:
            return replace(value, items=tuple(_as_given(item, pinned, depth - 1) for item in value.items))
        element, *first = (_as_given(item, pinned, depth - 1) for item in (value.element, *value.first))
        return replace(value, element=element, first=tuple(first))
    if isinstance(value, Mapping) and depth:
        entries = tuple((key, _as_given(held, pinned, depth - 1)) for key, held in value.entries)
        return Mapping(entries, _as_given(value.element, pinned, depth - 1))
    return value
