"""Calls in code that nothing leads to say nothing of how often code runs that a program calls as well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
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


OFFERED = """\
import torch


def distance(left: torch.Tensor, kept: torch.Tensor | None = None) -> torch.Tensor:
    if kept is not None:
        left = left[kept > 0]
    return left.mean()


def fit(net: torch.nn.Module, images: torch.Tensor) -> torch.Tensor:
    return distance(net(images))
"""
LEARN = """\
import torch
from parts import fit


def main(net, solver, loader):
    for batch in loader:
        fit(net, batch).backward()
        solver.step()


if __name__ == "__main__":
    main(*given())
"""


@pytest.mark.parametrize(("beside", "phase"), [({}, "step"), ({"learn.py": LEARN}, "unreached")])
def test_what_no_call_of_a_project_that_trains_asks_for_is_not_run_though_others_may_call(
    run: Synclint, tmp_path: Path, beside: dict[str, str], phase: str
) -> None:
    (tmp_path / "parts").mkdir()
    files = {"parts/__init__.py": "from parts.measures import distance, fit\n", "parts/measures.py": OFFERED, **beside}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    rows = json.loads(run(".", "--runs", "all", "--output-format", "json").out)
    found = {row["context"]["runs"] for row in rows if row["filename"].endswith("measures.py")}
    assert found == {phase}
