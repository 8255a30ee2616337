"""Datasets of the library `datasets`: what they give once they have been told to give tensors.

Source: ``datasets/arrow_dataset.py``, ``Dataset.set_format``, ``with_format`` and ``__getitem__``;
``datasets/dataset_dict.py``.
"""

from __future__ import annotations

from synclint.analysis.domain.values import UNKNOWN, Device, Instance, Sequence, Tensor, Text, Value
from synclint.analysis.models.torch_results import device_named
from synclint.analysis.state.frames import Arguments
from synclint.findings import Confidence

DATASET = "datasets.Dataset"
_FORMAT = "format"
_FORMATTING = frozenset({"with_format", "set_format"})
# Methods that give a dataset which gives its items as the first one does.
_LIKE_IT = frozenset(
    {
        "map", "filter", "shuffle", "select", "sort", "flatten", "cast", "cast_column", "rename_column",
        "rename_columns", "remove_columns", "select_columns", "train_test_split", "shard", "add_column", "take", "skip",
        "batch", "repeat", "flatten_indices", "to_iterable_dataset", "class_encode_column",
    }
)  # fmt: skip
# The usual names of a dataset's parts; what else stands between brackets is a column.
_PARTS = frozenset({"train", "test", "validation", "valid", "val", "dev", "eval", "unsupervised"})


def changes_format(name: str) -> bool:
    """Whether a method changes what the dataset itself gives."""
    return name == "set_format"


def called(dataset: Instance, name: str, arguments: Arguments) -> Value | None:
    """What a method of a dataset gives; None for those that have nothing to do with its items."""
    if name in _FORMATTING:
        said = arguments.positional[0] if arguments.positional else arguments.keywords.get("type", UNKNOWN)
        place = device_named(arguments.keywords["device"]) if "device" in arguments.keywords else None
        given = Tensor(place or Device.CPU, trust=Confidence.MEDIUM)
        return Instance(DATASET, None, ((_FORMAT, given),) if said in (Text("torch"), Text("pt")) else ())
    return dataset if name in _LIKE_IT else None


def item(dataset: Instance, key: Value) -> Value:
    """What stands under a key: a part of the dataset, a column, or a row for a position."""
    if isinstance(key, Text) and (key.literal is None or key.literal in _PARTS):
        return dataset
    held = dataset.given(_FORMAT)
    if held is None:
        return UNKNOWN
    return held if isinstance(key, Text) else row(dataset)


def row(dataset: Instance) -> Value:
    """What a loop over a dataset goes through."""
    held = dataset.given(_FORMAT)
    return Sequence("batch", None, held) if held is not None else UNKNOWN
