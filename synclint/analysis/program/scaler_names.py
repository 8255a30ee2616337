"""What a text calls its gradient scalers, by what it does with them: ``scaler.scale(loss).backward()``."""

from __future__ import annotations

import re

_USED = re.compile(
    r"\b(\w{1,60})\.(?:unscale_\(|scale\([^()\n]{0,80}(?:\([^()\n]{0,80}\)[^()\n]{0,80}){0,4}\)\.backward\()"
)


def named_scalers(source: str) -> frozenset[str]:
    """The names, or last parts of paths, that a text uses as only gradient scalers are used."""
    if ".unscale_(" not in source and ".scale(" not in source:
        return frozenset()
    return frozenset(_USED.findall(source))
