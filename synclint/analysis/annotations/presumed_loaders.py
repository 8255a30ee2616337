"""Loaders that are known by nothing but their names: ``for images, labels in train_loader``.

What comes from one is on the CPU as a rule, but may have been brought to the device by a wrapper. So it is taken to be
on the CPU where it is copied to the device, and on the device where it is read. That is only said of an object where
its name is read: what is handed on, kept in an attribute or returned, is as unknown as it was.
"""

from __future__ import annotations

import re

from synclint.analysis.domain.values import UNKNOWN, BoundMethod, Device, Instance, Sequence, Tensor, Unknown, Value
from synclint.findings import Confidence

_LOADER = Instance("presumed.DataLoader")
_NAME = re.compile(r"(.*_)?(data_?|train|test|val|valid|eval)?loader", re.IGNORECASE)
# What begins so is a function that makes or finds one, or loads something else.
_NO_NAME = re.compile(
    r"(get|build|make|create|init|setup|set|new|from|load|configure|yaml|image|img|model|file)_", re.IGNORECASE
)

BATCH = Sequence("batch", None, Tensor(Device.EITHER, trust=Confidence.MEDIUM, pinned=None))


def by_name(name: str, value: Value) -> Value:
    """A value that is read under a name: of one that is unknown the name may tell that it is a loader."""
    if not isinstance(value, (Unknown, BoundMethod)) or not name.lower().endswith("loader"):
        return value
    return _LOADER if _NAME.fullmatch(name) and not _NO_NAME.match(name.lstrip("_")) else value


def is_presumed(value: Value) -> bool:
    """Whether a value is taken for a loader by its name."""
    return value is _LOADER


def as_said(value: Value) -> Value:
    """What is known of a value without its name."""
    return UNKNOWN if value is _LOADER else value
