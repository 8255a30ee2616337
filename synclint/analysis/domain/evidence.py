"""Whether the evidence for two values that are the same is told in other words."""

from __future__ import annotations

from collections.abc import Hashable

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.values import Mapping, Sequence, Tensor, Value, options

_DEEPEST = 3


def differ_in_evidence(first: Value, second: Value) -> bool:
    """Whether the evidence for two equal values is told in other words, or of other places."""
    return first is not second and _evidence(first, _DEEPEST) != _evidence(second, _DEEPEST)


def _evidence(value: Value, depth: int) -> frozenset[Hashable]:
    found: set[Hashable] = set()
    for option in options(value):
        if isinstance(option, Tensor) and option.origin is not None:
            links = option.origin.chain()
            found.add(tuple((link.text, link.module, getattr(link.node, "lineno", 0)) for link in links))
        elif isinstance(option, (Sequence, Mapping)) and depth:
            found |= _evidence(any_item(option), depth - 1)
    return frozenset(found)
