"""A wait in code that is captured as a CUDA graph is an error, wherever it stands and whoever calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from synclint.config import Options
from synclint.findings import Finding, Phase, Severity
from synclint.running.runner import check_text

_FUNCTIONS = """\
import torch
from torch import Tensor, nn


def helper(x: Tensor) -> Tensor:
    return torch.nonzero(x)


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.unique(x)


x = torch.zeros(8, device="cuda")
net = Net().cuda()
"""


def found(source: str) -> dict[str, Finding]:
    """The findings that are reported by default, by the codes of their rules."""
    report = check_text(source, Path("train.py"), (), Options())
    return {finding.code: finding for finding in report.findings}


@pytest.mark.parametrize(
    ("capture", "captured"),
    [
        ("with torch.cuda.graph(torch.cuda.CUDAGraph()):\n    net(x)\n", {"SYN102"}),
        ("with torch.cuda.graph(torch.cuda.CUDAGraph()):\n    helper(x)\n", {"SYN101"}),
        ("graphed = torch.cuda.make_graphed_callables(net, (x,))\n", {"SYN102"}),
        ("graphed = torch.cuda.make_graphed_callables((helper, net), ((x,), (x,)))\n", {"SYN101", "SYN102"}),
        ('fast = torch.compile(helper, mode="reduce-overhead")\n', {"SYN101"}),
        ('fast = torch.compile(net, mode="max-autotune")\n', {"SYN102"}),
        ("fast = torch.compile(net)\n", set()),
        ('fast = torch.compile(net, mode="default")\n', set()),
        ("torch.cuda.CUDAGraph().replay()\n", set()),
    ],
)
def test_what_is_captured_is_an_error(capture: str, captured: set[str]) -> None:
    findings = found(_FUNCTIONS + capture)
    assert {code for code, finding in findings.items() if finding.severity is Severity.ERROR} == captured
    for code in captured:
        assert findings[code].context.captured is not None
        assert "CUDA graph" in findings[code].message


def test_a_decorator_captures_what_it_compiles() -> None:
    source = """\
import torch


@torch.compile(mode="reduce-overhead")
def step(x: torch.Tensor) -> torch.Tensor:
    return torch.nonzero(x)


@torch.compile(fullgraph=True)
def other(x: torch.Tensor) -> torch.Tensor:
    return torch.unique(x)
"""
    findings = found(source)
    assert findings["SYN101"].severity is Severity.ERROR
    assert findings["SYN102"].severity is Severity.WARNING


def test_what_stands_behind_the_capture_is_not_captured() -> None:
    source = f"{_FUNCTIONS}with torch.cuda.graph(torch.cuda.CUDAGraph()):\n    y = x + 1\nprint(y.sum().item())\n"
    report = check_text(source, Path("train.py"), (), Options(cold=True))
    (read,) = [finding for finding in report.findings if finding.code == "SYN201"]
    assert read.context.captured is None


_WARM_UP = """\
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(30):
    net(x).sum().backward()
    optimizer.step()
with torch.cuda.graph(torch.cuda.CUDAGraph()):
    net(x)
"""

_BESIDE = """\
def capture(net: Net, x: Tensor) -> None:
    with torch.cuda.graph(torch.cuda.CUDAGraph()):
        net(x)


def train(net: Net, x: Tensor) -> None:
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(30):
        net(x).sum().backward()
        optimizer.step()


capture(net, x)
train(net, x)
"""


def test_what_is_called_before_it_is_captured_is_captured() -> None:
    assert found(_FUNCTIONS + _WARM_UP)["SYN102"].context.captured is not None


def test_what_is_captured_and_also_called_in_each_step_by_others_runs_in_each_step() -> None:
    wait = found(_FUNCTIONS + _BESIDE)["SYN102"]
    assert (wait.context.captured, wait.context.runs, wait.severity) == (None, Phase.STEP, Severity.WARNING)


_ALTERNATIVES = """\
class Builder:
    def build(self, x: Tensor) -> Tensor:
        return x


class Recordable(Builder):
    def build(self, x: Tensor) -> Tensor:
        return x + 1


class Counting(Builder):
    def build(self, x: Tensor) -> Tensor:
        return torch.nonzero(x)


def chosen(name: str) -> Builder:
    return Recordable() if name == "recordable" else Counting()


def capture(builder: Builder, x: Tensor) -> None:
    with torch.cuda.graph(torch.cuda.CUDAGraph()):
        builder.build(x)


capture(chosen("recordable"), x)
"""


def test_of_several_methods_that_a_captured_call_may_mean_none_is_known_to_be_captured() -> None:
    report = check_text(_FUNCTIONS + _ALTERNATIVES, Path("train.py"), (), Options(cold=True))
    (count,) = [one for one in report.findings if one.code == "SYN101" and one.function == "Counting.build"]
    assert (count.context.captured, count.context.runs) == (None, Phase.ONCE)


def test_what_is_captured_within_a_step_and_called_there_by_others_runs_in_each_step() -> None:
    source = f"""{_FUNCTIONS}
def replayed(net: Net, x: Tensor) -> None:
    with torch.cuda.graph(torch.cuda.CUDAGraph()):
        net(x)


def run(net: Net, x: Tensor) -> None:
    net(x)


optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(30):
    replayed(net, x)
    run(net, x)
    optimizer.step()
"""
    assert found(source)["SYN102"].context.captured is None
