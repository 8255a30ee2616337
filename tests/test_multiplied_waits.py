"""What multiplies a wait within a step: layers however a model holds and calls them, loops that are run to an end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Synclint

LAYERS = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        y = self.fc(x)
        return y / 2 if y.max() > 3 else y


class Narrow(Block):
    def forward(self, x):
        y = self.fc(x)
        return y / 3 if y.min() > 3 else y


class Net(nn.Module):
    def __init__(self, depth: int, block: type[nn.Module] = Block) -> None:
        super().__init__()
        {held}

    def forward(self, x):
        {called}


def main(loader) -> None:
    model = Net(4).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        model(batch.cuda(non_blocking=True)).sum().backward()
        optimizer.step()
"""


def multiplied(run: Synclint, folder: Path, source: str, asked: str = "a.py") -> dict[int, tuple[list[str], str]]:
    """By their lines what multiplies the waits of a file, and what the step is known to do."""
    (folder / "a.py").write_text(source)
    rows = json.loads(run(asked, "--no-cache", "--output-format", "json").out)
    return {
        row["location"]["row"]: ([loop["each"] for loop in row["context"]["times"]], row["context"]["work"])
        for row in rows
    }


@pytest.mark.parametrize(
    ("held", "called", "line", "each"),
    [
        ("self.blocks = nn.Sequential(*[Block(3) for _ in range(depth)])", "return self.blocks(x)", 12, ["layer"]),
        ("self.blocks = nn.Sequential(*[Narrow(3) for _ in range(depth)])", "return self.blocks(x)", 18, ["layer"]),
        ("self.blocks = nn.Sequential(*[block(3) for _ in range(depth)])", "return self.blocks(x)", 12, ["layer"]),
        ("self.blocks = nn.Sequential(nn.ReLU(), Block(3))", "return self.blocks(x)", 12, []),
        ("self.block = Block(3)", "return self.block(x)", 12, []),
    ],
)
def test_a_sequential_calls_each_of_the_layers_that_it_was_given(
    run: Synclint, tmp_path: Path, held: str, called: str, line: int, each: list[str]
) -> None:
    assert multiplied(run, tmp_path, LAYERS.format(held=held, called=called))[line] == (each, "training")


def test_the_layers_of_a_module_dict_are_called_in_the_loop_over_them(run: Synclint, tmp_path: Path) -> None:
    held = 'self.parts = nn.ModuleDict({"layers": nn.ModuleList([Block(3) for _ in range(depth)])})'
    called = "for layer in self.parts.layers:\n            x = layer(x)\n        return x"
    assert multiplied(run, tmp_path, LAYERS.format(held=held, called=called))[12] == (["layer"], "training")


RETRY = """\
import torch


def crop(x: torch.Tensor) -> torch.Tensor:
    for attempt in range(10):
        kept = x[torch.rand_like(x) > 0.5]
        if len(kept) < 3:
            continue
        break
    return kept


def clipped(x: torch.Tensor) -> torch.Tensor:
    for attempt in range(10):
        if x.max() < 3:
            break
        x = x / 2
    return x


def main(model, optimizer, loader) -> None:
    for batch in loader:
        model(clipped(crop(batch.cuda(non_blocking=True)))).sum().backward()
        optimizer.step()
"""


def test_a_loop_that_tries_until_something_succeeds_multiplies_nothing(run: Synclint, tmp_path: Path) -> None:
    assert multiplied(run, tmp_path, RETRY) == {6: ([], "training"), 15: (["`attempt`"], "training")}


TWO_PROGRAMS = {
    "legacy/train.py": "from lib import loss\n",
    "train.py": "from lib import loss\n",
    "lib.py": "import torch\n\n\ndef loss(x: torch.Tensor) -> float:\n    return x.sum().item()\n",
}
LOOP = """

def main(model, optimizer, loader) -> None:
    for batch in loader:
        loss(model(batch.cuda(non_blocking=True)))
        model(batch).sum().backward()
        optimizer.step()
"""


def test_of_several_ways_to_a_wait_the_one_from_the_main_program_is_told(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "legacy").mkdir()
    for name, source in TWO_PROGRAMS.items():
        (tmp_path / name).write_text(source + (LOOP if name.endswith("train.py") else ""))
    (row,) = json.loads(run(".", "--no-cache", "--output-format", "json").out)
    assert [Path(call["filename"]).relative_to(tmp_path).as_posix() for call in row["context"]["path"]] == ["train.py"]


YIELDED = """\
import torch


class Feed:
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        for row in self.rows:
            x = torch.ones(len(row), device="cuda")
            print(x.max().item())
            for part in row:
                print(x.sum().item())
            yield x


def main(model, optimizer, rows) -> None:
    for x in Feed(rows):
        model(x).sum().backward()
        optimizer.step()
"""


def test_the_rounds_in_which_a_generator_yields_are_those_of_who_goes_through_it(run: Synclint, tmp_path: Path) -> None:
    assert multiplied(run, tmp_path, YIELDED) == {11: ([], "training"), 13: (["`part`"], "training")}


AVERAGED = """\
import pytorch_lightning as pl
import torch
from torch import nn


class Average(nn.Module):
    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.register_buffer("updates", torch.tensor(0))

    def forward(self, net: nn.Module) -> None:
        if self.updates >= 0:
            self.updates += 1


class Model(pl.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Linear(4, 4)
        self.average = Average(self.net)

    def on_train_batch_end(self, *args):
        self.average(self.net)
"""


def test_what_a_framework_calls_within_a_training_step_belongs_to_it(run: Synclint, tmp_path: Path) -> None:
    assert multiplied(run, tmp_path, AVERAGED)[12] == ([], "training")


GUESSED = """\
import torch


class Pool:
    def give_back(self, rows: torch.Tensor) -> None:
        if rows.max() > 5:
            print("many")


class Desk:
    def give_back(self, rows: torch.Tensor) -> None:
        rows.zero_()


class Keeper:
    def keep_all(self, rows: torch.Tensor) -> None:
        if rows.min() > 5:
            print("many")


def main(pool, keeper) -> None:
    model = torch.nn.Linear(3, 3).cuda()
    while True:
        for layer in model.layers:
            pool.give_back(layer.rows)
            keeper.keep_all(layer.rows)


main(None, None)
"""


def test_loops_around_a_call_that_may_mean_methods_of_several_classes_multiply_none_of_them(
    run: Synclint, tmp_path: Path
) -> None:
    found = multiplied(run, tmp_path, GUESSED, ".")
    assert {line: times for line, (times, _) in found.items()} == {6: [], 17: ["layer"]}


PARTS = """\
import torch


def parts_of(batch: dict[str, torch.Tensor], names: list[str], **inputs: torch.Tensor) -> float:
    total = 0.0
    for key, part in batch.items():
        if key == "image":
            total += part.sum().item()
        elif key in ("sound", "video") and total < 3:
            total += part.amax().item()
        else:
            total += part.amin().item()
    for key in inputs:
        if key != "image":
            continue
        total += inputs[key].mean().item()
    for name in names:
        if name == "image":
            total += batch[name].std().item()
    return total


def main(model, optimizer, loader) -> None:
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
        parts_of({"image": loss, "sound": loss}, ["image"], depth=loss)
        optimizer.step()
"""


def test_a_loop_over_keys_multiplies_nothing_in_a_branch_for_one_of_them(run: Synclint, tmp_path: Path) -> None:
    found = multiplied(run, tmp_path, PARTS)
    assert {line: times for line, (times, _) in found.items()} == {
        8: [],
        10: [],
        12: ["sample"],
        16: [],
        19: ["`name`"],
    }
