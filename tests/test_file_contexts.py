"""What is kept of a project for one of its files answers all that is asked of it as the whole project does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from synclint.analysis.frequency.call_graph import CallGraph
from synclint.analysis.frequency.contexts import KnownContexts
from synclint.analysis.program.entry_points import Reach, reach_in
from synclint.analysis.program.mentioned import mentioned
from synclint.analysis.program.project_files import ProjectFile
from synclint.analysis.project import ProjectAnalysis
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.observations import Observation, Observations
from synclint.findings import Phase

HERE = Path(__file__).parent
TRAIN = """\
import torch

from helpers import Layers, log


def main(model, optimizer, loader):
    layers = Layers(4)
    for epoch in range(3):
        for batch in loader:
            loss = layers(batch.cuda()).sum()
            loss.backward()
            optimizer.step()
            log(loss, verbose=True)
            log(loss)


def validate(model, loader):
    model.eval()
    for batch in loader:
        log(model(batch.cuda()).sum(), verbose=False)


if __name__ == "__main__":
    main(None, None, None)
"""
HELPERS = """\
import torch
from torch import nn


class Layer(nn.Module):
    def forward(self, x):
        return x * x.sum().item()


class Layers(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = nn.Sequential(*[Layer() for _ in range(count)])

    def forward(self, x):
        return self.layers(x)


def log(x, verbose=False):
    if verbose:
        print(x.item())
    return x.mean().item()


def unheard_of(x: torch.Tensor):
    return x.item()


def silent():
    return Layers(2)
"""


def observed_in(files: Iterable[Path], root: Path) -> tuple[Observations, Reach]:
    project = ProjectAnalysis([root])
    texts = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        project.analyse(path, text)
        texts.append(ProjectFile(str(path), path.relative_to(root).parts, mentioned(text)))
    return project.observations(), reach_in(texts)


def of_each_file(graph: CallGraph) -> dict[str, KnownContexts]:
    """What is known of each file, written and read back."""
    return {
        path: msgspec.msgpack.decode(msgspec.msgpack.encode(known), type=KnownContexts)
        for path, known in graph.contexts_by_file().items()
    }


def by_path(events: Iterable[Observation]) -> dict[str, list[Observation]]:
    found: dict[str, list[Observation]] = defaultdict(list)
    for event in events:
        found[event.path].append(event)
    return found


@pytest.mark.parametrize("name", ["fixtures/seeds", "fixtures/traps", "analysis_cases"])
def test_each_file_by_itself_tells_what_the_project_tells(name: str) -> None:
    files = sorted((HERE / name).rglob("*.py"))
    observed, reach = observed_in(files, HERE / name)
    graph = CallGraph(observed, reach)
    known = of_each_file(graph)
    seen = by_path(observed.events)
    assert seen
    for path, events in seen.items():
        assert known[path].events_instead(events, path) == graph.events(path, path)


def events_instead(observed: Observations, reach: Reach, events: Iterable[Observation], path: str) -> list[SyncEvent]:
    """The events of a file where these are observed, as a graph of all files tells them."""
    elsewhere = (event for event in observed.events if event.path != path)
    return CallGraph(replace(observed, events=(*elsewhere, *events)), reach).events(path, path)


@pytest.fixture
def planted(tmp_path: Path) -> tuple[Observations, Reach]:
    for name, text in (("train.py", TRAIN), ("helpers.py", HELPERS)):
        (tmp_path / name).write_text(text)
    return observed_in(sorted(tmp_path.glob("*.py")), tmp_path)


def test_any_part_of_the_events_is_told_in_the_same_way(planted: tuple[Observations, Reach]) -> None:
    observed, reach = planted
    graph = CallGraph(observed, reach)
    known = of_each_file(graph)
    for path, events in by_path(observed.events).items():
        for index, event in enumerate(events):
            for changed in (event, replace(event, callers=()), replace(event, construct="synchronize", layers=())):
                others = [*events[:index], changed, *events[index + 1 :]]
                assert known[path].events_instead(others, path) == events_instead(observed, reach, others, path)
                assert known[path].events_instead([changed], path) is not None


def test_an_event_in_a_function_that_nothing_leads_to_is_told_as_one(planted: tuple[Observations, Reach]) -> None:
    observed, reach = planted
    graph = CallGraph(observed, reach)
    (path,) = {event.path for event in observed.events if event.path.endswith("helpers.py")}
    known = of_each_file(graph)[path]
    silent = next(key for key, facts in observed.functions.items() if facts.name == "silent")
    events = by_path(observed.events)[path]
    last = max(event.span for event in events)
    new = [*events, replace(events[0], span=last, construct="tolist", function=silent, layers=(), callers=())]
    told = known.events_instead(new, path)
    assert told is not None
    assert told == events_instead(observed, reach, new, path)
    assert [event.context.runs for event in told].count(Phase.UNREACHED) == 2


def test_what_stands_in_a_loop_that_is_new_is_not_told(planted: tuple[Observations, Reach]) -> None:
    observed, reach = planted
    known = of_each_file(CallGraph(observed, reach))
    for path, events in by_path(observed.events).items():
        assert known[path].events_instead([replace(events[0], layers=("a new loop",))], path) is None
        assert known[path].events_instead([replace(events[0], function="a new function")], path) is None
