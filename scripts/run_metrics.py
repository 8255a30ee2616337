"""Runs metrics of the torchmetrics that Python finds, and prints a line of JSON about each: for compare_metrics.py.

    python scripts/run_metrics.py [--limit SECONDS] [NAME...]

Without a name the names of all metrics are printed. A metric that takes more seconds of CPU time than the limit ends
the process with SIGXCPU. ``status`` is "both" for a metric that ran on the CPU and on the simulated device, "cpu" for
one that ran on the CPU only, "none" for one that took none of the inputs.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import resource
import socket
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import torch

from synclint.verify.recording import record_syncs
from synclint.verify.simulated import simulated_device

# Inputs that a metric takes for something else may ask for all the memory there is.
_MOST_MEMORY = 4 << 30
_ROOMS = (
    "", ".classification", ".regression", ".image", ".retrieval", ".clustering", ".nominal", ".aggregation",
    ".segmentation", ".audio", ".detection", ".shape", ".text",
)  # fmt: skip
_ARGUMENTS: tuple[dict[str, Any], ...] = (
    {}, {"task": "multiclass", "num_classes": 4}, {"num_classes": 4}, {"num_labels": 3}, {"p": 2}, {"task": "binary"},
    {"num_outputs": 1}, {"cutoff": 0.5}, {"beta": 0.5}, {"beta": 0.5, "num_classes": 4},
    {"beta": 0.5, "num_labels": 3}, {"min_recall": 0.5}, {"min_precision": 0.5}, {"min_sensitivity": 0.5},
    {"min_specificity": 0.5}, {"min_recall": 0.5, "num_classes": 4}, {"min_precision": 0.5, "num_classes": 4},
    {"min_sensitivity": 0.5, "num_classes": 4}, {"min_specificity": 0.5, "num_classes": 4},
    {"min_recall": 0.5, "num_labels": 3}, {"min_precision": 0.5, "num_labels": 3},
    {"min_sensitivity": 0.5, "num_labels": 3}, {"min_specificity": 0.5, "num_labels": 3}, {"num_groups": 2},
    {"fs": 8000}, {"things": {0, 1}, "stuffs": {2, 3}}, {"data_range": 1.0}, {"threshold": 0.5}, {"mode": "counts"},
    *({"task": "binary", name: 0.5} for name in ("min_recall", "min_precision", "min_sensitivity", "min_specificity")),
)  # fmt: skip


def inputs(seed: int, device: torch.device) -> list[tuple[Any, ...]]:
    """What metrics may be updated with."""
    made = torch.Generator().manual_seed(seed)

    def real(*shape: int) -> torch.Tensor:
        return torch.rand(*shape, generator=made).to(device)

    def whole(limit: int, *shape: int) -> torch.Tensor:
        return torch.randint(0, limit, shape, generator=made).to(device)

    def boxes(scored: bool) -> list[dict[str, torch.Tensor]]:
        corner = real(3, 2) * 50
        found = {"boxes": torch.cat([corner, corner + 5 + real(3, 2) * 20], dim=1), "labels": whole(2, 3)}
        return [{**found, "scores": real(3)} if scored else found]

    return [
        (real(12, 4).softmax(-1), whole(4, 12)), (real(12), whole(2, 12)), (real(12, 3), whole(2, 12, 3)),
        (real(12), real(12)), (real(2, 3, 32, 32), real(2, 3, 32, 32)), (real(2, 3, 200, 200), real(2, 3, 200, 200)),
        (whole(4, 12), whole(4, 12)), (real(12, 4), real(12, 4)), (real(12, 4), whole(4, 12)), (real(12),),
        (real(12), whole(2, 12), torch.arange(12).to(device) // 4), (real(2, 800), real(2, 800)),
        (whole(2, 2, 4, 8, 8), whole(2, 2, 4, 8, 8)), (whole(4, 2, 8, 8, 2), whole(4, 2, 8, 8, 2)),
        (real(12), whole(2, 12), whole(2, 12)), (real(2, 3, 32, 32),), (boxes(True), boxes(False)),
        (real(1, 1, 9, 20, 2), real(1, 1, 9, 20, 2)), (real(1, 16, 32, 32), real(1, 16, 32, 32)), (whole(5, 8, 3),),
        (real(2, 10, 3), real(2, 10, 3)), (real(2, 2, 800), real(2, 2, 800)), (real(2, 8, 6), whole(6, 2, 8)),
        (["the cat sat"], ["the cat sat down"]), (["the cat sat"], [["the cat sat down"]]),
    ]  # fmt: skip


def _values(result: object) -> object:
    """A result as JSON can hold it, to the last bit."""
    if isinstance(result, dict):
        return [[str(key), _values(value)] for key, value in sorted(result.items(), key=str)]
    if isinstance(result, (list, tuple)):
        return [_values(part) for part in result]
    if isinstance(result, torch.Tensor):
        host = result.detach().cpu()
        numbers = [repr(number) for number in host.reshape(-1).tolist()]
        return [str(result.dtype), list(result.shape), numbers]
    return repr(result)


def _run(kind: Callable[..., Any], arguments: dict[str, Any], place: int, device: torch.device) -> tuple[object, int]:
    torch.manual_seed(0)
    metric = kind(**arguments).to(device)
    first, second = inputs(1, device)[place], inputs(2, device)[place]
    with record_syncs() as waits:
        metric.update(*first)
        metric.update(*second)
        result = metric.compute()
    return _values(result), len(waits)


def _arguments() -> Iterator[dict[str, Any]]:
    """What a metric may be made with: other metrics, too."""
    yield from _ARGUMENTS
    regression = importlib.import_module("torchmetrics.regression")
    yield {"base_metric": regression.MeanSquaredError(), "num_outputs": 4}
    yield {"base_metric": regression.MeanSquaredError()}
    audio = importlib.import_module("torchmetrics.functional.audio")
    yield {"metric_func": audio.scale_invariant_signal_noise_ratio}


def ways(kind: Callable[..., Any]) -> Iterator[tuple[dict[str, Any], int]]:
    """The arguments that a metric can be made with, each with the places of all inputs."""
    for arguments in _arguments():
        try:
            kind(**arguments)
        except Exception:
            continue
        for place in range(len(inputs(1, torch.device("cpu")))):
            yield arguments, place


def _outcome(kind: Callable[..., Any]) -> dict[str, Any]:
    """What comes of the first arguments and inputs that a metric takes."""
    for arguments, place in ways(kind):
        try:
            on_cpu, _ = _run(kind, arguments, place, torch.device("cpu"))
        except Exception:
            continue
        found = {"arguments": str(arguments), "cpu": on_cpu}
        with simulated_device() as device:
            try:
                on_device, waits = _run(kind, arguments, place, device)
            except Exception as error:
                return {**found, "status": "cpu", "why": type(error).__name__}
        return {**found, "status": "both", "device": on_device, "waits": waits}
    return {"status": "none"}


def metrics() -> dict[str, Callable[..., Any]]:
    """The classes that torchmetrics exports, by their qualified names."""
    base = importlib.import_module("torchmetrics").Metric
    found: dict[str, Callable[..., Any]] = {}
    for room in _ROOMS:
        module = importlib.import_module(f"torchmetrics{room}")
        for name in getattr(module, "__all__", ()):
            kind = getattr(module, name, None)
            if isinstance(kind, type) and issubclass(kind, base):
                found.setdefault(f"{kind.__module__}.{kind.__qualname__}", kind)
    return dict(sorted(found.items()))


def forbid_network() -> None:
    """Have what a metric wants to download fail at once."""
    setattr(socket.socket, "connect", _no_network)  # noqa: B010


def _no_network(*_arguments: object) -> NoReturn:
    raise OSError("metrics are compared without a network")


def _limit_cpu_time(seconds: float) -> None:
    """Have the process end once it has computed for so many seconds more."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time() + seconds), most))


def main() -> int:
    """Run the metrics that the arguments name, or tell the names of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", type=float, default=60.0)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    forbid_network()
    resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))
    torch.set_num_threads(1)
    known = metrics()
    with simulated_device():
        pass  # it may have to be compiled, which no metric is charged with
    if not options.names:
        print(json.dumps(list(known)), flush=True)
    for name in options.names:
        _limit_cpu_time(options.limit)
        print(json.dumps({"name": name, **_outcome(known[name])}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
