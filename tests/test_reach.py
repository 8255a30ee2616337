"""Files without torch in reach are passed over, and no finding is lost by it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from synclint.analysis.program.module_files import ModuleFiles
from synclint.analysis.program.reach import Import, text_of
from synclint.config.options import Options
from synclint.findings import Confidence
from synclint.running import survey
from synclint.running.discovery import discover
from synclint.running.runner import check_files, check_text
from synclint.running.survey import CodeFile
from synclint.sources.kept_texts import kept

EVERYTHING = Options(cold=True, min_confidence=Confidence.LOW)


@pytest.mark.parametrize(
    ("source", "imports"),
    [
        ("import a.b, c as d\n", {Import("a.b"), Import("a"), Import("c")}),
        ("import a.b as d\nd.e.f()\n", {Import("a.b"), Import("a.b", "e", "e"), Import("a.b.e", "f", "f")}),
        ("import a\na.b.c(a.d)\n", {Import("a", "b", "b"), Import("a.b", "c", "c"), Import("a", "d", "d")}),
        ("from a import b, c as d\n", {Import("a", "b", "b"), Import("a", "c", "d")}),
        ("from .a import b\n", {Import("p.q.a", "b", "b")}),
        ("from . import a\n", {Import("p.q", "a", "a")}),
        ("from ..a import (b,  # c\n    d as e,)\n", {Import("p.a", "b", "b"), Import("p.a", "d", "e")}),
        ("from a \\\n    import b\n", {Import("a", "b", "b")}),
        ("x = 1; import a\n", {Import("a")}),
        ("if x: from a import b\n", {Import("a", "b", "b")}),
        ("def f():\n    import a\n", {Import("a")}),
        ("from a import *\n", {Import("a", "*", "*")}),
    ],
)
def test_no_way_to_write_an_import_is_missed(source: str, imports: set[Import]) -> None:
    assert text_of(source, "p.q").imports >= imports


def test_what_a_comment_a_string_or_a_docstring_says_is_not_imported() -> None:
    assert text_of('exec("import a")\n"""One may import a,\nor from b\'s import c."""\n', "p").imports == frozenset()
    assert text_of("x = 1  # import a\n# from a import b\n", "p").imports == frozenset()
    assert text_of('"""Use it so:\n\n    >>> from a import b\n    ... import c\n"""\n', "p").imports == frozenset()


SIGNS = (
    "x.cuda()", "if x.is_cuda: pass",
    "from a import *\ny = torch.zeros(1)", "x.masked_fill_(y, 0)", "x.unsqueeze(-1)",
)  # fmt: skip


@pytest.mark.parametrize(
    ("source", "is_asked"),
    [
        ("def shows(self):\n    return (self.seen % self.every) < self.rows\n", True),
        ("def shows(step):\n    return step % 10 == 0\n", True),
        ("def shows(step):\n    return step > 10 and not step % every != 0\n", True),
        ("def text(step):\n    return 'step %d' % step == other\n", False),
        ("def rest(step):\n    return step % 10\n", False),
    ],
)
def test_what_answers_whether_a_count_has_come_round_is_asked(source: str, is_asked: bool) -> None:
    assert text_of(source, "").is_asked is is_asked
    assert not text_of(source, "").signs


@pytest.mark.parametrize("source", SIGNS)
def test_who_uses_tensors_has_torch_in_reach(source: str) -> None:
    assert text_of(source, "").signs


@pytest.mark.parametrize(
    "source",
    ["import numpy", "np.tensordot(a, b)", "# as in torch, on CUDA", "x = 1  # or torch.ones(1)", "def f(tensor): ..."],
)
def test_who_only_seems_to_has_not(source: str) -> None:
    assert not text_of(source, "").signs


TORCH = "import torch\ndef f(): ...\n"


def reaching(folder: Path, files: dict[str, str]) -> set[str]:
    """Those of the files, by their names without suffix, that have torch in reach."""
    for name, source in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source)
    modules = ModuleFiles([folder])
    code = {name: source for name, source in files.items() if name.endswith(".py")}
    for name, source in code.items():
        modules.add(folder / name, kept(source))
    return {name.removesuffix(".py") for name in code if modules.reaches_torch(folder / name)}


@pytest.mark.parametrize("source", ["import torch", "from torch import nn", "import torchvision", "import timm.models"])
def test_who_imports_what_gives_tensors_has_torch_in_reach(tmp_path: Path, source: str) -> None:
    assert reaching(tmp_path, {"a.py": source}) == {"a"}


def test_who_only_names_torch_in_a_string_takes_tensors_but_gives_none(tmp_path: Path) -> None:
    asks = "import sys\ndef is_tensor(x):\n    return isinstance(x, sys.modules.get('torch').Tensor)\n"
    assert reaching(tmp_path, {"a.py": asks, "b.py": "from a import is_tensor"}) == {"a"}


def test_a_library_of_the_project_itself_gives_only_what_is_in_it(tmp_path: Path) -> None:
    assert reaching(tmp_path, {"timm.py": "def f(): ...", "a.py": "from timm import f"}) == set()


@pytest.mark.parametrize(
    "source",
    [
        "from home import f", "import home\nhome.f()", "import home as h\nh.f()", "from package import f",
        "from package import g", "from package import home", "import package\npackage.f()",
        "import package as p\np.home.f()", "from package import *\nf()", "from package.stars import f",
        "from package.stars import *\nf()", "from wrapper import f",
    ],
)  # fmt: skip
def test_torch_is_in_reach_where_what_is_imported_is_defined_beside_it(tmp_path: Path, source: str) -> None:
    files = {
        "home.py": TORCH,
        "wrapper.py": "from home import f",
        "package/__init__.py": "from .home import f, f as g\nfrom .other import h",
        "package/home.py": TORCH,
        "package/other.py": "def h(): ...",
        "package/stars.py": "from .other import *\nfrom .home import *",
        "user.py": source,
    }
    assert "user" in reaching(tmp_path, files)


@pytest.mark.parametrize(
    "source",
    [
        "from package import h", "import package\npackage.h()", "from package import *\nh()", "import package.other",
        "from wrapper import k",
    ],
)  # fmt: skip
def test_torch_is_not_in_reach_where_only_something_else_is_imported_from_there(tmp_path: Path, source: str) -> None:
    files = {
        "home.py": TORCH,
        "wrapper.py": "from home import f\ndef k(): f()",
        "package/__init__.py": "from .home import f\nfrom .other import h",
        "package/home.py": TORCH,
        "package/other.py": "def h(): ...",
        "package/stars.py": "from .other import *\nfrom .home import *",
        "user.py": source,
    }
    assert "user" not in reaching(tmp_path, files)


@pytest.mark.parametrize(
    "table",
    ["T = {'f': f, 'h': h}", "T: dict = {\n    'h': h,\n\n    'f': f,\n}", "T = [f]", "T = (\n    h,\n    f,\n)"],
)
def test_torch_is_in_reach_where_a_table_is_imported_that_holds_what_is_defined_beside_it(
    tmp_path: Path, table: str
) -> None:
    files = {
        "home.py": TORCH,
        "tables.py": f"from home import f\nfrom other import h\n{table}\nU = {{'h': h}}\nf()\n",
        "other.py": "def h(): ...",
        "user.py": "from tables import T",
        "another.py": "from tables import U",
    }
    reached = reaching(tmp_path, files)
    assert "user" in reached
    assert "another" not in reached


def test_who_trains_is_in_reach_of_torch_through_however_many_files(tmp_path: Path) -> None:
    files = {
        "home.py": TORCH,
        "near.py": "from home import f\ndef g(): f()",
        "far.py": "from near import g\ndef h(): g()",
        "trains.py": "from far import h\nfor epoch in range(9): h()",
        "talks.py": "from far import h\nfor line in h(): print(line)",
        "in_circles.py": "import in_circles, os\nfor epoch in range(9): os.stat('.')",
    }
    assert reaching(tmp_path, files) == {"home", "near", "trains"}


def test_a_package_around_a_module_and_a_stub_beside_it_count(tmp_path: Path) -> None:
    files = {
        "package/__init__.py": "import torch",
        "package/inner.py": "",
        "user.py": "import package.inner",
        "stubbed.py": "def f(x): return x",
        "stubbed.pyi": "import torch\ndef f(x: torch.Tensor): ...",
    }
    assert reaching(tmp_path, files) >= {"user", "stubbed"}


def test_a_tensor_is_followed_into_functions_far_from_torch(tmp_path: Path) -> None:
    (tmp_path / "far.py").write_text("def show(x):\n    return float(x)\n\ndef name() -> str: ...\n")
    main = tmp_path / "main.py"
    main.write_text("import torch\nfrom far import show\nshow(torch.ones((), device='cuda'))\nshow(3)\n")
    files = [*discover([tmp_path]).files]
    found = [finding for report in check_files(files, [tmp_path], EVERYTHING).reports for finding in report.findings]
    assert [(Path(finding.filename).name, finding.code, finding.span.start.line) for finding in found] == [
        ("far.py", "SYN203", 2)
    ]


def findings(folders: list[Path]) -> set[tuple[str, object, str]]:
    files = [*discover(folders).files]
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
    passed_over: list[CodeFile] = []

    def passing_nothing_over(file: CodeFile, modules: ModuleFiles) -> bool:
        passed_over.extend([] if original(file, modules) else [file])
        return True

    original = survey._reaches_torch
    monkeypatch.setattr(survey, "_reaches_torch", passing_nothing_over)
    assert findings(folders) == gated
    assert len(gated) > 400
    assert len(passed_over) > 50


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
