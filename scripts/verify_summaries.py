"""Runs calls of libraries on the simulated device, and marks in the summaries which of their waits were seen.

    python scripts/verify_summaries.py             the cases of summary_cases.toml whose libraries are installed

A wait counts as seen if the line of the library that the summary names is on the stack when the host waits, and the
installed release is the one that was summarized. Needs torch and the libraries.
"""

from __future__ import annotations

import ast
import importlib.metadata
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import torch

from synclint.catalog.summaries import SUMMARIES, written
from synclint.verify.recording import record_syncs
from synclint.verify.simulated import simulated_device

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CASES = Path(__file__).with_name("summary_cases.toml")


def places_seen(setup: str, case: str) -> set[str]:
    """Where the host waited in a case: all lines of the stacks, as ``package/file.py:12``, by the ends of paths."""
    names: dict[str, Any] = {"torch": torch, "x": torch.randn(8, 8, device="cuda")}
    exec(setup, names)
    with record_syncs() as syncs:
        exec(case, names)
    return {f"{frame.file}:{frame.line}" for sync in syncs for frame in sync.stack}


def is_seen(place: str, seen: set[str]) -> bool:
    """Whether a line was on a stack, or another one of the lines on which its statement, or the head of it, stands."""
    file, _, line = place.rpartition(":")
    for one in seen:
        path, _, at = one.rpartition(":")
        if path.endswith(f"/{file}") and int(at) in lines_beside(Path(path), int(line)):
            return True
    return False


@cache
def lines_beside(path: Path, line: int) -> range:
    """The lines of the innermost statement around a line, without those of the statements in it."""
    around = range(line, line + 1)
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.stmt):
            body: list[ast.stmt] = getattr(node, "body", [])
            lines = range(node.lineno, body[0].lineno if body else (node.end_lineno or node.lineno) + 1)
            if line in lines:
                around = lines
    return around


def main() -> int:
    """Run all cases; the status is 1 if a wait that a summary tells was not seen in the release that it is of."""
    failed = 0
    for name, given in tomllib.loads(CASES.read_text(encoding="utf-8")).items():
        path = SUMMARIES / f"{name.partition('.')[0]}.json"
        document = json.loads(path.read_bytes())
        function = document["functions"].get(name)
        try:
            installed = importlib.metadata.version(document["library"])
        except importlib.metadata.PackageNotFoundError:
            installed = None
        if function is None or installed != document["version"]:
            print(f"not run    {name} ({document['library']} {document['version']}, installed: {installed})")
            continue
        try:
            with simulated_device():
                seen = places_seen(given.get("setup", ""), given["case"])
        except Exception as error:
            print(f"failed     {name}: {type(error).__name__}: {error}")
            failed = 1
            continue
        for wait in function["waits"]:
            wait["verified"] = is_seen(wait["place"], seen)
        path.write_text(written(document), encoding="utf-8")
        was_seen = any(wait["verified"] for wait in function["waits"])
        failed |= not was_seen
        print(f"{'confirmed' if was_seen else 'NOT SEEN':<10} {name}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
