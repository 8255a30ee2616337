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
    return marked_in(PROGRAM, *marks)


def marked_in(program: str, *marks: str) -> set[int]:
    return {
        number
        for number, line in enumerate(program.splitlines(), start=1)
        if any(line.endswith(f"# {mark}") for mark in marks)
    }


def test_what_goes_between_a_program_and_its_environment_is_inherent(run: Synclint, tmp_path: Path) -> None:
    assert shown(run, tmp_path, PROGRAM) == marked("shown")
    assert shown(run, tmp_path, PROGRAM, "--runs", "all") == marked("shown", "hidden")


THROUGH_HELPERS = """\
import numpy as np
import torch


class Agent:
    def __init__(self, net, optimizer, device):
        self.net, self.optimizer, self.device = net, optimizer, device
        self.seen, self.certain = None, []

    def uploaded(self, array):
        return torch.as_tensor(np.asarray(array), device=self.device)  # hidden

    def act(self, observed):
        with torch.no_grad():
            logits = self.net(self.uploaded(observed))
        self.certain.append(logits.max().item())  # shown
        chosen = logits.argmax(-1).cpu().numpy()  # hidden
        return np.clip(chosen, 0, 3)

    def learn(self):
        loss = self.net(torch.zeros(8, device=self.device)).mean()
        loss.backward()
        self.optimizer.step()


def train(agent, env):
    observed = env.reset()
    for step in range(100_000):
        with torch.no_grad():
            action = agent.net(torch.as_tensor(np.asarray(observed), device=agent.device)).argmax(-1)  # hidden
        action = action.cpu().numpy()  # hidden
        clipped = np.clip(action, 0, 3)
        following, reward, ended, cut, info = env.step(clipped)
        agent.learn()
        observed = following


def play(agent, env):
    agent.seen = env.reset()
    for step in range(100_000):
        action = agent.act(agent.seen)
        following, reward, ended, cut, info = env.step(action)
        agent.seen = following
        agent.learn()


agent = Agent(torch.nn.Linear(8, 4).cuda(), *given(), "cuda")
train(agent, made())
play(agent, made())
"""


def test_what_a_helper_brings_to_the_device_and_returns_to_find_an_action_is_inherent(
    run: Synclint, tmp_path: Path
) -> None:
    lines = THROUGH_HELPERS.splitlines()
    expected = {number for number, line in enumerate(lines, start=1) if line.endswith("# shown")}
    assert shown(run, tmp_path, THROUGH_HELPERS) == expected
    expected |= {number for number, line in enumerate(lines, start=1) if line.endswith("# hidden")}
    assert shown(run, tmp_path, THROUGH_HELPERS, "--runs", "all") == expected


def test_what_an_environment_does_with_actions_and_observations_is_inherent(run: Synclint, tmp_path: Path) -> None:
    program = """\
import torch


class OnDevice(Wrapper):
    def step_async(self, actions: torch.Tensor):
        actions = actions.cpu().numpy()  # hidden
        self.inner.step_async(actions)

    def step_wait(self):
        observed, reward, done, info = self.inner.step_wait()
        observed = torch.from_numpy(observed).float().to("cuda")  # hidden
        reward = torch.from_numpy(reward).to("cuda")  # shown
        return observed, reward, done, info
"""
    expected = {number for number, line in enumerate(program.splitlines(), start=1) if line.endswith("# shown")}
    assert shown(run, tmp_path, program) == expected


def test_a_function_called_step_is_no_environment_by_the_number_of_its_results(run: Synclint, tmp_path: Path) -> None:
    program = """\
import torch


def step(x: torch.Tensor):
    half = torch.tensor(0.5, device=x.device)  # shown
    return half, x, x, x
"""
    assert shown(run, tmp_path, program) == {5}


@pytest.mark.parametrize("call", ["env.answer(chosen)", "env.step"])
def test_without_a_step_in_an_environment_nothing_is_inherent(run: Synclint, tmp_path: Path, call: str) -> None:
    program = PROGRAM.replace("env.step(chosen)", call)
    assert shown(run, tmp_path, program) == marked("shown", "hidden")


STAGED = """\
import torch


class Sender:
    def __init__(self):
        self.sent, self.fetched = torch.cuda.Event(), torch.cuda.Event()
        self.staged = torch.zeros(8, pin_memory=True)
        self.buffer = torch.zeros(8, device="cuda")
        self.model = torch.nn.Linear(8, 8).cuda()

    def send(self, numbers):
        self.sent.synchronize()  # hidden
        self.staged.copy_(numbers)
        self.buffer.copy_(self.staged, non_blocking=True)
        self.sent.record()
        return self.model(self.buffer)

    def fetch(self, x):
        self.staged.copy_(x, non_blocking=True)
        self.fetched.record()
        self.fetched.synchronize()  # shown
        self.sent.record()
        return self.staged


def main(queue):
    sender = Sender()
    while True:
        with torch.inference_mode():
            sender.fetch(sender.send(queue.get()))


main(*given())
"""


def test_waiting_for_what_was_sent_before_the_next_is_sent_is_inherent(run: Synclint, tmp_path: Path) -> None:
    assert shown(run, tmp_path, STAGED, "--select", "SYN601") == marked_in(STAGED, "shown")
    assert shown(run, tmp_path, STAGED, "--select", "SYN601", "--runs", "all") == marked_in(STAGED, "shown", "hidden")
