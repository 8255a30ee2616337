"""What a GPU said of metrics stands beside what the simulated device says of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
SCRIPT = REPOSITORY / "scripts" / "compare_devices.py"
SEEN_ON_A_GPU = REPOSITORY / "benchmarks" / "gpu" / "metrics-nvidia-h200.json"
METRICS = (
    "torchmetrics.aggregation.CatMetric",
    "torchmetrics.classification.confusion_matrix.MultilabelConfusionMatrix",
    "torchmetrics.regression.pearson.PearsonCorrCoef",
    "torchmetrics.retrieval.average_precision.RetrievalMAP",
)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False)


def test_the_simulated_device_waits_where_a_gpu_waited(tmp_path: Path) -> None:
    simulated = tmp_path / "simulated.json"
    recorded = run("record", "sim", str(simulated), *METRICS)
    assert recorded.returncode == 0, recorded.stderr
    of_gpu = json.loads(SEEN_ON_A_GPU.read_text(encoding="utf-8"))["metrics"]
    assert all(of_gpu[name]["waits"] for name in METRICS)
    compared = run("compare", str(SEEN_ON_A_GPU), str(simulated))
    assert compared.stdout.startswith(f"{len(METRICS)} metrics; "), compared.stdout + compared.stderr
    assert compared.returncode == 0


def test_a_wait_that_only_one_device_has_is_named(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    metric = {"arguments": "{}", "inputs": 0}
    for path, device, waits in ((first, "one", {"aggregation.py:93": 2}), (second, "another", {})):
        made = {"device": device, "metrics": {"Mean": {**metric, "waits": waits}}}
        path.write_text(json.dumps(made), encoding="utf-8")
    compared = run("compare", str(first), str(second))
    assert compared.returncode == 1
    assert compared.stdout.splitlines()[0] == "Mean: aggregation.py:93 on one only"
