"""Where synclint's time goes. A program of its own: ``python -m benchmarks.phases FOLDER`` prints seconds of CPU.

The steps are those of one check in one process, as ``synclint check --profile-phases`` tells them, with the time
that it takes to import the program and to read its tables in front.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from synclint import learning as _engine  # noqa: F401 - importing it belongs to the start
from synclint.catalog.entries import load_catalog
from synclint.catalog.torch_api import load_torch_api
from synclint.config.options import Options
from synclint.discovery import discover
from synclint.phases import DISCOVER, PHASES, REPORT, Phases
from synclint.report.json import json_report
from synclint.rules import load_rules
from synclint.runner import check_files

START = "start"
MEASURED = (START, *PHASES)


def phases(folder: Path) -> dict[str, float]:
    """Seconds of CPU for each phase of checking a directory."""
    load_catalog()
    load_torch_api()
    load_rules()
    start = time.process_time()
    counted = Phases()
    with counted.phase(DISCOVER):
        found = discover([folder])
    checked = check_files(found.files, [folder], Options(cold=True), phases=counted)
    with counted.phase(REPORT):
        json_report(list(checked.reports), folder)
    return {START: start, **{phase: counted.seconds.get(phase, 0.0) for phase in PHASES}}


if __name__ == "__main__":
    print(json.dumps(phases(Path(sys.argv[1]))))
