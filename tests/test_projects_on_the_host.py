"""A project that trains, and in which nothing could choose a device, has nothing to wait for, in whichever part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Synclint

MODEL = """\
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, seen):
        return torch.distributions.Categorical(logits=self.layer(seen))

    def act(self, seen):
        return self(seen).sample().item()
"""
TRAIN = """\
import torch
from agents.model import Policy
from agents.log import note


def loss_of(policy, seen, done):
    return -policy(seen).log_prob(done).mean()


def train(environment):
    policy = Policy()
    optimizer = torch.optim.Adam(policy.parameters())
    for step in range(1000):
        seen = torch.as_tensor(environment.step())
        loss = loss_of(policy, seen, policy.act(seen))
        loss.backward()
        optimizer.step()
        note(step, loss.item())


if __name__ == "__main__":
    import gym

    train(gym.make("CartPole-v0"))
"""
LOG = """\
def note(step, value):
    print(step, value)
"""
PROJECT = {
    "setup.py": "from setuptools import setup\n\nsetup(name='agents')\n",
    "agents/__init__.py": "",
    "agents/model.py": MODEL,
    "agents/log.py": LOG,
    "agents/train.py": TRAIN,
}


def found(run: Synclint, where: Path, files: dict[str, str], *arguments: str) -> set[str]:
    for name, text in files.items():
        path = where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    rows = json.loads(run(*arguments, "--runs", "all", "--output-format", "json").out)
    return {Path(row["filename"]).name for row in rows}


@pytest.mark.parametrize("part", [".", "agents", "agents/train.py", "agents/model.py"])
def test_nothing_waits_where_no_file_of_a_project_that_trains_names_a_device(
    run: Synclint, tmp_path: Path, part: str
) -> None:
    assert found(run, tmp_path, PROJECT, part) == set()


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        pytest.param("agents/log.py", "def note", "def put(model):\n    model.cuda()\n\n\ndef note", id="moved"),
        pytest.param("agents/log.py", "print(step", "print('device', step", id="named"),
        pytest.param("agents/log.py", "def note", "from fabric import Fabric\n\n\ndef note", id="framework"),
        pytest.param("agents/train.py", "Policy()", "PolicyOf()", id="excerpt"),
        pytest.param("agents/train.py", "torch.optim.Adam(", "policy.learns_by(", id="optimizer"),
        pytest.param("agents/train.py", 'if __name__ == "__main__":', "def run():", id="begun-by-others"),
    ],
)
def test_what_may_choose_a_device_or_be_for_others_waits(
    run: Synclint, tmp_path: Path, file: str, before: str, after: str
) -> None:
    changed = {**PROJECT, file: PROJECT[file].replace(before, after)}
    assert "model.py" in found(run, tmp_path, changed, ".")


@pytest.mark.parametrize("folder", ["examples", "tests"])
def test_a_library_with_an_example_that_trains_is_for_others(run: Synclint, tmp_path: Path, folder: str) -> None:
    moved = {f"{folder}/train.py" if name == "agents/train.py" else name: text for name, text in PROJECT.items()}
    assert "model.py" in found(run, tmp_path, moved, ".")


def test_to_name_a_device_anywhere_lets_all_files_wait(run: Synclint, tmp_path: Path) -> None:
    assert found(run, tmp_path, PROJECT, ".") == set()
    moved = {"agents/log.py": f"{LOG}\n\ndef put(model):\n    return model.cuda()\n"}
    assert found(run, tmp_path, moved, ".") >= {"model.py", "train.py"}
    assert found(run, tmp_path, {"agents/log.py": LOG}, ".") == set()
