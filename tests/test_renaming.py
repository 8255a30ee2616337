"""What the user's functions, classes, variables and attributes are called decides nothing where the code speaks."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from renaming import renamed

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
from compare_renamed import differences, said  # noqa: E402

SCRIPTS = {
    "decoding": """\
import torch
from torch import nn


class Speaker(nn.Module):
    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return tokens.float()

    @torch.no_grad()
    def speak(self, tokens: torch.Tensor, end: int, longest: int = 100) -> torch.Tensor:
        known = int(tokens.max().item())
        while tokens.shape[1] < longest:
            following = self(tokens)[:, -1:].argmax(dim=-1)
            tokens = torch.cat([tokens, following], dim=1)
            if (following == end).all():
                break
        return tokens[tokens != known]
""",
    "playing": """\
import torch


class Player:
    def __init__(self, world, pupil) -> None:
        self.world, self.pupil = world, pupil

    def play(self, rounds: int) -> None:
        seen = torch.zeros(8, device="cuda")
        for number in range(rounds):
            with torch.no_grad():
                for _ in range(32):
                    choice = self.pupil.choose(seen).argmax().item()
                    seen, reward, over, more = self.world.step(choice)
            self.pupil.improve()
            print(seen.mean().item())
""",
    "learning": """\
import torch
from torch import nn

net = nn.Linear(8, 1).cuda()
solver = torch.optim.SGD(net.parameters(), lr=0.1)


def update(inputs: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    loss = (net(inputs) - wanted).square().mean()
    solver.zero_grad()
    loss.backward()
    solver.step()
    return loss


def learn(pairs, rounds: int) -> None:
    for epoch in range(rounds):
        total = torch.zeros((), device="cuda")
        for inputs, wanted in pairs:
            loss = update(inputs.cuda(), wanted.cuda())
            total += loss.detach()
            print(loss.item())
        print(total.item())


learn([], 10)
""",
    "closures": """\
import torch
from torch import nn


def fit(model: nn.Module, data: torch.Tensor) -> None:
    solver = torch.optim.LBFGS(model.parameters())
    for round_number in range(100):
        def again() -> torch.Tensor:
            solver.zero_grad()
            loss = model(data).square().mean()
            loss.backward()
            return loss

        reached = solver.step(again)
        print(reached.item())


fit(nn.Linear(8, 1).cuda(), torch.rand(64, 8, device="cuda"))
""",
    "backends": """\
import torch


class Dense:
    def prepare_pass(self, lengths: torch.Tensor) -> None:
        self.longest = lengths.max().item()


class Paged:
    def prepare_pass(self, lengths: torch.Tensor) -> None:
        self.total = lengths.sum().item()


class Model(torch.nn.Module):
    def __init__(self, backend) -> None:
        super().__init__()
        self.backend = backend

    def forward(self, batch) -> torch.Tensor:
        self.backend.prepare_pass(batch.lengths)
        return batch.rows
""",
    "serving": """\
import torch
from torch import nn


class Numbers:
    def __init__(self) -> None:
        self.last = 0

    def __next__(self) -> int:
        self.last += 1
        return self.last


class Server:
    def __init__(self, model: nn.Module) -> None:
        self.model, self.numbers, self.waiting = model, Numbers(), []

    def advance(self) -> list[int]:
        found = self.model(torch.tensor(self.waiting, device="cuda")).argmax(dim=-1)
        marks = []
        for _ in range(3):
            marks.append(next(self.numbers))
        return found.tolist()


def serve(server: Server) -> None:
    while True:
        server.advance()
""",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_names_of_the_users_change_nothing(name: str, tmp_path: Path) -> None:
    files = {"script.py": SCRIPTS[name]}
    before, after = said(files, tmp_path / "before"), said(renamed(files), tmp_path / "after")
    assert before
    assert differences(before, after) == []


@pytest.mark.parametrize("example", ["train.py", "segmentation_loss.py", "metric_collection.py"])
def test_names_change_nothing_in_the_examples(example: str, tmp_path: Path) -> None:
    files = {example: (ROOT / "examples" / example).read_text(encoding="utf-8")}
    before, after = said(files, tmp_path / "before"), said(renamed(files), tmp_path / "after")
    assert before
    assert differences(before, after) == []


def test_other_names_are_given_throughout_and_those_of_libraries_stay() -> None:
    source = '''\
import torch
from torch import nn
from helpers import shared


class Net(nn.Module):
    def forward(self, words, depth=3):
        """Runs it.

        words (Tensor): what is read
        """
        self.kept = words.softmax(dim=-1)
        return shared(words, depth=depth), f"{depth}"
'''
    files = {"net.py": source, "helpers.py": "def shared(words, depth):\n    return words\n"}
    found = renamed(files)
    for text in found.values():
        ast.parse(text)
        for name in ("words", "depth", "kept", "shared", "Net"):
            assert name not in text
        assert text.count("\n") in (13, 2)
    for name in ("forward", "softmax", "dim=-1", "nn.Module", "self", "from helpers"):
        assert name in found["net.py"]
