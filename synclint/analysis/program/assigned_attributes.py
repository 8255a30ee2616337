"""To which attributes of anything a text gives values."""

from __future__ import annotations

import re
from collections import Counter
from heapq import merge
from operator import itemgetter

# Each begins with letters or signs by which Python finds it: a pattern of both would be tried at every character.
_CLASS = re.compile(r"class[ \t]+(\w+)")
_ASSIGNED = re.compile(r"\.(\w+)\s*[-+*/|&]?=(?!=)")
_OF_SELF = re.compile(r"\bself\Z")


def assigned_attributes(source: str) -> Counter[tuple[str, str]]:
    """How often a text gives a value to an attribute of ``self``, by the name of the class that stands above.

    Those of anything else come under no name.
    """
    found: Counter[tuple[str, str]] = Counter()
    classes = ((match.start(), match) for match in _CLASS.finditer(source) if _begins_line(source, match.start()))
    assigned = ((match.start(), match) for match in _ASSIGNED.finditer(source))
    owner = ""
    for start, match in merge(classes, assigned, key=itemgetter(0)):
        if match.re is _CLASS:
            owner = match[1]
        else:
            found[owner if _OF_SELF.search(source, max(0, start - 5), start) else "", match[1]] += 1
    return found


def _begins_line(source: str, start: int) -> bool:
    while start and source[start - 1] in " \t":
        start -= 1
    return not start or source[start - 1] == "\n"
