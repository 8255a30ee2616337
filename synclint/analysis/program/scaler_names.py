"""What a text calls its gradient scalers, by what it does with them: ``scaler.scale(loss).backward()``."""

from __future__ import annotations

import re

_USED = re.compile(r"(\w+)\.(?:unscale_\(|scale\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)\.backward\()")


def named_scalers(source: str) -> frozenset[str]:
    """The names, or last parts of paths, that a text uses as only gradient scalers are used."""
    if ".unscale_(" not in source and ".scale(" not in source:
        return frozenset()
    return frozenset(_USED.findall(source))
