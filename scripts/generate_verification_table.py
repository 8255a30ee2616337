"""Write into docs/verification.md what the simulated device and CUDA saw of every rule, side by side.

    python scripts/generate_verification_table.py SIMULATED.json CUDA.json [CUDA.json ...]

The files are the evidence that ``synclint --verify --report DIR`` leaves in DIR. Of several runs on CUDA
the first that proves a rule speaks for it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).parents[1] / "docs" / "verification.md"
BEGIN = "<!-- devices: written by scripts/generate_verification_table.py -->"
END = "<!-- end of devices -->"

_PROVED = ("confirmed", "static")
_CUDA_WITNESSES = ("trace", "debug mode", "stopwatch")
_HEADING = ("rule", "lines that claim to wait", "simulated device", *_CUDA_WITNESSES, "verdict on CUDA")


def rules_of(path: Path) -> dict[str, Mapping[str, Any]]:
    """The rules of a file of evidence, by their codes."""
    document = json.loads(path.read_text(encoding="utf-8"))
    return {case["id"]: case for case in document["cases"] if case["kind"] == "rule"}


def seen_by(case: Mapping[str, Any], witness: str) -> str:
    """Of the lines that claim to wait, how many the witness saw: "3/4"."""
    marked = [line for line in case["lines"] if line["marked"]]
    if not marked or witness not in case["witnesses"]:
        return "–"
    return f"{sum(witness in line['seen_by'] for line in marked)}/{len(marked)}"


def row(simulated: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """One rule: what either device saw of it."""
    proved = [run for run in runs if run["verdict"] in _PROVED]
    cuda = (proved or list(runs))[0]
    marked = sum(line["marked"] for line in simulated["lines"])
    return (
        f"{cuda['id']} {cuda['name']}",
        str(marked) if marked else "–",
        seen_by(simulated, "simulated"),
        *(seen_by(cuda, witness) for witness in _CUDA_WITNESSES),
        str(cuda["verdict"]),
    )


def table(simulated: Path, cuda: Sequence[Path]) -> str:
    """The table, as Markdown."""
    of_cuda = [rules_of(path) for path in cuda]
    rows = [row(case, [run[code] for run in of_cuda if code in run]) for code, case in rules_of(simulated).items()]
    lines = [_HEADING, tuple("---" for _ in _HEADING), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Read the command line, write the document."""
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    simulated, *cuda = map(Path, sys.argv[1:])
    text = DOCUMENT.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    DOCUMENT.write_text(f"{before}{BEGIN}\n{table(simulated, cuda)}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
