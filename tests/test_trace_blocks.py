"""``with synclint.trace() as report:`` in a program of its own, on the simulated device."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from test_trace_program import ENVIRONMENT

pytest.importorskip("torch")

PROGRAM = """\
import json
import sys

import torch

import synclint

model = torch.nn.Linear(4, 2)
told = {}

with synclint.trace(device="sim", lint=False) as report:
    weight = torch.ones(3, device="cuda")
    for _ in range(4):
        weight.sum().item()
        report.step()
told["steps"] = report.steps
told["waits"] = [[wait.place.line, wait.per_step] for wait in report.waits]
told["text"] = str(report).splitlines()[1]
told["frame"] = report._repr_html_()[:15]
report.save("made.json")

try:
    with synclint.trace(device="sim", lint=False) as failed:
        try:
            failed.waits
        except RuntimeError as error:
            told["too early"] = str(error)
        parameter = torch.ones(3, device="cuda", requires_grad=True)
        optimizer = torch.optim.SGD([parameter], lr=0.1)
        for _ in range(3):
            loss = parameter[parameter > 0].sum()
            loss.backward()
            optimizer.step()
        raise KeyError("of the block")
except KeyError as error:
    told["raised"] = str(error)
told["failed"] = [failed.steps, failed.report.header.ended_by]
told["backward"] = sorted([wait.place.line, wait.backward, wait.per_step] for wait in failed.waits)
told["left"] = [torch.cuda.is_available(), sys.gettrace() is None]
with synclint.trace(device="sim", lint=False) as cached:
    from torch.utils.data import DataLoader

    class Counted(torch.utils.data.Dataset):
        asked = 0

        def __len__(self):
            return 12

        def __getitem__(self, index):
            Counted.asked += 1
            return index

    told["plain"] = [batch.tolist() for batch in DataLoader(Counted(), batch_size=2)]
with synclint.trace(device="sim", lint=False, cache_batches=2) as cached:
    Counted.asked = 0
    told["replayed"] = [batch.tolist() for batch in DataLoader(Counted(), batch_size=2)]
    told["asked"] = Counted.asked
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    folder = tmp_path_factory.mktemp("blocks")
    (folder / "program.py").write_text(PROGRAM)
    ended = subprocess.run(
        [sys.executable, "program.py"], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    found: dict[str, object] = json.loads(ended.stdout)
    found["saved"] = json.loads((folder / "made.json").read_text())["steps"]
    return found


def line(text: str) -> int:
    return next(number for number, one in enumerate(PROGRAM.splitlines(), start=1) if text in one)


def test_steps_are_those_that_the_block_says(told: dict[str, object]) -> None:
    assert (told["steps"], told["saved"]) == (4, 4)
    assert told["waits"] == [[line("weight.sum().item()"), 1.0]]


def test_the_report_prints_itself_and_shows_itself_in_notebooks(told: dict[str, object]) -> None:
    assert told["text"] == "synclint trace: 4 waits in 4 steps, 1 per step"
    assert told["frame"] == "<iframe srcdoc="


def test_an_exception_passes_and_the_report_is_made_all_the_same(told: dict[str, object]) -> None:
    assert told["raised"] == "'of the block'"
    assert told["failed"] == [3, "KeyError"]


def test_without_a_call_of_step_optimizers_make_the_steps_and_backward_is_led_to_the_forward(
    told: dict[str, object],
) -> None:
    selecting = line("loss = parameter[parameter > 0]")
    assert told["backward"] == [[selecting, False, 1.0], [selecting, True, 1.0]]


def test_a_report_is_not_there_before_its_block_is_over(told: dict[str, object]) -> None:
    assert "when the block" in str(told["too early"])


def test_everything_is_as_before_when_the_block_is_over(told: dict[str, object]) -> None:
    assert told["left"] == [False, True]


def test_cached_batches_are_replayed_for_the_length_of_the_loader(told: dict[str, object]) -> None:
    assert told["plain"] == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]
    assert told["replayed"] == [[0, 1], [2, 3]] * 3
    assert told["asked"] == 4
