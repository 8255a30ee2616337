"""What runs only where somebody has set a variable of the environment says so, and comes after what runs by default."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
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


STEPS = """\
import torch

{imports}


def fit(model, loader, optimizer):
    for batch in loader:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if {off}:
            print("off", loss.item())
        if not {off}:
            print("not off", loss.item())
        if {on}:
            print("on", loss.item())
"""
BY_FUNCTION = """\
import os


def read_env(name: str, kind, default):
    value = os.environ.get(name, None)
    if value is None:
        return default
    try:
        return kind(value)
    except ValueError:
        return default


def get_bool_env(name: str, default: str = "false") -> bool:
    value = os.getenv(name, default).lower()
    truths = ("true", "1")
    if value not in truths and value != "false":
        print(value)
    return value in truths


DUMPS_FROM_ENV = read_env("DUMPS", int, 0)
"""
BY_OBJECT = """\
import os


class Variable:
    def __init__(self, default):
        self.default = default
        self.is_kept = False

    def __set_name__(self, owner, name):
        self.name = name

    def usual(flag):
        return flag.default() if callable(flag.default) else flag.default

    def get(self):
        value = os.getenv(self.name)
        if self.is_kept:
            return None
        if value is None:
            return self.usual()
        return self.parse(value)


class Flag(Variable):
    def parse(self, value):
        return value == "1"


class Variables:
    DUMPS = Flag(False)
    FAST = Flag(True)


envs = Variables()
"""
BY_MODULE = """\
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    DUMPS: bool = False
    FAST: bool = True

read = {
    "DUMPS": lambda: bool(int(os.getenv("DUMPS", "0"))),
    "FAST": lambda: os.getenv("FAST", "1") == "1",
}


def __getattr__(name: str):
    return read[name]()
"""


@pytest.mark.parametrize(
    ("settings", "imports", "off", "on"),
    [
        (BY_FUNCTION, "from settings import get_bool_env", 'get_bool_env("DUMPS")', 'get_bool_env("FAST", "true")'),
        (BY_FUNCTION, f"import os\n\n{BY_FUNCTION}", "DUMPS_FROM_ENV > 1", "DUMPS_FROM_ENV <= 1"),
        (BY_OBJECT, "from settings import envs", "envs.DUMPS.get()", "envs.FAST.get()"),
        (BY_MODULE, "import settings as envs", "envs.DUMPS", "envs.FAST"),
    ],
    ids=["helper", "constant", "object", "module"],
)
def test_what_a_project_reads_variables_with_tells_what_they_are_unless_somebody_sets_them(
    run: Synclint, tmp_path: Path, settings: str, imports: str, off: str, on: str
) -> None:
    (tmp_path / "settings.py").write_text(settings)
    program = STEPS.format(imports=imports, off=off, on=on)
    (tmp_path / "train.py").write_text(program)
    lines = program.splitlines()
    rows = json.loads(run("train.py", "settings.py", "--output-format", "json").out)
    said = {lines[row["location"]["row"] - 1].split('"')[1]: row["context"]["reason"] for row in rows}
    options = {word: reason.partition(", only where ")[2] for word, reason in said.items()}
    assert options == {"off": "`DUMPS` is set", "not off": "", "on": ""}
