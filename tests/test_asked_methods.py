"""Which of the methods of a name a call on something unknown may mean: those that take what it gives."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from synclint.analysis.project import ProjectAnalysis
from synclint.analysis.results.signatures import Asked, Signature

PLAIN = Signature(("layer", "chosen"), ("prefix",), ("layer", "chosen"), takes_rest=False, takes_options=False)
OPEN = Signature(("layer",), (), ("layer",), takes_rest=True, takes_options=True)


def asked(arguments: str) -> Asked:
    call = ast.parse(f"recorder.note({arguments})", mode="eval").body
    assert isinstance(call, ast.Call)
    positional = sum(not isinstance(argument, ast.Starred) for argument in call.args)
    names = tuple(keyword.arg for keyword in call.keywords if keyword.arg is not None)
    return Asked("note", positional, names, positional < len(call.args) or len(names) < len(call.keywords))


@pytest.mark.parametrize("arguments", ["1, x", "1, chosen=x", "layer=1, chosen=x, prefix=''", "1, *rest", "**options"])
def test_a_call_may_mean_a_method_that_takes_what_it_gives(arguments: str) -> None:
    assert PLAIN.fits(asked(arguments))


@pytest.mark.parametrize("arguments", ["", "1", "1, 2, 3", "1, x, size=3", "1, layer=1, chosen=x", "1, 2, 3, *rest"])
def test_a_call_means_no_method_for_which_python_would_raise(arguments: str) -> None:
    assert not PLAIN.fits(asked(arguments))


@pytest.mark.parametrize("arguments", ["1, 2, 3", "layer=1, size=2", "1, *rest"])
def test_a_method_with_rest_and_options_takes_more(arguments: str) -> None:
    assert OPEN.fits(asked(arguments))


PROGRAM = """
import torch

class Graphs:
    def note_all(self{parameters}):
        print(torch.zeros(3, device="cuda").sum().item())

def train(model, loader, recorder):
    for batch in loader:
        loss = model(batch)
        loss.backward()
        recorder.note_all(1, chosen=loss)
"""


@pytest.mark.parametrize(
    ("parameters", "is_assumed"),
    [(", layer, chosen", False), (", *rest, **options", False), ("", True), (", layer", True)],
)
def test_how_often_a_method_runs_follows_from_calls_that_it_can_answer(
    parameters: str, is_assumed: bool, tmp_path: Path
) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(parameters=parameters))
    (event,) = ProjectAnalysis([path]).check(path, path.read_text())
    assert event.context.assumed is is_assumed


def test_a_decorator_that_is_not_known_may_take_anything(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(parameters="").replace("    def note_all", "    @elsewhere\n    def note_all"))
    (event,) = ProjectAnalysis([path]).check(path, path.read_text())
    assert not event.context.assumed
