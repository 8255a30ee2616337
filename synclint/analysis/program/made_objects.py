"""Of which of its own classes a text makes objects."""

from __future__ import annotations

import re
from collections import Counter

_CLASS = re.compile(r"\bclass (\w+)")
_NAME = re.compile(r"\w+")


def made_objects(source: str) -> Counter[str]:
    """How often a text calls each class that it defines, by the class's name."""
    defined = set(_CLASS.findall(source))
    names = ((name[0], name.end()) for name in _NAME.finditer(source))
    return Counter(name for name, end in names if name in defined and source.startswith("(", end))
