"""A simulation on the host cannot do without actions that come down and observations that go up; all else can."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Synclint

PROGRAM = """\
import torch


def train(actor, env, optimizer, device, statistics):
    observed = env.reset()
    for step in range(100_000):
        with torch.no_grad():
            chosen, density = actor(torch.Tensor(observed).to(device))  # hidden
            chosen = chosen.cpu().numpy()  # hidden
        following, reward, ended, cut, info = env.step(chosen)
        scaled = torch.Tensor(following).to(device) / torch.from_numpy(statistics.mean).to(device)  # shown
        gained = torch.tensor(reward).to(device)  # shown
        over = ended | cut
        state, over = torch.Tensor(following).to(device), torch.Tensor(over).to(device)  # hidden
        for one in following:
            actor(torch.Tensor(following).to(device))  # shown
        print(density.mean().item())  # shown
        observed = following
        loss = actor(scaled, gained, state, over).mean()
        loss.backward()
        optimizer.step()


train(*given())
"""


def shown(run: Synclint, tmp_path: Path, program: str, *arguments: str) -> set[int]:
    (tmp_path / "train.py").write_text(program)
    rows = json.loads(run("train.py", "--output-format", "json", *arguments).out)
    return {row["location"]["row"] for row in rows}


def marked(*marks: str) -> set[int]:
    return {
        number
        for number, line in enumerate(PROGRAM.splitlines(), start=1)
        if any(line.endswith(f"# {mark}") for mark in marks)
    }


def test_what_goes_between_a_program_and_its_environment_is_inherent(run: Synclint, tmp_path: Path) -> None:
    assert shown(run, tmp_path, PROGRAM) == marked("shown")
    assert shown(run, tmp_path, PROGRAM, "--runs", "all") == marked("shown", "hidden")


@pytest.mark.parametrize("call", ["env.answer(chosen)", "env.step"])
def test_without_a_step_in_an_environment_nothing_is_inherent(run: Synclint, tmp_path: Path, call: str) -> None:
    program = PROGRAM.replace("env.step(chosen)", call)
    assert shown(run, tmp_path, program) == marked("shown", "hidden")
