"""Gradient scalers that are known by nothing but what is done with them: ``scaler.scale(loss).backward()``."""

from __future__ import annotations

import re

from synclint.analysis.domain.values import UNKNOWN, Instance

# Nothing is known of how it was made, so whether it is switched on is not told.
SCALER = Instance("torch.amp.GradScaler", None, (("enabled", UNKNOWN),))
_USED = re.compile(r"(\w+)\.(?:unscale_\(|scale\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)\.backward\()")


def named_scalers(source: str) -> frozenset[str]:
    """The names, or last parts of paths, that a text uses as only gradient scalers are used."""
    if ".unscale_(" not in source and ".scale(" not in source:
        return frozenset()
    return frozenset(_USED.findall(source))
