"""Runs the metrics of two copies of torchmetrics on random inputs, and says where their results or waits differ.

    cp -r .../site-packages/torchmetrics before/ && cp -r .../site-packages/torchmetrics after/
    synclint check --isolated --fix after/torchmetrics
    python scripts/compare_metrics.py before after

Every class that torchmetrics exports is made with the first of some sets of arguments that it takes, and updated twice
with the first of some inputs that it takes, on the CPU and on the simulated device; one that takes none is left out.
The exit status is 1 where a result is another one to the last bit, or a metric waits more often than before.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

_WORKER = r"""
import importlib, json, sys, warnings
import torch
import torchmetrics
from synclint.verify.recording import record_syncs
from synclint.verify.simulated import simulated_device
warnings.simplefilter("ignore")

ROOMS = ["", ".classification", ".regression", ".image", ".retrieval", ".clustering", ".nominal", ".aggregation",
         ".segmentation", ".audio", ".detection", ".shape", ".text"]
ARGUMENTS = [{}, {"task": "multiclass", "num_classes": 4}, {"num_classes": 4}, {"num_labels": 3}, {"p": 2},
             {"task": "binary"}, {"num_outputs": 1}, {"cutoff": 0.5}, {"beta": 0.5}, {"beta": 0.5, "num_classes": 4},
             {"beta": 0.5, "num_labels": 3}, {"min_recall": 0.5}, {"min_precision": 0.5},
             {"min_recall": 0.5, "num_classes": 4}, {"min_precision": 0.5, "num_classes": 4},
             {"num_groups": 2}, {"fs": 8000}]

def inputs(seed, device):
    made = torch.Generator().manual_seed(seed)
    def real(*shape): return torch.rand(*shape, generator=made).to(device)
    def whole(limit, *shape): return torch.randint(0, limit, shape, generator=made).to(device)
    return [
        (real(12, 4).softmax(-1), whole(4, 12)), (real(12), whole(2, 12)), (real(12, 3), whole(2, 12, 3)),
        (real(12), real(12)), (real(2, 3, 32, 32), real(2, 3, 32, 32)), (real(2, 3, 200, 200), real(2, 3, 200, 200)),
        (whole(4, 12), whole(4, 12)), (real(12, 4), real(12, 4)), (real(12, 4), whole(4, 12)), (real(12),),
        (real(12), whole(2, 12), torch.arange(12).to(device) // 4), (real(2, 800), real(2, 800)),
        (whole(2, 2, 4, 8, 8), whole(2, 2, 4, 8, 8)), (real(12), whole(2, 12), whole(2, 12)),
        (real(2, 3, 32, 32),), (["the cat sat"], ["the cat sat down"]), (["the cat sat"], [["the cat sat down"]]),
    ]

def values(result):
    if isinstance(result, dict):
        return [[k, values(v)] for k, v in sorted(result.items())]
    if isinstance(result, (list, tuple)):
        return [values(part) for part in result]
    if isinstance(result, torch.Tensor):
        host = result.detach().cpu()
        numbers = str(host) if host.is_complex() else host.double().reshape(-1).tolist()
        return [str(result.dtype), list(result.shape), numbers]
    return repr(result)

def run(kind, arguments, place, device):
    torch.manual_seed(0)
    metric = kind(**arguments).to(device)
    first, second = inputs(1, device)[place], inputs(2, device)[place]
    with record_syncs() as waits:
        metric.update(*first)
        metric.update(*second)
        result = metric.compute()
    return json.loads(json.dumps(values(result)).replace("NaN", '"nan"').replace("Infinity", '"inf"')), len(waits)

def first_that_runs(kind):
    for arguments in ARGUMENTS:
        try:
            kind(**arguments)
        except BaseException:
            continue
        for place in range(len(inputs(1, torch.device("cpu")))):
            try:
                return (arguments, place, *run(kind, arguments, place, torch.device("cpu")))
            except BaseException:
                continue
    return None

kinds = {}
for room in ROOMS:
    module = importlib.import_module("torchmetrics" + room)
    for name in getattr(module, "__all__", ()):
        kind = getattr(module, name, None)
        if isinstance(kind, type) and issubclass(kind, torchmetrics.Metric):
            kinds.setdefault(f"{kind.__module__}.{kind.__qualname__}", kind)
found = {}
for name, kind in sorted(kinds.items()):
    ran = first_that_runs(kind)
    if ran is None:
        continue
    arguments, place, on_cpu, _ = ran
    with simulated_device() as device:
        try:
            on_device, waits = run(kind, arguments, place, device)
        except BaseException as error:
            on_device, waits = f"{type(error).__name__}", None
    found[name] = {"cpu": on_cpu, "device": on_device, "waits": waits}
json.dump(found, sys.stdout)
"""


def run_all(folder: Path) -> dict[str, dict[str, Any]]:
    """The results and waits of each metric in the copy of torchmetrics in a folder, by the metric's qualified name."""
    paths = [str(folder.resolve()), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run([sys.executable, "-c", _WORKER], env=environment, capture_output=True, text=True, check=True)
    found: dict[str, dict[str, Any]] = json.loads(done.stdout[done.stdout.index("{") :])
    return found


def changed_modules(before: Path, after: Path) -> set[str]:
    """The modules whose text differs."""
    return {
        ".".join(path.relative_to(before).with_suffix("").parts)
        for path in before.rglob("*.py")
        if path.read_bytes() != (after / path.relative_to(before)).read_bytes()
    }


def main() -> int:
    """Compare the two copies that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    options = parser.parse_args()
    changed = changed_modules(options.before, options.after)
    old, new = run_all(options.before), run_all(options.after)
    faults = [f"{name} runs in one of them only" for name in sorted(old.keys() ^ new.keys())]
    fewer = []
    for name in sorted(old.keys() & new.keys()):
        differing = [place for place in ("cpu", "device") if old[name][place] != new[name][place]]
        faults += [f"{name}: other results on the {place}" for place in differing]
        were, are = old[name]["waits"], new[name]["waits"]
        if were is None or are is None:
            continue
        if are > were:
            faults.append(f"{name}: {are} waits, {were} before")
        elif are < were:
            fewer.append((name, were, are))
    for name, were, are in fewer:
        print(f"{name.removeprefix('torchmetrics.'):<70} {were:3} -> {are:3} waits")
    waits = [sum(entry["waits"] or 0 for entry in found.values()) for found in (old, new)]
    print(f"{len(changed)} modules differ; {len(old)} metrics were run, {len(fewer)} of them wait less often:")
    print(f"{waits[0]} waits before, {waits[1]} after")
    for fault in faults:
        print(f"FAULT: {fault}")
    return int(bool(faults) or not old)


if __name__ == "__main__":
    sys.exit(main())
