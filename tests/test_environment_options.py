"""What runs only where somebody has set a variable of the environment says so, and comes after what runs by default."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import Synclint

PROGRAM = """\
import os

import torch

SHOWS = int(os.environ.get("SHOW_GRADIENTS", "0"))
RANK = int(os.environ.get("RANK", "0"))
given = os.environ.get("GIVEN")
given = given or "yes"


def fit(model, loader, optimizer):
    folder = os.getenv("DUMP_FOLDER")
    for batch in loader:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if folder is not None:
            print("dumped", loss.item())
        if SHOWS > 0 and abs(loss.mean("shown", 0).item()) > 3:
            print("above", loss.item())
        if "CHECK" in os.environ or os.getenv("CHECK_ALL"):
            print("checked", loss.item())
        if os.environ.get("MODE", "fast").lower() != "fast":
            print("slow", loss.item())
        if os.environ.get("MODE", "fast").lower() == "fast":
            print("fast", loss.item())
        if RANK == 0:
            print("rank", loss.item())
        if os.environ.get(loader.name) or given:
            print("unknown", loss.item())
        if os.environ.get("MODE", loader.name) == "fast":
            print("by name", loss.item())
"""


def test_variables_that_somebody_has_to_set_are_options(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    rows = json.loads(run("train.py", "--output-format", "json").out)
    lines = PROGRAM.splitlines()
    options = {}
    for row in rows:
        line = lines[row["location"]["row"] - 1].strip()
        options[line.partition("(")[2].partition(",")[0]] = row["context"]["reason"].partition(", only where ")[2]
    assert options == {
        '"dumped"': "`DUMP_FOLDER` is set",
        '"above"': "`SHOW_GRADIENTS` is set",
        'loss.mean("shown"': "`SHOW_GRADIENTS` is set",
        '"checked"': "`CHECK` is set",
        '"slow"': "`MODE` is set",
        '"fast"': "",
        '"rank"': "",
        '"unknown"': "",
        '"by name"': "",
    }
    told = [row["context"]["reason"] for row in sorted(rows, key=lambda row: -row["priority"])]
    assert [", only where" in one for one in told] == sorted(", only where" in one for one in told)
