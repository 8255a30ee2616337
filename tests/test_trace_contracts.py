"""Contracts while a program runs: a traced wait says which of them it breaks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from test_trace_program import ENVIRONMENT

from synclint.trace.declared import DeclaredFunctions
from synclint.trace.records import CodeLine

PROGRAM = """\
import json

import torch

import synclint


class Runner:
    @synclint.sync_free
    def step(self, x):
        with synclint.sync_allowed("the answer"):
            x.tolist()
        return part(x)


def part(x):
    return x.sum().item()


with synclint.trace(device="sim", lint=False) as report:
    x = torch.ones(3, device="cuda")
    Runner().step(x)
    x.nonzero()
report.save("made.json")
contracts = {wait["line"]: wait["contract"] for wait in json.load(open("made.json"))["waits"]}
print(json.dumps([contracts, "breaks the contract of `Runner.step`" in str(report)]))
"""


def test_a_traced_wait_names_the_contract_that_it_breaks(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    contracts, is_told = json.loads(ended.stdout)
    assert contracts == {"12": None, "17": "Runner.step", "23": None}
    assert is_told


def test_a_stack_is_within_the_innermost_function_that_is_declared(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("def outer():\n    def inner():  # synclint: sync-free\n        pass\n\n\ndef named():\n    pass\n")
    (tmp_path / "synclint.toml").write_text('sync-free = ["a:named"]\n')
    around = DeclaredFunctions(tmp_path).around
    path = str(file)
    assert around([CodeLine(path, 7, "named"), CodeLine("elsewhere.py", 1)]) == "named"
    assert around([CodeLine(path, 7, "named"), CodeLine(path, 3, "inner")]) == "outer.inner"
    assert around([CodeLine(path, 3, "<lambda>")]) == ""
