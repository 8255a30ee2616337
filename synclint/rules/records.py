"""A rule as its folder describes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from synclint.findings import Severity
from synclint.version import REVISION

# What a release says of its rules is what holds for its findings, whatever later ones say.
DOCUMENTATION = f"https://github.com/synclint/synclint/tree/{REVISION}"


@dataclass(frozen=True)
class Rule:
    """One rule as its folder describes it.

    ``matches`` are the ids of the catalogue entries that it reports; ``dependency`` says whether the
    host truly needs the value ("true") or could do without ("false"); ``requires`` names the packages
    that its cases import, ``library_versions`` the release below which a library has the hazard, and
    ``since`` and ``until`` the torch releases with it. ``page`` is its README; ``folder`` is None for
    the rules that the program itself reports.

    ``package`` is the installed package that brings the rule along, empty for ours, and ``page_url`` where it says that
    the page stands. ``match_words`` are not empty for a rule with a ``match.py``: its matchers are tried on files that
    hold one of these words.
    """

    code: str
    name: str
    summary: str
    mechanism: str
    severity: Severity
    dependency: str
    matches: tuple[str, ...]
    page: str
    folder: Path | None
    requires: tuple[str, ...] = ()
    library_versions: dict[str, str] = field(default_factory=dict, hash=False)
    since: str | None = None
    until: str | None = None
    package: str = ""
    page_url: str = ""
    match_words: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """Where the rule's page stands on the web; empty for the program's own rules."""
        if self.package:
            return self.page_url
        return f"{DOCUMENTATION}/rules/{self.folder.name}" if self.folder else ""

    @property
    def prefix(self) -> str:
        """The letters at the beginning of its code, the same for all rules of one package."""
        return self.code.rstrip("0123456789")
