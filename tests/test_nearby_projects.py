"""A file that is named by itself is judged with the project around it, as its directory is, with a cache or without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Synclint

from synclint.running import nearby_projects
from synclint.running.nearby_projects import project_around

HELPERS = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        print(x.sum().item())
        return x


def used(x: torch.Tensor):
    print(x.max().item())
    return x.sum()


def left(x: torch.Tensor):
    print(x.min().item())
"""
TRAIN = """\
import torch
from helpers import Net, used


def left(x: torch.Tensor):
    return x.nonzero()


def main():
    model = Net().cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for step in range(1000):
        loss = used(model(torch.ones(3, device="cuda")))
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
"""


def contexts(run: Synclint, *arguments: str) -> dict[str, tuple[object, ...]]:
    rows = json.loads(run("--runs", "all", "--output-format", "json", *arguments).out)
    return {
        f"{Path(row['filename']).name}:{row['location']['row']} {row['code']}": (
            *(row["context"][name] for name in ("runs", "assumed", "work")),
            row["confidence"],
        )
        for row in rows
    }


@pytest.mark.parametrize("cached", [(), ("--no-cache",)])
def test_a_file_its_directory_and_a_run_from_elsewhere_agree(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cached: tuple[str, ...]
) -> None:
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "train.py").write_text(TRAIN)
    alone = {**contexts(run, *cached, "helpers.py"), **contexts(run, *cached, "train.py")}
    together = contexts(run, *cached, ".")
    assert alone == together
    assert together["helpers.py:16 SYN201"][:2] == ("unreached", False)
    assert together["train.py:6 SYN101"][:2] == ("unreached", False)
    assert together["helpers.py:11 SYN201"][:2] == ("step", False)
    (tmp_path / "further").mkdir()
    monkeypatch.chdir(tmp_path / "further")
    assert contexts(run, *cached, "../helpers.py") == {key: it for key, it in together.items() if "helpers" in key}


def test_a_script_alone_in_its_directory_is_judged_as_the_directory(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN.replace("helpers", "elsewhere"))
    assert contexts(run, "train.py") == contexts(run, ".")
    assert contexts(run, "train.py")["train.py:6 SYN101"][0] == "unreached"


def test_a_folder_of_functions_offers_them_whichever_of_its_files_is_named(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "others.py").write_text(HELPERS.replace("used", "other"))
    assert contexts(run, "helpers.py")["helpers.py:16 SYN201"][:2] == ("step", True)
    assert contexts(run, ".")["helpers.py:16 SYN201"][:2] == ("step", True)


def test_a_project_that_would_take_long_is_not_read_for_one_file(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "train.py").write_text(TRAIN)
    monkeypatch.setattr(nearby_projects, "MOST_ANALYSED_FOR_FEW", len(HELPERS) + len(TRAIN) - 1)
    assert project_around([tmp_path / "helpers.py"]) is None
    assert contexts(run, "helpers.py")["helpers.py:16 SYN201"][:2] == ("step", True)


def test_the_top_of_a_project_is_where_it_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "project" / "package" / "inner"
    inner.mkdir(parents=True)
    (inner / "__init__.py").touch()
    (inner / "code.py").touch()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert project_around([inner / "code.py"]) == (inner.parent,)  # no package
    (tmp_path / "project" / "setup.py").touch()
    assert project_around([inner / "code.py"]) == (tmp_path / "project",)
    monkeypatch.chdir(tmp_path / "project")
    assert project_around([inner / "code.py"]) == (Path(),)


def test_environments_and_hidden_folders_are_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearby_projects, "MOST_ANALYSED_FOR_FEW", 10)
    (tmp_path / "code.py").touch()
    for folder in (".hidden", "environment", "node_modules"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "other.py").write_text("x = 1\n" * 10)
    assert project_around([tmp_path / "code.py"]) is None
    (tmp_path / "environment" / "pyvenv.cfg").touch()
    assert project_around([tmp_path / "code.py"]) is not None
