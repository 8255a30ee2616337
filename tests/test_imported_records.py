"""What the fields of records hold that are defined, and made, in a file that is only imported."""

from __future__ import annotations

from pathlib import Path

from synclint.config import Options
from synclint.running.runner import check_files

PLANS = """
from dataclasses import dataclass

import torch


@dataclass
class Plan:
    lengths: torch.Tensor
    mask: torch.Tensor


def plan(x: torch.Tensor) -> Plan:
    return Plan(lengths=torch.tensor([1, 2]), mask=x > 0)
"""
USES = """
import torch

from plans import Plan


def read(plan: Plan, x: torch.Tensor) -> torch.Tensor:
    plan.lengths.max().item()
    return x[plan.mask]
"""


def test_who_makes_a_record_in_its_own_file_tells_what_its_fields_hold(tmp_path: Path) -> None:
    (tmp_path / "plans.py").write_text(PLANS)
    uses = tmp_path / "uses.py"
    uses.write_text(USES)
    (report,) = check_files([uses], [tmp_path], Options(), 1).reports
    assert [(finding.code, finding.span.start.line) for finding in report.findings] == [("SYN103", 9)]
