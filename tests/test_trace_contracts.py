"""Contracts while a program runs: a traced wait says which of them it breaks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from test_trace_program import ENVIRONMENT

from synclint.trace.declared import DeclaredFunctions
from synclint.trace.own_regions import OwnRegions
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


def test_what_waits_in_a_region_of_the_projects_own_is_within_no_contract(tmp_path: Path) -> None:
    package = tmp_path / "ours"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "debug.py").write_text("def allowed():\n    with allowed():\n        pass\n")
    (package / "used.py").write_text(
        "import ours.debug\nfrom .debug import allowed as may\nfrom . import debug\nfrom other import allowed\n\n\n"
        "# synclint: sync-free\ndef step():\n    with may():\n        part()\n    with open('f'), debug.allowed():\n"
        "        part()\n    with allowed():\n        part()\n    with ours.debug.allowed():\n        part()\n"
        "    with allowed() if step else may():\n        part()\n"
    )
    (tmp_path / "synclint.toml").write_text('allowed-regions = ["ours.debug.allowed"]\n')
    around = DeclaredFunctions(tmp_path).around
    used = str(package / "used.py")
    within = {line: around([CodeLine(used, line, "step"), CodeLine("part.py", 1)]) for line in (9, 10, 12, 14, 16, 18)}
    assert within == {9: "step", 10: "", 12: "", 14: "step", 16: "", 18: ""}
    assert OwnRegions(tmp_path).accept([CodeLine(str(package / "debug.py"), 3, "allowed")])
