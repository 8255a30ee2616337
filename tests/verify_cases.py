"""Rule folders for tests to verify: what a rule must look like, and everything that can be wrong with it."""

from __future__ import annotations

from pathlib import Path

from synclint.verify.cases import Case, load_rule_case

INPUTS = """\
import os
import sys
import time

import torch


def inputs(device):
    return {"total": (torch.randn(4, 4, device=device),)}


"""

WAITING = "def total(x):\n    positive = x > 0\n    return x[positive].sum()  # sync: SYN901\n"
FREE = "import torch\n\n\ndef total(x):\n    return torch.where(x > 0, x, 0.0).sum()\n"


def rule_case(home: Path, hazard: str = WAITING, twin: str = FREE, rule: str = "") -> Case:
    """A rule whose hazard reads with a boolean mask and whose twin keeps the shape, unless told otherwise."""
    folder = home / "SYN901-example"
    folder.mkdir(exist_ok=True)
    (folder / "rule.toml").write_text(f'code = "SYN901"\nname = "example"\n{rule}', encoding="utf-8")
    (folder / "hazard.py").write_text(INPUTS + hazard, encoding="utf-8")
    (folder / "sync_free.py").write_text(twin, encoding="utf-8")
    case = load_rule_case(folder)
    assert isinstance(case, Case)
    return case
