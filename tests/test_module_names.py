"""Folders of scripts hold modules of the same names, each of which means the one beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Synclint

from synclint.analysis.program.module_files import ModuleFiles
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
