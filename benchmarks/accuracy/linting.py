"""The linter of this environment, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Reported = dict[str, Any]


class AccuracyError(Exception):
    """Something without which nothing can be measured; one sentence for the user."""


def reported(folder: Path, *arguments: str) -> list[Reported]:
    """The findings in JSON of a run in ``folder``, their names relative to it. Raises AccuracyError."""
    options = ("--isolated", "--no-cache", "--output-format", "json")
    command: Sequence[str] = (sys.executable, "-m", "synclint", "check", *options, *arguments)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    try:
        found: list[Reported] = json.loads(done.stdout)
    except ValueError:
        raise AccuracyError(f"{folder.name}: the linter printed no JSON but: {done.stderr.strip()[-400:]}") from None
    here = folder.resolve()
    for finding in found:
        path = Path(finding["filename"])
        finding["filename"] = (path.resolve().relative_to(here) if path.is_absolute() else path).as_posix()
    return found
