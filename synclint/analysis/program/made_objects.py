"""Of which of its own classes a text makes objects."""

from __future__ import annotations

import re
from collections import Counter

from synclint.analysis.program.literals import without_literals

_CLASS = re.compile(r"\bclass (\w+)")
_NAME = re.compile(r"\w+")


def made_objects(source: str) -> Counter[str]:
    """How often the code of a text calls each class that it defines, by the class's name."""
    code = without_literals(source)
    defined = set(_CLASS.findall(code))
    names = ((name[0], name.end()) for name in _NAME.finditer(code))
    return Counter(name for name, end in names if name in defined and code.startswith("(", end))
