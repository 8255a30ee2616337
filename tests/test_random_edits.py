"""The edits that prove the memory: what they change, and that a difference between two runs is noticed."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from benchmarks.body_edits import with_edited_body
from benchmarks.corpus import python_files
from benchmarks.edit_check import first_difference, steps_over
from benchmarks.random_edits import RandomEdits
from synclint.config.options import Options
from synclint.results.file_reports import FileReport
from synclint.running import runner

MODULE = '''\
"""A module."""

import torch
from torch import nn


class Head(nn.Module):
    """A part of a model."""

    def forward(self, x, scale=1.0):
        """Give what it gives."""
        y = self.layer(x)  # a comment
        if y.sum() > 0:
            y = y + scale
        return y


def total(x):
    kept = [each.item() for each in x]
    return sum(kept)
'''


def outside(tree: ast.Module) -> str:
    """A module without the bodies of its functions, their docstrings aside."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = [ast.Expr(ast.Constant(ast.get_docstring(node)))]
    return ast.dump(tree)


@pytest.mark.parametrize("seed", range(40))
def test_an_edit_of_a_body_is_another_body_and_nothing_else(seed: int) -> None:
    edited = with_edited_body(MODULE, Random(seed))
    assert ast.dump(ast.parse(edited)) != ast.dump(ast.parse(MODULE))
    assert outside(ast.parse(edited)) == outside(ast.parse(MODULE))


def test_a_text_without_functions_has_no_bodies_to_edit() -> None:
    with pytest.raises(LookupError):
        with_edited_body("import torch\n", Random(1))


def after(folder: Path, count: int) -> dict[str, str]:
    """What is in a package after so many edits."""
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.py").write_text(MODULE, encoding="utf-8")
    edits = RandomEdits(folder, Random(5))
    for _ in range(count):
        edits.edit()
    return {path.name: path.read_text(encoding="utf-8") for path in python_files(folder)}


def test_a_seed_makes_the_same_edits_each_time(tmp_path: Path) -> None:
    first = after(tmp_path / "first", 90)
    assert first == after(tmp_path / "again", 90)
    assert first.keys() != {"a.py", "b.py", "c.py"}
    assert set(first.values()) != {MODULE}


@pytest.fixture
def reports(tmp_path: Path) -> tuple[FileReport, ...]:
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
    made = runner.check_files(python_files(tmp_path), [tmp_path], Options(cold=True), 1).reports
    return tuple(made)


def test_equal_reports_have_no_difference(reports: tuple[FileReport, ...]) -> None:
    assert any(report.all_found for report in reports)
    assert first_difference(reports, tuple(replace(report) for report in reports)) == ""


@pytest.mark.parametrize("field", ["priority", "evidence", "context", "span"])
def test_no_field_of_a_finding_may_differ(reports: tuple[FileReport, ...], field: str) -> None:
    *before, last = reports
    finding = last.all_found[0]
    others = {
        "priority": finding.priority + 1,
        "evidence": ("said by nobody",),
        "context": replace(finding.context, reason="for no reason"),
        "span": finding.span._replace(start=finding.span.start._replace(line=99)),
    }
    changed = replace(last, findings=(replace(finding, **{field: others[field]}), *last.findings[1:]))  # type: ignore[arg-type]
    assert field in first_difference((*before, changed), reports)
    assert "instead of None" in first_difference(reports, before)


def test_runs_over_a_small_package_are_compared_after_each_step(tmp_path: Path) -> None:
    after(tmp_path / "package", 0)
    steps = list(steps_over(tmp_path / "package", tmp_path / "cache", 3, seed=2))
    assert [step.difference for step in steps] == ["", "", ""]
    assert all(step.edits and step.asked for step in steps)
