"""No order of definitions, files or arguments, no name of a file and no number of processes changes what is found."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reordering import renamed, reordered

from synclint.analysis.results.facts import FunctionFacts
from synclint.analysis.results.observations import Observations, joined
from synclint.config import Options
from synclint.findings import Confidence, Phase
from synclint.report.json import json_report
from synclint.running import shares
from synclint.running.runner import check_files

EVERYTHING = Options(runs=tuple(Phase), min_confidence=Confidence.LOW)
HEAD = "import torch\n\n"


def plant(files: Mapping[str, str], folder: Path) -> list[Path]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in files]


def found(
    files: Mapping[str, str],
    folder: Path,
    names: Mapping[str, str] | None = None,
    lines: Mapping[str, tuple[int, ...]] | None = None,
    *,
    order: Random | None = None,
    jobs: int = 1,
) -> list[str]:
    """All that is reported of some files, by the names and lines that these had before they were rewritten."""
    paths = plant(files, folder)
    if order is not None:
        order.shuffle(paths)
    reports = check_files(paths, [folder], EVERYTHING, jobs).reports
    before = Before(folder, names or {}, lines or {})
    return sorted(
        json.dumps(before.of(finding, ""))
        for report in reports
        for finding in json.loads(json_report([report], folder))
    )


@dataclass(frozen=True)
class Before:
    """Puts reports back to the names and the lines from before."""

    folder: Path
    names: Mapping[str, str]
    lines: Mapping[str, tuple[int, ...]]

    def of(self, value: object, file: str) -> object:
        """A part of a report, which speaks of ``file`` unless it names another one."""
        if isinstance(value, str):
            return re.sub(rf"{re.escape(str(self.folder))}/([^:\s]+\.py):(\d+)", self._place, value)
        if isinstance(value, list):
            return [self.of(one, file) for one in value]
        if not isinstance(value, dict):
            return value
        if "filename" in value:
            name = str(Path(value["filename"]).relative_to(self.folder))
            file = self.names.get(name, name)
        return {key: self._entry(key, one, file) for key, one in value.items() if key not in PLACED}

    def _entry(self, key: str, value: object, file: str) -> object:
        if key == "filename":
            return file
        return self._line(file, value) if key == "row" and isinstance(value, int) else self.of(value, file)

    def _place(self, found: re.Match[str]) -> str:
        file = self.names.get(found[1], found[1])
        return f"{file}:{self._line(file, int(found[2]))}"

    def _line(self, file: str, line: int) -> int:
        return self.lines[file][line - 1] if self.lines else line


# What holds names or lines within: the names of groups, and the order in which people are told.
PLACED = frozenset({"group", "priority"})


def where(found: Iterable[str]) -> list[tuple[str, int]]:
    """The files and lines of what has been found."""
    return [(one["filename"], one["location"]["row"]) for one in map(json.loads, found)]


WRITER = """\
class Holder:
    def fill(self, x):
        self.mask = x > 0

"""
READER = """\
def read(holder: Holder):
    if holder.mask.any():
        return 1

"""
OUTSIDE = """\
def write(holder: Holder, x: torch.Tensor):
    holder.limit = x.max()

"""
LATER = """\
class Reader:
    def __init__(self, holder: Holder):
        self.holder = holder

    def step(self):
        return self.helper()

    def helper(self):
        return float(self.holder.limit)

"""


@pytest.mark.parametrize("order", list(permutations((READER, OUTSIDE, LATER))))
def test_a_reader_may_stand_before_the_writer(order: tuple[str, ...], tmp_path: Path) -> None:
    source = HEAD + WRITER + "".join(order)
    waits = {line for line, text in enumerate(source.splitlines(), 1) if "holder.limit)" in text}
    assert {line for _, line in where(found({"m.py": source}, tmp_path))} >= waits


@pytest.mark.parametrize("reader", ["a_reader.py", "z_reader.py"])
def test_the_name_of_the_readers_file_decides_nothing(reader: str, tmp_path: Path) -> None:
    files = {
        "holder.py": HEAD + WRITER,
        "middle.py": f"{HEAD}from holder import Holder\n\n{OUTSIDE}",
        reader: f"{HEAD}from holder import Holder\n\n{LATER}",
    }
    assert [file for file, _ in where(found(files, tmp_path))] == [reader]


RECURSIVE = """\
class Node:
    def left(self, x, depth):
        if depth > 0:
            return self.right(x, depth - 1)
        return self.leaf(x)

    def right(self, x, depth):
        if depth > 3:
            return self.left(x, depth - 1)
        return self.left(x.abs(), depth - 2)

    def leaf(self, x):
        return x.sum()

    def forward(self, x: torch.Tensor):
        if self.left(x, 8) > 0:
            return x

"""


def test_functions_that_call_each_other_have_a_result(tmp_path: Path) -> None:
    source = HEAD + RECURSIVE
    (waiting,) = (line for line, text in enumerate(source.splitlines(), 1) if "if self.left" in text)
    assert waiting in {line for _, line in where(found({"m.py": source}, tmp_path))}


@st.composite
def projects(draw: st.DrawFn) -> dict[str, str]:
    """Files with classes that hand one another's attributes on, and functions that read them."""
    count = draw(st.integers(2, 5))
    files = {"source.py": HEAD + "class C0:\n    def fill(self, x: torch.Tensor):\n        self.v = x.sum()\n"}
    for number in range(1, count):
        other = draw(st.integers(0, number - 1))
        home = "source" if other == 0 else f"part{other}"
        how = draw(st.sampled_from(["held.v", "held.v + 1", "held.get()", "held.v if x else None"]))
        body = (
            f"from {home} import C{other}\n\n"
            f"class C{number}:\n"
            f"    def take(self, held: C{other}, x=1):\n        self.v = {how}\n\n"
            f"    def ask(self):\n        return 1 if self.v > 0 else 2\n\n"
            f"    def get(self):\n        return self.v\n"
        )
        if other == 0:
            body = body.replace("held.get()", "held.v")
        files[f"part{number}.py"] = HEAD + body
    return files


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(projects(), st.randoms(use_true_random=False))
def test_no_order_decides_in_generated_projects(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, str], random: Random
) -> None:
    expected = found(files, tmp_path_factory.mktemp("one"))
    assert rewritten(files, tmp_path_factory.mktemp("two"), random) == expected
    assert len({file for file, _ in where(expected)}) == len(files) - 1


CROWDED = """\
class Gauge:
    def __init__(self, value=None):
        self.value = value

    def read(self, other):
        return self.value if other is None else other

def scaled(x, factor=1):
    if factor:
        return helper(x)
    return x

def helper(x):
    if isinstance(x, list):
        return x[0]
    return x if x is not None else torch.zeros(2, device="cuda").sum()

"""
GIVEN = (
    "x.sum()", "x.cpu()", "[x.mean(), 1]", "[1.5, x]", "None", "3", "True", "'text'", "{'a': x}", "(x, x)", "x > 0",
    "x.long()", "[None]", "Gauge(x)", "[[x]]", "x.shape", "torch.tensor(2)", "x.max() if x else 1",
)  # fmt: skip


@st.composite
def crowded_projects(draw: st.DrawFn) -> dict[str, str]:
    """Files that call the same helpers in many more ways than are told apart, and with the same names."""
    files = {"shared.py": HEAD + CROWDED}
    for number in range(draw(st.integers(3, 5))):
        given_here = draw(st.lists(st.sampled_from(GIVEN), min_size=3, max_size=6))
        calls = draw(st.lists(st.sampled_from(["scaled", "helper", "Gauge().read"]), min_size=6, max_size=6))
        functions = "".join(
            f"def use_{place}_{number % 2}(x: torch.Tensor, n: int = {number}):\n"
            f"    for i in range(n):\n        if {call}({given}):\n            return x\n\n"
            for place, (given, call) in enumerate(zip(given_here, calls, strict=False))
        )
        files[f"user{number}.py"] = f"{HEAD}from shared import Gauge, helper, scaled\n\n{functions}"
    return files


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(crowded_projects(), st.randoms(use_true_random=False))
def test_no_order_decides_which_calls_are_told_apart(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, str], random: Random
) -> None:
    expected = found(files, tmp_path_factory.mktemp("one"))
    assert rewritten(files, tmp_path_factory.mktemp("two"), random) == expected


def rewritten(
    files: Mapping[str, str], folder: Path, random: Random, telling: str = r"(?!)", jobs: int = 1
) -> list[str]:
    """The findings when definitions, arguments and names of files come in another order.

    Files whose names match ``telling`` keep them, since these are evidence: that of a test says that it is one.
    """
    others = {name: reordered(text, random) for name, text in files.items()}
    stems = sorted({Path(name).stem for name in files} - {"__init__"})
    stems = [stem for stem in stems if re.match(telling, stem) is None]
    letters = random.sample("abcdefghijklmnopqrstuvwxyz", min(len(stems), 26))
    names = {stem: f"{letters[index % len(letters)]}{index}_{stem}" for index, stem in enumerate(stems)}
    sources = renamed({name: other.source for name, other in others.items()}, names)
    before = dict(zip(sources, files, strict=True))
    lines = {name: other.lines_before for name, other in others.items()}
    return found(sources, folder, before, lines, order=random, jobs=jobs)


def package(name: str) -> dict[str, str]:
    """The sources of an installed package, below the name of its folder."""
    spec = importlib.util.find_spec(name.partition(".")[0])
    assert spec is not None and spec.origin is not None
    root = Path(spec.origin).parent.joinpath(*name.split(".")[1:])
    paths = sorted(root.rglob("*.py"))
    return {f"{root.name}/{path.relative_to(root)}": path.read_text(encoding="utf-8") for path in paths}


# Whole packages, and the names of files that say something of what is in them.
PACKAGES = {"torchmetrics": ".*metric$", "accelerate": "test", "torch.optim": "optimizer$"}


@pytest.mark.parametrize("name", PACKAGES)
def test_no_order_and_no_name_decides_in_real_packages(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = package(name)
    monkeypatch.setattr(shares, "SHARE_BYTES", sum(map(len, files.values())) // 3)
    expected = found(files, tmp_path / "one")
    assert len(expected) > 100
    assert rewritten(files, tmp_path / "two", Random(1), PACKAGES[name], jobs=2) == expected


@pytest.mark.parametrize("backwards", [False, True])
def test_what_only_one_share_knows_of_a_function_counts(backwards: bool) -> None:
    shown = [
        Observations(functions={"f": FunctionFacts("f", **known)})
        for known in ({}, {"captured": "a CUDA graph"}, {"on_host": True})
    ]
    together = joined(shown[::-1] if backwards else shown)
    assert together.functions["f"] == FunctionFacts("f", captured="a CUDA graph", on_host=True)


def bytes_reported(paths: Iterable[Path], folder: Path, jobs: int) -> bytes:
    """The report of some files as it is printed, which is in the order of their paths."""
    reports = {report.path: report for report in check_files(list(paths), [folder], EVERYTHING, jobs).reports}
    return json_report([reports[path] for path in sorted(reports)], folder).encode()


def assert_alike_in_any_order_and_number_of_processes(files: Mapping[str, str], folder: Path, random: Random) -> None:
    paths = plant(files, folder)
    expected = bytes_reported(sorted(paths), folder, 1)
    assert expected.count(b"\n") >= 2
    for jobs in (1, 2, 3):
        random.shuffle(paths)
        assert bytes_reported(paths, folder, jobs) == expected


@pytest.mark.parametrize("name", ["torchmetrics.functional", "torch.optim"])
def test_no_order_of_arguments_and_no_number_of_processes_changes_a_byte(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = package(name)
    monkeypatch.setattr(shares, "SHARE_BYTES", sum(map(len, files.values())) // 3)
    assert_alike_in_any_order_and_number_of_processes(files, tmp_path, Random(name))


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(projects(), st.randoms(use_true_random=False))
def test_of_generated_projects_neither(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, str], random: Random
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shares, "SHARE_BYTES", 2_000)
        assert_alike_in_any_order_and_number_of_processes(files, tmp_path_factory.mktemp("any"), random)
