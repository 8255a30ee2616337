"""A project that is held open answers for an edited function at once, and gives what a run over everything gives."""

from __future__ import annotations

import ast
import random
from dataclasses import replace
from pathlib import Path

import pytest
from edited_project import FILES, LOSSES, MODEL, TRAIN, after_typing

import synclint
from synclint.analysis.interpreter import engine
from synclint.analysis.results.expression_facts import AllocationSite, Fact, NodePosition
from synclint.analysis.results.moved_lines import MovedFile, moved
from synclint.analysis.syntax.edited_bodies import edited_bodies
from synclint.analysis.syntax.parsing import parse
from synclint.analysis.syntax.positions import lines_of
from synclint.findings import CallPlace
from synclint.running import shares


@pytest.fixture(params=[2_000_000, 2_500], ids=["one share", "several shares"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shares, "SHARE_BYTES", request.param)
    return tmp_path


def _project() -> synclint.Project:
    """A project that shows all that it finds."""
    return synclint.Project(".", jobs=1, cold=True, min_confidence="low")


def _fresh(texts: dict[str, str]) -> synclint.Project:
    """A project that was never edited, with these texts."""
    project = _project()
    for name, text in texts.items():
        project.change(name, text)
    return project


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("train.py", "    total = loss.detach()\n", "    total = loss.detach()\n    print(total)\n"),
        ("train.py", "            print(loss)\n", "            pass\n"),
        ("model.py", "        largest = y.abs().max()\n", "        largest = y.abs().max().item()\n"),
        ("model.py", "    norms = []\n", "    norms = []\n\n    # how large they are\n"),
        ("losses.py", "    first = x[0]\n", "    first = x[0]\n    first.tolist()\n"),
        ("losses.py", "import torch\n", "import math\nimport torch\n"),
        ("losses.py", "def unused(x):\n", "def unused(x, y=None):\n"),
        ("losses.py", "def unused(x):\n", "MOST = 3\n\n\ndef unused(x):\n"),
        ("losses.py", "def unused(x):\n", "def _added(x):\n    return x + 1\n\n\ndef unused(x):\n"),
        ("train.py", "What is told of a run.", "Args:\n        loss (list): what is told of a run\n"),
    ],
)
def test_an_edit_within_a_function_is_answered_without_analysing_a_share_again(
    folder: Path, name: str, before: str, after: str
) -> None:
    project = _project()
    project.findings()
    analysed = project.shares_analysed
    edited = FILES[name].replace(before, after)
    for text in (edited, FILES[name], edited, f"{edited}# a comment\n", edited):
        project.change(name, text)
        assert project.findings(name) == _fresh({name: text}).findings(name)
    assert project.findings() == _fresh({name: text}).findings()
    assert project.shares_analysed == analysed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("        found = (x - target) ** 2\n", "        found = (x - target).abs().cpu()\n"),
        ("    first = x[0]\n", "    first = (lambda v: v.item())(x[0])\n"),
        ("        return values.mean()\n", "        return values.mean().item()\n"),
    ],
)
def test_after_an_edit_that_tells_others_something_new_its_shares_are_analysed(
    folder: Path, before: str, after: str
) -> None:
    project = _project()
    project.findings()
    analysed = project.shares_analysed
    edited = LOSSES.replace(before, after)
    for text in (edited, LOSSES, f"{edited}# a comment\n"):
        project.change("losses.py", text)
        assert project.findings("losses.py") == _fresh({"losses.py": text}).findings("losses.py")
    assert project.shares_analysed > analysed
    assert project.findings() == _fresh({"losses.py": text}).findings()


def test_an_edited_constructor_is_answered_at_once_where_bases_write_the_attribute_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = "import torch\n\n\nclass Base:\n    def __init__(self):\n        self.kept = torch.ones(2).cuda()\n"
    derived = (
        "from base import Base\n\n\nclass Derived(Base):\n    def __init__(self):\n        super().__init__()\n"
        "        self.kept = 1\n\n    def step(self):\n        return self.kept.item()\n"
    )
    monkeypatch.chdir(tmp_path)
    for name, text in {"base.py": base, "derived.py": derived}.items():
        (tmp_path / name).write_text(text)
    project = _project()
    project.findings()
    analysed = project.shares_analysed
    edited = derived.replace("        self.kept = 1\n", "        self.kept = 1\n        print(2)\n")
    project.change("derived.py", edited)
    assert project.findings() == _fresh({"derived.py": edited}).findings()
    assert project.shares_analysed == analysed


TOLD = """\
import torch


class Net:
    def __init__(self, device):
        print(device)

    def run(self, x: torch.Tensor, hint=None):
        print(x)
        return x.cuda().sum().item()


def use(x: torch.Tensor):
    return Net("cuda").run(x)
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("        print(x)\n", "        if hint is None:\n            print(x)\n"),
        ("        print(device)\n", '        assert device == "cpu"\n'),
    ],
)
def test_an_edit_by_which_callers_or_other_methods_say_something_else_has_shares_analysed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, after: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text(TOLD)
    project = _project()
    project.findings()
    analysed = project.shares_analysed
    edited = TOLD.replace(before, after)
    project.change("net.py", edited)
    assert project.findings() == _fresh({"net.py": edited}).findings()
    assert project.shares_analysed > analysed


MORE = TRAIN.replace("        optimizer.step()\n", "        optimizer.step()\n        print(loss.item())\n")


def test_the_first_edit_of_a_known_file_is_answered_at_once(folder: Path) -> None:
    project = _project()
    assert project.findings_at_once("train.py") is None
    project.findings()
    analysed = project.shares_analysed
    before = project.findings("train.py")
    assert project.shares_analysed == analysed
    project.change("train.py", MORE)
    found = project.findings_at_once("train.py")
    assert found == _fresh({"train.py": MORE}).findings("train.py")
    assert found != before
    assert project.shares_analysed == analysed


def test_an_edit_that_reaches_others_is_answered_at_once_with_what_is_likely(folder: Path) -> None:
    project = _project()
    project.findings()
    text = MORE.replace("    return total.item()\n", "    masked(total, total > 0)\n    return total + 1\n")
    project.change("train.py", text)
    assert project.findings_at_once("train.py") is None
    likely = project.likely_findings("train.py")
    assert likely is not None
    fresh = _fresh({"train.py": text})
    assert {finding.start for finding in likely} >= {finding.start for finding in fresh.findings("train.py")}
    assert project.findings("train.py") == fresh.findings("train.py")


def test_what_an_edit_tells_of_others_reaches_them(folder: Path) -> None:
    project = _project()
    text = TRAIN.replace("    return report(loss)\n", "    total = report(loss)\n    return float(total)\n")
    project.change("train.py", text)
    before = project.findings("train.py")
    # What the function gives is no number any more.
    changed = text.replace("    return total.item()\n", "    return total + 1\n")
    project.change("train.py", changed)
    fresh = _project()
    fresh.change("train.py", changed)
    assert project.findings("train.py") == fresh.findings("train.py")
    assert project.findings("train.py") != before
    changed_model = MODEL.replace("        return y / largest\n", "        return float(y.sum())\n")
    for one in (project, fresh):
        one.change("model.py", changed_model)
    assert project.findings("train.py") == fresh.findings("train.py")
    assert project.findings() == fresh.findings()


def test_an_edit_that_takes_too_much_work_is_reported_as_by_a_new_project(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "MOST_STATEMENTS", 100)
    project = _project()
    project.change("model.py", MODEL.replace("    norms = []\n", "    norms = []\n    _a = 1\n"))
    project.findings("model.py")
    long = MODEL.replace("    norms = []\n", "    norms = []\n" + "    norms = norms + [most]\n" * 200)
    project.change("model.py", long)
    found = project.findings("model.py")
    assert "SYN002" in {finding.code for finding in found}
    assert found == _fresh({"model.py": long}).findings("model.py")


@pytest.mark.parametrize("seed", range(4))
def test_after_any_edits_the_findings_are_those_of_a_new_project(folder: Path, seed: int) -> None:
    chosen = random.Random(seed)
    project = _project()
    project.findings()
    texts: dict[str, str] = {}
    for _ in range(12):
        name = chosen.choice(sorted(FILES))
        texts[name] = after_typing(texts.get(name, FILES[name]), chosen)
        project.change(name, texts[name])
        asked, fresh = chosen.choice(sorted(FILES)), _fresh(texts)
        assert _findings(project, name) == _findings(fresh, name), texts
        assert _findings(project, asked) == _findings(fresh, asked), texts
    assert _findings(project) == _findings(_fresh(texts))


def _findings(project: synclint.Project, name: str | None = None) -> list[synclint.Finding]:
    """What is found, without the evidence: which of several reasons is told may depend on which came first."""
    return [replace(finding, evidence=()) for finding in project.findings(name)]


HANDING_ON = """\
import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, files: list[str]) -> None:
        self.files = files

    def __getitem__(self, index: int):
        return torch.load(self.files[index]), self.files[index].split()


def joined(rows):
    images, counts = [], []
    for image, answers in rows:
        images.append(image)
        counts.append(len(answers))
    return torch.stack(images), counts


def each(items, every: int):
    for item in items:
        yield item


def compare(net: torch.nn.Module) -> None:
    first = net(torch.ones(8, 8, device="cuda"))
    for some in (each(first, 5), each(first.float(), 5), each(first.int(), 5), each(first.bool(), 5)):
        print(list(some))
    for some in (each([first.int()], 5), each([first.float()], 5)):
        print(list(some))


def train(model: torch.nn.Module, files: list[str]) -> None:
    loader = DataLoader(Rows(files), 8, num_workers=2, pin_memory=True, collate_fn=joined)
    for images, counts in each(loader, 10):
        for count in counts:
            print([0] * count)
"""


@pytest.mark.parametrize(
    "after", ["        kept = item\n        yield kept\n", "        item = item\n        yield item\n"]
)
def test_who_goes_through_what_a_generator_is_given_asks_again_when_it_gives_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "each.py").write_text(HANDING_ON)
    edited = HANDING_ON.replace("        yield item\n", after)
    project = _project()
    before = _findings(project)
    project.change("each.py", edited)
    assert _findings(project) == _findings(_fresh({"each.py": edited}))
    project.change("each.py", HANDING_ON)
    assert _findings(project) == before


def test_evidence_in_an_edited_function_is_told_at_its_new_place_elsewhere_too(folder: Path) -> None:
    project = _project()
    project.findings()
    text = LOSSES.replace("        found = (x - target) ** 2\n", "        found = (x - target) ** 2\n        _a = 1\n")
    for edited in (text, text.replace("_a = 1\n", "_a = 1\n        _b = 2\n"), text):
        project.change("losses.py", edited)
        assert project.findings("train.py") == _fresh({"losses.py": edited}).findings("train.py")
    found = "found.mean()"
    line = text[: text.index(found)].count("\n") + 1
    assert any(f"losses.py:{line}" in said for one in project.findings("train.py") for said in one.evidence)


KEPT = """\
import torch


class Meter:
    def __init__(self):
        self.total = torch.zeros((), device="cuda")

    def shown(self):
        note = "mean"
        return note

    def add(self, loss):
        found = loss.detach()
        self.last = found.abs()


def train(model, loader):
    meter = Meter()
    for batch in loader:
        loss = model(batch.cuda()).sum()
        loss.backward()
        meter.add(loss)
        print(meter.shown())
"""


def test_what_an_edited_function_reads_was_concluded_at_its_place_of_today(folder: Path) -> None:
    (folder / "meter.py").write_text(KEPT)
    project = _project()
    project.findings()
    analysed = project.shares_analysed
    text = KEPT.replace('        note = "mean"\n', '        note = "mean"\n        one = 1\n        print(self.last)\n')
    project.change("meter.py", text)
    found = project.findings("meter.py")
    assert found == _fresh({"meter.py": text}).findings("meter.py")
    line = text[: text.index("found.abs()")].count("\n") + 1
    assert any(f"meter.py:{line}" in said for one in found for said in one.evidence)
    assert project.shares_analysed == analysed


def _trees(before: str, after: str) -> tuple[ast.Module, ast.Module, list[str], list[str]]:
    return parse(before), parse(after), lines_of(before), lines_of(after)


def test_the_functions_with_other_bodies_are_found_and_where_all_else_has_moved() -> None:
    after = MODEL.replace("        y = self.linear(x)\n", "        y = self.linear(x)\n        y = y + 1\n")
    edited = edited_bodies(*_trees(MODEL, after))
    assert edited is not None
    assert [old.name for old, _ in edited.functions] == ["forward"]
    scaled = MODEL[: MODEL.index("def scaled")].count("\n") + 1
    assert edited.lines(scaled) == scaled + 1
    assert edited.lines(1) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(x):\n    return x\n", "@cached\ndef f(x):\n    return x\n"),
        ("def f(x):\n    return x\n", "def f(x):\n    class A: pass\n    return x\n"),
        ("class A:\n    a: int = 1\n", "class A:\n    a: int = 2\n"),
        ("f(0.0)\n", "f(-0.0)\n"),
        ("f(1)\n", "f(True)\n"),
        ("a = f(1)\n", "a = f(2)\n"),
        ("from a import b\n", "from a import *\n"),
        ("b = 1\n", "__all__ = []\n"),
        ("def f(x):\n    return x\n", "def f(x):\n    return x\nf(1)\n"),
    ],
)
def test_other_edits_are_told_from_those_of_bodies(before: str, after: str) -> None:
    assert edited_bodies(*_trees(before, after)) is None
    assert edited_bodies(*_trees(after, before)) is None


PLACE = NodePosition(7, 4, 8, 0)


def test_places_within_a_moved_file_are_moved_wherever_they_are_told() -> None:
    file = MovedFile("/project/train.py", "train.py", lambda line: line + 2)
    assert file.text("called from `main`, train.py:7") == "called from `main`, train.py:9"
    assert file.text("called from `main`, other_train.py:7") == "called from `main`, other_train.py:7"
    assert moved("/project/train.py:7:4", file) == "/project/train.py:9:4"
    assert moved("/project/train.py:", file) == "/project/train.py:"
    assert moved("/project/train.pyx:7:4", file) == "/project/train.pyx:7:4"
    assert moved("/my train.py:7:4", file) == "/my train.py:7:4"
    assert moved(CallPlace("main", "train.py", 7), file).line == 9
    written = Fact(frozenset({"text"}), literal="train.py:7", made=(AllocationSite("/project/train.py", PLACE),))
    assert moved(written, file) == replace(
        written, made=(AllocationSite("/project/train.py", NodePosition(9, 4, 10, 0)),)
    )


LABELS = ("1", "0.5", "None", "'a'", "(1,)", "(1, 2)", "[1]", "{1: 2}", "{1}", "int", "(1, 'a')", "('a',)", "b'a'")


def test_a_function_whose_calls_are_too_many_to_be_followed_may_be_edited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = (
        f"\n\ndef job{number}(x: torch.Tensor):\n    kept(x.cuda(), {label})\n    return {number}\n"
        for number, label in enumerate(LABELS)
    )
    text = "import torch\n\n\ndef kept(x, label):\n    return x.sum().item()\n" + "".join(jobs)
    (tmp_path / "many.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    project = _project()
    project.findings()
    analysed = project.shares_analysed
    for number in range(len(LABELS)):
        edited = text.replace(f"    return {number}\n", f"    print(x.cuda())\n    return {number}\n")
        project.change("many.py", edited)
        assert project.findings() == _fresh({"many.py": edited}).findings()
    assert project.shares_analysed == analysed
