"""Every folder in rules/ is complete, its two files agree, and the linter judges them as they are marked."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import distributed

from synclint.analysis.project import Project
from synclint.catalog.entries import MECHANISMS, load_catalog
from synclint.findings import Confidence, Severity
from synclint.rules.loading import load_rules
from synclint.rules.matching import findings
from synclint.verify.source_lines import marked_lines, public_functions, statement_starts

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RULES = Path(__file__).parent.parent / "rules"
FOLDERS = sorted(path for path in RULES.iterdir() if path.is_dir())
HEADINGS = ["What it finds", "Why it waits", "What to write instead", "When to leave it", "References"]
REQUIRED_KEYS = {"code", "name", "summary", "mechanism", "matches", "severity", "dependency"}
OPTIONAL_KEYS = {"requires", "library-versions", "versions", "proof"}

every_rule = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def _description(folder: Path) -> dict[str, Any]:
    description: dict[str, Any] = tomllib.loads((folder / "rule.toml").read_text(encoding="utf-8"))
    return description


def _load(path: Path) -> ModuleType:
    name = f"{path.parent.name.replace('-', '_')}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _cases(path: Path) -> tuple[str, ...]:
    return public_functions(ast.parse(path.read_text(encoding="utf-8")))


def _marks(path: Path) -> dict[int, set[str]]:
    return {line: set(codes) for line, codes in marked_lines(path.read_text(encoding="utf-8")).items()}


def _versions_with_the_hazard(folder: Path) -> dict[str, str]:
    """For the libraries that have mended the hazard, the patch release before the one that did."""
    mended = _description(folder).get("library-versions", {})
    return {library: _previous(version) for library, version in mended.items()}


def _previous(version: str) -> str:
    *leading, patch = version.split(".")
    return ".".join([*leading, str(int(patch) - 1)])


def _flagged(path: Path, least: Confidence) -> dict[int, set[str]]:
    source = path.read_text(encoding="utf-8")
    starts = statement_starts(ast.parse(source))
    project = Project([path], library_versions=_versions_with_the_hazard(path.parent))
    events = project.check(path, source)
    lines: dict[int, set[str]] = {}
    for finding in findings(events, load_rules(), load_catalog()):
        if finding.confidence.at_least(least):
            lines.setdefault(starts[finding.span.start.line], set()).add(finding.code)
    return lines


def _arguments(hazard: ModuleType, case: str, seed: int) -> tuple[object, ...]:
    torch.manual_seed(seed)
    arguments: tuple[object, ...] = hazard.inputs(torch.device("cpu"))[case]
    return arguments


def _assert_same(actual: object, expected: object) -> None:
    if isinstance(actual, (tuple, list)):
        assert isinstance(expected, (tuple, list))
        for one, other in zip(actual, expected, strict=True):
            _assert_same(one, other)
    elif actual is None or isinstance(actual, str):
        assert actual == expected
    else:
        torch.testing.assert_close(actual, expected)


@pytest.fixture(autouse=True)
def no_process_group_left_behind() -> Iterator[None]:
    yield
    if distributed.is_initialized():
        distributed.destroy_process_group()


@every_rule
def test_folder_holds_the_four_files_of_a_rule(folder: Path) -> None:
    files = {path.name for path in folder.iterdir() if path.is_file()}
    assert files - {"fix.py"} == {"rule.toml", "README.md", "hazard.py", "sync_free.py"}
    assert ("fix.py" in files) is (folder / "fix_cases").is_dir()


@every_rule
def test_rule_is_described_completely_under_the_name_of_its_folder(folder: Path) -> None:
    rule = _description(folder)
    assert f"{rule['code']}-{rule['name']}" == folder.name
    assert REQUIRED_KEYS <= set(rule) <= REQUIRED_KEYS | OPTIONAL_KEYS
    assert rule["mechanism"] in MECHANISMS
    assert rule["severity"] in {severity.value for severity in Severity}
    assert rule["dependency"] in {"true", "false"}
    assert rule["matches"], "a rule that matches no catalogue entry never reports anything"


@every_rule
def test_page_has_the_headings_that_explain_shows(folder: Path) -> None:
    rule = _description(folder)
    lines = (folder / "README.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == f"# {rule['code']} {rule['name']}"
    assert [line.removeprefix("## ") for line in lines if line.startswith("## ")] == HEADINGS


@every_rule
def test_hazard_and_twin_define_the_same_annotated_cases(folder: Path) -> None:
    hazard, twin = _load(folder / "hazard.py"), _load(folder / "sync_free.py")
    cases = _cases(folder / "hazard.py")
    assert 1 <= len(cases) <= 4
    assert cases == _cases(folder / "sync_free.py") == tuple(hazard.inputs(torch.device("cpu")))
    assert not hasattr(twin, "inputs")
    for name in cases:
        for module in (hazard, twin):
            signature = inspect.signature(getattr(module, name))
            assert signature.return_annotation is not inspect.Signature.empty
            annotations = [parameter.annotation for parameter in signature.parameters.values()]
            assert inspect.Parameter.empty not in annotations


@every_rule
def test_hazard_and_twin_give_equal_results(folder: Path) -> None:
    hazard, twin = _load(folder / "hazard.py"), _load(folder / "sync_free.py")
    for seed in range(2):
        for name in _cases(folder / "hazard.py"):
            expected = getattr(hazard, name)(*_arguments(hazard, name, seed))
            _assert_same(getattr(twin, name)(*_arguments(hazard, name, seed)), expected)


@every_rule
def test_hazard_marks_a_line_with_the_code_of_its_rule(folder: Path) -> None:
    marks = _marks(folder / "hazard.py")
    assert _description(folder)["code"] in set().union(*marks.values())


@every_rule
def test_linter_flags_the_marked_lines_of_the_hazard_and_no_other(folder: Path) -> None:
    assert _flagged(folder / "hazard.py", Confidence.LOW) == _marks(folder / "hazard.py")


@every_rule
def test_linter_finds_nothing_in_the_twin(folder: Path) -> None:
    assert _flagged(folder / "sync_free.py", Confidence.MEDIUM) == {}


def test_every_catalogue_entry_belongs_to_exactly_one_rule() -> None:
    owners = Counter(entry for folder in FOLDERS for entry in _description(folder)["matches"])
    assert owners == Counter(entry.id for entry in load_catalog().entries)
