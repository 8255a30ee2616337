"""The script that compares metrics before and after their fixes comes to its end, whatever a metric does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "scripts" / "compare_metrics.py"
ROOMS = (
    "classification", "regression", "image", "retrieval", "clustering", "nominal", "aggregation", "segmentation",
    "audio", "detection", "shape", "text",
)  # fmt: skip
PACKAGE = """\
import os
import socket

import torch

__all__ = ["Waits", "Differs", "Endless", "Ends", "Calls", "Hungry"]


class Metric(torch.nn.Module):
    def update(self, values):
        self.values = values.sum() if READS == 0 else torch.tensor(values.sum().item())

    def compute(self):
        return self.values


class Waits(Metric):
    pass


class Differs(Metric):
    def compute(self):
        return self.values + READS


class Endless(Metric):
    def compute(self):
        while True:
            pass


class Ends(Metric):
    def compute(self):
        os._exit(0)


class Calls(Metric):
    def compute(self):
        socket.create_connection(("localhost", 9))


class Hungry(Metric):
    def compute(self):
        return torch.ones(1 << 40)
"""


def test_two_copies_are_compared_within_bounds(tmp_path: Path) -> None:
    for name, reads in (("before", 1), ("after", 0)):
        package = tmp_path / name / "torchmetrics"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(f"READS = {reads}\n{PACKAGE}")
        for room in ROOMS:
            (package / f"{room}.py").write_text("class MeanSquaredError: ...")
        (package / "functional").mkdir()
        (package / "functional" / "audio.py").write_text("scale_invariant_signal_noise_ratio = None")
    command = [sys.executable, str(SCRIPT), "before", "after", "--limit", "15"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 modules differ; of 6 metrics 2 ran on the CPU and on the device" in done.stdout
    assert "0 on the CPU only, 2 took none of the inputs, 2 were left out" in done.stdout
    assert "2 metrics wait less often: 4 waits before, 0 after" in done.stdout
    assert "left out: torchmetrics.Endless took more than 15 seconds" in done.stdout
    assert "left out: torchmetrics.Ends ended the process" in done.stdout
    faults = [line for line in done.stdout.splitlines() if line.startswith("FAULT")]
    assert faults == [f"FAULT: torchmetrics.Differs: other results on the {place}" for place in ("cpu", "device")]
