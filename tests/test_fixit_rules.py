"""The rule for Fixit, run by Fixit itself."""

from __future__ import annotations

import unittest
from pathlib import Path

import libcst as cst
import pytest
from click.testing import CliRunner
from fix_cases import FixCase, findings, load_fix_cases
from fixit import fixit_paths
from fixit.testing import generate_lint_rule_test_cases

from synclint.adoption.edits import apply_edits
from synclint.cli import cli
from synclint.codemod.fixit_rules import HostWait
from synclint.codemod.replacements import replacement_of

CONFIGURATION = """\
[tool.fixit]
root = true
enable = ["synclint.codemod.fixit_rules"]
disable = ["fixit.rules"]
"""
SOURCE = """\
import torch
from torch.utils.data import DataLoader, TensorDataset


def train(model: torch.nn.Module, dataset: TensorDataset, optimizer: torch.optim.Optimizer) -> None:
    loader = DataLoader(dataset, num_workers=2, pin_memory=True)
    for images, labels in loader:
        images = images.cuda()  # the batch
        logits = model(images, labels.to("cuda"))
        logits.mean().backward()
        optimizer.step()
        print(logits.mean().item())
"""
MENDED = SOURCE.replace(".cuda()", ".cuda(non_blocking=True)").replace('to("cuda")', 'to("cuda", non_blocking=True)')


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION)
    written = tmp_path / "train.py"
    written.write_text(SOURCE)
    return written


def violations(path: Path, *, autofix: bool = False) -> list[tuple[int, str, bool]]:
    """The line, the code and whether there is a fix of each violation that Fixit reports."""
    results = list(fixit_paths([path], autofix=autofix, parallel=False))
    assert not [result.error for result in results if result.error]
    return [
        (found.range.start.line, found.message.split()[0], found.autofixable)
        for result in results
        if (found := result.violation) is not None
    ]


def test_fixit_reports_what_synclint_does(path: Path) -> None:
    assert violations(path) == [(8, "SYN701", True), (9, "SYN701", True), (12, "SYN201", False)]


def test_fixit_mends_the_copies_and_keeps_the_rest_as_it_is(path: Path) -> None:
    violations(path, autofix=True)
    assert path.read_text() == MENDED
    assert violations(path) == [(12, "SYN201", False)]
    violations(path, autofix=True)
    assert path.read_text() == MENDED


def test_an_error_in_the_fix_of_a_rule_is_told_beside_its_first_finding(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(code: str) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr("synclint.fixes.offering.fix_function", broken)
    said = [found.violation.message for found in fixit_paths([path], parallel=False) if found.violation is not None]
    assert [text.partition("internal error")[0] for text in said if "in the fix of" in text] == [
        "SYN003 in the fix of SYN701: ",
        "SYN003 in the fix of SYN201: ",
    ]
    assert sum(text.startswith("SYN701") for text in said) == 2


@pytest.mark.parametrize("comment", ["# lint-ignore: HostWait", "# synclint: ignore[SYN201]"])
def test_comments_of_both_tools_suppress(path: Path, comment: str) -> None:
    path.write_text(MENDED.replace("item())", f"item())  {comment}"))
    assert violations(path) == []


def test_settings_of_synclint_hold(path: Path) -> None:
    path.with_name("pyproject.toml").write_text(f'{CONFIGURATION}\n[tool.synclint]\nselect = ["SYN201"]\n')
    assert violations(path) == [(12, "SYN201", False)]


@pytest.mark.parametrize("case", generate_lint_rule_test_cases([HostWait()]))
def test_the_cases_of_the_rule_itself_hold(case: type[unittest.TestCase]) -> None:
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun == 2
    assert result.wasSuccessful(), [*result.errors, *result.failures]


OFFERED = """\
import torch
from torch import Tensor


def step(x: Tensor, batches: list[Tensor]) -> Tensor:
    half = torch.tensor(0.5, device=x.device)  # a float
    if len(x) > 3:
        ones = torch.ones(3).to("cuda")
    counts = torch.zeros(4, 2, device=x.device)
    counts[0, 1] = 3
    scores = x.exp()
    picked = scores[range(len(x)), 0]
    return half, ones, counts, picked
"""


def test_every_safe_fix_is_offered_with_its_replacement(path: Path) -> None:
    path.write_text(OFFERED)
    assert [(code, is_fixable) for _, code, is_fixable in violations(path)] == [
        ("SYN401", True), ("SYN402", True), ("SYN404", True), ("SYN403", True)
    ]  # fmt: skip
    for _ in range(3):  # of fixes that change the same block one is made at a time
        violations(path, autofix=True)
    by_fixit = path.read_text()
    path.write_text(OFFERED)
    (path.parent / "b.py").write_text(OFFERED)
    fixed = CliRunner().invoke(cli, ["check", "--fix-only", "--isolated", "--no-cache", str(path.parent / "b.py")])
    assert fixed.exit_code == 0
    assert by_fixit == (path.parent / "b.py").read_text() != OFFERED


def test_what_another_file_of_the_project_hands_to_a_compiler_has_no_replacement(path: Path) -> None:
    path.write_text(OFFERED)
    assert any(is_fixable for *_, is_fixable in violations(path))
    (path.parent / "export.py").write_text("import torch\nfrom train import step\n\nfast = torch.jit.script(step)\n")
    assert not any(is_fixable for *_, is_fixable in violations(path))


SAFE = [case for case in load_fix_cases() if case.safe and case.changes]


@pytest.mark.parametrize("case", SAFE, ids=lambda case: case.name)
def test_each_kind_of_safe_fix_is_a_node_in_the_place_of_another(case: FixCase) -> None:
    text = case.before.read_text(encoding="utf-8")
    fixes = {finding.fix for finding in findings(case.before, case.releases) if finding.fix is not None}
    module = cst.parse_module(text)
    assert fixes
    for fix in fixes:
        found = replacement_of(module, fix)
        assert found is not None
        changed = module.deep_replace(*found)
        assert isinstance(changed, cst.Module)
        assert changed.code == apply_edits(text, fix.edits)


@pytest.mark.parametrize("case", [case for case in SAFE if not case.releases], ids=lambda case: case.name)
def test_each_kind_of_safe_fix_is_offered_by_fixit(case: FixCase, path: Path) -> None:
    path.write_text(case.before.read_text(encoding="utf-8"))
    found = findings(case.before, {})
    assert violations(path) == [(one.span.start.line, one.code, one.fix is not None) for one in found]
