"""The record of what came of one file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from synclint.findings import Finding
from synclint.rules.own import INTERNAL_ERROR
from synclint.sources.embedded import Embedded


@dataclass(frozen=True)
class FileReport:
    """What came of one file: findings, or the ``problem`` that kept it from being checked.

    ``unshown`` are findings of phases that were not asked for, ``unsure`` those that are less sure than asked for,
    whatever their phase. ``suppressed`` are those of any kind that comments leave out, ``accepted`` those in regions
    that accept waits. ``source`` is there only where findings of any kind are, because they are shown with their lines.
    For a notebook or a document it is the module made of its code, which ``findings`` count in, and ``embedded`` leads
    back to the file.
    """

    path: Path
    findings: tuple[Finding, ...] = ()
    source: str = ""
    problem: str | None = None
    embedded: Embedded | None = None
    unshown: tuple[Finding, ...] = ()
    unsure: tuple[Finding, ...] = ()
    suppressed: tuple[Finding, ...] = ()
    accepted: tuple[Finding, ...] = ()

    @property
    def all_found(self) -> tuple[Finding, ...]:
        """Findings of any kind, shown or not."""
        return (*self.findings, *self.unshown, *self.unsure, *self.suppressed, *self.accepted)

    @property
    def has_failed(self) -> bool:
        """Whether an error of ours kept the file from being checked to its end."""
        return any(finding.code == INTERNAL_ERROR.code for finding in self.findings)
