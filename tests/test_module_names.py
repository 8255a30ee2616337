"""Folders of scripts hold modules of the same names, each of which means the one beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Synclint

from synclint.analysis.program.module_files import ModuleFiles
from synclint.analysis.program.search_paths import added_to_path
from synclint.running import shares
from synclint.sources.kept_texts import kept

ON_DEVICE = "import torch\n\n\ndef pick(x):\n    return x.sum()\n"
ON_HOST = "import torch\n\n\ndef pick(x):\n    return torch.zeros(()).cpu()\n"
STEP = "import torch\n{}\n\n\ndef loss(x: torch.Tensor):\n    return {}(x.cuda()).item()\n"
IMPORTS = (
    ("from utils import pick", "pick"),
    ("import utils", "utils.pick"),
    ("import utils as u", "u.pick"),
    ("from utils import *", "pick"),
    ("from . import utils", "utils.pick"),
)


def plant(folder: Path, statement: str, name: str) -> None:
    for place, helper in (("device", ON_DEVICE), ("host", ON_HOST)):
        (folder / place).mkdir()
        (folder / place / "utils.py").write_text(helper)
        (folder / place / "train.py").write_text(STEP.format(statement, name))


@pytest.mark.parametrize(("statement", "name"), IMPORTS)
@pytest.mark.parametrize(
    "named", [(".",), ("device", "host"), ("host", "device"), ("host/train.py", "device/train.py")]
)
def test_the_module_beside_the_script_is_meant(
    run: Synclint, tmp_path: Path, named: tuple[str, ...], statement: str, name: str
) -> None:
    plant(tmp_path, statement, name)
    result = run("--output-format", "concise", *named)
    assert [line.split(":")[0] for line in result.out.splitlines() if "SYN201" in line] == ["device/train.py"]


def test_packages_of_the_same_name_are_told_apart_and_keep_their_names(run: Synclint, tmp_path: Path) -> None:
    for place, helper in (("device", ON_DEVICE), ("host", ON_HOST)):
        package = tmp_path / place / "helpers"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("from .picking import pick\n")
        (package / "picking.py").write_text(helper)
        (tmp_path / place / "train.py").write_text(STEP.format("import helpers", "helpers.pick"))
    assert "1 wait in the training step (1 of" in run(".").out
    marked = run(".", "--hot-functions", "helpers.picking.pick", "--device-functions", "helpers.picking.pick")
    assert "2 waits in the training step (2 of" in marked.out


@pytest.mark.parametrize("named", [".", "package", "package/inner/deep", "package/inner/deep/train.py"])
def test_a_folder_in_a_package_is_part_of_it_for_what_imports_relatively(
    run: Synclint, tmp_path: Path, named: str
) -> None:
    (tmp_path / "package" / "inner" / "deep").mkdir(parents=True)
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "utils.py").write_text(ON_HOST)
    (tmp_path / "package" / "inner" / "deep" / "train.py").write_text(STEP.format("from ...utils import pick", "pick"))
    assert "SYN201" not in run("--output-format", "concise", named).out


def test_what_lies_beside_a_package_is_not_looked_into(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text(STEP.format("import utils", "utils.pick"))
    (tmp_path / "utils.py").write_text(ON_DEVICE)
    assert "SYN201" not in run("package", "--min-confidence", "high").out


def test_names_are_looked_up_only_in_folders_that_exist(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    source = "import os\nimport package.inner.deep\nos.path.join(os.curdir)\n"
    (tmp_path / "a.py").write_text(source)
    modules = ModuleFiles([tmp_path])
    modules.add(tmp_path / "a.py", kept(source))
    assert not modules.reaches_torch(tmp_path / "a.py")
    looked = {Path(place).relative_to(tmp_path).as_posix() for place in modules.consulted}
    assert looked >= {"os.py", "os/__init__.py", "package/inner", "package/inner.py"}
    assert not {place for place in looked if place.startswith(("os/path", "package/inner/deep"))}


MODEL = "import torch\n\n\nclass Model:\n    def follow(self, x):\n        return x.cuda().sum().item()\n"
PROGRAM = (
    "import sys\n{}\nfrom model import Model\nimport torch\n\nmodel = Model()\n"
    "for step in range(1000):\n    model.follow(torch.ones(3))\n"
)


def runs_of(run: Synclint, file: str, named: str = ".") -> set[str]:
    found = json.loads(run(named, "--output-format", "json", "--runs", "all").out)
    return {each["context"]["reason"] for each in found if each["filename"].endswith(file) and each["code"] == "SYN201"}


@pytest.mark.parametrize("added", ["sys.path.append('lib')", "sys.path.insert(0, '../lib')"])
def test_what_a_program_puts_on_its_path_is_followed(run: Synclint, tmp_path: Path, added: str) -> None:
    for folder in ("lib", "tools"):
        (tmp_path / folder).mkdir()
    (tmp_path / "lib" / "model.py").write_text(MODEL)
    (tmp_path / "tools" / "run.py").write_text(PROGRAM.format(added))
    (reason,) = runs_of(run, "model.py")
    assert reason.startswith("called from the program's loop")


@pytest.mark.parametrize("helper", ["_paths.py", "tools/_paths.py"])
def test_what_a_program_puts_on_its_path_is_seen_by_what_lies_there(run: Synclint, tmp_path: Path, helper: str) -> None:
    for folder in ("tools", "lib/models", "lib/training"):
        (tmp_path / "src" / folder).mkdir(parents=True)
    lib = tmp_path / "src" / "lib"
    (lib / "models" / "model.py").write_text("import torch\n\n\ndef follow(x):\n    return x.cuda().sum().item()\n")
    handed = "from models.model import follow\n\n\ndef step(x):\n    return follow(x)\n"
    (lib / "training" / "steps.py").write_text(handed)
    way = ", '..'" if "/" in helper else ""
    adding = f"import os, sys\n\nsys.path.insert(0, os.path.join(os.path.dirname(__file__){way}, 'lib'))\n"
    (tmp_path / "src" / helper).write_text(adding)
    program = "import _paths\nimport torch\nfrom training.steps import step\n\n"
    looping = "for i in range(1000):\n    step(torch.ones(3))\n"
    (tmp_path / "src" / helper).with_name("run.py").write_text(program + looping)
    (reason,) = runs_of(run, "model.py")
    assert reason.startswith("called from `step`")


def test_what_puts_a_folder_on_the_path_later_is_seen_by_a_run_that_remembers(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", 1500)  # so that each file is a share of its own
    files = {
        "src/lib/models/picking.py": ON_HOST,
        "src/lib/training/train.py": STEP.format("from models.picking import pick", "pick"),
        "src/tools/_paths.py": "import os, sys\n",
    }
    work(tmp_path, files)
    asked = (".", "--output-format", "json", "--runs", "all", "--min-confidence", "low")
    before = run(*asked)
    (tmp_path / "src/tools/other.py").write_text("x = 1\n")
    assert run(*asked).out == before.out
    adding = "import os, sys\n\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'lib'))\n"
    (tmp_path / "src/tools/_paths.py").write_text(adding)
    after = run(*asked)
    assert after.out == run("--no-cache", *asked).out != before.out


def test_packages_of_a_project_see_each_other(run: Synclint, tmp_path: Path) -> None:
    for package in ("models", "training"):
        (tmp_path / "lib" / package).mkdir(parents=True)
        (tmp_path / "lib" / package / "__init__.py").touch()
    (tmp_path / "lib" / "models" / "model.py").write_text(MODEL)
    (tmp_path / "lib" / "training" / "run.py").write_text(PROGRAM.format("").replace("from model", "from models.model"))
    (reason,) = runs_of(run, "model.py")
    assert reason.startswith("called from the program's loop")


def test_a_module_does_not_mean_itself_by_its_own_name(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "__init__.py").write_text(MODEL)
    (tmp_path / "utils").mkdir()
    (tmp_path / "utils" / "model.py").write_text("from model import Model\n\n\ndef make():\n    return Model()\n")
    made = PROGRAM.format("").replace("from model import Model", "from utils.model import make")
    (tmp_path / "train.py").write_text(made.replace("Model()", "make()"))
    (reason,) = runs_of(run, "__init__.py")
    assert reason.startswith("called from the program's loop")


def test_a_module_alone_of_its_name_is_looked_up_nowhere_else(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "utils").mkdir()
    (tmp_path / "utils" / "model.py").write_text(f"import model\n{MODEL}\n\nmodel.Model()\n")
    assert runs_of(run, "model.py") != set()


def test_folders_outside_of_what_is_checked_are_not_looked_into(run: Synclint, tmp_path: Path) -> None:
    for folder in ("lib", "tools"):
        (tmp_path / folder).mkdir()
    (tmp_path / "lib" / "model.py").write_text(MODEL)
    (tmp_path / "tools" / "run.py").write_text(PROGRAM.format(f"sys.path.append({str(tmp_path / 'lib')!r})"))
    assert "model.py" not in run("tools", "--runs", "all").out


ADDING = "def add(path):\n    if path not in sys.path:\n        sys.path.insert(0, path)\n\n\n"


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("sys.path.append('lib')", ["lib"]),
        ("if 1:\n    sys.path.insert(0, '../lib')", ["../lib"]),
        ("sys.path.append(os.path.dirname(os.path.abspath(__file__)))", ["/p/tools"]),
        ("sys.path.append(os.path.join(os.path.dirname(__file__), '..', 'lib'))", ["/p/lib"]),
        ("sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'lib'))", ["/p/lib"]),
        ("ROOT = Path(__file__).parent.parent\nsys.path.append(str(ROOT.joinpath('lib')))", ["/p/lib"]),
        ("sys.path.append(os.path.join(os.getcwd(), 'lib'))", ["lib"]),
        ("sys.path.append(args.folder)\nsys.path.append('lib')", ["lib"]),
        ("HERE = Path(__file__).parent\nROOT = HERE  # same\nsys.path.append(str(ROOT / 'lib'))", ["/p/tools/lib"]),
        ("ROOT = HERE\nHERE = ROOT\nsys.path.append(str(ROOT / 'lib'))", []),
        (
            "here = osp.dirname(__file__)\n" + ADDING + "add(osp.join(here, '..'))\nadd('data')",
            ["/p", "data"],
        ),
        (ADDING + "put('lib')\n    add('lib')", []),
        ("def add(path, other):\n    sys.path.insert(0, other)\nadd('lib', 'data')", []),
        ("# sys.path.append('lib')", []),
        ("ROOT = Path(ROOT)\nsys.path.append(ROOT)", []),
        (f"sys.path.append({'(' * 200}'lib'{')' * 200})", []),
    ],
)
def test_folders_are_worked_out_from_what_a_module_says(text: str, places: list[str]) -> None:
    assert [place.as_posix() for place in added_to_path(text, Path("/p/tools/run.py"))] == places


def work(tmp_path: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)


def test_what_a_script_imports_from_beside_it_may_add_to_its_path(run: Synclint, tmp_path: Path) -> None:
    added = f"import os.path as osp\nimport sys\n\n\n{ADDING}add(osp.join(osp.dirname(__file__), '..', 'lib'))\n"
    program = PROGRAM.format("import _init_paths").replace("from model", "from core.model")
    work(tmp_path, {"lib/core/model.py": MODEL, "tools/_init_paths.py": added, "tools/run.py": program})
    (reason,) = runs_of(run, "model.py")
    assert reason.startswith("called from the program's loop")


@pytest.mark.parametrize(
    ("script", "imported"),
    [
        ("lib/core/run.py", "lib/core/model.py"),
        ("lib/core/run.py", "lib/core.py"),
        ("lib/run/run.py", "lib/core/model.py"),
    ],
)
def test_a_script_sees_folders_around_it_where_nothing_else_is_meant(
    run: Synclint, tmp_path: Path, script: str, imported: str
) -> None:
    name = "core" if imported.endswith("core.py") else "core.model"
    program = PROGRAM.format("").replace("from model", f"from {name}")
    package = {"lib/core/__init__.py": ""} if script == "lib/run/run.py" else {}
    work(tmp_path, {imported: MODEL, script: program, **package})
    (reason,) = runs_of(run, Path(imported).name)
    assert reason.startswith("called from the program's loop")


GUARD = 'if __name__ == "__main__":\n    pass\n'


@pytest.mark.parametrize(
    ("program", "meant"),
    [
        (
            f"from parts.net import Net\n\n{GUARD}",
            {"parts.net": "pack.parts.net", "pack": "pack.pack", "other": "other"},
        ),
        (f"from parts import Net\n\n{GUARD}", {"parts.net": "pack.parts.net", "pack": "pack.pack"}),
        (f"from parts.net import Other\n\n{GUARD}", {"parts.net": "parts.net", "pack": "pack"}),
        (f"from .parts.net import Net\n\n{GUARD}", {"parts.net": "parts.net", "pack": "pack"}),
        (f"from top import Net\n\n{GUARD}", {"parts.net": "parts.net", "top": "top"}),
        ("from parts.net import Other\n", {"parts.net": "parts.net", "pack": "pack"}),
    ],
)
def test_programs_in_a_package_are_run_where_they_see_what_lies_beside_them(
    tmp_path: Path, program: str, meant: dict[str, str]
) -> None:
    package = tmp_path / "pack"
    (package / "parts").mkdir(parents=True)
    net = "class Net:\n    pass\n"
    texts = {"__init__.py": "", "train.py": program, "pack.py": net, "top.py": net, "parts/net.py": net}
    for name, text in {**texts, "parts/__init__.py": "from parts.net import Net\n"}.items():
        (package / name).write_text(text)
    (tmp_path / "top.py").write_text(net)
    files = ModuleFiles([tmp_path])
    for importer in (package / "train.py", package / "parts" / "net.py"):
        assert {name: files.name_from(importer, tmp_path, name) for name in meant} == meant


def test_what_only_a_module_in_a_package_around_has_is_taken_from_that(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    (package / "parts").mkdir(parents=True)
    net = "class Net:\n    pass\n"
    texts = {
        "__init__.py": "",
        "train.py": "from parts.net import Net\nfrom top import Net\nfrom einops import rearrange\n",
        "top.py": net,
        "einops.py": "",
        "parts/__init__.py": "",
        "parts/net.py": net,
    }
    for name, text in texts.items():
        (package / name).write_text(text)
    (tmp_path / "top.py").write_text(net)
    files = ModuleFiles([tmp_path])
    meant = {name: files.name_from(package / "train.py", tmp_path, name) for name in ("parts.net", "top", "einops")}
    assert meant == {"parts.net": "pack.parts.net", "top": "top", "einops": "einops"}
    assert files.name_from(package / "top.py", tmp_path, "parts.net") == "parts.net"


def test_a_program_that_takes_something_of_its_own_package_means_the_package(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    program = f"from pack import Net\nfrom pack.net import Loss\n\n{GUARD}"
    for name, text in {
        "__init__.py": "",
        "train.py": program,
        "pack.py": "class Net:\n    pass\n",
        "net.py": "",
    }.items():
        (package / name).write_text(text)
    files = ModuleFiles([package])
    assert files.name_from(package / "train.py", tmp_path, "pack") == "pack"
    assert files.name_from(package / "net.py", tmp_path, "net") == "net"


def test_what_lies_at_the_top_of_a_project_is_meant_before_folders_around_a_script(
    run: Synclint, tmp_path: Path
) -> None:
    work(tmp_path, {"model.py": MODEL, "lib/model.py": MODEL, "lib/train/run.py": PROGRAM.format("")})
    found = json.loads(run(".", "--output-format", "json", "--runs", "all").out)
    reasons = {
        Path(each["filename"]).parent.name: each["context"]["reason"] for each in found if each["code"] == "SYN201"
    }
    assert reasons.pop("lib") == "nothing in the checked files calls `follow`"
    ((_, reason),) = reasons.items()
    assert reason.startswith("called from the program's loop")


CHOSEN = """import argparse
import importlib
import torch

args = argparse.ArgumentParser().parse_args()
chosen = importlib.import_module({})
model = chosen.Model()
for step in range(1000):
    model.follow(torch.ones(3))
"""


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("", "args.model"),
        ("models/", "'models.' + args.model"),
        ("models/", "f'models.{args.model}'"),
        ("models/", "'models.{}'.format(args.model)"),
        ("models/", "'models.%s' % args.model"),
    ],
)
def test_a_module_that_an_option_names_is_one_that_has_what_is_asked_of_it(
    run: Synclint, tmp_path: Path, folder: str, name: str
) -> None:
    other = MODEL.replace("Model", "Other")
    package = {"models/__init__.py": ""} if folder else {}
    work(tmp_path, {"run.py": CHOSEN.format(name), f"{folder}model.py": MODEL, f"{folder}other.py": other, **package})
    (reason,) = runs_of(run, "model.py")
    assert reason.startswith("called from the program's loop")
    assert runs_of(run, "other.py") == {"nothing that runs here leads to `Other.follow`"}


def test_any_of_the_modules_that_have_as_much_of_it_may_be_meant(run: Synclint, tmp_path: Path) -> None:
    work(tmp_path, {"run.py": CHOSEN.format("args.model"), "model.py": MODEL, "other.py": MODEL})
    for file in ("model.py", "other.py"):
        (reason,) = runs_of(run, file)
        assert reason.startswith("called from the program's loop")


def test_a_package_can_be_checked_by_itself(run: Synclint, tmp_path: Path) -> None:
    work(tmp_path, {"pack/__init__.py": "from pack.model import Model\n", "pack/model.py": MODEL})
    assert json.loads(run("pack", "--output-format", "json", "--runs", "all").out)


def test_a_folder_that_was_named_is_a_package_without_an_init(run: Synclint, tmp_path: Path) -> None:
    work(tmp_path, {"src/model.py": MODEL, "src/run.py": PROGRAM.format("").replace("from model", "from src.model")})
    (reason,) = runs_of(run, "model.py", "src")
    assert reason.startswith("called from the program's loop")


@pytest.mark.parametrize(("helper", "found"), [(ON_DEVICE, True), (ON_HOST, False)])
def test_a_folder_around_a_file_that_was_named_is_a_package_without_an_init(
    run: Synclint, tmp_path: Path, helper: str, found: bool
) -> None:
    work(tmp_path, {"pack/utils.py": helper, "pack/sub/train.py": STEP.format("from pack.utils import pick", "pick")})
    assert ("SYN201" in run("pack/sub/train.py", "--no-project", "--min-confidence", "high").out) is found


SELECTING = """import argparse
import importlib
import torch

args = argparse.ArgumentParser().parse_args()
model = importlib.import_module(args.model).Model()
for step in range(1000):
    torch.ones(3, device="cuda")[model.chosen(step)]
"""
BY_A_MASK = """import torch


class Model:
    def chosen(self, step):
        return torch.ones(3, device="cuda") > step
"""


def test_what_is_kept_allows_for_another_module_that_an_option_may_name(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", 1500)  # so that each file is a share of its own
    arguments = (".", "--output-format", "json", "--runs", "all")
    work(tmp_path, {"run.py": SELECTING, "part.py": "import torch\n\nPart = 1\n"})
    waits = []
    for edits in ({}, {"part.py": BY_A_MASK}, {"part.py": "import torch\n\nPart = 1\n"}, {"new.py": BY_A_MASK}):
        work(tmp_path, edits)
        fresh = run(*arguments, "--no-cache").out
        assert run(*arguments).out == run(*arguments).out == fresh
        waits.append("SYN103" in fresh)
    assert waits == [False, True, False, True]


@pytest.mark.parametrize(("helper", "found"), [(ON_DEVICE, ["loop.py"]), (ON_HOST, [])])
@pytest.mark.parametrize("name", ["net", "my-net", "3d-net", "net 1.0"])
def test_folders_may_be_called_as_no_name_in_python_can_be(
    run: Synclint, tmp_path: Path, name: str, helper: str, found: list[str]
) -> None:
    inner = tmp_path / name / "train"
    inner.mkdir(parents=True)
    for folder in (inner, inner.parent):
        (folder / "__init__.py").write_text("")
    (inner / "utils.py").write_text(helper)
    (inner / "loop.py").write_text(STEP.format("from .utils import pick", "pick"))
    result = run("--output-format", "concise", name)
    assert [Path(line.split(":")[0]).name for line in result.out.splitlines() if "SYN201" in line] == found


@pytest.mark.parametrize(("helper", "found"), [(ON_DEVICE, ["loop.py"]), (ON_HOST, [])])
@pytest.mark.parametrize("name", ["net", "my-net"])
def test_what_lies_in_such_a_folder_imports_relatively(
    run: Synclint, tmp_path: Path, name: str, helper: str, found: list[str]
) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("from .loop import loss\n")
    (tmp_path / name / "utils.py").write_text(helper)
    (tmp_path / name / "loop.py").write_text(STEP.format("from .utils import pick", "pick"))
    result = run("--output-format", "concise", name)
    assert [Path(line.split(":")[0]).name for line in result.out.splitlines() if "SYN201" in line] == found
