"""How many functions are known to call one, and what their calls tell of what they hand on."""

from __future__ import annotations

from pathlib import Path

from marked_sources import findings_in

from synclint.analysis.frequency.calls_meant import Meant
from synclint.analysis.frequency.propagation import Propagation
from synclint.analysis.program.entry_points import Reach
from synclint.analysis.results.facts import Call, FunctionFacts
from synclint.analysis.results.observations import Observations
from synclint.findings import CallPlace, Confidence

BASE, OVERRIDING, RELEASE = "pools.py:1:4", "pools.py:6:4", "pools.py:9:0"


def test_who_calls_a_method_is_known_to_call_none_of_those_that_override_it() -> None:
    functions = {
        BASE: FunctionFacts("free"),
        OVERRIDING: FunctionFacts("free", overrides=BASE),
        RELEASE: FunctionFacts("release"),
    }
    call = Call(RELEASE, CallPlace("release", "pools.py", 10), (), True)
    seen = Observations(functions=functions, calls={BASE: (call,)})
    known = Propagation(seen, Meant(functions, Reach())).known(())
    assert [place.line for place, _ in known.given[OVERRIDING]] == [10]
    assert known.callers == {BASE: 1, OVERRIDING: 0}


def test_what_variants_for_other_places_call_counts_only_where_nothing_else_calls_it() -> None:
    shared, alone, there, elsewhere = "meta.py:1:0", "meta.py:9:0", "gpu.py:1:4", "xpu.py:1:4"
    functions = {
        shared: FunctionFacts("prepare"),
        alone: FunctionFacts("settle"),
        there: FunctionFacts("update"),
        elsewhere: FunctionFacts("update", is_elsewhere=True),
    }
    calls = {
        shared: tuple(Call(key, CallPlace("update", key.partition(":")[0], 5), (), True) for key in (elsewhere, there)),
        alone: (Call(elsewhere, CallPlace("update", "xpu.py", 7), (), True),),
    }
    known = Propagation(Observations(functions=functions, calls=calls), Meant(functions, Reach())).known(())
    assert [place.path for place, _ in known.given[shared]] == ["gpu.py"]
    assert [place.path for place, _ in known.given[alone]] == ["xpu.py"]


def test_of_methods_that_override_one_another_a_call_means_one() -> None:
    functions = {
        BASE: FunctionFacts("free"),
        OVERRIDING: FunctionFacts("free", overrides=BASE),
        RELEASE: FunctionFacts("release"),
        "pools.py:20:0": FunctionFacts("close"),
    }
    calls = {
        BASE: (Call(RELEASE, CallPlace("release", "pools.py", 10), (), True),),
        "pools.py:20:0": (Call(RELEASE, CallPlace("release", "pools.py", 11), (), True),),
    }
    known = Propagation(Observations(functions=functions, calls=calls), Meant(functions, Reach())).known(())
    assert [known.at(key, ()).alternatives for key in (OVERRIDING, "pools.py:20:0")] == [2, 1]


METERS = """
import time

import torch
from torch import nn


class Rates:
    def update(self, value, times=1):
        if isinstance(value, torch.Tensor):
            value = value.item()
        self.total = value * times


class Losses:
    def update(self, value):
        if torch.is_tensor(value):
            value = value.item()
        self.total = value


class Answers:
    def update(self, value):
        if isinstance(value, (torch.Tensor, list)):
            value = value.tolist()
        self.last = value


class Counts:
    def note(self, value):
        value = value.item() if isinstance(value, torch.Tensor) else value
        self.total = value


def main(server, others):
    net = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    rates, losses, answers, counts = Rates(), Losses(), Answers(), Counts()
    for step in range(1000):
        loss = net(torch.randn(4, device="cuda")).mean()
        loss.backward()
        optimizer.step()
        rates.update(time.time(), 4)
        rates.update(step / 3)
        losses.update(step)
        losses.update(loss)
        answers.update(step)
        answers.update(server.answer())
        counts.note(step)
        others.update({"step": step})
"""


def test_where_all_calls_that_are_seen_give_numbers_a_question_makes_no_tensor_of_them(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(METERS, encoding="utf-8")
    sure = {one.span.start.line: one.confidence for one in findings_in([path], tmp_path)}
    asked = [number for number, line in enumerate(METERS.splitlines(), 1) if ".item()" in line or ".tolist()" in line]
    assert [sure[line] for line in asked] == [Confidence.MEDIUM, Confidence.HIGH, Confidence.HIGH, Confidence.LOW]
