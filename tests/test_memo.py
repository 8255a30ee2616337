"""What is known of a project from earlier runs never changes an answer, and gives single files their callers."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import CLEAN, HAZARD, Run, Synclint

from synclint.config import Options
from synclint.config.options import settings
from synclint.findings import Phase
from synclint.memo.path_states import PathStates
from synclint.phases import Phases
from synclint.running import cache, here, limits, nearby_projects, runner, share_memo, shares
from synclint.running.cache import check_files_cached
from synclint.running.share_results import ShareResult
from synclint.running.survey import CodeFile

HELPER = "def pick(x):\n    if x > 0:\n        return 1\n    return 0\n"
TRAIN = """\
from helper import pick


def train(model, loader, optimizer):
    for batch in loader:
        loss = model(batch.cuda(non_blocking=True)).sum()
        loss.backward()
        optimizer.step()
        pick(loss)
"""


def plant(folder: Path) -> None:
    (folder / "helper.py").write_text(HELPER)
    (folder / "train.py").write_text("import torch\n" + TRAIN)


def codes(run: Run) -> list[tuple[str, str, int]]:
    """The findings of a run with JSON output: file, rule and line."""
    return [(Path(item["filename"]).name, item["code"], item["location"]["row"]) for item in json.loads(run.out)]


def found(run: Synclint, *arguments: str) -> list[tuple[str, str, int]]:
    return codes(run("--output-format", "json", *arguments))


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many files were analysed in each share that was, in this process."""
    counted: list[int] = []
    analyse = here.analysed_here

    def count(divided: Sequence[Sequence[CodeFile]], *rest: object, **named: object) -> object:
        counted.extend(len(share) for share in divided)
        return analyse(divided, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(runner, "analysed_here", count)
    return counted


def test_a_single_file_has_the_findings_of_the_whole_project(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path)
    assert found(run, "helper.py") == [("helper.py", "SYN301", 2)]
    assert found(run, ".") == [("helper.py", "SYN301", 2)]
    assert found(run, "helper.py") == [("helper.py", "SYN301", 2)]
    assert found(run, "train.py") == []


def test_a_single_file_is_seen_with_what_its_callers_say_now(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path)
    run(".")
    (tmp_path / "train.py").write_text("import torch\n" + TRAIN.replace("pick(loss)", "pick(1)"))
    assert found(run, "helper.py") == []
    (tmp_path / "helper.py").write_text("\n" + HELPER)
    (tmp_path / "train.py").write_text("import torch\n" + TRAIN)
    assert found(run, "helper.py") == [("helper.py", "SYN301", 3)]


def test_a_file_may_be_named_in_any_way(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path)
    run(".")
    assert found(run, str(tmp_path / "helper.py")) == [("helper.py", "SYN301", 2)]


def test_a_file_that_the_project_leaves_out_is_checked_by_itself(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path)
    (tmp_path / "left_out.py").write_text(HAZARD)
    run("--extend-exclude", "left_out.py", ".")
    assert found(run, "--extend-exclude", "left_out.py", "left_out.py") == [("left_out.py", "SYN101", 5)]


def test_files_are_checked_by_themselves_where_that_is_asked_for(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path)
    run(".")
    assert found(run, "--no-project", "helper.py") == []


def test_the_configuration_chooses_it_for_good(run: Synclint, tmp_path: Path) -> None:
    plant(tmp_path)
    run(".")
    (tmp_path / "synclint.toml").write_text("project = false\n")
    assert found(run, "helper.py") == []


def test_one_line_says_that_callers_are_unknown_and_how_to_change_it(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearby_projects, "MOST_ANALYSED_FOR_FEW", 10)
    plant(tmp_path)
    (tmp_path / ".git").mkdir()
    said = run("helper.py").err
    assert said.count("\n") == 1
    assert "callers in other files are unknown" in said
    assert "`synclint .`" in said
    assert "--no-project" in said
    assert run("--no-project", "helper.py").err == ""
    assert run("-q", "helper.py").err == ""
    assert run(".").err == ""
    assert run("helper.py").err == ""


def test_nobody_waits_for_a_project_of_which_most_has_changed(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path)
    run(".")
    (tmp_path / "train.py").write_text("import torch\n" + TRAIN + "pass\n")
    monkeypatch.setattr(runner, "MOST_ANALYSED_FOR_FEW", 100)
    said = run("--output-format", "json", "helper.py")
    assert codes(said) == []
    assert "much has changed since the last run of `synclint .`" in said.err
    assert limits.MOST_ANALYSED_FOR_FEW > 100


def test_only_shares_that_rest_on_an_edit_are_analysed_again(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, analysed: list[int]
) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", 1500)
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.py").write_text(HAZARD)
    run(".")
    assert analysed == [1, 1, 1]
    analysed.clear()
    (tmp_path / "b.py").write_text(CLEAN)
    assert found(run, ".") == [("a.py", "SYN101", 5), ("c.py", "SYN101", 5)]
    assert analysed == [1]
    analysed.clear()
    run("--select", "SYN2", ".")
    assert analysed == [], "what is reported does not matter to what is analysed"


def test_a_share_with_a_file_that_does_not_parse_is_kept(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, analysed: list[int]
) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", 1500)
    (tmp_path / "a.py").write_text("import torch.nn\ndef broken(:\n")
    (tmp_path / "b.py").write_text(HAZARD)
    before = found(run, ".")
    assert ("a.py", "SYN000", 2) in before
    analysed.clear()
    (tmp_path / "b.py").write_text(HAZARD + "pass\n")
    assert found(run, ".") == before
    assert analysed == [1]


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\0" * 5000])
def test_damage_costs_nothing_but_time(run: Synclint, own_cache: Path, tmp_path: Path, damage: bytes) -> None:
    plant(tmp_path)
    before = found(run, ".")
    for entry in own_cache.rglob("*.json"):
        entry.write_bytes(damage or entry.read_bytes()[: entry.stat().st_size // 2])
    (tmp_path / "train.py").write_text("import torch\n" + TRAIN + "\n")
    assert found(run, ".") == before
    assert found(run, "helper.py") == before


def test_a_project_whose_memo_was_lost_is_known_again_after_a_run_that_is_answered_from_the_cache(
    run: Synclint, own_cache: Path, tmp_path: Path
) -> None:
    plant(tmp_path)
    before = found(run, ".")
    shutil.rmtree(own_cache / "projects")
    assert found(run, ".") == before
    assert found(run, "helper.py") == before


def test_the_memo_of_somebody_else_is_not_believed(
    run: Synclint, own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path)
    run(".")
    monkeypatch.setattr(cache, "secret_of_user", lambda: b"another user's secret")
    monkeypatch.setattr(nearby_projects, "MOST_ANALYSED_FOR_FEW", 10)
    assert found(run, "helper.py") == []


def test_what_is_known_of_large_projects_is_not_lost_to_small_entries(
    run: Synclint, own_cache: Path, tmp_path: Path
) -> None:
    of_others = own_cache / "projects" / f"{'0' * 64}.json"
    of_others.parent.mkdir(parents=True)
    with of_others.open("wb") as stream:
        stream.truncate(200 * 2**20)
    plant(tmp_path)
    run(".")
    assert len(list(of_others.parent.glob("*.json"))) > 4
    assert of_others.exists()


def test_other_settings_of_the_analysis_are_another_memo(tmp_path: Path) -> None:
    """Each setting that the analysis reads is part of the key, for one that is not would give stale answers."""
    read_by_the_analysis: dict[str, Any] = {
        "hot_functions": ("a.*",),
        "cold_functions": ("a.*",),
        "device_functions": ("a.*",),
        "torch_version": "2.4",
        "library_versions": (("torchmetrics", "1.5"),),
    }
    assert read_by_the_analysis.keys() <= {setting.field for setting in settings()}
    plain = share_memo.key_for((), (), Options(), None)
    keys = {share_memo.key_for((), (), Options(**{name: value}), None) for name, value in read_by_the_analysis.items()}
    assert len(keys | {plain}) == len(read_by_the_analysis) + 1
    assert share_memo.key_for((), (), Options(runs=tuple(Phase), select=("SYN1",)), None) == plain


EDITS = (
    lambda text: text + "\n# a comment\n",
    lambda text: text.replace(":\n", ":  # noqa\n"),
    lambda text: text.replace("> 0:\n", "> 0:  # synclint: ignore[SYN301] small\n"),
    lambda text: text.replace("(loss)\n", "(loss)  # where `more` and `pick` are\n"),
    lambda text: text.replace("pick(loss)", "pick(1)"),
    lambda text: text.replace("x > 0", "x.sum() > 0"),
    lambda text: text.replace(".cuda()", ""),
    lambda text: "import torch\n" + text,
    lambda text: text.replace("    ", "  "),
    lambda text: "# at the top\n\n" + text,
    lambda text: text.replace("    if", "    # why\n    if").replace(
        "(loss)\n", "(\n            loss  # it\n        )\n"
    ),
    lambda text: text.replace("    if", '    """Pick, or not."""\n    if'),
    lambda text: text.replace("or not.", "or not.\n\n    One of two."),
    lambda text: text + "\n\ndef more(x):\n    return x.item()\n",
    lambda text: text[: len(text) // 2],
)


@pytest.mark.parametrize("seed", range(8))
def test_random_edits_give_what_a_run_without_memo_gives(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", 2500)
    monkeypatch.chdir(tmp_path)
    chosen = random.Random(seed)
    for name in ("a", "b", "c", "d"):
        (tmp_path / name).mkdir()
        plant(tmp_path / name)
    originals = {path: path.read_text() for path in tmp_path.rglob("*.py")}
    options = (Options(cold=True), Options(cold=True, hot_functions=("*.more",)))
    for step in range(20):
        path = chosen.choice(sorted(originals))
        match chosen.randrange(8):
            case 0:
                path.unlink(missing_ok=True)
            case 1:
                path.write_text(originals[path])
            case 2:
                path.with_name(f"new_{step}.py").write_text(chosen.choice(sorted(originals.values())))
            case 3 if path.exists():
                path.rename(path.with_name(f"renamed_{step}.py"))
            case _ if path.exists():
                path.write_text(chosen.choice(EDITS)(path.read_text()))
        files = sorted(Path().rglob("*.py"))
        chosen_options = options[chosen.randrange(5) == 0]
        kept = tuple(check_files_cached(files, [Path()], chosen_options, 1, lambda count: None, Phases(), own_cache))
        assert kept == tuple(runner.check_files(files, [Path()], chosen_options, 1).reports)


@pytest.mark.parametrize(
    ("comment", "expected"),
    [("# a comment", [("helper.py", 2)]), ("# synclint: ignore[SYN301] small", []), ("# noqa: SYN301", [])],
)
def test_an_edit_of_comments_is_seen_without_analysing_anything(
    run: Synclint, tmp_path: Path, analysed: list[int], comment: str, expected: list[tuple[str, int]]
) -> None:
    plant(tmp_path)
    run(".")
    analysed.clear()
    (tmp_path / "helper.py").write_text(HELPER.replace("> 0:", f"> 0:  {comment}") + "\n# the end\n")
    assert [(name, line) for name, _, line in found(run, ".")] == expected
    assert analysed == []


@pytest.mark.parametrize(
    ("name", "edits"),
    [
        ("helper.py", [("def pick", "# one\n\ndef pick"), ("# one", "# two\n# lines")]),
        ("helper.py", [("Pick.", "Pick.\n\n    One of two.\n    "), ("One of two", "And that")]),
        ("train.py", [("def train", "# how it is done\n\ndef train"), ("# how it is done\n\n", "")]),
        (
            "train.py",
            [("        optimizer", "        # and now\n        optimizer"), ("import torch", "\nimport torch")],
        ),
    ],
)
def test_code_on_other_lines_is_reported_there_without_analysing_anything(
    run: Synclint, tmp_path: Path, analysed: list[int], name: str, edits: list[tuple[str, str]]
) -> None:
    plant(tmp_path)
    (tmp_path / "helper.py").write_text(HELPER.replace("    if", '    """Pick."""\n    if'))
    run(".")
    path = tmp_path / name
    for old, new in edits:
        path.write_text(path.read_text().replace(old, new))
        analysed.clear()
        after = run(".", "--output-format", "full").out
        assert analysed == []
        assert run(".", "--no-cache", "--output-format", "full").out == after
        assert "helper.py:" in after


LIBRARY = """\
import torch


class Base:
    def used(self, x):
        return x.sum()


class Other:
    def unused(self, x):
        return x


def used(x):
    return x > 0


def unused(x):
    return 1
"""
USER = """\
import torch
from library import Base, used


class Derived(Base):
    def run(self, x: torch.Tensor):
        if used(self.used(x)):
            return 1
"""


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("return 1", "return x.item()", 0),
        ("        return x\n", "        for each in x:\n            print(each)\n        return x\n", 0),
        ("return x > 0", "return True", 2),
        ("return x.sum()", "return 1", 2),
        ("        return x\n", "        self.kept = x\n        return x\n", 2),
        ("def unused(x):", "def unused(x=None):", 0),
        ("def used(x):", "def used(x=None):", 2),
    ],
)
def test_a_body_matters_to_those_who_have_looked_at_it(
    run: Synclint,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    analysed: list[int],
    old: str,
    new: str,
    again: int,
) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", 1500)
    (tmp_path / "library.py").write_text(LIBRARY)
    (tmp_path / "user.py").write_text(USER)
    run(".", "--cold")
    edited = LIBRARY.replace(old, new)
    for text, expected in ((edited, again), (f"# moved\n{edited}", 0)):
        (tmp_path / "library.py").write_text(text)
        analysed.clear()
        after = run(".", "--cold", "--output-format", "full").out
        assert len(analysed) == expected
        assert run(".", "--cold", "--no-cache", "--output-format", "full").out == after


def test_a_single_file_is_seen_with_its_callers_after_its_lines_have_moved(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, analysed: list[int]
) -> None:
    plant(tmp_path)
    run(".")
    (tmp_path / "helper.py").write_text("# at the top\n" + HELPER)
    monkeypatch.setattr(runner, "MOST_ANALYSED_FOR_FEW", 0)
    analysed.clear()
    assert found(run, "helper.py") == [("helper.py", "SYN301", 3)]
    assert analysed == []


def test_a_report_is_found_again_in_another_process() -> None:
    """Where texts have other hashes, sets come in another order."""
    program = (
        "from synclint.analysis.results.expression_facts import Fact\n"
        "from synclint.running.reporting import _hash_of\n"
        "print(_hash_of([Fact(frozenset({'tensor', 'int', 'none', 'text', 'array'}))]))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in range(1, 5)
    }
    assert len(said) == 1
    assert said != {"\n"}


def test_what_was_analysed_comes_back_as_it_was(tmp_path: Path, own_cache: Path) -> None:
    plant(tmp_path)
    files = sorted(tmp_path.glob("*.py"))
    first = list(check_files_cached(files, [tmp_path], Options(), 1, lambda count: None, Phases(), own_cache))
    (tmp_path / "new.py").write_text("")
    again = check_files_cached(
        [*files, tmp_path / "new.py"], [tmp_path], Options(), 1, lambda count: None, Phases(), own_cache
    )
    assert [report for report in again if report.path in files] == first


def test_a_share_that_ended_a_process_is_not_kept(tmp_path: Path, own_cache: Path) -> None:
    memo = cache._memo(own_cache, b"secret", [tmp_path], Options(), 0)
    memo.shares.keep((), ShareResult(killed=(tmp_path / "a.py",)))
    memo.write((), PathStates())
    assert memo.shares.find((), {}) is None
