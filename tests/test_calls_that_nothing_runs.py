"""Calls in code that nothing leads to say nothing of how often code runs that a program calls as well."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import Synclint

SHARED = """\
import torch


def shown(x):
    return torch.rand(3).to(x.device)
"""
TRAIN = """\
import torch

from shared import shown


def main(model, optimizer, loader):
    for i, batch in enumerate(loader):
        loss = model(batch.cuda()).sum()
        loss.backward()
        optimizer.step()
        if i % 100 == 0:
            shown(loss)


if __name__ == "__main__":
    main(*given())
"""
LEFT = """\
import torch

from shared import shown


def left(model, x):
    with torch.no_grad():
        for _ in range(1000):
            x = model(x, shown(x))
    return x
"""


def phase_of_upload(run: Synclint, tmp_path: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    rows = json.loads(run(".", "--runs", "all", "--output-format", "json").out)
    return str(next(row["context"]["runs"] for row in rows if row["filename"].endswith("shared.py")))


def test_a_call_that_nothing_leads_to_makes_no_step_of_what_runs_at_intervals(run: Synclint, tmp_path: Path) -> None:
    files = {"shared.py": SHARED, "train.py": TRAIN, "left.py": LEFT}
    assert phase_of_upload(run, tmp_path, files) == "interval"


def test_the_same_call_in_code_that_runs_makes_a_step_of_it(run: Synclint, tmp_path: Path) -> None:
    used = f"{LEFT}\n\nif __name__ == '__main__':\n    left(*given())\n"
    files = {"shared.py": SHARED, "train.py": TRAIN, "left.py": used}
    assert phase_of_upload(run, tmp_path, files) == "step"
