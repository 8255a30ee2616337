"""What runs only on GPUs of another kind says so, and comes after what runs on those that most programs run on."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import Synclint

PROGRAM = """\
import torch
from platforms import is_hip, platform

_is_hip = is_hip()
ON_AMD = torch.version.hip is not None


def fit(model, loader, optimizer, _is_cuda):
    for batch in loader:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if _is_hip and batch.is_contiguous():
            print("name", loss.item())
        if ON_AMD:
            print("version", loss.item())
        elif platform.is_rocm():
            print("method", loss.item())
        if not platform.is_cuda():
            print("elsewhere", loss.item())
        if platform.is_cuda():
            print("here", loss.item())
        if not _is_hip:
            print("not there", loss.item())
        if platform.is_npu():
            print("never", loss.item())
"""


def test_what_runs_only_on_gpus_of_another_kind_comes_later(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    rows = json.loads(run("train.py", "--output-format", "json").out)
    lines = PROGRAM.splitlines()
    reasons = {lines[row["location"]["row"] - 1].split('"')[1]: row["context"]["reason"] for row in rows}
    assert {word: reason.partition(", only where ")[2] for word, reason in reasons.items()} == {
        "name": "`is_hip` is set",
        "version": "`is_hip` is set",
        "method": "`is_rocm` is set",
        "elsewhere": "`is_cuda=False` is set",
        "here": "",
        "not there": "",
    }
