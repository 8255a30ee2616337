"""Turns the files of a session on a GPU into what the documentation says: rule by rule, what was confirmed where.

    python scripts/adopt_evidence.py DIR

DIR is that of ``scripts/gpu_session.py``. Its evidence goes to evidence/, under a name for the machine and the
versions, beside that of other machines; then the pages are written (``scripts/generate_rule_table.py``). Evidence that
does not come from a GPU is refused, and then nothing is changed. The status is 0, or 2 where there is nothing to adopt.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import generate_rule_table

from synclint.verify.evidence import name_of, read_evidence

# The files of a session, and what tells them from each other where they come from the same machine.
_FILES = (("rules.json", ""), ("torchmetrics.json", "-torchmetrics1.6.1"))


def adopt(session: Path, root: Path) -> list[Path]:
    """Copy what a session has found out, and write the pages; where the files are now.

    Raises ValueError, before anything is changed, for a file that is no evidence of a GPU.
    """
    found = []
    for name, mark in _FILES:
        if (session / name).is_file():
            read_evidence(session / name)
            text = (session / name).read_text(encoding="utf-8")
            target = re.sub(r"\.json$", f"{mark}.json", name_of(text))
            found.append((root / generate_rule_table.EVIDENCE / target, text))
    for path, text in found:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    generate_rule_table.main([], root)
    return [path for path, _ in found]


def main(arguments: Sequence[str], root: Path = generate_rule_table.REPOSITORY) -> int:
    """Read the command line; the status."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("usage: adopt_evidence.py DIR, the folder of a session on a GPU", file=sys.stderr)
        return 2
    try:
        adopted = adopt(Path(arguments[0]), root)
    except ValueError as error:
        print(f"nothing was changed: {error}", file=sys.stderr)
        return 2
    for path in adopted:
        print(path)
    if not adopted:
        print("the folder holds no evidence: rules.json is what a session leaves", file=sys.stderr)
    return 0 if adopted else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
