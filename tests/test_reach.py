"""Files without torch in reach are passed over, and no finding is lost by it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from synclint.analysis.project import Project
from synclint.analysis.reach import text_of
from synclint.config.options import Options
from synclint.discovery import discover
from synclint.findings import Confidence
from synclint.runner import check_files, check_text

EVERYTHING = Options(cold=True, min_confidence=Confidence.LOW)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import a.b, c as d\n", {"a.b", "c"}),
        ("from a import b, c\n", {"a", "a.b", "a.c"}),
        ("from .a import b\n", {"p.q.a", "p.q.a.b"}),
        ("from . import a\n", {"p.q", "p.q.a"}),
        ("from ..a import (b,\n    c)\n", {"p.a", "p.a.b", "p.a.c"}),
        ("from a \\\n    import b\n", {"a", "a.b"}),
        ("x = 1; import a\n", {"a"}),
        ("if x: from a import b\n", {"a", "a.b"}),
        ("def f():\n    import a\n", {"a"}),
        ("from a import *\n", {"a"}),
    ],
)
def test_no_way_to_write_an_import_is_missed(source: str, names: set[str]) -> None:
    assert text_of(source, "p.q").imports >= names


SIGNS = (
    "import torch", "from torchvision import ops", "x.cuda()", "if x.is_cuda: pass", "load('torch')",
    "from a import *\ny = torch.zeros(1)", "x.masked_fill_(y, 0)", "x.unsqueeze(-1)",
)  # fmt: skip


@pytest.mark.parametrize("source", SIGNS)
def test_who_uses_tensors_has_torch_in_reach(source: str) -> None:
    assert text_of(source, "").signs


@pytest.mark.parametrize(
    "source", ["import numpy", "np.tensordot(a, b)", "# as in torch, on CUDA", "def f(tensor): pass"]
)
def test_who_only_seems_to_has_not(source: str) -> None:
    assert not text_of(source, "").signs


@pytest.fixture
def reaches(tmp_path: Path) -> Callable[[str], bool]:
    def ask(name: str) -> bool:
        path = tmp_path / name
        return Project([tmp_path]).reaches_torch(path, path.read_text())

    return ask


def test_torch_is_reached_through_the_files_of_the_project(reaches: Callable[[str], bool], tmp_path: Path) -> None:
    files = {"a": "import b", "b": "from c import d", "c": "import torch", "x": "import y", "y": "import x, os"}
    for name, source in files.items():
        (tmp_path / f"{name}.py").write_text(source)
    assert [name for name in files if reaches(f"{name}.py")] == ["a", "b", "c"]


def test_a_package_around_a_module_and_a_stub_beside_it_count(
    reaches: Callable[[str], bool], tmp_path: Path
) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("import torch")
    (tmp_path / "package" / "inner.py").write_text("")
    (tmp_path / "user.py").write_text("import package.inner")
    (tmp_path / "stubbed.py").write_text("def f(x): return x")
    (tmp_path / "stubbed.pyi").write_text("import torch\ndef f(x: torch.Tensor): ...")
    assert reaches("user.py")
    assert reaches("stubbed.py")


def findings(folders: list[Path]) -> set[tuple[str, object, str]]:
    files = discover(folders).files
    assert len(files) > 400
    reports = check_files(files, folders, EVERYTHING).reports
    return {(finding.filename, finding.span, finding.code) for report in reports for finding in report.findings}


def test_no_finding_is_lost_over_packages_with_and_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    packages = ("torchmetrics", "json", "email", "asyncio", "click", "jsonschema", "packaging", "yaml")
    folders = []
    for name in packages:
        found = importlib.util.find_spec(name)
        assert found is not None
        assert found.submodule_search_locations
        folders.append(Path(found.submodule_search_locations[0]))
    gated = findings(folders)
    asked: list[bool] = []
    original = Project.reaches_torch

    def never_pass_over(project: Project, path: Path, source: str) -> bool:
        asked.append(original(project, path, source))
        return True

    monkeypatch.setattr(Project, "reaches_torch", never_pass_over)
    assert findings(folders) == gated
    assert len(gated) > 400
    assert asked.count(False) > 50


@pytest.mark.parametrize(
    "source",
    [
        "def f(a, a): pass\n",
        "def f():\n    x = 1\n    global x\n",
        "nonlocal x\n",
        "return 1\n",
        "class A:\n    def f(self):\n        yield await x\n",
        "x = '\\d'\n",
    ],
)
@pytest.mark.parametrize("start", ["", "import torch\n"], ids=["passed-over", "analysed"])
def test_what_can_be_parsed_is_no_syntax_error_even_if_python_would_not_run_it(
    tmp_path: Path, source: str, start: str
) -> None:
    assert check_text(start + source, tmp_path / "a.py", (tmp_path,), EVERYTHING).findings == ()


@pytest.mark.parametrize("source", ["def f(:\n", "x = (\n", "\0", "x = '\ud800'\n"])
@pytest.mark.parametrize("start", ["", "import torch\n"], ids=["passed-over", "analysed"])
def test_a_file_that_is_passed_over_is_told_its_syntax_errors(tmp_path: Path, source: str, start: str) -> None:
    (finding,) = check_text(start + source, tmp_path / "a.py", (tmp_path,), EVERYTHING).findings
    assert finding.code == "SYN000"
    assert finding.span.start.line == 1 + start.count("\n")
