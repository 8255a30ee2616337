"""What runs only where a field of a record of settings has to be set says so, and is captured by no default."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Synclint

PROGRAM = """\
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Checks:
    shows: bool = False
    skips_norms: bool = True


@dataclass
class Settings:
    compiles: bool = False
    averages: bool = True
    checks: Checks = field(default_factory=Checks)


class Net(nn.Module):
    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.fc = nn.Linear(3, 3)
        if settings.compiles:
            self.forward = torch.compile(self.forward, mode="max-autotune")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("within", x.sum().item())
        return self.fc(x)


def train(settings: Settings, loader) -> None:
    net = Net(settings).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in loader:
        loss = net(x.cuda(non_blocking=True)).mean()
        loss.backward()
        optimizer.step()
        if settings.checks.shows:
            print("shown", loss.item())
        if not settings.checks.skips_norms and settings.averages:
            print("norms", loss.item())
        if settings.averages:
            print("mean", loss.item())
"""


def rows(run: Synclint, folder: Path) -> dict[str, dict[str, Any]]:
    """The findings by the words that their lines print."""
    (folder / "train.py").write_text(PROGRAM)
    lines = PROGRAM.splitlines()
    found = json.loads(run("train.py", "--output-format", "json").out)
    return {lines[row["location"]["row"] - 1].split('"')[1]: row for row in found}


def test_what_a_record_declares_to_be_off_is_an_option(run: Synclint, tmp_path: Path) -> None:
    found = rows(run, tmp_path)
    options = {word: row["context"]["reason"].partition(", only where ")[2] for word, row in found.items()}
    assert options == {
        "within": "",
        "shown": "`shows` is set",
        "norms": "`skips_norms=False` is set",
        "mean": "",
    }
    by_default = [row["priority"] for word, row in found.items() if not options[word]]
    assert min(by_default) > max(row["priority"] for word, row in found.items() if options[word])


def test_what_only_an_option_captures_is_no_error(run: Synclint, tmp_path: Path) -> None:
    within = rows(run, tmp_path)["within"]
    assert within["context"]["captured"] is None
    assert within["severity"] == "warning"


LOGGING = """\
import argparse

import torch
from torch.utils.tensorboard import SummaryWriter

parser = argparse.ArgumentParser()
parser.add_argument("--logs", action="store_true")
args = parser.parse_args()


def train(model, optimizer, loader):
    ...
    for batch in loader:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if writer is not None:
            writer.add_scalar("written", loss.item())
        if writer:
            writer.add_scalar("as well", loss.item())
        if writer is None:
            print("not written", loss.item())
        if names:
            print("named", loss.item())
"""


def options_said(run: Synclint, script: str) -> dict[str, str]:
    """What has to be set for the lines of a script, by the first text that each of them prints or writes."""
    lines = script.splitlines()
    found = json.loads(run(".", "--output-format", "json").out)
    said = {lines[row["location"]["row"] - 1].split('"')[1]: row["context"]["reason"] for row in found}
    return {word: reason.partition(", only where ")[2] for word, reason in said.items()}


GIVEN_BY_TESTS = """\
    writer: SummaryWriter | None = None
    if args.logs:
        writer = SummaryWriter()
    names = None
    if loader.names:
        names = loader.names
"""
GIVEN_BY_CHOICES = """\
    writer = SummaryWriter() if args.logs else None
    names = loader.names if loader.names else None
"""
CHOSEN_LAST = "None if not args.logs else SummaryWriter()"


@pytest.mark.parametrize(
    "given",
    [
        GIVEN_BY_TESTS,
        GIVEN_BY_CHOICES,
        GIVEN_BY_CHOICES.replace("SummaryWriter() if args.logs else None", CHOSEN_LAST),
    ],
)
def test_what_is_nothing_unless_an_option_is_set_is_one_itself(given: str, run: Synclint, tmp_path: Path) -> None:
    script = LOGGING.replace("    ...\n", given)
    (tmp_path / "train.py").write_text(script)
    asked = {"written": "`logs` is set", "as well": "`logs` is set"}
    assert options_said(run, script) == {**asked, "not written": "", "named": ""}


OPTIONS = """\
import argparse


def read():
    parser = argparse.ArgumentParser()
    group = parser.add_argument_group("logs")
    group.add_argument("--logs", action="store_true")
    group.add_argument("--no-bar", action="store_true")
    return parser.parse_args()
"""
USING_OPTIONS = """\
import torch
from options import read


def show(loss, args):
    if args.logs:
        print("within", loss.item())
    if not args.no_bar:
        print("usual", loss.item())


def train(model, optimizer, loader, args):
    for batch in loader:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        show(loss, args)


train(torch.nn.Linear(3, 3).cuda(), None, [], read())
"""


def test_options_are_told_by_the_parser_that_has_read_them(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "options.py").write_text(OPTIONS)
    (tmp_path / "train.py").write_text(USING_OPTIONS)
    assert options_said(run, USING_OPTIONS) == {
        "within": "`logs` is set",
        "usual": "",
    }


SPARSE = """\
import torch


def train(model, optimizer, loader):
    for batch in loader:
        model(batch).mean().backward()
        optimizer.step()
        for p in model.parameters():
            if p.grad.is_sparse:
                print("within", p.grad.norm().item())
            else:
                print("usual", p.grad.norm().item())
"""


def test_sparse_gradients_are_asked_for(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SPARSE)
    assert options_said(run, SPARSE) == {
        "within": "`p.grad.is_sparse` is set",
        "usual": "",
    }
