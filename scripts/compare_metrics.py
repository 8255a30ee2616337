"""Runs the metrics of two copies of torchmetrics on random inputs, and says where their results or waits differ.

    cp -r .../site-packages/torchmetrics before/ && cp -r .../site-packages/torchmetrics after/
    synclint check --isolated --fix after/torchmetrics
    python scripts/compare_metrics.py before after [--limit SECONDS] [--only TEXT] [--json FILE]

Every class that torchmetrics exports is made with the first of some sets of arguments that it takes, and updated twice
with the first of some inputs that it takes, on the CPU and on the simulated device. A metric may take so many seconds
of CPU time, which a busy machine does not stretch; one that takes longer, or that needs the network, is named and left
out, and so is one that takes none of the inputs.
The exit status is 1 where a result is another one to the last bit, or a metric waits more often than before.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

_WORKER = Path(__file__).with_name("run_metrics.py")
_SECONDS = 60.0
# By the clock: for what a worker has to import before its first metric, and for metrics that wait without computing.
_PATIENCE = 300.0
Outcome = dict[str, Any]


def run_all(folder: Path, names: Sequence[str], limit: float) -> Iterator[tuple[str, Outcome]]:
    """What comes of each metric in the copy of torchmetrics in a folder.

    One process runs one metric after the other; where one takes too long, another process goes on with the next.
    """
    waiting = list(names)
    while waiting:
        with _started(folder, waiting, limit) as worker:
            assert worker.stdout is not None
            lines = _lines(worker.stdout)
            try:
                while waiting and (found := _next(lines)) is not None:
                    name, outcome = found
                    yield name, outcome
                    waiting.remove(name)
                if waiting:
                    yield waiting.pop(0), {"left": _end_of(worker, limit)}
            finally:
                worker.kill()


def _end_of(worker: subprocess.Popen[str], limit: float) -> str:
    """Why a worker says nothing of the metric that is due."""
    try:
        status = worker.wait(timeout=10)  # it has closed its output, or not said a word for long
    except subprocess.TimeoutExpired:
        return f"was not done within {_PATIENCE:.0f} seconds of waiting"
    return f"took more than {limit:.0f} seconds" if status == -signal.SIGXCPU else "ended the process"


def _started(folder: Path, names: Sequence[str], limit: float) -> subprocess.Popen[str]:
    paths = [str(folder.resolve()), *filter(None, [os.environ.get("PYTHONPATH")])]
    # Models of language metrics are not to be looked for.
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    environment = {**os.environ, **offline, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, str(_WORKER), "--limit", str(limit), *names]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
    )


def _lines(stream: IO[str]) -> queue.Queue[str | None]:
    """The lines of a stream as they come; None at its end."""
    found: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        for line in stream:
            found.put(line)
        found.put(None)

    threading.Thread(target=read, daemon=True).start()
    return found


def _next(lines: queue.Queue[str | None]) -> tuple[str, Outcome] | None:
    """The next metric that was run and what came of it; None where nothing more comes."""
    while True:
        try:
            line = lines.get(timeout=_PATIENCE)
        except queue.Empty:
            return None
        if line is None:
            return None
        if line.startswith("{"):  # whatever else is printed belongs to a metric
            outcome: Outcome = json.loads(line)
            return outcome.pop("name"), outcome


def metrics_in(folder: Path) -> list[str]:
    """The names of the metrics that a copy of torchmetrics exports."""
    with _started(folder, [], _SECONDS) as worker:
        assert worker.stdout is not None
        names: list[str] = json.loads(worker.stdout.read().splitlines()[-1])
    return names


def changed_modules(before: Path, after: Path) -> set[str]:
    """The modules whose text differs."""
    return {
        ".".join(path.relative_to(before).with_suffix("").parts)
        for path in before.rglob("*.py")
        if path.read_bytes() != (after / path.relative_to(before)).read_bytes()
    }


def _faults(name: str, old: Outcome, new: Outcome) -> list[str]:
    """What is worse in the second copy."""
    if old.get("status") != new.get("status"):
        return [f"{name} runs in one of them only"]
    found = [f"{name}: other results on the {place}" for place in ("cpu", "device") if old.get(place) != new.get(place)]
    if _waits(new) > _waits(old):
        found.append(f"{name}: {_waits(new)} waits, {_waits(old)} before")
    return found


def _waits(outcome: Outcome) -> int:
    """How often a metric waited; never where it did not run on the device."""
    return int(outcome.get("waits", 0))


def main() -> int:
    """Compare the two copies that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--limit", type=float, default=_SECONDS)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    changed = changed_modules(options.before, options.after)
    names = [name for name in metrics_in(options.before) if options.only in name]
    old, new = (dict(run_all(folder, names, options.limit)) for folder in (options.before, options.after))
    if options.json:
        options.json.write_text(json.dumps({"before": old, "after": new}), encoding="utf-8")
    # A metric that was left out once says nothing about the other copy.
    left = {name: one["left"] for found in (old, new) for name, one in found.items() if "left" in one}
    compared = [name for name in names if name not in left]
    faults = [fault for name in compared for fault in _faults(name, old[name], new[name])]
    for name in compared:
        were, are = _waits(old[name]), _waits(new[name])
        if are < were:
            print(f"{name.removeprefix('torchmetrics.'):<70} {were:3} -> {are:3} waits")
    states = Counter(old[name]["status"] for name in compared)
    waits = [sum(_waits(found[name]) for name in compared) for found in (old, new)]
    fewer = sum(_waits(new[name]) < _waits(old[name]) for name in compared)
    print(f"{len(changed)} modules differ; of {len(names)} metrics {states['both']} ran on the CPU and on the device,")
    print(f"{states['cpu']} on the CPU only, {states['none']} took none of the inputs, {len(left)} were left out")
    print(f"{fewer} metrics wait less often: {waits[0]} waits before, {waits[1]} after")
    for name, why in sorted(left.items()):
        print(f"left out: {name} {why}")
    for fault in faults:
        print(f"FAULT: {fault}")
    return int(bool(faults) or not states["both"])


if __name__ == "__main__":
    sys.exit(main())
