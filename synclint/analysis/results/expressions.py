"""Expressions of which somebody asked what they stand for, as plain records that can be sent, kept and joined."""

from __future__ import annotations

from dataclasses import dataclass

from synclint.analysis.domain.conclusions import Conclusion
from synclint.analysis.results.facts import Layer
from synclint.findings import Span


@dataclass(frozen=True)
class Expression:
    """An expression that was recorded, as a plain record: ``span`` and ``kind``, its class in ``ast``, say which.

    ``concluded`` is what it was in all runs over it together, ``under_calls`` what it was in those on the arguments of
    calls, None without any. ``function`` is the key of the function, or of the top of the module, that it stands in,
    ``layers`` what stands around it there.
    """

    path: str
    span: Span
    kind: str
    concluded: Conclusion
    under_calls: Conclusion | None
    function: str
    layers: tuple[Layer, ...]
