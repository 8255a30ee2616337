"""What a run is asked to report."""

from __future__ import annotations

from dataclasses import dataclass

from synclint.findings import Confidence, Finding


@dataclass(frozen=True)
class Options:
    """The settings that decide which findings are reported.

    ``select`` and ``ignore`` hold rule codes, prefixes of codes or rule names; an empty ``select``
    stands for every rule. ``torch_version`` is the release whose behaviour counts, None for the newest.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    min_confidence: Confidence = Confidence.MEDIUM
    cold: bool = False
    torch_version: str | None = None

    def admits(self, finding: Finding) -> bool:
        """Whether a finding is sure enough, and hot or asked for all the same."""
        return finding.confidence.at_least(self.min_confidence) and (self.cold or finding.context.hot)
