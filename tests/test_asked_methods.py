"""Which of the methods of a name a call on something unknown may mean: those that take what it gives."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from command_line import Synclint

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


def is_assumed_in(source: str, folder: Path) -> bool:
    """Whether it is only assumed how often the one wait of a program runs."""
    path = folder / "program.py"
    path.write_text(source)
    (event,) = ProjectAnalysis([path]).check(path, path.read_text())
    return event.context.assumed


@pytest.mark.parametrize(
    ("parameters", "is_assumed"),
    [(", layer, chosen", False), (", *rest, **options", False), ("", True), (", layer", True)],
)
def test_how_often_a_method_runs_follows_from_calls_that_it_can_answer(
    parameters: str, is_assumed: bool, tmp_path: Path
) -> None:
    assert is_assumed_in(PROGRAM.format(parameters=parameters), tmp_path) is is_assumed


def test_a_decorator_that_is_not_known_may_take_anything(tmp_path: Path) -> None:
    program = PROGRAM.format(parameters="").replace("    def note_all", "    @elsewhere\n    def note_all")
    assert not is_assumed_in(program, tmp_path)


ASKED = """
import torch

class Pool:
    def give_back(self, rows: torch.Tensor):
        if rows.max() > 5:
            print("many")

    def close_all(self):
        pass

class Desk:
    def give_back(self, rows: torch.Tensor):
        if rows.min() > 5:
            print("few")

def train(model, loader, pool):
    for batch in loader:
        loss = model(batch)
        loss.backward()
        {calls}

train(torch.nn.Linear(3, 3).cuda(), torch.utils.data.DataLoader([]), None)
"""


@pytest.mark.parametrize(
    ("calls", "means_desk"),
    [
        ("pool.give_back(loss)", True),
        ("pool.give_back(loss); pool.close_all()", False),
        ("pool.close_all(); pool.give_back(loss) if model else None", False),
        ("pool.give_back(loss); pool.close_all() if model else None", True),
        ("pool = model.pool; pool.give_back(loss); pool.close_all()", True),
    ],
)
def test_what_something_is_asked_for_besides_tells_what_it_is(
    calls: str, means_desk: bool, run: Synclint, tmp_path: Path
) -> None:
    found = steps_in(run, tmp_path, ASKED.format(calls=calls))
    assert "rows.max() > 5" in found
    assert ("rows.min() > 5" in found) is means_desk


@pytest.mark.parametrize(
    ("desk", "means_desk"),
    [
        ("class Desk(elsewhere.Furniture):", True),
        ("class Desk(torch.nn.Module):", False),
        ("class Desk:\n    def __getattr__(self, name):\n        return print\n", True),
        ("class Desk:\n    def __init__(self):\n        self.close_all = print\n", True),
        ("class Closing:\n    def close_all(self):\n        pass\n\nclass Desk(Closing):", True),
    ],
)
def test_what_a_class_may_have_counts_for_it(desk: str, means_desk: bool, run: Synclint, tmp_path: Path) -> None:
    source = ASKED.format(calls="pool.give_back(loss); pool.close_all()").replace("class Desk:", desk)
    assert ("rows.min() > 5" in steps_in(run, tmp_path, f"import elsewhere\n{source}")) is means_desk


def test_what_a_subclass_has_counts_for_the_methods_that_it_inherits(run: Synclint, tmp_path: Path) -> None:
    below = "\n\nclass Counter(Desk):\n    def close_all(self):\n        pass\n"
    source = ASKED.format(calls="pool.give_back(loss); pool.close_all()").replace("\ndef train", f"{below}\ndef train")
    assert "rows.min() > 5" in steps_in(run, tmp_path, source)


OVERRIDDEN = """
import torch
from elsewhere import method_for

class Method:
    def apply_all(self, layer, *args, **kwargs):
        raise NotImplementedError

class Linear(Method):
    def apply_all(self, layer, x: torch.Tensor, bias=None):
        if x.min() > 5:
            print("few")

class Experts(Method):
    def apply_all(self, layer, dispatched: torch.Tensor):
        if dispatched.max() > 5:
            print("many")

def train(model, loader, method: Method):
    for batch in loader:
        loss = model(batch)
        loss.backward()
        method.apply_all(model, loss{more})

METHODS = dict(linear=Linear, experts=Experts)
train(torch.nn.Linear(3, 3).cuda(), torch.utils.data.DataLoader([]), method_for(METHODS))
"""


@pytest.mark.parametrize(("more", "means_experts"), [("", True), (", bias=None", False), (", 1", False)])
def test_a_call_of_what_is_overridden_runs_no_override_that_does_not_take_what_it_gives(
    more: str, means_experts: bool, run: Synclint, tmp_path: Path
) -> None:
    found = steps_in(run, tmp_path, OVERRIDDEN.format(more=more))
    assert "x.min() > 5" in found
    assert ("dispatched.max() > 5" in found) is means_experts


def steps_in(run: Synclint, folder: Path, source: str) -> set[str]:
    """The tests that wait in steps of a program of which it is known that they run."""
    (folder / "program.py").write_text(source)
    rows = json.loads(run(".", "--no-cache", "--output-format", "json").out)
    lines = source.splitlines()
    known = [row for row in rows if not row["context"]["assumed"]]
    return {lines[row["location"]["row"] - 1].strip().removeprefix("if ").removesuffix(":") for row in known}


AWAITED = """
from abc import ABC

import torch


class Serving(ABC):
    {kind} __call__(self, x: torch.Tensor) -> float:
        return x.sum().item()
"""


@pytest.mark.parametrize(("kind", "is_assumed"), [("def", False), ("async def", True)])
def test_what_has_to_be_awaited_is_no_method_that_is_known_to_be_called_in_each_step(
    kind: str, is_assumed: bool, tmp_path: Path
) -> None:
    assert is_assumed_in(AWAITED.format(kind=kind), tmp_path) is is_assumed


BELOW = """
import torch


class Platform:
    def name(self) -> str:
        return ""


class GPU(Platform):
    def swap_out(self, blocks: torch.Tensor, first: int) -> torch.Tensor:
        return blocks[first:].cpu()


class Store:
    def swap_out(self) -> float:
        return torch.zeros(3, device="cuda").sum().item()


def train(model, loader, platform: Platform) -> None:
    for batch in loader:
        loss = model(batch)
        loss.backward()
        swap = platform.swap_out
        swap(loss, 3)
"""


def test_a_method_that_a_class_does_not_have_is_that_of_one_that_derives_from_it(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(BELOW)
    events = ProjectAnalysis([path]).check(path, path.read_text())
    assert [(event.construct, event.context.assumed) for event in events] == [("to-cpu", False), ("item", True)]


MEMORY = """
import torch

class Memory:
    def __init__(self, rows: list) -> None:
        self.rows = rows

    def {name}(self, count: int):
        return torch.tensor(self.rows[:count], device="cuda")
{another}
def train(model, loader, memory, optimizer):
    held = {{}}
    for batch in loader:
        loss = model(batch, memory.{name}({given}))
        loss.backward()
        optimizer.step()

train(torch.nn.Linear(3, 3).cuda(), torch.utils.data.DataLoader([]), build({made}), build("optimizer"))
"""
ANOTHER = """
class Urn:
    def sample(self, count: int):
        return [count]
"""


@pytest.mark.parametrize(
    ("name", "given", "another", "is_known"),
    [
        ("sample", "64", "", True),
        ("sample", "64, 2", "", False),
        ("sample", "64", ANOTHER, False),
        ("get", "64", "", False),
        ("repeat", "64", "", False),
    ],
)
def test_the_only_method_of_its_name_that_nothing_else_calls_is_meant_in_a_step(
    name: str, given: str, another: str, is_known: bool, run: Synclint, tmp_path: Path
) -> None:
    found = steps_in(run, tmp_path, MEMORY.format(name=name, given=given, another=another, made="Memory"))
    assert any("self.rows[:count]" in line for line in found) is is_known


@pytest.mark.parametrize(("given", "made"), [("0", "Memory"), ("memory.sample(64)", "'memory'")])
def test_where_the_only_method_of_its_name_makes_no_step_or_is_nowhere_asked_for_another_thing_is_meant(
    given: str, made: str, run: Synclint, tmp_path: Path
) -> None:
    source = MEMORY.format(name="sample", given="64", another="", made=made).replace("memory.sample(64)", given)
    assert not steps_in(run, tmp_path, f"{source}\nbuild('urn').sample(2)\n")
