"""The reports for people: what matters first, under a heading for each phase, each cause once with its places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from command_line import HAZARD, Synclint

from synclint.findings import CallPlace, Confidence, Context, Finding, Phase, Position, Repetition, Severity, Span
from synclint.report.full import full_report, ranked_report
from synclint.report.grouped import grouped_report, ranked_grouped_report
from synclint.report.phrases import heading, note
from synclint.report.results import CheckedFile
from synclint.report.terminal import Palette
from synclint.results.file_reports import FileReport

HERE = Path("/project")
PLAIN = Palette(enabled=False)
SOURCE = "".join(f"line {number}\n" for number in range(1, 10))
STEP = Context(Phase.STEP, "")
GRAPH = Context(Phase.ONCE, "", captured="the CUDA graph at a.py:3")


def at(
    line: int,
    priority: float = 0.0,
    context: Context = STEP,
    group: str = "",
    repeats: bool = False,
    code: str = "SYN101",
) -> Finding:
    return Finding(
        code, "nonzero", "it waits", "a.py", Span(Position(line, 1), Position(line, 5)), Severity.WARNING,
        Confidence.HIGH, "scalar-read", context, instead="do otherwise", group=group, repeats=repeats,
        priority=priority,
    )  # fmt: skip


def files(**found: Sequence[Finding]) -> list[CheckedFile]:
    return [CheckedFile(FileReport(HERE / f"{name}.py", tuple(each), SOURCE), name) for name, each in found.items()]


def order(lines: Sequence[str]) -> list[str]:
    """The headings and the places."""
    told = [line for line in lines if line and not line[0].isspace() and not line[0].isdigit()]
    return [line.partition(": SYN")[0] for line in told]


def test_captured_graphs_come_first_then_the_phases_and_in_each_what_matters_most() -> None:
    given = files(
        a=[at(1, 600, Context(Phase.EVAL, "")), at(2, 700), at(3, 710), at(4, 0, code="SYN001")],
        b=[at(1, 705), at(2, 900, GRAPH)],
    )
    assert order(list(ranked_report(given, PLAIN, HERE))) == [
        "In captured graphs, where a wait fails: 1 wait",
        "b.py:2:1",
        "In each step: 3 waits",
        "a.py:3:1",
        "b.py:1:1",
        "a.py:2:1",
        "In evaluation: 1 wait",
        "a.py:1:1",
        "Files, comments and contracts: 1 finding",
        "a.py:4:1",
    ]


def test_by_paths_the_order_is_that_of_the_source_without_headings() -> None:
    given = files(a=[at(1, 600), at(2, 700)], b=[at(1, 705)])
    assert order(list(full_report(given, PLAIN, HERE))) == ["a.py:1:1", "a.py:2:1", "b.py:1:1"]


def test_a_cause_is_told_once_with_all_its_places_and_other_advice_where_it_belongs() -> None:
    group = [at(1, 700, group="g", repeats=True), at(2, 710, group="g"), at(3, 690, group="g", repeats=True)]
    group += [replace(at(4, 600, group="g", repeats=True, code="SYN402"), name="upload", instead="pin it")]
    assert list(ranked_report(files(a=group), PLAIN, HERE)) == [
        "In each step: 4 waits with 1 cause",
        "",
        "a.py:2:1: SYN101 nonzero: it waits [high]",
        "2 | line 2",
        "  | ^^^^",
        "  = help: do otherwise",
        "  = also: 1:1, 3:1",
        "  = also: 4:1 SYN402 upload: pin it",
        "",
    ]


def test_a_cause_in_several_files_is_told_once_with_the_paths_of_the_others() -> None:
    given = files(a=[at(1, 690, group="g", repeats=True)], b=[at(2, 710, group="g"), at(3, 9, group="g", repeats=True)])
    assert list(ranked_report(given, PLAIN, HERE)) == [
        "In each step: 3 waits with 1 cause",
        "",
        "b.py:2:1: SYN101 nonzero: it waits [high]",
        "2 | line 2",
        "  | ^^^^",
        "  = help: do otherwise",
        "  = also: 3:1",
        "  = also: a.py:1:1",
        "",
    ]
    assert [line for line in grouped_report(given, PLAIN, HERE) if line.endswith(":")] == ["a.py:", "b.py:"]
    told = [line for line in ranked_grouped_report(given, PLAIN, HERE) if line.startswith("  ")]
    assert told == [
        "  2:1 SYN101 nonzero: it waits [high], also at 3:1",
        "  1:1 SYN101 nonzero: it waits [high], same cause as b.py:2:1",
    ]


def test_the_heading_says_whether_steps_are_of_training_of_inference_of_both_or_of_neither() -> None:
    steps = [Context(Phase.STEP, "", trains=True), Context(Phase.STEP, ""), Context(Phase.STEP, "", infers=True)]
    assert heading(steps[:2]) == "In the training step"
    assert heading(steps) == "In the steps of training and inference"
    assert heading(steps[2:]) == "In each step of inference"
    assert heading(steps[1:]) == heading(steps[1:2]) == "In each step"


def test_places_in_a_reason_are_written_like_those_of_calls() -> None:
    context = Context(Phase.STEP, "in the training loop at /p/a/train.py:30, only where `x` is set")
    said = note(context, lambda path: path.removeprefix("/p/"))
    assert said == "runs in each step: in the training loop at a/train.py:30, only where `x` is set"


def test_a_loop_of_which_no_name_tells_what_it_goes_through_is_told_by_its_place() -> None:
    loops = (Repetition("layer", "m.py", 4), Repetition("round", "m.py", 7))
    said = note(Context(Phase.STEP, "", times=loops))
    assert said == "runs in each step, once for each layer (m.py:4), in each iteration of the loop at m.py:7"
    briefly = note(Context(Phase.STEP, "", times=loops), lambda path: path)
    assert briefly == "runs in each step, once for each layer (m.py:4), in each iteration of the loop at line 7"


def test_a_note_tells_files_apart_where_it_is_told_how() -> None:
    path = (CallPlace("", "/p/a/train.py", 7), CallPlace("main", "/p/a/train.py", 5), CallPlace("step", "/p/b.py", 3))
    said = note(Context(Phase.STEP, "called from `step`", path=path), lambda path: path.removeprefix("/p/"))
    assert said == "runs in each step, called from a/train.py:7 → `main`, line 5 → `step`, b.py:3"


def test_grouped_has_a_heading_for_each_file_and_a_line_for_each_cause() -> None:
    given = files(a=[at(1, 600), at(2, 700)], b=[at(1, 705, group="g"), at(2, 690, group="g", repeats=True)])
    assert list(grouped_report(given, PLAIN, HERE)) == [
        "a.py:",
        "  1:1 SYN101 nonzero: it waits [high]",
        "  2:1 SYN101 nonzero: it waits [high]",
        "",
        "b.py:",
        "  1:1 SYN101 nonzero: it waits [high], also at 2:1",
        "",
    ]
    ranked = list(ranked_grouped_report(given, PLAIN, HERE))
    assert [line for line in ranked if line.endswith(":")] == ["b.py:", "a.py:"]
    assert [line.split()[0] for line in ranked if line.startswith("  ")] == ["1:1", "2:1", "1:1"]


def test_the_note_says_how_often_a_line_runs_and_what_leads_there() -> None:
    times = (Repetition("layer", "/p/model.py", 7), Repetition("parameter", "/p/optim.py", 20))
    path = (CallPlace("", "/p/train.py", 41), CallPlace("step", "/p/loss.py", 7))
    assert note(Context(Phase.STEP, "")) == ""
    assert note(Context(Phase.STEP, "in `forward` of Loss")) == "runs in each step: in `forward` of Loss"
    assert note(Context(Phase.STEP, "called from `step`, /p/loss.py:7", times=times, path=path)) == (
        "runs in each step, once for each layer (/p/model.py:7), once for each parameter (/p/optim.py:20), "
        "called from /p/train.py:41 → `step`, /p/loss.py:7"
    )
    assert note(Context(Phase.EVAL, "under `no_grad`", path=path[:1])) == (
        "runs in evaluation, called from /p/train.py:41: under `no_grad`"
    )
    assert note(Context(Phase.STEP, "nobody calls it", assumed=True)) == (
        "is assumed to run in each step: nobody calls it"
    )


def test_the_formats_are_known_by_the_names_that_people_know(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(HAZARD)
    assert run("a.py", "--output-format", "text") == run("a.py", "--output-format", "full") == run("a.py")
    assert run("a.py", "--output-format", "grouped").out.startswith("a.py:\n  5:12 SYN101 nonzero: ")


def test_the_order_can_be_chosen(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(HAZARD.replace("target: torch.Tensor", "target").replace("def loss", "def other"))
    (tmp_path / "b.py").write_text(HAZARD)

    def places(*arguments: str) -> list[str]:
        lines = run(".", "--quiet", "--min-confidence", "low", *arguments).out.splitlines()
        return [line.partition(":")[0] for line in lines if ".py:5:" in line]

    assert places() == places("--sort", "priority") == ["b.py", "a.py"]
    assert places("--output-format", "concise", "--sort", "priority") == ["b.py", "a.py"]
    assert places("--sort", "path") == places("--output-format", "concise") == ["a.py", "b.py"]
    (tmp_path / "synclint.toml").write_text('sort = "path"\n')
    assert places() == ["a.py", "b.py"]
    assert run(".", "--sort", "size").status == 2


def test_a_reason_that_begins_with_how_often_a_line_runs_is_told_once() -> None:
    reason = "runs once, when the module is imported"
    assert note(Context(Phase.ONCE, reason)) == reason
    assert note(Context(Phase.ONCE, "only shows the object")) == "runs once: only shows the object"
