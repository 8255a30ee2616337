"""libcst is asked only about statements that it may change: importing it takes longer than reading a small file."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Synclint

from synclint.fixes import transformations

# What nothing can be written for, as the tree alone tells.
UNCHANGED = {
    "a list is made longer": "seen += [(x * x).mean().item()]",
    "a sum stands in a table": 'seen["x"] += x.mean().item()',
    "something else is given": "if x.mean() > 0:\n            y = torch.zeros(2)",
    "an item is given": "if torch.isnan(x.mean()):\n            table[0] = torch.zeros(2)",
    "two names are given": "if x.mean() > 0:\n            y = x\n        else:\n            z = x",
    "pairs are compared": "y = max((one, at) for at, one in enumerate(x))",
    "nothing was repeated": "n = x.sum()\n        y = torch.arange(n)",
    "it is read in some rounds": "for n in range(9):\n            if n > step:\n                print(x.mean().item())",
}
PROGRAM = """\
import torch


def train(model, optimizer, loader, table, device):
    seen, step, y, z = [], 0, None, None
    for x in loader:
        x = x.to(device)
        model(x).sum().backward()
        optimizer.step()
        {}
    return seen, y, z
"""


@pytest.mark.parametrize("statement", UNCHANGED.values(), ids=UNCHANGED.keys())
def test_nothing_is_read_that_cannot_be_changed(
    statement: str, run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(transformations, "fix_within", lambda place, *_: asked.append(place.finding.code))
    (tmp_path / "train.py").write_text(PROGRAM.format(statement))
    assert '"code": "SYN' in run("check", "--output-format", "json", str(tmp_path / "train.py")).out
    assert asked == []
