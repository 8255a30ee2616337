"""What a message says about the expression it names: only what has been concluded of that very expression."""

from __future__ import annotations

from pathlib import Path

import pytest

from synclint.config import Options
from synclint.findings import Confidence
from synclint.running.runner import check_text

SAID = {
    "torch.tensor(1.0, device=x.device)": None,
    "torch.tensor([1.0, number], device=x.device)": None,
    "torch.as_tensor(number, device=x.device)": "`number` is a Python float",
    "torch.as_tensor(either, device=x.device)": "`either` is a tensor or a Python float",
    "torch.tensor([x.sum(), 1.0])": "`[x.sum(), 1.0]` is a list with tensors in it",
    "float(x.sum())": "`x.sum()` is a 0-dim tensor on the device",
    "torch.linalg.inv(x)": "`x` is a tensor on the device",
    "x.nonzero()": "`x` is a tensor on the device",
    "x[[0, number_of_rows]]": None,
    "x[rows]": "`rows` is a list",
    "x[torch.arange(3)]": "`torch.arange(3)` is an integer tensor on the CPU",
    "x in [x]": "`x` is a tensor on the device",
    "number in x": "`x` is a tensor on the device",
    "torch.cuda.synchronize()": None,
    "torch.utils.data.DataLoader(range(8)).dataset": "`range(8)` is an instance of range",
    "torch.distributions.Normal(x, x, validate_args=checked)": None,
    "rows if x.sum() and number else x": "`x.sum()` is a 0-dim tensor on the device",
    "torch.cuda.FloatTensor(rows)": "`rows` is a list",
    "torch.nn.Parameter(torch.ones(1)).to(place)": (
        "`torch.nn.Parameter(torch.ones(1))` is a tensor that may be on the CPU"
    ),
}


@pytest.mark.parametrize("expression", SAID)
def test_a_message_tells_of_the_expression_that_it_names(expression: str) -> None:
    source = f"""\
import torch
from torch import Tensor


def f(number: float, either: float | Tensor, rows: list[int], number_of_rows: int, place: torch.device, checked=None):
    x = torch.ones(4, 4, device="cuda")
    return {expression}
"""
    report = check_text(source, Path("a.py"), (), Options(min_confidence=Confidence.LOW))
    (finding,) = report.findings
    assert finding.span.start.line == 7
    _, separator, told = finding.message.partition(": ")
    assert (told if separator else None) == SAID[expression]


@pytest.mark.parametrize("test", ["x.is_cuda", "not x.is_cpu", "x.device.type == 'cuda'"])
@pytest.mark.parametrize(
    ("made", "place"), [("x = given", ""), ("x = given.cuda() if flag else given.cpu()", " on the device")]
)
def test_that_a_place_is_tested_says_of_what_may_be_anywhere_not_that_it_is_there(
    test: str, made: str, place: str
) -> None:
    source = f"""\
import torch


def f(given: torch.Tensor, flag: bool):
    {made}
    if {test}:
        return x.tolist()
    return []
"""
    report = check_text(source, Path("a.py"), (), Options(min_confidence=Confidence.LOW))
    (finding,) = (one for one in report.findings if one.code == "SYN202")
    assert finding.message.partition(": ")[2] == f"`x` is a tensor{place}"


CONDITIONS = {
    "x.any() or number is None": ["x.any()"],
    "number is None or x.any()": ["x.any()"],
    "x.any() and number and x.all()": ["x.any()", "x.all()"],
    "number and x.any() and number > 1": ["x.any()"],
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_each_operand_is_asked_for_its_truth_once(condition: str) -> None:
    source = f"""\
import torch


def f(number):
    x = torch.ones(4, 4, device="cuda")
    if {condition}:
        return x
"""
    report = check_text(source, Path("a.py"), (), Options())
    line = source.splitlines()[5]
    asked = [line[finding.span.start.column - 1 : finding.span.end.column - 1] for finding in report.findings]
    assert asked == CONDITIONS[condition]
