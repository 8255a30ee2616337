"""What only programs run that train nothing, beside others that train, is evaluation unless it is inference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Synclint

NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2
"""
TRAIN = """\
import torch
from net import Net


def main(loader):
    model = Net().cuda()
    optimizer = torch.optim.SGD(model.parameters())
    for batch in loader:
        model(batch).sum().backward()
        optimizer.step()


if __name__ == "__main__":
    main(given())
"""
TRACKER = """\
import torch


class Tracker:
    def __init__(self, model):
        self.model = model

    def track(self, frame):
        moved = self.model(frame)
        return moved.norm().item()
"""
SHOW = """\
from net import Net
from tracker import Tracker

if __name__ == "__main__":
    tracker = Tracker(Net().cuda())
    for frame in frames():
        tracker.track(frame)
"""
OFF = TRACKER.replace("    def track", "    @torch.no_grad()\n    def track")
WITHOUT_MODEL = OFF.replace("self.model(frame)", "frame * 2")
AROUND = """\
import torch
from net import Net
from tracker import Tracker

if __name__ == "__main__":
    tracker = Tracker(Net().cuda())
    with torch.no_grad():
        for frame in frames():
            tracker.track(frame)
"""
EVALUATE = """\
import torch
from net import Net
from tracker import Tracker


@torch.no_grad()
def evaluate(tracker, frames):
    for frame in frames:
        tracker.track(frame)


if __name__ == "__main__":
    evaluate(Tracker(Net().cuda()), frames())
"""


@pytest.mark.parametrize(
    ("tracker", "show", "phase"),
    [
        (TRACKER, SHOW, "eval"),
        (OFF, SHOW, "step"),
        (TRACKER, AROUND, "step"),
        (WITHOUT_MODEL, SHOW, "eval"),
        (TRACKER, EVALUATE, "eval"),
        (OFF, EVALUATE, "eval"),
    ],
    ids=["nothing known", "gradients off", "gradients off around", "no model", "evaluation", "evaluation of both"],
)
def test_a_loop_that_runs_a_model_with_gradients_off_is_inference(
    run: Synclint, tmp_path: Path, tracker: str, show: str, phase: str
) -> None:
    for name, text in (("net", NET), ("train", TRAIN), ("tracker", tracker), ("show", show)):
        (tmp_path / f"{name}.py").write_text(text)
    rows = json.loads(run(".", "--runs", "all", "--output-format", "json").out)
    assert {row["context"]["runs"] for row in rows if row["filename"].endswith("tracker.py")} == {phase}
