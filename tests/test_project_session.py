"""A project that is held open gives, after each change, what a run over everything gives."""

from __future__ import annotations

import multiprocessing
import random
import threading
from pathlib import Path

import pytest
from command_line import CLEAN, HAZARD

import synclint
from synclint.codemod import Device
from synclint.results.file_reports import FileReport
from synclint.running import file_findings, project_session, reporting, shares
from synclint.running.survey import CodeFile

CALLER = """\
import torch
from losses import measured
from other import loss


def train(model: torch.nn.Module, loader: list[torch.Tensor]) -> None:
    for batch in loader:
        (measured(model(batch)) + loss(model(batch), batch)).backward()
"""
STEPS = """\
import torch
from updates import report, update


def go(model, data, opt):
    for x in data:
        y = model(x.cuda())
        update(y, opt)
        report(y)
        print(y.sum().item())


def main():
    go(None, None, None)
"""
UPDATES = """\
import torch


def update(y, opt):
    y = y + 1


def report(y):
    # optimizer
    return y.sum().item()
"""
CALLED = """\
def measured(prediction):
    if prediction.isnan().any():
        raise ValueError
    return prediction.sum()
"""

TAKING = "def loss(x: torch.Tensor) -> float:\n    return pick(x.cuda()).item()\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "train.py").write_text(CALLER)
    (tmp_path / "losses.py").write_text(CALLED)
    (tmp_path / "other.py").write_text(HAZARD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_open_project_gives_the_findings_of_checked_paths(folder: Path) -> None:
    project = synclint.Project(".")
    assert project.findings() == synclint.check_paths(".")
    assert [finding.file for finding in project.findings("losses.py")] == [str(folder / "losses.py")]


def test_a_changed_text_counts_until_the_file_is_closed(folder: Path) -> None:
    project = synclint.Project(".")
    (before,) = project.findings("other.py")
    project.change("other.py", f"\n\n{HAZARD}")
    (after,) = project.findings("other.py")
    assert after.start.line == before.start.line + 2
    project.change("other.py", CLEAN)
    assert project.findings("other.py") == []
    project.close("other.py")
    assert project.findings("other.py") == [before]


def test_the_callers_of_a_changed_text_are_known(folder: Path) -> None:
    project = synclint.Project(".")
    project.change("losses.py", CALLED.replace(".any()", ".all()"))
    (finding,) = project.findings("losses.py")
    assert finding.path == (synclint.Call(str(folder / "train.py"), 8, "train"),)
    # By itself the file does not tell that it is given tensors.
    assert project.preview("losses.py") != project.findings("losses.py")


def test_a_buffer_that_is_no_file_yet_is_part_of_the_project(folder: Path) -> None:
    (folder / "losses.py").unlink()
    project = synclint.Project(".")
    assert project.findings("losses.py") == []
    project.change("losses.py", CALLED)
    (finding,) = project.findings("losses.py")
    (folder / "losses.py").write_text(CALLED)
    assert synclint.check_paths(".")[0] == finding


def test_files_on_disk_are_looked_at_again_after_refresh(folder: Path) -> None:
    project = synclint.Project(".")
    project.findings()
    (folder / "more.py").write_text(HAZARD)
    (folder / "other.py").unlink()
    project.refresh(["more.py", "other.py"])
    assert project.findings() == synclint.check_paths(".")
    (folder / "synclint.toml").write_text('ignore = ["SYN1"]\n')
    project.refresh()
    assert project.findings() == synclint.check_paths(".")


def test_what_rests_on_no_changed_text_is_not_analysed_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "z_apart.py").write_text(HAZARD)
    monkeypatch.setattr(shares, "SHARE_BYTES", 2500)
    project = synclint.Project(".", jobs=1)
    project.findings()
    assert project.shares_analysed == 2
    project.findings()
    project.change("z_apart.py", f"{HAZARD}ONE = 1\n")
    project.findings()
    assert project.shares_analysed == 3


METERS = """\
import torch


class Meter:
    def update(self, loss: torch.Tensor) -> None:
        total = loss.detach()
        total = total + 1
        self.total = total.cpu()

    def result(self) -> torch.Tensor:
        total = torch.ones(3).cuda()
        total = total + 1
        return total


def shown(meter: Meter) -> None:
    print(meter.result())
"""
METERED = """\
import torch
from meters import Meter


def train(model: torch.nn.Module, loader: list[torch.Tensor]) -> None:
    meter = Meter()
    for batch in loader:
        loss = model(batch.cuda()).sum()
        loss.backward()
        meter.update(loss)
        print(meter.total)
"""


@pytest.mark.parametrize(
    ("old", "new", "analysed"),
    [
        ("        return total\n", "        return total.tolist()\n", 1),
        ("        return total\n", "        self.total = total\n", 2),
        ("        return total\n", "        return total\n\n    def reset(self) -> None:\n        self.total = 0\n", 2),
        ("total.cpu()\n", "total\n", 2),
        ("    def result(self)", "    def result(self, scale: int = 1)", 2),
    ],
    ids=["a result", "an attribute", "a method", "what is read", "a signature"],
)
def test_what_nobody_has_read_in_a_file_of_another_share_may_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, analysed: int
) -> None:
    (tmp_path / "meters.py").write_text(METERS)
    (tmp_path / "steps.py").write_text(METERED)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shares, "SHARE_BYTES", 1500)  # so that each file is a share of its own
    project = synclint.Project(".", jobs=1, cold=True)
    before = project.findings()
    assert before
    assert project.shares_analysed == 2
    project.change("meters.py", METERS.replace(old, new))
    found = project.findings()
    assert project.shares_analysed == 2 + analysed
    (tmp_path / "meters.py").write_text(METERS.replace(old, new))
    assert found == synclint.check_paths(".", cold=True)


def test_only_reports_that_would_be_made_of_something_else_are_made_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = synclint.Project(".", jobs=1)
    before = project.findings("other.py")
    made: list[str] = []
    report_on = file_findings.report_on

    def count(file: CodeFile, *rest: object) -> FileReport:
        made.append(file.path.name)
        return report_on(file, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(reporting, "report_on", count)
    project.change("new.py", HAZARD)
    assert [finding.code for finding in project.findings("new.py")] == ["SYN101"]
    assert project.findings("other.py") == before
    assert made == ["new.py"]


def test_processes_that_are_started_anew_know_the_texts_of_open_buffers(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", 2500)
    monkeypatch.setattr(project_session, "_LITTLE", 0)
    project = synclint.Project(".", jobs=2, processes=multiprocessing.get_context("spawn"))
    # The share of the caller reads the text of the other file, which no share hands to it.
    project.change("losses.py", CALLED.replace(".any()", ".all()"))
    (finding,) = project.findings("losses.py")
    assert ".all()" in finding.message
    (folder / "losses.py").write_text(CALLED.replace(".any()", ".all()"))
    assert synclint.check_paths(".") == project.findings()


def test_a_run_that_is_ended_leaves_the_project_as_it_was(folder: Path) -> None:
    project = synclint.Project(".")
    project.findings()
    changed = f"{CALLED}\n\nclass More:\n    def more(self, prediction):\n        return prediction.max().item()\n"
    project.change("losses.py", changed)

    def end(count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        project.findings("losses.py", end)
    (folder / "losses.py").write_text(changed)
    assert project.findings() == synclint.check_paths(".")


@pytest.mark.parametrize("is_new", [False, True])
def test_a_buffer_that_puts_a_folder_on_the_path_is_seen_by_what_lies_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool
) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", 1500)  # so that each file is a share of its own
    sources = {
        "src/lib/models/picking.py": "import torch\n\n\ndef pick(x):\n    return torch.zeros(()).cpu()\n",
        "src/lib/training/steps.py": f"import torch\nfrom models.picking import pick\n\n\n{TAKING}",
        "src/tools/run.py": "x = 1\n",
    }
    for path, source in sources.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(source)
    project = synclint.Project(".", min_confidence="low")
    assert project.findings("src/lib/training/steps.py")
    adding = "import os, sys\n\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'lib'))\n"
    project.change("src/tools/_paths.py" if is_new else "src/tools/run.py", adding)
    assert project.findings("src/lib/training/steps.py") == []


def test_a_file_that_changes_while_it_is_analysed_is_analysed_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", 2500)
    project = synclint.Project(".", jobs=1)
    changed = CALLED.replace("return prediction.sum()", "return float(prediction.sum())")

    def change(count: int) -> None:
        (folder / "losses.py").write_text(changed)

    project.findings(progress=change)
    (folder / "losses.py").write_text(CALLED)
    project.refresh(["losses.py"])
    assert project.findings() == synclint.check_paths(".")


def test_projects_with_other_settings_and_texts_know_nothing_of_one_another(folder: Path) -> None:
    first, second = synclint.Project("."), synclint.Project(".", select=["SYN3"], isolated=True)
    first.change("other.py", CLEAN)
    wanted = first.findings(), second.findings()
    found: dict[int, list[list[synclint.Finding]]] = {0: [], 1: []}

    def check(number: int, project: synclint.Project) -> None:
        for turn in range(4):
            project.change("train.py", f"{CALLER}# {turn}\n")
            found[number].append(project.findings())

    threads = [threading.Thread(target=check, args=pair) for pair in enumerate((first, second))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {0: [wanted[0]] * 4, 1: [wanted[1]] * 4}


def test_another_comment_at_the_end_of_a_line_is_seen_without_analysing_anything_again(folder: Path) -> None:
    project = synclint.Project(".")
    (before,) = project.findings("other.py")
    for rest in ("", "  # why", "  # synclint: ignore[SYN101] small", " # synclint: ignore[SYN2]", "   ", "  # loss"):
        text = HAZARD.replace("nonzero(target)\n", f"nonzero(target){rest}\n")
        project.change("other.py", text)
        told = project.findings("other.py")
        copy = synclint.Project(".")
        copy.change("other.py", text)
        assert told == copy.findings("other.py")
        assert project.shares_analysed == 1
    assert before in told


def edited(random_: random.Random, texts: dict[str, str]) -> tuple[str, str | None]:
    """A file and its next text, None for one that is closed."""
    name = random_.choice([*texts, "new.py", "newer.py"])
    options = [None, HAZARD, CLEAN, CALLED, CALLER, "def broken(:\n", "", "# nothing\n"]
    if name in texts:
        options += [texts[name].replace("any", "all"), f"# first\n{texts[name]}", texts[name].replace("\n", "  #\n", 3)]
    return name, random_.choice(options)


def test_a_random_sequence_of_edits_gives_what_a_run_over_everything_gives(folder: Path) -> None:
    random_ = random.Random(20)
    texts = {path.name: path.read_text() for path in folder.glob("*.py")}
    original = dict(texts)
    project = synclint.Project(".", runs=["all"], min_confidence="low")
    for _ in range(40):
        name, text = edited(random_, texts)
        if text is None:
            project.close(name)
            texts.pop(name, None)
            if name in original:
                texts[name] = original[name]
        else:
            project.change(name, text)
            texts[name] = text
        copy = synclint.Project(".", runs=["all"], min_confidence="low")
        for open_, current in texts.items():
            if original.get(open_) != current:
                copy.change(open_, current)
        assert project.findings() == copy.findings()
    told = project.findings()
    for name in {*texts, *original}:
        if name in texts:
            (folder / name).write_text(texts[name])
    assert synclint.check_paths(".", runs=["all"], min_confidence="low") == told


CHECKED = """\
import torch


class Loss(torch.nn.Module):
    def __init__(self, check=False):
        super().__init__()
        self.check = check
        self.weight = 1

    def forward(self, prediction):
        if self.check:
            print(prediction.sum().item())
        return prediction.mean()


def train(loader):
    loss = Loss()
    for batch in loader:
        loss(batch.cuda()).backward()
"""


@pytest.mark.parametrize("given", ["bool(check) or True", "True"])
def test_what_a_constructor_keeps_decides_what_other_methods_run(folder: Path, given: str) -> None:
    project = synclint.Project(".", runs=["all"], min_confidence="low")
    project.change("loss.py", CHECKED)
    (asked_for,) = (one for one in project.findings("loss.py") if one.code == "SYN201")
    edited_text = CHECKED.replace("self.check = check", f"self.check = {given}")
    for text in (edited_text, CHECKED, edited_text):
        project.change("loss.py", text)
        copy = synclint.Project(".", runs=["all"], min_confidence="low")
        copy.change("loss.py", text)
        assert project.findings("loss.py") == copy.findings("loss.py")
    (always,) = (one for one in project.findings("loss.py") if one.code == "SYN201")
    assert always != asked_for


BOUND = """\
import torch


def moved(batch):
    return batch + 1


def step(batch, weight=None):
    if weight is None:
        print(batch.sum().item())
    weight = 3
    return batch * weight


def train(loader, weight):
    for batch in loader:
        step(moved(batch.cuda()), weight[0]).backward()
"""


def test_where_a_function_first_binds_a_name_is_known_after_each_edit(folder: Path) -> None:
    project = synclint.Project(".", runs=["all"], min_confidence="low")
    for above, before_test in [(0, 0), (1, 0), (1, 1), (1, 4), (4, 4), (0, 4), (0, 0)]:
        text = BOUND.replace("    return batch + 1\n", "    batch = batch + 1\n" * above + "    return batch\n")
        text = text.replace("    if weight", "    batch = batch * 2\n" * before_test + "    if weight")
        project.change("steps.py", text)
        copy = synclint.Project(".", runs=["all"], min_confidence="low")
        copy.change("steps.py", text)
        assert project.findings("steps.py") == copy.findings("steps.py")


def test_what_a_silent_function_says_of_its_callers_is_not_overlooked(folder: Path) -> None:
    (folder / "train.py").write_text(STEPS)
    (folder / "updates.py").write_text(UPDATES)
    project = synclint.Project(".")
    project.findings("updates.py")
    text = UPDATES.replace("    y = y + 1\n", "    y = y + 1\n    opt.step()\n")
    project.change("updates.py", text)
    found = project.findings("updates.py")
    (folder / "updates.py").write_text(text)
    path = str(folder / "updates.py")
    assert found == [finding for finding in synclint.check_paths(".") if finding.file == path]


def test_the_facts_of_a_file_follow_its_callers_and_change_no_finding(folder: Path) -> None:
    project = synclint.Project(".")
    found = project.findings()
    facts = project.facts("losses.py")
    assert facts is not None and facts.source == CALLED
    said = {facts.source.splitlines()[key.span.start.line - 1].strip(): fact for key, fact in facts.facts.items()}
    assert said["if prediction.isnan().any():"].is_tensor
    assert project.findings() == found
    project.change("train.py", CALLER.replace("measured(model(batch))", "measured(torch.zeros(3))"))
    again = project.facts("losses.py")
    assert again is not None and {fact.device for fact in again.facts.values() if fact.is_tensor} == {Device.CPU}
    assert project.facts("nowhere.py") is None


def test_asking_for_facts_learns_a_share_once(folder: Path) -> None:
    project = synclint.Project(".")
    project.findings()
    before = project.shares_analysed
    project.facts("losses.py")
    assert project.shares_analysed == before + 1
    project.facts("losses.py")
    project.findings()
    assert project.shares_analysed == before + 1


def test_what_a_changed_text_hands_to_a_compiler_has_no_fix(folder: Path) -> None:
    halved = "import torch\n\n\ndef half(x: torch.Tensor):\n    return x.relu() * torch.tensor(0.5, device=x.device)\n"
    caller = CALLER.replace("import measured", "import measured\nfrom halved import half")
    caller = caller.replace("measured(model(batch))", "half(model(batch))")
    (folder / "halved.py").write_text(halved)
    (folder / "caller.py").write_text(caller)
    project = synclint.Project(".")
    assert [finding.fix is not None for finding in project.findings("halved.py")] == [True]
    project.change("caller.py", caller.replace("(half(", "(torch.jit.script(half)("))
    assert [finding.fix is not None for finding in project.findings("halved.py")] == [False]
    project.change("halved.py", f"{halved}\n\nONE = 1\n")
    assert [finding.fix is not None for finding in project.findings("halved.py")] == [False]
    project.close("caller.py")
    assert [finding.fix is not None for finding in project.findings("halved.py")] == [True]
