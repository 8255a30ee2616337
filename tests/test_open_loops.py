"""A loop that goes on until something ends it makes the steps where these are only assumed, and multiplies none."""

from __future__ import annotations

from pathlib import Path

from synclint.config import Options
from synclint.running.runner import check_text

_ENGINE = """\
import torch


class Engine:
    def run(self, prompts: list[torch.Tensor], lengths: torch.Tensor) -> None:
        for prompt in prompts:
            {loop}:
                for index in range(len(prompts) * 100):
                    print(lengths.sum().item())
"""


def multiplied_by(loop: str) -> list[str]:
    """What the wait is said to happen once for, where the middle one of three loops is this one."""
    (wait,) = check_text(_ENGINE.format(loop=loop), Path("engine.py"), (), Options()).findings
    return [repetition.each for repetition in wait.context.times]


def test_what_stands_around_a_loop_without_a_known_end_multiplies_nothing_in_an_assumed_step() -> None:
    assert multiplied_by("while self.has_unfinished()") == ["`index`"]


def test_what_stands_around_a_loop_through_something_multiplies_an_assumed_step() -> None:
    assert multiplied_by("for layer in self.layers") == ["`prompt`", "layer", "`index`"]
