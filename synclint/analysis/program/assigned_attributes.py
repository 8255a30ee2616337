"""To which attributes of anything a text gives values."""

from __future__ import annotations

import re
from collections import Counter

_ASSIGNED = re.compile(r"\.(\w+)\s*[-+*/|&]?=(?!=)")


def assigned_attributes(source: str) -> Counter[str]:
    """How often a text gives a value to an attribute of anything, by the attribute's name."""
    return Counter(_ASSIGNED.findall(source))
