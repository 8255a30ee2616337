"""Writes the parts of README.md that follow from the project: the output it shows, and the table of rules.

Without arguments it rewrites them; with ``--check`` its status is 1 when they are not current.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from synclint.rules.loading import load_rules
from synclint.rules.records import Rule
from synclint.verify.evidence import KeptEvidence, kept_evidence
from synclint.verify.verdict import Outcome

REPOSITORY = Path(__file__).parent.parent
README = REPOSITORY / "README.md"
EVIDENCE = REPOSITORY / "rules" / "evidence"
EXAMPLE = ("synclint", "examples/train.py")
UNVERIFIED = "not yet verified on CUDA"


def example() -> str:
    """What the program prints about the example, as a console session."""
    command = [sys.executable, "-m", *EXAMPLE]
    plain = {**os.environ, "NO_COLOR": "1"}
    run = subprocess.run(command, cwd=REPOSITORY, env=plain, capture_output=True, text=True, check=False)
    return f"```console\n$ {' '.join(EXAMPLE)}\n{run.stdout}```"


def evidence(records: Sequence[KeptEvidence]) -> dict[str, str]:
    """For each rule what the GPUs said of it, by its code; the last record has the last word."""
    said: dict[str, str] = {}
    for record in records:
        for code, outcome in record.outcomes.items():
            if outcome is Outcome.STATIC:
                said[code] = "a property of the source, which no trace can show"
            else:
                said[code] = f"{outcome.value} on {record.device}, torch {record.torch.partition('+')[0]}"
    return said


def table(rules: Sequence[Rule], said: Mapping[str, str]) -> str:
    """The rules as a Markdown table."""
    lines = ["| Rule | Finds | Evidence |", "| --- | --- | --- |"]
    for rule in rules:
        assert rule.folder is not None
        link = f"[{rule.code} {rule.name}](rules/{rule.folder.name}/README.md)"
        summary = rule.summary.replace("|", r"\|")
        lines.append(f"| {link} | {summary} | {said.get(rule.code, UNVERIFIED)} |")
    return "\n".join(lines)


def replaced(readme: str, part: str, text: str) -> str:
    """The README with ``text`` between the markers of a part."""
    begin, end = f"<!-- generated: {part} -->\n", f"<!-- end of {part} -->"
    before, _, rest = readme.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{text}\n\n{end}{after}"


def main(arguments: Sequence[str]) -> int:
    """Write the generated parts, or with ``--check`` only compare them."""
    readme = README.read_text(encoding="utf-8")
    current = replaced(readme, "example", example())
    current = replaced(current, "rules", table(load_rules(), evidence(kept_evidence(EVIDENCE))))
    if "--check" in arguments:
        return int(current != readme)
    README.write_text(current, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
