"""Writes the table of rules into README.md, between its two markers.

python scripts/generate_readme_table.py           # rewrite the table
python scripts/generate_readme_table.py --check   # status 1 when it is not current
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from synclint.rules import Rule, load_rules

REPOSITORY = Path(__file__).parent.parent
README = REPOSITORY / "README.md"
EVIDENCE = REPOSITORY / "rules" / "evidence"
BEGIN = "<!-- rules: written by scripts/generate_readme_table.py -->"
END = "<!-- end of rules -->"
UNVERIFIED = "not yet verified on CUDA"


def evidence(folder: Path = EVIDENCE) -> dict[str, str]:
    """For each rule that a GPU has confirmed, on which one, as the verifier has recorded it."""
    confirmed: dict[str, str] = {}
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        for rule in record["rules"]:
            if rule["confirmed"]:
                confirmed[rule["code"]] = f"{record['device']}, torch {record['torch']}"
    return confirmed


def table(rules: Sequence[Rule], confirmed: dict[str, str]) -> str:
    """The rules as a Markdown table."""
    lines = ["| Rule | Finds | Evidence |", "| --- | --- | --- |"]
    for rule in rules:
        assert rule.folder is not None
        link = f"[{rule.code} {rule.name}](rules/{rule.folder.name}/README.md)"
        summary = rule.summary.replace("|", r"\|")
        lines.append(f"| {link} | {summary} | {confirmed.get(rule.code, UNVERIFIED)} |")
    return "\n".join(lines)


def with_table(readme: str, rules_table: str) -> str:
    """The README with the table between the markers."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{rules_table}\n\n{END}{after}"


def main(arguments: Sequence[str]) -> int:
    """Write the table, or with ``--check`` only compare it."""
    readme = README.read_text(encoding="utf-8")
    current = with_table(readme, table(load_rules(), evidence()))
    if "--check" in arguments:
        return int(current != readme)
    README.write_text(current, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
