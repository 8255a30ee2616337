"""What only programs run that train nothing is evaluation, where nothing but an assumption makes a step of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Synclint

NETWORK = """\
import torch


class Neighbours(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x.nonzero().sum()


def made():
    return map(Neighbours, [])


def looked_at(loader):
    for batch in loader:
        print(batch.cuda().mean().item())
"""
SHOW = """\
from network import looked_at, made

if __name__ == "__main__":
    made()
    looked_at(make_loader())
"""
TRAIN = """\
import torch


def train(model, optimizer, loader):
    for batch in loader:
        loss = model(batch.cuda()).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())


if __name__ == "__main__":
    train(*given())
"""


def phases(run: Synclint, tmp_path: Path, files: dict[str, str]) -> dict[str, str]:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    rows = json.loads(run(".", "--runs", "all", "--output-format", "json").out)
    return {f"{Path(row['filename']).name} {row['code']}": row["context"]["runs"] for row in rows}


def test_what_only_an_evaluation_runs_is_none_of_training(run: Synclint, tmp_path: Path) -> None:
    found = phases(run, tmp_path, {"network.py": NETWORK, "show.py": SHOW, "train.py": TRAIN})
    assert (found["network.py SYN101"], found["network.py SYN201"]) == ("eval", "eval")
    assert found["train.py SYN201"] == "step"


@pytest.mark.parametrize(
    "others", [{}, {"train.py": TRAIN.replace("import torch\n", "import torch\n\nfrom network import made\n")}]
)
def test_a_step_stays_one_where_nothing_or_the_same_code_is_trained(
    run: Synclint, tmp_path: Path, others: dict[str, str]
) -> None:
    found = phases(run, tmp_path, {"network.py": NETWORK, "show.py": SHOW, **others})
    assert (found["network.py SYN101"], found["network.py SYN201"]) == ("step", "step")


DENOISING = """\
import torch
from torch.utils.data import DataLoader


def denoise(parts, model, rounds):
    with torch.no_grad():
        for x in DataLoader(parts, batch_size=4, num_workers=2):
            for t in range(rounds):
                step = model(x, t)
                if torch.isnan(step).any():
                    step = torch.zeros_like(step)
                x = x - step
    return x
"""
MAKE = """\
from denoising import denoise
from given import made, model

if __name__ == "__main__":
    for wanted in made().test_loader:
        print(denoise([wanted], model(), 20).mean().item())
"""
PREVIEWS = """\
import torch
from denoising import denoise
from given import given, model


def train(model, optimizer, loader):
    for batch in loader:
        loss = model(batch.cuda()).sum()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    for epoch in range(9):
        train(*given())
        print(denoise([epoch], model(), 20).mean().item())
"""


def test_what_a_program_makes_of_each_batch_is_its_work_also_where_training_looks_at_it(
    run: Synclint, tmp_path: Path
) -> None:
    found = phases(run, tmp_path, {"denoising.py": DENOISING, "make.py": MAKE, "train.py": PREVIEWS})
    assert (found["denoising.py SYN301"], found["make.py SYN201"]) == ("step", "epoch")


def test_what_is_made_of_each_batch_for_training_alone_evaluates(run: Synclint, tmp_path: Path) -> None:
    found = phases(run, tmp_path, {"denoising.py": DENOISING, "train.py": PREVIEWS})
    assert found["denoising.py SYN301"] == "eval"


DRAWING = """\
import torch
from given import scene, views


def drawn(view):
    return torch.tensor(view, device="cuda").sum().item()


if __name__ == "__main__":
    for view in views():
        print(drawn(view))
"""


def test_the_work_of_a_program_beside_those_that_train_is_to_look_at_what_they_made(
    run: Synclint, tmp_path: Path
) -> None:
    alone = phases(run, tmp_path, {"draw.py": DRAWING})
    assert alone["draw.py SYN201"] == "step"
    beside = phases(run, tmp_path, {"draw.py": DRAWING, "train.py": TRAIN})
    assert (beside["draw.py SYN201"], beside["train.py SYN201"]) == ("eval", "step")


TRIED = """\
from network import Neighbours
import torch

found = Neighbours()(torch.ones(300, device="cuda"))
if __name__ == "__main__":
    for index in range(300):
        print(found[index].item())
"""


@pytest.mark.parametrize(("imports", "phase"), [("import tried\n", "once"), ("import other\n", "eval")])
def test_what_is_tried_out_where_training_imports_it_is_no_work_of_a_program(
    run: Synclint, tmp_path: Path, imports: str, phase: str
) -> None:
    files = {"network.py": NETWORK, "tried.py": TRIED, "other.py": "", "train.py": f"{imports}{TRAIN}"}
    found = phases(run, tmp_path, files)
    assert found["tried.py SYN201"] == phase
    assert found["train.py SYN201"] == "step"


TRIED_BY_A_CALL = """\
import torch


def tiles_of(model, image):
    found = []
    for row in range(image.shape[0]):
        found.append(model(image[row].cuda()))
    return found


if __name__ == "__main__":
    tiles_of(given(), torch.ones(300, 3))
"""


@pytest.mark.parametrize(("imports", "phase"), [("import tiles\n", "once"), ("import other\n", "eval")])
def test_what_a_trial_calls_is_no_work_of_a_program_either(
    run: Synclint, tmp_path: Path, imports: str, phase: str
) -> None:
    files = {"tiles.py": TRIED_BY_A_CALL, "other.py": "", "train.py": f"{imports}{TRAIN}"}
    assert phases(run, tmp_path, files)["tiles.py SYN402"] == phase


SERVE = """\
import torch


def serve(given: torch.Tensor) -> None:
    while True:
        print(given.max().item())
        made = torch.ones(4, device="cuda")
        print(made.sum().item())


if __name__ == "__main__":
    serve(received())
"""


@pytest.mark.parametrize("beside", [{}, {"train.py": TRAIN}])
def test_what_is_known_to_be_on_the_device_comes_first_where_nothing_trains(
    run: Synclint, tmp_path: Path, beside: dict[str, str]
) -> None:
    for name, text in {"serve.py": SERVE, **beside}.items():
        (tmp_path / name).write_text(text)
    rows = json.loads(run(".", "--runs", "all", "--output-format", "json").out)
    given, made = (row["priority"] for row in rows if row["filename"].endswith("serve.py"))
    assert (made > given) is (not beside)
