"""Tracing a run of Lightning's Trainer, as a callback and in the place of its profiler; on the simulated device."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import logging, sys, warnings
warnings.filterwarnings("ignore")
logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
import torch
import pytorch_lightning as pl
from torch.utils.data import DataLoader, TensorDataset
from synclint.trace.lightning import TraceCallback, TraceProfiler

class Model(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)
    def training_step(self, batch, index):
        if index == 3 and "fail" in sys.argv:
            raise KeyError("in the middle")
        seen = torch.ones(2, device="cuda").sum()
        self.kept = seen.item()
        return self.layer(batch[0]).sum()
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)

class Logger(pl.loggers.logger.DummyLogger):
    def log_metrics(self, metrics, step=None):
        if any(name.startswith("synclint/") for name in metrics):
            print("logged", metrics, step)

def trainer(**more):
    return pl.Trainer(max_epochs=1, accelerator="cpu", enable_checkpointing=False, enable_progress_bar=False,
                      enable_model_summary=False, **more)

data = lambda: DataLoader(TensorDataset(torch.randn(24, 4)), batch_size=4)
callback = TraceCallback("trace.json", device="sim", lint=False)
try:
    trainer(logger=Logger(), callbacks=[callback]).fit(Model(), data())
except KeyError:
    print("failed")
print("callback", callback.report.steps, [wait.count for wait in callback.report.waits if wait.per_step])
if "fail" not in sys.argv:
    profiler = TraceProfiler(device="sim", lint=False)
    trainer(logger=False, profiler=profiler).fit(Model(), data())
    print("profiler", profiler.report.steps, [wait.count for wait in profiler.report.waits if wait.per_step])
    print("summary", profiler.summary().strip().splitlines()[0])
"""


def run(folder: Path, *arguments: str) -> list[str]:
    (folder / "train.py").write_text(PROGRAM, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "train.py", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


def test_callback_and_profiler_report_the_waits_of_each_batch(tmp_path: Path) -> None:
    lines = run(tmp_path)
    assert "callback 6 [6]" in lines
    assert "logged {'synclint/waits': 1.0} 6" in lines
    assert "profiler 6 [6]" in lines
    (summary,) = [line for line in lines if line.startswith("summary")]
    assert "in 6 steps, 1 per step" in summary
    assert (tmp_path / "trace.json").stat().st_size


def test_a_run_that_fails_is_reported_and_fails_as_before(tmp_path: Path) -> None:
    lines = run(tmp_path, "fail")
    assert "failed" in lines
    assert "callback 3 [3]" in lines
