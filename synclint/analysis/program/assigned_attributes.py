"""To which attributes of anything a text gives values."""

from __future__ import annotations

import re
from collections import Counter

_READ = re.compile(r"^[ \t]*class[ \t]+(\w+)|(?:\bself)?\.(\w+)\s*[-+*/|&]?=(?!=)", re.MULTILINE)


def assigned_attributes(source: str) -> Counter[tuple[str, str]]:
    """How often a text gives a value to an attribute of ``self``, by the name of the class that stands above.

    Those of anything else come under no name.
    """
    found: Counter[tuple[str, str]] = Counter()
    owner = ""
    for match in _READ.finditer(source):
        name, attribute = match.groups()
        if name is not None:
            owner = name
        else:
            found[owner if match[0].startswith("self") else "", attribute] += 1
    return found
