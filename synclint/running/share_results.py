"""What comes of the analysis of a share, for those who did not do it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from synclint.analysis.results.observations import Observations
from synclint.running.shortfalls import Shortfall


@dataclass(frozen=True)
class EncodedRuns:
    """What the runs over functions came to, packed.

    ``parsed`` are the resolved paths of the files whose code was looked at, ``called_by_name`` the names of methods
    that are called on something unknown, ``marked`` those of functions that are recorded as graphs or run by loaders,
    ``unread`` the lines on which functions begin at whose bodies nobody has looked, by the resolved paths of files.
    """

    share: bytes
    parsed: frozenset[str]
    called_by_name: frozenset[str]
    marked: frozenset[str]
    unread: Mapping[str, frozenset[int]]


@dataclass(frozen=True)
class ShareResult:
    """What came of a share of the files.

    ``shortfalls`` tell of the files that were not checked to their ends, ``killed`` are those that ended the process
    they were in; ``consulted`` are the paths on which the observations depend, ``starred`` the files of which it was
    asked what a star gives; ``seconds`` of CPU are told by phase. ``stored`` is what the runs came to, where somebody
    wants to keep it.
    """

    shortfalls: Mapping[Path, Shortfall] = field(default_factory=dict)
    observations: Observations = field(default_factory=Observations)
    killed: tuple[Path, ...] = ()
    consulted: frozenset[str] = frozenset()
    starred: frozenset[str] = frozenset()
    seconds: Mapping[str, float] = field(default_factory=dict)
    stored: EncodedRuns | None = None
