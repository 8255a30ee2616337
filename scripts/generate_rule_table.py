"""Writes the table of rules in docs/rules.md, which follows from their folders and from the evidence that is kept.

Without arguments it rewrites the table; with ``--check`` its status is 1 when it is not current.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from synclint.rules.loading import load_rules
from synclint.rules.records import Rule
from synclint.verify.evidence import KeptEvidence, kept_evidence
from synclint.verify.verdict import Outcome

REPOSITORY = Path(__file__).parent.parent
PAGE = REPOSITORY / "docs" / "rules.md"
EVIDENCE = REPOSITORY / "rules" / "evidence"
BEGIN, END = "<!-- generated: rules -->\n", "<!-- end of rules -->"
UNVERIFIED = "not yet verified on CUDA"


def evidence(records: Sequence[KeptEvidence]) -> dict[str, str]:
    """For each rule what each of the GPUs said of it, by its code."""
    said: dict[str, dict[str, None]] = {}
    for record in records:
        for code, outcome in record.outcomes.items():
            where = f"{outcome.value} on {record.device}, torch {record.torch.partition('+')[0]}"
            own = "a property of the source, which no trace can show" if outcome is Outcome.STATIC else where
            said.setdefault(code, {})[own] = None
    return {code: "; ".join(own) for code, own in said.items()}


def table(rules: Sequence[Rule], said: Mapping[str, str]) -> str:
    """The rules as a Markdown table."""
    lines = ["| Rule | Finds | Evidence |", "| --- | --- | --- |"]
    for rule in rules:
        assert rule.folder is not None
        link = f"[{rule.code} {rule.name}](../rules/{rule.folder.name}/README.md)"
        summary = rule.summary.replace("|", r"\|")
        lines.append(f"| {link} | {summary} | {said.get(rule.code, UNVERIFIED)} |")
    return "\n".join(lines)


def page(text: str, rows: str) -> str:
    """The page with ``rows`` between its markers."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{rows}\n\n{END}{after}"


def main(arguments: Sequence[str]) -> int:
    """Write the table, or with ``--check`` only compare it."""
    text = PAGE.read_text(encoding="utf-8")
    current = page(text, table(load_rules(), evidence(kept_evidence(EVIDENCE))))
    if "--check" in arguments:
        return int(current != text)
    PAGE.write_text(current, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
