"""A baseline: what was there before stays silent, what is new is reported, what is gone is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import COLD, HAZARD, Synclint

from synclint.adoption.anchors import anchors
from synclint.findings import Confidence, Context, Finding, Phase, Position, Severity, Span

BASELINE = ("--baseline", "base.json")
SOURCE = """\
import torch


class Loss(torch.nn.Module):
    def forward(self, target: torch.Tensor) -> torch.Tensor:
        first = torch.nonzero(target)
        return torch.nonzero(target)
"""


def write(run: Synclint, *paths: str) -> None:
    result = run(*(paths or (".",)), *BASELINE, "--write-baseline")
    assert result.status == 0
    assert result.out == ""
    assert "to base.json" in result.err


def lines(run: Synclint, *arguments: str) -> list[str]:
    """Where the findings are that are not in the baseline."""
    result = run(".", *BASELINE, "--output-format", "concise", "--quiet", *arguments)
    return [":".join(line.split(":")[:2]) for line in result.out.splitlines()]


def test_what_the_baseline_lists_is_not_reported(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    write(run)
    result = run(".", *BASELINE)
    assert result.status == 0
    assert result.err == "synclint: note: 2 findings listed in base.json not shown\n"


@pytest.mark.parametrize(
    "edited",
    [
        "# a comment\nimport os\n" + SOURCE,
        SOURCE.replace("class Loss", "def other() -> None:\n    pass\n\n\nclass Loss"),
        SOURCE.replace("first = torch.nonzero(target)", "first = torch.nonzero(\n  target,\n )"),
        SOURCE.replace("(target)\n", "(target)  # why not\n"),
        SOURCE.replace("    ", "\t"),
        SOURCE.replace("\n", "\r\n"),
    ],
    ids=["lines above", "code between", "layout", "comments", "indentation", "line ends"],
)  # fmt: skip
def test_entries_survive_edits_elsewhere(run: Synclint, tmp_path: Path, edited: str) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    write(run)
    (tmp_path / "a.py").write_bytes(edited.encode())
    result = run(".", *BASELINE)
    assert (result.status, result.err.count("warning")) == (0, 0)


def test_a_new_finding_is_reported_and_only_that(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    write(run)
    (tmp_path / "a.py").write_text(SOURCE.replace("return", "second = torch.unique(target)\n        return"))
    assert lines(run) == ["a.py:7"]


def test_one_more_of_the_same_is_new(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    write(run)
    again = "first = torch.nonzero(target)\n"
    (tmp_path / "a.py").write_text(SOURCE.replace(again, again + "        " + again))
    assert lines(run) == ["a.py:7"]


def test_the_same_statement_in_another_function_is_new(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    write(run)
    (tmp_path / "a.py").write_text(SOURCE.replace("forward", "training_step"))
    assert lines(run) == ["a.py:6", "a.py:7"]


def test_the_same_statement_in_another_file_is_new(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    write(run)
    (tmp_path / "b.py").write_text(SOURCE)
    assert lines(run) == ["b.py:6", "b.py:7"]


def test_what_is_gone_is_said_and_can_be_pruned(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    (tmp_path / "b.py").write_text(HAZARD)
    write(run)
    (tmp_path / "a.py").write_text(SOURCE.replace("first = torch.nonzero(target)", "first = target"))
    (tmp_path / "b.py").unlink()
    result = run(".", *BASELINE)
    assert result.status == 0
    assert "warning: base.json lists 2 findings that can no longer be found; --prune-baseline" in result.err
    assert "SYN101 in a.py: first = torch.nonzero(target)" in result.err
    assert "removed 2 findings from base.json" in run(".", *BASELINE, "--prune-baseline").err
    assert "warning" not in run(".", *BASELINE).err
    assert len(json.loads((tmp_path / "base.json").read_text())["entries"]) == 1


@pytest.mark.parametrize(
    "arguments",
    [["--select", "SYN2"], ["--min-confidence", "high"], ["--ignore", "nonzero"], ["--exclude", "a.py"]],
)
def test_what_a_run_could_not_find_is_not_called_gone(run: Synclint, tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "a.py").write_text("def f(mask):\n    return mask.nonzero()\n" + HAZARD)
    (tmp_path / "c.py").write_text(COLD)
    result = run(".", *BASELINE, "--write-baseline", "--cold", "--min-confidence", "low")
    before = (tmp_path / "base.json").read_text()
    assert "wrote 3 findings" in result.err or "wrote 2 findings" in result.err
    assert "warning" not in run(".", *BASELINE, *arguments).err
    run(".", *BASELINE, "--prune-baseline", *arguments)
    assert (tmp_path / "base.json").read_text() == before


def test_writing_for_a_part_keeps_the_rest(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    (tmp_path / "b.py").write_text(HAZARD)
    write(run)
    (tmp_path / "a.py").write_text(HAZARD)
    write(run, "a.py")
    assert lines(run) == []
    entries = json.loads((tmp_path / "base.json").read_text())["entries"]
    assert [(entry["path"], entry["function"]) for entry in entries] == [("a.py", "loss"), ("b.py", "loss")]


def test_a_file_that_does_not_parse_keeps_its_entries_and_is_reported(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    write(run)
    before = (tmp_path / "base.json").read_text()
    (tmp_path / "a.py").write_text(SOURCE + "def f(:\n")
    assert lines(run) == ["a.py:8"]
    assert run(".", *BASELINE, "--write-baseline").status == 1
    assert (tmp_path / "base.json").read_text() == before


@pytest.mark.parametrize("paths", [("a.py",), ("sub",), ("a.py", "sub")])
def test_a_run_over_part_of_a_project_calls_nothing_gone(run: Synclint, tmp_path: Path, paths: tuple[str, ...]) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("a.py", "sub/b.py", "c.py"):
        (tmp_path / name).write_text(SOURCE)
    write(run)
    before = (tmp_path / "base.json").read_text()
    for name in ("a.py", "sub/b.py"):
        (tmp_path / name).write_text(SOURCE.replace("first = torch.nonzero(target)", "first = target"))
    (tmp_path / "c.py").unlink()
    part = run(*paths, *BASELINE)
    assert (part.status, part.err.count("warning")) == (0, 0)
    pruned = run(*paths, *BASELINE, "--prune-baseline")
    assert "--prune-baseline does nothing here: this run covers only part of what base.json was written" in pruned.err
    assert (tmp_path / "base.json").read_text() == before
    assert "base.json lists 4 findings that can no longer be found" in run(".", *BASELINE).err


def test_a_run_over_standard_input_calls_nothing_gone(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    write(run)
    given = b"import torch\n"
    assert "warning" not in run("-", "--stdin-filename", "a.py", *BASELINE, stdin=given).err


def test_a_baseline_for_a_directory_is_covered_by_that_directory(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text(SOURCE)
    write(run, "src")
    (tmp_path / "src" / "a.py").write_text("import torch\n")
    for paths in (("src",), (".",), ("src", "base.json")):
        assert "2 findings that can no longer be found" in run(*paths, *BASELINE).err
    assert "warning" not in run("src/a.py", *BASELINE).err


def test_a_renamed_file_keeps_its_entries_and_pruning_follows_it(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    write(run)
    (tmp_path / "a.py").rename(tmp_path / "renamed.py")
    assert run(".", *BASELINE).err == "synclint: note: 2 findings listed in base.json not shown\n"
    assert run("renamed.py", *BASELINE).status == 0
    assert run(".", *BASELINE, "--prune-baseline").status == 0
    entries = json.loads((tmp_path / "base.json").read_text())["entries"]
    assert {(entry["path"], entry["count"]) for entry in entries} == {("renamed.py", 1)}
    (tmp_path / "a.py").write_text(SOURCE)
    assert lines(run) == ["a.py:6", "a.py:7"]


def test_a_renamed_file_keeps_no_more_entries_than_it_had(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    write(run)
    (tmp_path / "a.py").unlink()
    for name in ("b.py", "c.py"):
        (tmp_path / name).write_text(SOURCE)
    assert lines(run) == ["c.py:6", "c.py:7"]


def test_what_is_listed_is_not_counted_among_what_is_not_shown(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "c.py").write_text(COLD)
    assert "1 that runs once not shown" in run(".").out
    assert run(".", *BASELINE, "--write-baseline", "--runs", "all").status == 0
    assert run(".", *BASELINE).out == "No waits found in 1 file.\n"


def test_a_finding_that_is_thought_to_run_in_another_phase_now_is_not_gone(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(HAZARD)
    write(run)
    (tmp_path / "a.py").write_text(HAZARD.replace("-> torch.Tensor:", "-> torch.Tensor:  # synclint: cold"))
    result = run(".", *BASELINE)
    assert (result.status, result.err) == (0, "")


def test_a_baseline_of_the_first_version_is_read(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    write(run)
    document = json.loads((tmp_path / "base.json").read_text())
    old = [{**entry, "hot": entry["runs"] == "step"} for entry in document["entries"]]
    for entry in old:
        del entry["runs"]
    (tmp_path / "base.json").write_text(json.dumps({"version": 1, "entries": old}))
    assert run(".", *BASELINE).status == 0
    (tmp_path / "a.py").write_text("import torch\n")
    assert "2 findings that can no longer be found" in run(".", *BASELINE).err


def test_the_baseline_can_be_configured_and_is_relative_to_its_file(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.synclint]\nbaseline = "base.json"\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text(SOURCE)
    assert run(".").status == 2
    assert run(".", "--write-baseline").status == 0
    monkeypatch.chdir(tmp_path / "src")
    assert run("a.py").status == 0


def test_a_notebook_is_known_by_its_statements(run: Synclint, tmp_path: Path) -> None:
    def notebook(*sources: str) -> str:
        cells: list[dict[str, object]] = [
            {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
            for source in sources
        ]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    (tmp_path / "a.ipynb").write_text(notebook(HAZARD))
    write(run)
    (tmp_path / "a.ipynb").write_text(notebook("import os", "x = 1", HAZARD))
    assert run(".", *BASELINE).status == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "base.json: no such baseline; "),
        ("", "base.json: is not a baseline: "),
        ("[]", "base.json: is not a baseline of version 2"),
        ('{"version": 3}', "base.json: is not a baseline of version 2"),
        ('{"version": 1}', "it has no list of entries"),
        ('{"version": 1, "entries": [1]}', "base.json: entry 1 is not an object"),
        ('{"version": 1, "entries": [{"path": 1}]}', "base.json: entry 1 has no 'path' of type str"),
        ("[" * 100000, "base.json: is not a baseline: "),
        ("\x00\ufffd", "base.json: is not a baseline: "),
    ],
    ids=range(9),
)
def test_a_baseline_that_cannot_be_used_is_status_2_in_one_line(
    run: Synclint, tmp_path: Path, text: str | None, told: str
) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    if text is not None:
        (tmp_path / "base.json").write_text(text, encoding="utf-8")
    result = run(".", *BASELINE)
    assert result.status == 2
    assert told in result.err
    assert len(result.err.splitlines()) == 1


def test_paths_in_a_baseline_are_compared_and_never_opened(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    write(run)
    document = json.loads((tmp_path / "base.json").read_text())
    for path in ("/etc/passwd", "../outside.py"):
        document["entries"].append({**document["entries"][0], "path": path})
    (tmp_path / "base.json").write_text(json.dumps(document))
    result = run(".", *BASELINE, "--prune-baseline")
    assert result.status == 0
    assert "removed" not in result.err


def finding(line: int) -> Finding:
    span = Span(Position(line, 1), Position(line, 2))
    context = Context(Phase.STEP, reason="")
    return Finding("SYN101", "nonzero", "", "a.py", span, Severity.WARNING, Confidence.HIGH, "", context)


def test_an_anchor_is_the_function_by_its_qualified_name_and_the_statement_without_layout() -> None:
    source = "class A:\n  async def f(self):\n    def g(): x(\n      1 , # no\n    )\n    y (\\\n 2)\n  z = 1\nw = 1\n"
    found = [(anchor.function, anchor.statement) for anchor in anchors([*map(finding, (4, 6, 8, 9))], source)]
    assert found == [("A.f", "def g(): x(1)"), ("A.f", "y (2)"), ("A", "z = 1"), ("", "w = 1")]


def test_without_a_name_the_baseline_is_written_under_its_usual_one(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    written = run(".", "--write-baseline")
    assert (written.status, written.out) == (0, "")
    assert "later runs read synclint-baseline.json if `baseline` is set to it, or with --baseline" in written.err
    assert run(".", "--baseline", "synclint-baseline.json").status == 0
    assert run(".", "--prune-baseline").status == 2
