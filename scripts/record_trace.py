"""Record the trace of a rule's case on CUDA, for the tests that read traces where there is none.

    python scripts/record_trace.py RULE_FOLDER TRACE.json

Run it with a Python whose PyTorch has CUDA, or runs over a pretended CUDA runtime. Of the trace only
what ``synclint.verify.chrome_trace`` reads is kept.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

# What chrome_trace reads of an event, and of its arguments.
_FIELDS = ("ph", "cat", "name", "ts", "dur", "tid")
_ARGUMENTS = ("correlation", "stream")
_CATEGORIES = frozenset(
    {"cuda_runtime", "cuda_driver", "cuda_sync", "kernel", "gpu_memcpy", "gpu_memset", "cpu_op", "user_annotation"}
)
_LONGEST_NAME = 60


def kept(event: Mapping[str, Any], origin: float) -> dict[str, Any]:
    """The event with what is read of it, its time counted from ``origin``."""
    fields = {field: event[field] for field in _FIELDS if field in event}
    fields["ts"] = round(float(event["ts"]) - origin, 3)
    fields["name"] = str(event["name"])[:_LONGEST_NAME]
    arguments = {name: event["args"][name] for name in _ARGUMENTS if name in event.get("args", {})}
    return fields | ({"args": arguments} if arguments else {})


def record(folder: Path) -> list[dict[str, Any]]:
    """Trace one call of every function of both sides, behind queued work."""
    import torch

    from synclint.verify import cuda_survey
    from synclint.verify.cases import BrokenCase, load_rule_case
    from synclint.verify.programs import load_programs
    from synclint.verify.trace import record_trace

    case = load_rule_case(folder)
    if isinstance(case, BrokenCase):
        raise SystemExit(case.problem)
    programs = load_programs(case, torch.device("cuda", 0))
    ruler = cuda_survey.calibrate()
    for program in programs:
        for function in program.functions:
            program.prepare(function, 0)()
    queue = cuda_survey.TimedSleeps(ruler).queue()
    with tempfile.TemporaryDirectory() as scratch:
        events = record_trace(programs, 0, queue.top_up, torch.cuda.synchronize, Path(scratch) / "trace.json.gz")
    read = [event for event in events if event.get("ph") == "X" and event.get("cat") in _CATEGORIES]
    origin = min(float(event["ts"]) for event in read)
    return [kept(event, origin) for event in read]


def main() -> None:
    """Read the command line, write the trace."""
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    events = record(Path(sys.argv[1]))
    lines = ",\n".join(json.dumps(event, separators=(",", ":")) for event in events)
    Path(sys.argv[2]).write_text(f'{{"traceEvents":[\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
