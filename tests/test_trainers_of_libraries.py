"""What trainers of libraries wait for in each step, on the simulated device, and what the catalogue says of it."""

from __future__ import annotations

import runpy
from collections import Counter
from pathlib import Path

import pytest
import torch  # noqa: F401 -- the trace needs it

from synclint.trace.assembly import assemble
from synclint.trace.linting import findings_in
from synclint.trace.ownership import default_ownership
from synclint.trace.records import Device
from synclint.trace.report import Status, TraceReport
from synclint.trace.session import Session
from synclint.trace.settings import Settings

TRANSFORMERS = """
import tempfile
import transformers
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

transformers.logging.set_verbosity_error()
config = BertConfig(vocab_size=8, hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8)
rows = [{{"input_ids": [1, 2], "labels": 1}}] * 20
arguments = TrainingArguments(
    tempfile.mkdtemp(), max_steps=5, per_device_train_batch_size=4, report_to=[], save_strategy="no",
    logging_strategy="no", disable_tqdm=True{more}
)
Trainer(BertForSequenceClassification(config), arguments, train_dataset=rows).train()
"""
LIGHTNING = """
import logging, warnings
warnings.filterwarnings("ignore")
logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
import torch
import pytorch_lightning as pl
from torch.utils.data import DataLoader, TensorDataset

class Model(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)
    def training_step(self, batch, index):
        loss = self.layer(batch[0]).sum() + batch[1].sum()
        self.log("loss", loss, prog_bar={shown})
        return loss
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)

def rows():
    return TensorDataset(torch.randn(20, 4), torch.randn(20))

class Data(pl.LightningDataModule):
    def train_dataloader(self):
        return DataLoader(rows(), batch_size=4{more})

trainer = pl.Trainer(
    max_epochs=1, accelerator="gpu", devices=1, logger=False, enable_checkpointing=False, enable_progress_bar=False,
    enable_model_summary=False{half}
)
trainer.fit(Model(), {given})
"""
LOADER = "DataLoader(rows(), batch_size=4{more})"
COPY, READ = "host-to-device-copy", "scalar-read"
CHECK = ", logging_nan_inf_filter=False"
QUICK = ', accelerator_config={"non_blocking": True}'


def traced(program: str, folder: Path) -> TraceReport:
    """The report of a program's run in this process, with what the linter says of it."""
    script = folder / "train.py"
    script.write_text(program, encoding="utf-8")
    session = Session(Settings(Device.SIMULATED, printed=None), default_ownership((str(folder),)), (str(script),))
    session.start()
    try:
        runpy.run_path(str(script), run_name="__main__")
    finally:
        run = session.finish(0)
    findings, problem = findings_in(run.files, str(folder))
    assert problem is None
    return assemble(run, findings)


def in_each_step(report: TraceReport) -> Counter[str]:
    """Waits in a step, by mechanism; without those that come in some steps only."""
    counted: Counter[str] = Counter()
    for wait in report.waits:
        if wait.per_step >= 1:
            counted[wait.mechanism] += round(wait.per_step)
    return counted


@pytest.mark.parametrize(
    ("more", "waits"),
    [
        ("", {COPY: 2, READ: 2}),
        (QUICK, {READ: 2}),
        (CHECK, {COPY: 2}),
        (QUICK + CHECK, {}),
        (QUICK + CHECK + ", dataloader_pin_memory=False", {COPY: 2}),
    ],
)
def test_the_trainer_of_transformers_waits_for_what_its_arguments_ask_for(
    more: str, waits: dict[str, int], tmp_path: Path
) -> None:
    report = traced(TRANSFORMERS.format(more=more), tmp_path)
    assert report.steps == 5
    assert in_each_step(report) == waits
    assert {judged.finding.mechanism for judged in report.findings} == set(waits)
    assert all(judged.status is Status.CONFIRMED for judged in report.findings)
    assert report.missed == ()


@pytest.mark.parametrize(
    ("shown", "given", "more", "waits"),
    [
        (True, LOADER, "", {COPY: 2, READ: 1}),
        (False, "datamodule=Data()", "", {COPY: 2}),
        (True, "datamodule=Data()", ", pin_memory=True", {READ: 1}),
        (False, LOADER, ", pin_memory=True", {}),
    ],
)
def test_the_trainer_of_lightning_waits_for_what_its_loader_and_module_ask_for(
    shown: bool, given: str, more: str, waits: dict[str, int], tmp_path: Path
) -> None:
    report = traced(LIGHTNING.format(shown=shown, given=given.format(more=more), more=more, half=""), tmp_path)
    assert report.steps == 5
    assert in_each_step(report) == waits
    # The loader of the class stands there in any case.
    reached = [judged for judged in report.findings if judged.status is not Status.NOT_REACHED]
    found = {judged.finding.mechanism: judged for judged in reached if judged.finding.mechanism in (COPY, READ)}
    assert set(found) == set(waits)
    assert {mechanism: round(judged.per_step) for mechanism, judged in found.items()} == waits
    # Of copies from pageable memory the driver decides whether they wait.
    assert all(judged.status in (Status.CONFIRMED, Status.UNDECIDED) for judged in found.values())
    assert READ not in found or found[READ].status is Status.CONFIRMED
    assert report.missed == ()


def test_lightning_waits_in_half_precision_for_what_decides_whether_its_scaler_steps(tmp_path: Path) -> None:
    given = LOADER.format(more=", pin_memory=True")
    half = ', precision="16-mixed"'
    report = traced(LIGHTNING.format(shown=False, given=given, more=", pin_memory=True", half=half), tmp_path)
    (found,) = (judged for judged in report.findings if judged.status is not Status.NOT_REACHED)
    assert (found.finding.code, found.status) == ("SYN510", Status.CONFIRMED)
    assert round(found.per_step) == 1
    assert report.missed == ()
