"""A run after edits that only move lines tells what a run without memory tells, and analyses nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from synclint.analysis.interpreter import engine
from synclint.config import Options
from synclint.findings import Phase
from synclint.phases import Phases
from synclint.results.file_reports import FileReport
from synclint.rules.own import ANALYSIS_LIMIT
from synclint.running import edited_runs, runner, shares
from synclint.running.cache import check_files_cached
from synclint.running.edited_runs import Base

TRAIN = """\
import torch

from helpers import Layers, log


def main(model, optimizer, loader):
    layers = Layers(4)
    for epoch in range(3):
        for batch, _ in loader:
            loss = layers(batch.cuda()).sum()
            loss.backward()
            optimizer.step()
            log(loss, verbose=True)
            log(loss)


if __name__ == "__main__":
    main(None, None, None)
"""
HELPERS = '''\
import torch
from torch import nn


class Layer(nn.Module):
    """One of several."""

    def forward(self, x):
        return x * x.sum().item()


class Layers(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(count))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def log(x, verbose=False):
    if verbose:
        print(x.item())
    return x.mean().item()
'''
MORE = """\
import torch

import helpers


def evaluate(model, loader):
    model.eval()
    for batch in loader:
        helpers.log(model(batch.cuda()).max())


def pick(x: torch.Tensor):
    if x > 0:
        return helpers.log(x)
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
OPTIONS = Options(runs=tuple(Phase), cold=True)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files in several shares, which call one another."""
    monkeypatch.setattr(shares, "SHARE_BYTES", 4000)
    folder = tmp_path / "project"
    folder.mkdir()
    for name, text in (("train.py", TRAIN), ("helpers.py", HELPERS), ("more.py", MORE)):
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    return folder


def checked(own_cache: Path, wanted: frozenset[Path] | None = None) -> list[FileReport]:
    files = sorted(Path().rglob("*.py"))
    return list(check_files_cached(files, [Path()], OPTIONS, 1, lambda count: None, Phases(), own_cache, wanted=wanted))


def without_memory() -> list[FileReport]:
    return list(runner.check_files(sorted(Path().rglob("*.py")), [Path()], OPTIONS, 1).reports)


class OtherRunError(Exception):
    """Something was analysed or joined."""


@pytest.fixture
def nothing_else_runs(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let a run that is not answered from the memory of the last one fail from now on."""

    return lambda: monkeypatch.setattr(runner, "check_files", _refuse)


def _refuse(*arguments: object, **named: object) -> None:
    raise OtherRunError


@pytest.mark.parametrize("name", ["train.py", "helpers.py", "more.py"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import torch\n", "# said at the top\n\nimport torch\n"),
        ("loader:\n", "loader:\n# one after the other\n"),
        ("def log", "\n\n# once more\ndef log"),
        ("One of several.", "One of several.\n\n    All are alike.\n    "),
        ("            optimizer", "            # synclint: ignore[SYN101] done\n            optimizer"),
        ("\n\n\n", "\n\n"),
        ("x.item())", "x.item())  # noqa"),
    ],
)
def test_what_moves_is_told_from_what_is_known(
    project: Path, own_cache: Path, nothing_else_runs: Callable[[], None], name: str, old: str, new: str
) -> None:
    checked(own_cache)
    path = project / name
    path.write_text(path.read_text().replace(old, new))
    expected = without_memory()
    nothing_else_runs()
    assert checked(own_cache) == expected
    assert checked(own_cache, frozenset({Path("helpers.py")})) == [
        report for report in expected if report.path == Path("helpers.py")
    ]


def _with_lines(text: str, chosen: random.Random) -> str:
    """A text with other comments and blank lines before some of its statements."""
    made = [line for line in text.splitlines(keepends=True) if chosen.random() < 0.8 or not line.startswith("#")]
    for _ in range(chosen.randrange(1, 4)):
        at = chosen.randrange(len(made))
        if '"""' not in "".join(made[at:]):
            made.insert(at, chosen.choice(("# a remark\n", "\n", "# two\n# lines\n", "# about layer and main\n")))
    return "".join(made)


@pytest.mark.parametrize("seed", range(6))
def test_any_number_of_such_edits_give_what_a_run_without_memory_gives(
    project: Path, own_cache: Path, nothing_else_runs: Callable[[], None], seed: int
) -> None:
    chosen = random.Random(seed)
    checked(own_cache)
    expected: list[list[FileReport]] = []
    texts: list[dict[Path, str]] = []
    for _ in range(8):
        path = chosen.choice(sorted(project.glob("*.py")))
        path.write_text(_with_lines(path.read_text(), chosen))
        expected.append(without_memory())
        texts.append({path: path.read_text() for path in project.glob("*.py")})
    nothing_else_runs()
    for then, reports in zip(texts, expected, strict=True):
        for path, text in then.items():
            path.write_text(text)
        assert checked(own_cache) == reports


def test_an_edit_that_leads_to_what_nothing_led_to_is_told_by_a_new_run(
    project: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def phases(reports: list[FileReport]) -> set[Phase]:
        return {finding.context.runs for report in reports for finding in report.findings}

    assert Phase.UNREACHED in phases(checked(own_cache))
    path = project / "helpers.py"
    path.write_text(path.read_text().replace("x.mean().item()", "x.mean().item() or ['pick', 'evaluate']"))
    expected = without_memory()
    assert Phase.UNREACHED not in phases(expected)
    with monkeypatch.context() as patched:
        patched.setattr(runner, "check_files", _refuse)
        with pytest.raises(OtherRunError):
            checked(own_cache)
    assert checked(own_cache) == expected


def test_edits_of_code_are_told_by_a_new_run(
    project: Path, own_cache: Path, nothing_else_runs: Callable[[], None]
) -> None:
    checked(own_cache)
    path = project / "helpers.py"
    path.write_text(path.read_text().replace("x.mean().item()", "x.mean()"))
    nothing_else_runs()
    with pytest.raises(OtherRunError):
        checked(own_cache)


def entries(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*.json")) if path.stat().st_size > 200)


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\0" * 5000])
def test_a_damaged_store_costs_only_time(project: Path, own_cache: Path, damage: bytes) -> None:
    checked(own_cache)
    path = project / "helpers.py"
    path.write_text(f"# moved\n{path.read_text()}")
    expected = without_memory()
    kept = {entry: entry.read_bytes() for entry in entries(own_cache)}
    assert len(kept) > 3
    for entry in kept:
        for other, body in kept.items():
            other.write_bytes(body)
        entry.write_bytes(damage or kept[entry][: len(kept[entry]) // 2])
        assert checked(own_cache) == expected


def test_what_was_seen_in_another_state_is_not_believed(project: Path, own_cache: Path) -> None:
    """A run over a few files may have known others with other texts than the last whole run did."""
    checked(own_cache)
    train, helpers = project / "train.py", project / "helpers.py"
    before = train.read_text()
    train.write_text(before.replace("log(loss)", "log(1.0)").replace("log(loss, verbose=True)", "log(2.0)"))
    checked(own_cache, frozenset({Path("helpers.py")}))
    train.write_text(before)
    helpers.write_text(f"# moved\n{helpers.read_text()}")
    assert checked(own_cache) == without_memory()


WAITS = ("            x = layer(x)\n", "            x = layer(x)\n            x.sum().item()\n")
PRINTS = ("        print(x.item())\n", "        print(x.item())\n        print(x.tolist())\n")


@pytest.mark.parametrize(
    "edits",
    [
        # Comments above and below the body that is edited.
        {"helpers.py": [("import torch\n", "# at the top\n\nimport torch\n"), WAITS, ("def log(", "# last\ndef log(")]},
        # Several bodies, and one of them in two places.
        {"helpers.py": [WAITS, PRINTS, ("        for layer", "        x.tolist()\n\n        for layer")]},
        # Several files.
        {
            "helpers.py": [PRINTS],
            "train.py": [("    layers = Layers(4)\n", "    torch.rand(3).item()\n    layers = Layers(4)\n")],
        },
        # The first word in a file that may say how often something runs.
        {
            "helpers.py": [
                PRINTS,
                ("        print(x.item())\n", "        torch.cuda.synchronize()\n        print(x.item())\n"),
            ]
        },
    ],
)
def test_files_may_be_edited_in_several_places(
    project: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch, edits: dict[str, list[tuple[str, str]]]
) -> None:
    checked(own_cache)
    for name, changes in edits.items():
        path = project / name
        for old, new in changes:
            assert old in path.read_text()
            path.write_text(path.read_text().replace(old, new, 1))
    expected = without_memory()
    monkeypatch.setattr(runner, "check_files", _refuse)
    assert checked(own_cache) == expected


def test_a_function_that_nobody_calls_may_be_edited_in_a_file_of_which_nothing_is_known(
    project: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project / "quiet.py"
    path.write_text("import torch\n\n\ndef pick(x: torch.Tensor):\n    y = x\n    return None\n")
    checked(own_cache)
    path.write_text(path.read_text().replace("    y = x\n", "    y = x\n    y.item()\n"))
    expected = without_memory()
    assert any(report.findings for report in expected if report.path == Path("quiet.py"))
    monkeypatch.setattr(runner, "check_files", _refuse)
    assert checked(own_cache) == expected


def test_a_body_without_torch_may_be_edited(project: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = project / "plain.py"
    path.write_text("def joined(words):\n    found = []\n    return found + words\n")
    checked(own_cache)
    path.write_text(path.read_text().replace("    found = []\n", "    found = []\n    words = words[:3]\n"))
    expected = without_memory()
    monkeypatch.setattr(runner, "check_files", _refuse)
    assert checked(own_cache) == expected


def test_what_a_silent_function_says_of_its_callers_is_not_overlooked(project: Path, own_cache: Path) -> None:
    """Nothing waits in it, and it calls nothing: but by what it does the loop of its caller trains."""
    (project / "train.py").write_text(STEPS)
    (project / "updates.py").write_text(UPDATES)
    checked(own_cache)
    (project / "updates.py").write_text(UPDATES.replace("    y = y + 1\n", "    y = y + 1\n    opt.step()\n"))
    assert checked(own_cache) == without_memory()


def test_shares_that_a_hook_has_learned_from_other_texts_are_not_those_of_the_last_run(
    project: Path, own_cache: Path
) -> None:
    (project / "more.py").write_text(
        MORE.replace("        return helpers.log(x)\n", "        return helpers.log(x) > 0 or 1\n")
    )
    checked(own_cache)
    path = project / "helpers.py"
    told_otherwise = HELPERS.replace("    return x.mean().item()\n", "    return x.mean()\n")
    path.write_text(told_otherwise)
    checked(own_cache, frozenset({Path("train.py")}))
    path.write_text(
        told_otherwise.replace("        print(x.item())\n", "        print(x.item())\n        print(x.tolist())\n")
    )
    assert checked(own_cache) == without_memory()


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("helpers.py", "        print(x.item())\n", "        print(x.item())\n        print(x.sum().tolist())\n"),
        ("helpers.py", "            x = layer(x)\n", "            x = layer(x)\n            x.sum().item()\n"),
        (
            "helpers.py",
            "        return x * x.sum().item()\n",
            "        y = x.tolist()\n        return x * x.sum().item()\n",
        ),
        ("train.py", "            optimizer.step()\n", "            optimizer.step()\n            loss.item()\n"),
    ],
)
def test_what_edited_functions_show_takes_the_place_of_what_was_seen(
    project: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str
) -> None:
    checked(own_cache)
    for path in sorted(project.glob("*.py")):
        text = path.read_text()
        path.write_text(text.replace(old, new) if path.name == name else f"# moved\n{text}")
    expected = without_memory()
    monkeypatch.setattr(runner, "check_files", _refuse)
    assert checked(own_cache) == expected


PICKING = """\
import torch


def chosen(x):
    return x.max()


def pick(x: torch.Tensor):
    if chosen(x) > 0:
        return chosen(x).item()
"""


@pytest.mark.parametrize(
    ("takes", "gives"),
    [
        ("x, at=None", "x"),
        ("x, *, at: int = 0", "x"),
        ("x, at=None", "x, at=1"),
        ("x, at", "x, 0"),
    ],
)
def test_a_function_that_its_own_file_alone_calls_may_take_something_else(
    project: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch, takes: str, gives: str
) -> None:
    path = project / "picking.py"
    path.write_text(PICKING)
    checked(own_cache)
    text = PICKING.replace("chosen(x)", f"chosen({gives})").replace(f"def chosen({gives})", f"def chosen({takes})")
    path.write_text(text)
    expected = without_memory()
    assert expected[-2].findings
    monkeypatch.setattr(runner, "check_files", _refuse)
    assert checked(own_cache) == expected


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("helpers.py", "x.mean().item()", "x.mean()"),  # what its callers are given is another value
        (
            "more.py",
            "        return helpers.log(x)\n",
            "        y = x.sum()\n        return y.item() + helpers.log(y)\n",
        ),
    ],
)
def test_edited_functions_that_tell_others_something_new_have_their_shares_analysed(
    project: Path, own_cache: Path, name: str, old: str, new: str
) -> None:
    checked(own_cache)
    path = project / name
    path.write_text(path.read_text().replace(old, new))
    assert checked(own_cache) == without_memory()


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace(".eval()\n", ".eval()\n    torch.rand(3).cuda().item()\n"),
        lambda text: f"{text}\n\ndef added():\n    return torch.rand(3).cuda().item()\n",
        lambda text: f"{text}\n\ndef added():\n    return [torch.rand(3).cuda().item() for _ in 'evaluate']\n",
    ],
    ids=["in an old one", "in a new one", "in one that names others"],
)
def test_a_wait_that_is_new_in_a_function_that_nothing_leads_to_is_told_as_one(
    project: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch, edit: Callable[[str], str]
) -> None:
    checked(own_cache)
    path = project / "more.py"
    before = path.read_text()
    path.write_text(edit(before))
    answers: list[list[FileReport] | None] = []
    reports_after = edited_runs.reports_after

    def note(base: Base) -> list[FileReport] | None:
        answers.append(reports_after(base))
        return answers[-1]

    monkeypatch.setattr(edited_runs, "reports_after", note)
    reports = checked(own_cache)
    assert reports == without_memory()
    assert answers == [reports]
    [line] = [number for number, line in enumerate(path.read_text().splitlines(), 1) if "rand(3).cuda().item()" in line]
    new = [finding for finding in reports[1].findings if finding.span.start.line == line]
    assert new
    assert {finding.context.runs for finding in new} == {Phase.UNREACHED}


def test_that_a_file_was_not_checked_to_its_end_is_told_after_an_edit_of_comments(
    project: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "MOST_STATEMENTS", 8)
    reports = checked(own_cache)
    assert any(finding.code == ANALYSIS_LIMIT.code for report in reports for finding in report.findings)
    path = project / "helpers.py"
    for comment in ("  # one", "\n# two"):
        path.write_text(path.read_text().replace("import torch\n", f"import torch{comment}\n", 1))
        assert checked(own_cache) == without_memory()


def test_the_first_torch_in_a_project_is_seen_after_a_run_that_saw_none(own_cache: Path, project: Path) -> None:
    for path in project.glob("*.py"):
        path.write_text("def total(values):\n    return sum(values).item()\n")
    assert not any(report.findings for report in checked(own_cache))
    (project / "train.py").write_text("import torch\n\n\ndef total(x: torch.Tensor):\n    return x.sum().item()\n")
    found = checked(own_cache)
    assert found == without_memory()
    assert any(report.findings for report in found)


SCRIPTED = """\
import torch

from helpers import half


def main(x: torch.Tensor) -> torch.Tensor:
    return half(x)
"""
HALF = """\
import torch


def half(x: torch.Tensor) -> torch.Tensor:
    return x.relu() * torch.tensor(0.5, device=x.device)
"""


def test_an_edit_that_hands_a_function_of_another_file_to_a_compiler_takes_its_fix_away(
    project: Path, tmp_path: Path
) -> None:
    (project / "train.py").write_text(SCRIPTED)
    (project / "helpers.py").write_text(HALF)
    (project / "more.py").unlink()

    def fixes() -> list[bool]:
        found = checked(tmp_path / "cache")
        assert found == without_memory()
        return [finding.fix is not None for report in found for finding in report.findings]

    before = fixes()
    assert any(before)
    (project / "train.py").write_text(SCRIPTED.replace("return half(x)", "return torch.jit.script(half)(x)"))
    assert not any(fixes())
    (project / "train.py").write_text(SCRIPTED)
    assert fixes() == before


DECIDING = """\
import torch

LIMIT = 0


def reads():
    return False


def options():
    return {"reads": False}


def limit():
    return LIMIT


def data():
    return torch.zeros(4)
"""
DECIDED = """\
import torch
from deciding import data, limit, options, reads


def train(model, optimizer, loader):
    for x in loader:
        loss = model(x).sum()
        loss.backward()
        optimizer.step()
        if reads():
            loss.item()
        if options()["reads"]:
            loss.tolist()
        if limit():
            float(loss)
        data().to("cuda", non_blocking=True)
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return False", "return True"),
        ('"reads": False', '"reads": True'),
        ("LIMIT = 0", "LIMIT = 1"),
        ("return LIMIT", "return LIMIT + 1"),
        ("zeros(4)", "zeros(4).pin_memory()"),
    ],
)
def test_what_a_value_decides_in_another_file_is_told_anew_after_an_edit_of_it(
    project: Path, own_cache: Path, old: str, new: str
) -> None:
    (project / "deciding.py").write_text(DECIDING)
    (project / "deciding_all.py").write_text(DECIDED)
    before = checked(own_cache)
    assert old in DECIDING
    (project / "deciding.py").write_text(DECIDING.replace(old, new))
    found = checked(own_cache)
    assert found == without_memory()
    assert [report.findings for report in found] != [report.findings for report in before]
