"""Where synclint's time goes. A program of its own: ``python -m benchmarks.phases FOLDER`` prints seconds of CPU.

The steps are those of one check in one process. Parsing happens in the midst of the analysis, when it first
meets a module; it is timed where it is called and taken off.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from synclint import runner
from synclint.analysis import project
from synclint.config.options import Options
from synclint.discovery import discover
from synclint.report.json import json_report

PHASES = ("start", "discover", "read", "parse", "analyse", "rules", "report")

# The functions whose time is taken off the analysis, by the phase that they make up.
WITHIN: tuple[tuple[str, Any, str], ...] = (
    ("read", runner, "read_source"),
    ("parse", project, "parse"),
    ("rules", runner, "findings"),
    ("rules", runner, "review"),
)


@contextmanager
def timed(phase: str, module: object, name: str, taken: dict[str, float]) -> Iterator[None]:
    """Add up the CPU time of a module's function under ``phase`` while the block runs."""
    function: Callable[..., object] = getattr(module, name)

    def timing(*arguments: object, **keywords: object) -> object:
        started = time.process_time()
        try:
            return function(*arguments, **keywords)
        finally:
            taken[phase] += time.process_time() - started

    with patch.object(module, name, timing):
        yield


def phases(folder: Path) -> dict[str, float]:
    """Seconds of CPU for each phase of checking a directory; ``start`` is what imports and tables take."""
    taken: dict[str, float] = defaultdict(float)
    taken["start"] = time.process_time()
    clock = time.process_time()
    found = discover([folder])
    taken["discover"] = time.process_time() - clock

    clock = time.process_time()
    with _all_timed(taken):
        reports = list(runner.check_files(found.files, [folder], Options(cold=True)))
    inner = sum(taken[phase] for phase in {phase for phase, _, _ in WITHIN})
    taken["analyse"] = time.process_time() - clock - inner

    clock = time.process_time()
    json_report(reports, folder)
    taken["report"] = time.process_time() - clock
    return {phase: taken[phase] for phase in PHASES}


@contextmanager
def _all_timed(taken: dict[str, float]) -> Iterator[None]:
    with ExitStack() as stack:
        for phase, module, name in WITHIN:
            stack.enter_context(timed(phase, module, name, taken))
        yield


if __name__ == "__main__":
    print(json.dumps(phases(Path(sys.argv[1]))))
