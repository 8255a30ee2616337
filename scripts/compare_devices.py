"""Compares where the metrics of torchmetrics make the host wait: on a GPU, and on the simulated device.

    python scripts/compare_devices.py record cuda|sim FILE [NAME...]
    python scripts/compare_devices.py compare FILE FILE

``record`` makes each metric, or those that are named, with the first arguments and inputs that it takes, as
``run_metrics.py`` does, updates it twice, computes it, and writes for each line of torchmetrics how often it waited.
``compare`` tells the statements at which one device waited and the other did not; it needs the torchmetrics of both
recordings, for Python releases differ in which line of a statement they call the current one. Its status is 1 where the
devices differ.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import torch
import torchmetrics
from run_metrics import forbid_network, inputs, metrics, ways

from synclint.verify.recording import record_syncs
from synclint.verify.simulated import simulated_device

LIBRARY = Path(torchmetrics.__file__).parent
Recorded = dict[str, dict[str, Any]]


@contextmanager
def _opened(device: str) -> Iterator[torch.device]:
    if device == "cuda":
        yield torch.device("cuda", 0)
    else:
        with simulated_device() as simulated:
            yield simulated


def _run(metric: Any, given: Sequence[tuple[Any, ...]]) -> None:  # noqa: ANN401 -- a metric of any class
    for one in given:
        metric.update(*one)
    metric.compute()


def _given(place: int, device: torch.device) -> list[tuple[Any, ...]]:
    return [inputs(seed, device)[place] for seed in (1, 2)]


def waits_of(kind: Callable[..., Any], device: str) -> dict[str, Any] | None:
    """How a metric was made and updated, and how often each line waited; None if it takes none of the inputs."""
    for arguments, place in ways(kind):
        try:
            _run(kind(**arguments), _given(place, torch.device("cpu")))
        except Exception:
            continue
        with _opened(device) as opened:
            torch.manual_seed(0)
            metric, given = kind(**arguments).to(opened), _given(place, opened)
            try:
                with record_syncs(within=LIBRARY) as syncs:
                    _run(metric, given)
            except Exception:
                return None
        lines = Counter(f"{Path(sync.file).relative_to(LIBRARY).as_posix()}:{sync.line}" for sync in syncs)
        return {"arguments": str(arguments), "inputs": place, "waits": dict(sorted(lines.items()))}
    return None


def record(device: str, file: Path, names: Sequence[str]) -> None:
    """Write the file anew after each metric: what one of them does may end the process."""
    known = metrics()
    found: Recorded = {}
    made_with = {
        "device": torch.cuda.get_device_name() if device == "cuda" else "simulated cuda:0",
        "torch": torch.__version__,
        "torchmetrics": torchmetrics.__version__,
        "python": ".".join(map(str, sys.version_info[:3])),
    }
    for name in names or known:
        if (outcome := waits_of(known[name], device)) is not None:
            found[name] = outcome
        file.write_text(json.dumps({**made_with, "metrics": found}, indent=0) + "\n", encoding="utf-8")


def statements(waits: Mapping[str, int]) -> set[str]:
    """The statements at which the host waited, each named by its file and first line."""
    found = set()
    for place in waits:
        file, _, line = place.rpartition(":")
        found.add(f"{file}:{_first_lines(file).get(int(line), int(line))}")
    return found


@cache
def _first_lines(file: str) -> dict[int, int]:
    """The first line of the innermost statement that holds a line; of a compound statement, what its head holds."""
    found: dict[int, int] = {}
    for node in ast.walk(ast.parse((LIBRARY / file).read_bytes())):
        if isinstance(node, ast.stmt):
            body: list[ast.stmt] = getattr(node, "body", [])
            end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            for line in range(node.lineno, end + 1):
                found[line] = max(node.lineno, found.get(line, 0))
    return found


def _made_alike(first: Mapping[str, Any], second: Mapping[str, Any], name: str) -> bool:
    ways = [recorded["metrics"].get(name, {}) for recorded in (first, second)]
    return bool(ways[1]) and all(ways[0][key] == ways[1][key] for key in ("arguments", "inputs"))


def compare(first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[str]:
    """What differs, a line for each statement; then how much was compared."""
    both = [name for name in first["metrics"] if _made_alike(first, second, name)]
    alike = 0
    for name in both:
        one, other = (statements(recorded["metrics"][name]["waits"]) for recorded in (first, second))
        alike += len(one & other)
        yield from (f"{name}: {place} on {first['device']} only" for place in sorted(one - other))
        yield from (f"{name}: {place} on {second['device']} only" for place in sorted(other - one))
    yield f"{len(both)} metrics; both devices waited at {alike} statements"


def main() -> int:
    """Read the command line; the status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("device", choices=("cuda", "sim"))
    recording.add_argument("file", type=Path)
    recording.add_argument("names", nargs="*")
    comparing = commands.add_parser("compare")
    comparing.add_argument("files", nargs=2, type=Path)
    options = parser.parse_args()
    if options.command == "record":
        warnings.simplefilter("ignore")
        torch.set_num_threads(1)
        forbid_network()
        record(options.device, options.file, options.names)
        return 0
    first, second = (json.loads(file.read_text(encoding="utf-8")) for file in options.files)
    told = list(compare(first, second))
    print("\n".join(told))
    return 1 if len(told) > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
