"""What people are told first: phases, what multiplies a wait, how sure it is, and one cause before its repetitions."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from command_line import Synclint

from synclint.findings import Confidence, Context, Finding, Phase, Position, Repetition, Severity, Span
from synclint.results.file_reports import FileReport
from synclint.results.priority import PHASE_ORDER, priority
from synclint.results.ranking import ranked, spread

PARAMETER, LAYER, IMAGE, ROUND = (Repetition(each, "a.py", 1) for each in ("parameter", "layer", "image", "round"))


def finding(
    phase: Phase = Phase.STEP,
    times: tuple[Repetition, ...] = (),
    confidence: Confidence = Confidence.HIGH,
    mechanism: str = "scalar-read",
    captured: str | None = None,
    assumed: bool = False,
    severity: Severity = Severity.WARNING,
    trains: bool = False,
    direct: bool = False,
    aside: bool = False,
    may_train: bool = False,
    optional: bool = False,
    callers: int = 0,
    guesses: int = 0,
    alternatives: int = 1,
    placed: bool = True,
    filename: str = "a.py",
) -> Finding:
    span = Span(Position(1, 1), Position(1, 2))
    context = Context(
        phase,
        "",
        times=times,
        captured=captured,
        assumed=assumed,
        trains=trains,
        direct=direct,
        aside=aside,
        may_train=may_train,
        optional=optional,
        callers=callers,
        guesses=guesses,
        alternatives=alternatives,
        placed=placed,
    )
    return Finding("SYN201", "item", "", filename, span, severity, confidence, mechanism, context)


def of(given: Finding, *, avoidable: bool = False) -> float:
    return priority(given, avoidable=avoidable)


STRONGEST = {
    "times": (PARAMETER, PARAMETER, PARAMETER),
    "mechanism": "data-dependent-shape",
    "trains": True,
    "direct": True,
}
WEAKEST = {
    "confidence": Confidence.LOW,
    "mechanism": "explicit",
    "severity": Severity.INFO,
    "aside": True,
    "optional": True,
    "guesses": 9,
    "placed": False,
}


def test_no_finding_of_one_phase_comes_before_one_of_an_earlier_phase() -> None:
    assert set(PHASE_ORDER) == set(Phase)
    for earlier, later in pairwise(PHASE_ORDER):
        assert of(finding(earlier, **WEAKEST)) > of(finding(later, **STRONGEST), avoidable=True)  # type: ignore[arg-type]


def test_what_has_its_phase_by_assumption_comes_after_all_that_is_known_and_before_what_nothing_runs() -> None:
    assumed = [finding(phase, assumed=True, **STRONGEST) for phase in PHASE_ORDER[:-1]]  # type: ignore[arg-type]
    known = [finding(phase, **WEAKEST) for phase in PHASE_ORDER[:-1]]  # type: ignore[arg-type]
    assert min(map(of, known)) > max(map(of, assumed))
    weakest = [finding(phase, assumed=True, **WEAKEST) for phase in PHASE_ORDER[:-1]]  # type: ignore[arg-type]
    assert min(map(of, weakest)) > of(finding(Phase.UNREACHED, **STRONGEST))  # type: ignore[arg-type]


def test_what_fails_within_a_captured_graph_comes_before_all_that_costs_time() -> None:
    captured = finding(Phase.ONCE, captured="the CUDA graph at a.py:3", **WEAKEST)  # type: ignore[arg-type]
    assert of(captured) > of(finding(Phase.STEP, **STRONGEST), avoidable=True)  # type: ignore[arg-type]


def test_priorities_fit_the_scale_from_0_to_2000() -> None:
    highest = of(finding(captured="x", **STRONGEST), avoidable=True)  # type: ignore[arg-type]
    assert 0 <= of(finding(PHASE_ORDER[-1], **WEAKEST)) < highest <= 2000  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (finding(times=(PARAMETER,)), finding(times=(LAYER,))),
        (finding(times=(ROUND,)), finding()),
        (finding(times=(LAYER, IMAGE)), finding(times=(LAYER,))),
        (finding(times=(PARAMETER,), confidence=Confidence.MEDIUM), finding()),
        (finding(), finding(confidence=Confidence.MEDIUM)),
        (finding(confidence=Confidence.MEDIUM), finding(confidence=Confidence.LOW)),
        (finding(), finding(assumed=True)),
        (finding(mechanism="data-dependent-shape"), finding(mechanism="device-to-host-copy")),
        (finding(mechanism="device-to-host-copy"), finding(mechanism="explicit")),
        (finding(trains=True), finding(times=(LAYER,))),
        (finding(trains=True, direct=True), finding(trains=True)),
        (finding(), finding(aside=True)),
        (finding(trains=True), finding(may_train=True)),
        (finding(may_train=True), finding()),
        (finding(trains=True), finding(trains=True, optional=True)),
        (finding(), finding(guesses=1)),
        (finding(guesses=1), finding(guesses=2)),
        (finding(), finding(placed=False)),
    ],
    ids=range(18),
)
def test_within_a_phase_what_costs_more_and_is_surer_comes_first(more: Finding, less: Finding) -> None:
    assert of(more) > of(less)


def test_where_something_is_matters_no_more_where_it_is_read_in_training() -> None:
    assert of(finding(trains=True, placed=False)) == of(finding(trains=True))


def test_what_the_host_could_do_without_comes_before_what_it_needs() -> None:
    assert of(finding(), avoidable=True) > of(finding())


def placed(function: str, group: str, filename: str = "a.py", phase: Phase = Phase.STEP) -> Finding:
    found = replace(finding(phase, filename=filename), function=function, group=group)
    return replace(found, priority=of(found))


def test_repetitions_and_further_causes_of_a_function_stand_back_but_keep_their_phase() -> None:
    given = [placed("f", "1"), placed("f", "1"), placed("f", "2"), placed("g", "3", phase=Phase.EVAL)]
    first, repeated, second, other_phase = spread(given)
    assert first == given[0].priority
    assert first > second > repeated > other_phase


def test_what_comes_first_is_spread_over_the_files() -> None:
    given = [placed("f", "1"), placed("g", "2"), placed("h", "3"), placed("f", "4", "other/b.py")]
    first, second, third, elsewhere = spread(given)
    assert first == elsewhere > second > third


def test_alternatives_of_one_folder_stand_back_what_is_known_to_train_does_not() -> None:
    given = [placed("f", "1", "optim/a.py"), placed("f", "2", "optim/b.py"), placed("f", "3", "optim/c.py")]
    first, second, third = spread(given)
    assert first > second > third
    trained = [replace(found, context=replace(found.context, trains=True)) for found in given]
    assert len(set(spread(trained))) == 1


def test_copies_in_several_files_are_told_once_in_the_main_part_of_the_program() -> None:
    files = ["legacy_train.py", "examples/mnist/train.py", "train.py", "segment/train.py"]
    copies = [replace(placed("train", str(index), name), copy="same") for index, name in enumerate(files)]
    other = replace(placed("train", "5", "other.py"), copy="different")
    found = [report.findings[0] for report in ranked([FileReport(Path(f.filename), (f,)) for f in [*copies, other]])]
    assert len({finding.group for finding in found}) == 2
    assert [finding.repeats for finding in found] == [True, True, False, True, False]
    assert min(found[2].priority, found[4].priority) > max(finding.priority for finding in found if finding.repeats)


def test_copies_that_run_in_different_phases_are_told_apart() -> None:
    given = [placed("f", "1"), placed("f", "2", "b.py", phase=Phase.EVAL)]
    found = ranked([FileReport(Path(finding.filename), (replace(finding, copy="same"),)) for finding in given])
    assert [report.findings[0].repeats for report in found] == [False, False]


def test_reports_are_ranked_beside_one_another_whatever_their_order() -> None:
    one = FileReport(Path("a.py"), (placed("f", "1"), placed("f", "2")))
    other = FileReport(Path("b.py"), (placed("f", "3", "b.py"),))
    assert ranked([one, other]) == tuple(reversed(ranked([other, one])))


def test_what_people_are_told_first_does_not_depend_on_equal_neighbours() -> None:
    given = [replace(finding(), code=code) for code in ("SYN101", "SYN102")]
    assert of(given[0]) == of(given[1])


def test_what_many_functions_call_comes_before_what_one_does_where_training_is_not_known() -> None:
    calls = [of(finding(callers=callers)) for callers in (1, 2, 8, 32)]
    assert calls == sorted(set(calls))
    assert of(finding(callers=0)) == of(finding(callers=1))
    assert of(finding(callers=32)) == of(finding(callers=500)) < of(finding(trains=True))
    assert of(finding(trains=True, callers=32)) == of(finding(trains=True))


def test_what_one_of_many_methods_leads_to_comes_later_where_training_is_not_known() -> None:
    ways = [of(finding(alternatives=count)) for count in (32, 8, 2, 1)]
    assert ways == sorted(set(ways))
    assert of(finding(alternatives=32)) == of(finding(alternatives=500))
    assert of(finding(trains=True, alternatives=32)) == of(finding(trains=True))


SERVER = """\
import sys

import torch


class Table:
    def __init__(self):
        self.rows = torch.arange(8)

    def prepare(self):
        self.rows = self.rows.to("cuda")


def serve(table, model):
    for line in open("requests.txt"):
        sizes = torch.tensor(len(line))
        model(table.rows.to("cuda"))
        model(sizes.to("cuda"))


table = Table()
if len(sys.argv) > 1:
    table.prepare()
serve(table, torch.nn.Linear(8, 8).cuda())
"""


def test_what_may_be_on_the_device_already_comes_after_what_is_not(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    found = json.loads(run("--output-format", "json", ".").out)
    table, sizes = (item["priority"] for item in sorted(found, key=lambda item: int(item["location"]["row"])))
    assert sizes - table > 10  # more than what the confidence in it makes


ENGINE = """\
import torch


@torch.no_grad()
def step(model, line):
    inputs = torch.zeros(len(line), 8, device="cuda")
    if inputs.sum() > 0:
        model(inputs)


model = torch.nn.Linear(8, 8).cuda()
for line in open("requests.txt"):
    step(model, line)
"""
TOOL = """\
import torch


def compare(line):
    scores = torch.zeros(len(line), 8, device="cuda")
    if scores.sum() > 0:
        print("found")


for line in open("dumps.txt"):
    compare(line)
"""


def test_where_nothing_trains_what_runs_no_model_comes_after_what_does(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(ENGINE)
    (tmp_path / "tool.py").write_text(TOOL)
    found = json.loads(run("--output-format", "json", ".").out)
    engine, tool = (item["priority"] for item in sorted(found, key=lambda item: str(item["filename"])))
    assert engine - tool >= 8
