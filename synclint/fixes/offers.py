"""Which findings ``--fix`` would mend."""

from __future__ import annotations

from synclint.findings import Finding
from synclint.rules.own import OWN


def is_offered(finding: Finding, *, unsafe: bool) -> bool:
    """Whether ``--fix`` would mend a finding; comments are left to those who ask for them to be removed."""
    return finding.fix is not None and finding.code not in OWN and (unsafe or finding.fix.is_safe)
