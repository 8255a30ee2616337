"""No order of definitions, files or arguments, no name of a file and no number of processes changes what is found."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reordering import renamed, reordered

from synclint.config import Options
from synclint.findings import Confidence, Finding, Phase
from synclint.running.runner import check_files

EVERYTHING = Options(runs=tuple(Phase), min_confidence=Confidence.LOW)
HEAD = "import torch\n\n"


def plant(files: Mapping[str, str], folder: Path) -> list[Path]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in files]


def shown(finding: Finding, file: str, line: int) -> tuple[object, ...]:
    """A finding but for its place; of the calls that lead there how many, since of equals one is shown by its name."""
    context = finding.context
    return (
        file, line, finding.span.start.column, finding.code, finding.message, finding.confidence.value,
        context.runs.value, len(context.path), len(context.times),
    )  # fmt: skip


def found(
    files: Mapping[str, str],
    folder: Path,
    names: Mapping[str, str] | None = None,
    lines: Mapping[str, tuple[int, ...]] | None = None,
    *,
    order: Random | None = None,
    jobs: int = 1,
) -> list[tuple[object, ...]]:
    """The findings in some files, by the names and lines that these had before they were rewritten."""
    paths = plant(files, folder)
    if order is not None:
        order.shuffle(paths)
    reports = check_files(paths, [folder], EVERYTHING, jobs).reports
    everything: list[tuple[object, ...]] = []
    for report in reports:
        name = str(report.path.relative_to(folder))
        before = (names or {}).get(name, name)
        for finding in (*report.findings, *report.unshown, *report.unsure):
            line = finding.span.start.line
            everything.append(shown(finding, before, lines[before][line - 1] if lines else line))
    return sorted(everything, key=repr)


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
    assert {where[1] for where in found({"m.py": source}, tmp_path)} >= waits


@pytest.mark.parametrize("reader", ["a_reader.py", "z_reader.py"])
def test_the_name_of_the_readers_file_decides_nothing(reader: str, tmp_path: Path) -> None:
    files = {
        "holder.py": HEAD + WRITER,
        "middle.py": f"{HEAD}from holder import Holder\n\n{OUTSIDE}",
        reader: f"{HEAD}from holder import Holder\n\n{LATER}",
    }
    assert [where[0] for where in found(files, tmp_path)] == [reader]


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
    assert waiting in {where[1] for where in found({"m.py": source}, tmp_path)}


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
    assert len({where[0] for where in expected}) == len(files) - 1


def rewritten(
    files: Mapping[str, str], folder: Path, random: Random, keep: Iterable[str] = ()
) -> list[tuple[object, ...]]:
    """The findings when definitions, arguments and names of files come in another order."""
    others = {name: reordered(text, random) for name, text in files.items()}
    stems = sorted({Path(name).stem for name in files} - {"__init__", *keep})
    letters = random.sample("abcdefghijklmnopqrstuvwxyz", min(len(stems), 26))
    names = {stem: f"{letters[index % len(letters)]}{index}_{stem}" for index, stem in enumerate(stems)}
    sources = renamed({name: other.source for name, other in others.items()}, names)
    before = dict(zip(sources, files, strict=True))
    lines = {name: other.lines_before for name, other in others.items()}
    return found(sources, folder, before, lines, order=random)


def package(name: str) -> dict[str, str]:
    """The sources of an installed package, below the name of its folder."""
    spec = importlib.util.find_spec(name.partition(".")[0])
    assert spec is not None and spec.origin is not None
    root = Path(spec.origin).parent.joinpath(*name.split(".")[1:])
    paths = sorted(root.rglob("*.py"))
    return {f"{root.name}/{path.relative_to(root)}": path.read_text(encoding="utf-8") for path in paths}


@pytest.mark.parametrize("name", ["torchmetrics.retrieval", "torch.optim"])
def test_no_order_decides_in_real_packages(name: str, tmp_path: Path) -> None:
    files = package(name)
    expected = found(files, tmp_path / "one")
    assert len(expected) > 10
    assert rewritten(files, tmp_path / "two", Random(1), keep=("optimizer",)) == expected


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    files = package("torchmetrics.retrieval")
    one = found(files, tmp_path, jobs=1)
    assert found(files, tmp_path, jobs=2) == one
