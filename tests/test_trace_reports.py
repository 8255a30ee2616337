"""The forms of a report: complete, readable again, and harmless whatever the traced files are called."""

from __future__ import annotations

import gzip
import json
import os
import signal
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from traced_runs import FILE, finding, header, place, rank, report, run, wait

from synclint.report.terminal import Palette
from synclint.trace.comparison import compared, comparison_json, comparison_lines
from synclint.trace.formats import rendered
from synclint.trace.merging import merged
from synclint.trace.publishing import publish, rank_path
from synclint.trace.records import (
    Action,
    ActionTime,
    CodeLine,
    DatasetPart,
    Device,
    DrawnStep,
    LoaderFacts,
    Origin,
    Step,
    Stretch,
    WaitSite,
)
from synclint.trace.report import TraceReport
from synclint.trace.report_json import UnreadableReportError, from_json, read_report, to_json
from synclint.trace.scalars import scalars
from synclint.trace.settings import Output, Settings

HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e"


def drawn() -> DrawnStep:
    bars = (
        Stretch("host", "loader", 0.0, 0.2, "waiting for the loader", place(5)),
        Stretch("host", "wait", 0.3, 0.4, "waits: aten::item", place(12), (place(30), place(12))),
        Stretch("device", "kernel", 0.25, 0.4, "gemm", place(8)),
    )
    return DrawnStep(3, 0.5, bars)


def full_report() -> TraceReport:
    library = CodeLine("/env/site-packages/torchmetrics/aggregation.py", 87, "update")
    made = report(
        run(
            WaitSite(wait(), tuple((step, 1) for step in range(5)), measured=3, blocked=0.3, idle=0.1),
            WaitSite(wait(9, library=library, certain=False), ((1, 1),)),
            header=header(device=Device.CUDA, notes=("something could not be seen",)),
            loaders=(LoaderFacts(place(5), 2, True, False, 2, 8),),
            drawn=(drawn(),),
        ),
        finding(),
        finding(20),
    )
    return replace(made, ranks=merged((rank(0, 0.1), rank(1, 0.1))).ranks)


def hostile_report() -> TraceReport:
    name = f"/home/somebody/{HOSTILE}.py"
    seen = wait(12, place=CodeLine(name, 12, HOSTILE), op=HOSTILE, library=CodeLine(name, 3, HOSTILE), via=HOSTILE)
    bar = Stretch("host", "wait", 0.0, 1.0, HOSTILE, CodeLine(name, 1, HOSTILE), (CodeLine(name, 1, HOSTILE),))
    return report(
        run(
            WaitSite(seen, ((1, 1),)),
            header=header(command=("python", HOSTILE), device_name=HOSTILE, notes=(HOSTILE,), device=Device.CUDA),
            drawn=(DrawnStep(0, 1.0, (bar,)),),
        ),
        finding(message=HOSTILE, name=HOSTILE, file=name),
    )


def text(made: TraceReport) -> str:
    return rendered(made, "text").decode()


def test_json_is_read_again_without_loss() -> None:
    made = full_report()
    assert from_json(to_json(made)) == made


def test_json_has_the_keys_that_programs_were_promised() -> None:
    document = json.loads(to_json(full_report()))
    assert {"device", "steps", "waits", "missed", "findings"} <= document.keys()
    (first, *_) = document["waits"]
    promised = {"file", "line", "count", "per_step", "mechanism", "code", "runs", "library", "blocked_ms"}
    assert promised <= first.keys()
    assert (first["file"], first["line"], first["code"], first["runs"]) == (FILE, 12, "SYN201", "step")
    assert {"file", "line"} <= document["waits"][1]["library"].keys()


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"version": 99}', "\xff", '{"version": 1, "header": 3}', "[" * 9999]
)
def test_what_is_no_report_is_told_in_one_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "trace.json"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(UnreadableReportError) as failed:
        read_report(path)
    assert str(path) in str(failed.value) and "\n" not in str(failed.value)


def test_a_report_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UnreadableReportError, match="no such file"):
        read_report(tmp_path / "trace.json")


def test_a_finding_that_waited_outside_of_the_steps_is_told_with_how_often_it_did() -> None:
    made = report(run(WaitSite(wait(), ((2, 1),)), WaitSite(wait(20), ((5, 3),))), finding(), finding(20))
    judged = [line for line in text(made).splitlines() if line.startswith("  confirmed")]
    assert [line.rpartition("): ")[2] for line in judged] == ["0.25 per step", "3 times"]


def test_the_terminal_shows_line_count_time_rule_phase_and_library() -> None:
    lines = text(full_report()).splitlines()
    (told,) = [
        line for line in lines if "train.py:12 `print(loss.item())`" in line and "SYN201" in line and "step" in line
    ][:1]
    assert told.split()[:6] == ["1", "5", "100.000", "33.333", "SYN201", "step"]
    assert any("→ torchmetrics/aggregation.py:87 `if nans.any():`" in line for line in lines)
    assert any("not reached" in line or "not observed" in line for line in lines)


def test_a_simulated_report_says_that_it_has_no_times() -> None:
    made = report(run(WaitSite(wait(), ((1, 1),))))
    assert "there are no times" in text(made)
    assert "ms/step" not in text(made)


def test_a_run_that_failed_says_how_it_ended() -> None:
    made = report(run(header=header(exit_status=1, ended_by="KeyError")))
    assert "it ended with status 1 (KeyError)" in text(made)


def test_what_other_processes_did_is_not_said_to_be_nothing() -> None:
    alone, started = report(run()), report(run(header=header(other_processes=1)))
    assert "the host never waited in 5 steps" in text(alone)
    assert "no wait was recorded in 5 steps of this process" in text(started)
    assert "never waited" not in text(started) + rendered(started, "html").decode()


def test_missed_waits_can_be_pasted_and_name_no_folder_of_the_user() -> None:
    made = report(run(WaitSite(wait(), ((1, 1), (2, 1)))))
    lines = text(made).splitlines()
    start = lines.index("    Missed wait: train.py:12 in train")
    block = lines[start : start + 5]
    assert block[1] == "    line: print(loss.item())"
    assert "torch 2.13.0" in block[-1] and "synclint 0.1.0" in block[-1]
    assert not any("/home/somebody" in line for line in block)


def timed(seconds: tuple[float, ...], busy: float | None = None) -> TraceReport:
    made = tuple(
        Step(number, taken, number == 2, busy if number == 2 else None) for number, taken in enumerate(seconds)
    )
    return report(run(WaitSite(wait(), ((1, 1),)), header=header(device=Device.CUDA), steps=made))


def test_the_times_of_the_steps_and_the_share_of_the_device_are_told() -> None:
    made = timed((9.0, 0.1, 0.2, 0.1, 0.5), busy=0.05)
    assert made.times is not None and made.times.seconds == (0.1, 0.2, 0.1, 0.5)
    lines = text(made).splitlines()
    assert "A step takes 150.000 ms (median); the longest, step 4, took 500.000 ms." in lines
    assert "The device works for 25.0 % of a profiled step, and is idle for 75.0 %." in lines
    page = rendered(made, "html").decode()
    assert "is idle for 75.0 %" in page and "steps 1 to 4, from 0 to 500.00 ms" in page
    assert from_json(to_json(made)) == made


def test_nothing_is_said_of_an_idle_device_that_nobody_watched_and_of_times_that_are_none() -> None:
    assert "idle for" not in text(timed((9.0, 0.1, 0.2)))
    simulated = report(run(WaitSite(wait(), ((1, 1),))))
    assert "A step takes" not in text(simulated) and simulated.times is None


def test_a_long_run_is_told_in_few_values() -> None:
    times = timed((9.0, *([0.1] * 900), *([0.3] * 900))).times
    assert times is not None and (times.every, len(times.seconds)) == (5, 360)
    assert [round(times.seconds[at], 6) for at in (0, -1)] == [0.1, 0.3]


def lightning(line: int) -> CodeLine:
    return CodeLine("/env/site-packages/pytorch_lightning/loops/fit.py", line, "run")


def test_waits_within_libraries_below_a_line_are_one_row_and_nothing_to_report() -> None:
    each = tuple((step, 1) for step in range(5))
    sites = [WaitSite(wait(9, library=lightning(line)), each, measured=2, blocked=0.2) for line in (87, 90, 91)]
    made = report(run(*sites, WaitSite(wait(12), each), header=header(device=Device.CUDA)), finding())
    (row,) = [line for line in text(made).splitlines() if "train.py:9" in line]
    assert row.split()[:5] == ["3", "15", "300.000", "0.000", "–"]
    assert row.endswith("→ 3 lines in pytorch_lightning")
    assert "3 lines in pytorch_lightning" in rendered(made, "html").decode()
    assert made.missed == () and "To report" not in text(made)
    assert from_json(to_json(made)) == made
    assert merged([made, made]).missed == ()


def test_a_library_of_which_a_rule_speaks_is_the_users_to_change() -> None:
    each = tuple((step, 1) for step in range(5))
    nans = CodeLine("/env/site-packages/torchmetrics/aggregation.py", 93, "_cast_and_nan_check_input")
    (told,) = report(run(WaitSite(wait(9, library=nans), each))).waits
    assert (told.code, told.in_library) == ("SYN503", False)


def test_only_missed_waits_that_a_report_helps_with_are_there_to_be_copied() -> None:
    each = tuple((step, 1) for step in range(5))
    unclear = WaitSite(wait(12, certain=False, op="cudaMemcpyAsync", mechanism="host-to-device-copy"), each)
    backward = WaitSite(wait(9, op="backward", origin=Origin.BACKWARD, mechanism="unknown"), each)
    unreadable = WaitSite(wait(77), each)
    made = report(run(unclear, backward, unreadable))
    assert len(made.missed) == 3 and "To report" not in text(made)


def test_the_terminal_obeys_nothing_that_comes_from_files() -> None:
    shown = text(hostile_report())
    assert "\x1b" not in shown and "\u202e" not in shown


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.titles: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attributes}

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "title":
            self.titles.append(data)


def page(made: TraceReport) -> _Page:
    parsed = _Page()
    parsed.feed(rendered(made, "html").decode())
    return parsed


@pytest.mark.parametrize("made", [full_report(), hostile_report()], ids=["full", "hostile"])
def test_the_page_loads_and_runs_nothing(made: TraceReport) -> None:
    parsed = page(made)
    assert not {"script", "link", "img", "iframe", "object"} & set(parsed.tags)
    assert not {name for name in parsed.attributes if name.startswith("on") or name in ("src", "href")}
    assert "\u202e" not in rendered(made, "html").decode()


def test_the_page_draws_the_step_and_bars_tell_line_and_stack() -> None:
    parsed = page(full_report())
    assert parsed.tags.count("rect") == 2 + len(drawn().stretches)
    (told,) = [title for title in parsed.titles if "waits: aten::item" in title]
    assert "train.py:12 in train" in told and "train.py:30 in train" in told


def test_the_chrome_trace_is_compressed_and_carries_rows_waits_and_stacks() -> None:
    document = json.loads(gzip.decompress(rendered(full_report(), "chrome")))
    events = document["traceEvents"]
    names = {event["args"]["name"] for event in events if event["ph"] == "M"}
    assert {"host", "device"} <= names
    (waiting,) = [event for event in events if event.get("cat") == "wait"]
    assert (waiting["ts"], waiting["dur"]) == (300_000.0, 100_000.0)
    assert waiting["args"]["line"] == f"{FILE}:12 in train" and len(waiting["args"]["stack"]) == 2


def test_each_process_of_several_has_a_file_of_its_own() -> None:
    assert rank_path(Path("/x/trace.json.gz"), 1, 2) == Path("/x/trace.rank1.json.gz")
    assert rank_path(Path("/x/trace.json"), 0, 1) == Path("/x/trace.json")


def test_merged_ranks_add_counts_and_average_what_is_per_step() -> None:
    made = merged((rank(1, 0.1), rank(0, 0.1)))
    (told,) = made.waits
    assert (told.count, told.per_step, told.ranks) == (10, 1.0, (0, 1))
    assert [facts.rank for facts in made.ranks] == [0, 1]
    assert len(made.findings) == 1 and made.findings[0].count == 10


def test_the_rank_that_waits_longest_in_backward_waits_for_the_other() -> None:
    made = merged((rank(0, 0.3), rank(1, 0.1)))
    waiting = {facts.rank: facts.waiting_seconds for facts in made.ranks}
    assert waiting[1] == 0.0 and waiting[0] is not None and abs(waiting[0] - 0.2) < 1e-9
    assert any("in each step rank 0 waits 200.0 ms for rank 1" in note for note in made.notes)


def test_ranks_alike_wait_for_nobody_and_a_missing_one_is_named() -> None:
    made = merged((rank(0, 0.1, total=3), rank(2, 0.1, total=3)))
    assert made.notes == ("no report from rank 1 of 3",)


def compare(*lines: int) -> TraceReport:
    return report(run(*(WaitSite(wait(line, place=place(line)), tuple((s, 1) for s in range(5))) for line in lines)))


def test_a_comparison_says_what_is_gone_new_and_the_same() -> None:
    comparison = compared(compare(8, 12), compare(12, 20))
    assert {(wait.line, wait.change) for wait in comparison.waits} == {(8, "gone"), (12, "same"), (20, "new")}
    assert (comparison.per, comparison.before_waits, comparison.after_waits) == ("step", 2.0, 2.0)
    assert comparison.before_seconds is None


def test_runs_without_steps_are_compared_as_a_whole() -> None:
    def once(*lines: int) -> TraceReport:
        return report(run(*(WaitSite(wait(line, place=place(line)), ((0, 16),)) for line in lines), number=0))

    comparison = compared(once(8, 12), once(12))
    assert {(wait.line, wait.change, wait.before_count, wait.after_count) for wait in comparison.waits} == {
        (8, "gone", 16, 0), (12, "same", 16, 16),
    }  # fmt: skip
    assert next(iter(comparison_lines(comparison, Palette(enabled=False)))) == "waits per run: 32 before, 16 after"
    document = json.loads(comparison_json(comparison))
    assert (document["before"]["per_run"], document["after"]["per_run"]) == (32, 16)


def test_a_report_without_steps_has_no_figures_per_step() -> None:
    shown = text(report(run(WaitSite(wait(8, place=place(8)), ((0, 16),)), number=0)))
    assert "per step" not in shown and "16 waits in 0 steps" in shown


def test_a_line_that_has_moved_is_the_same_line() -> None:
    before, after = compare(12), compare(12)
    moved = replace(after, waits=tuple(replace(wait, place=place(99)) for wait in after.waits))
    (wait_,) = compared(before, moved).waits
    assert (wait_.change, wait_.line) == ("same", 99)


def test_a_comparison_shows_before_and_after_of_a_step_in_one_table() -> None:
    def measured(seconds: float, busy: float, loader: float, *waits: float) -> TraceReport:
        waiting = [ActionTime(Action.WAIT, 2, one, 1, place(12)) for one in waits]
        made = tuple(Step(number, seconds, number == 2, busy if number == 2 else None) for number in range(5))
        actions = (ActionTime(Action.LOADER, 2, loader), *waiting)
        return report(run(header=header(device=Device.CUDA), steps=made, actions=actions))

    comparison = compared(measured(0.2, 0.05, 0.1, 0.02, 0.03), measured(0.1, 0.09, 0.01))
    assert [(one.name, round(one.before or 0.0, 6), round(one.after or 0.0, 6)) for one in comparison.figures] == [
        ("a step (median)", 200.0, 100.0),
        ("waiting for the loader", 100.0, 10.0),
        ("waits", 50.0, 0.0),
        ("the rest", 50.0, 90.0),
        ("the device works", 25.0, 90.0),
    ]
    lines = list(comparison_lines(comparison, Palette(enabled=False)))
    assert "the device works         25.0 %   90.0 %" in lines
    assert json.loads(comparison_json(comparison))["figures"][0]["name"] == "a step (median)"


def test_a_comparison_of_simulated_runs_has_no_figures_of_time() -> None:
    assert compared(compare(8, 12), compare(12, 20)).figures == ()


def test_what_to_write_instead_is_said_of_each_line_that_waits_in_a_step() -> None:
    each, twice = (tuple((step, times) for step in range(5)) for times in (1, 2))
    predicted = finding(instead="Add up on the device.")
    made = report(
        run(WaitSite(wait(), twice), WaitSite(wait(9, via="torch.nonzero"), each), WaitSite(wait(20), ((0, 1),))),
        predicted,
        finding(20, instead="Once is no matter."),
    )
    assert from_json(to_json(made)) == made
    lines = text(made).splitlines()
    start = lines.index("What to write instead")
    assert lines[start + 1] == "  train.py:12  Add up on the device."
    assert lines[start + 2].startswith("  train.py:9  ") and "{subject}" not in lines[start + 2]
    # On CUDA nobody knows what was called, where the linter has predicted nothing.
    (upload,) = report(run(WaitSite(wait(9, via="", op="aten::copy_", mechanism="host-to-device-copy"), each))).waits
    assert upload.code == "SYN402" and "non_blocking=True" in upload.instead
    assert "Once is no matter." not in "\n".join(lines[start:])
    assert "Add up on the device." in rendered(made, "html").decode()


def test_what_a_dataset_spends_its_time_on_is_told_below_the_steps() -> None:
    parts = (
        DatasetPart(place(5), CodeLine("/home/somebody/data.py", 7, "Images.fetch"), 0.104),
        DatasetPart(place(5), CodeLine("", 0, "time.sleep"), 0.001),
    )
    made = report(run(dataset_parts=parts))
    said = "Within a batch of train.py:5: 104.000 ms Images.fetch (data.py:7), 1.000 ms time.sleep"
    assert said in text(made).splitlines()
    assert from_json(to_json(made)) == made


def test_the_figures_of_a_step_are_numbers_by_name() -> None:
    each = tuple((step, 2) for step in range(5))
    made = tuple(Step(number, 0.2, number == 2, 0.05 if number == 2 else None) for number in range(5))
    site = WaitSite(wait(), each, measured=2, blocked=0.02)
    assert scalars(report(run(site, header=header(device=Device.CUDA), steps=made))) == {
        "synclint/waits": 2.0,
        "synclint/blocked_ms": pytest.approx(20.0),
        "synclint/step_ms": pytest.approx(200.0),
        "synclint/device_busy": pytest.approx(0.25),
    }
    assert scalars(report(run(WaitSite(wait(), each)))) == {"synclint/waits": 2.0}


def test_a_comparison_of_measured_runs_tells_how_much_faster_a_step_is() -> None:
    slow = replace(full_report(), step_seconds=1.2)
    fast = replace(full_report(), step_seconds=0.005)
    lines = list(comparison_lines(compared(slow, fast), Palette(enabled=False)))
    assert "240.00 times as fast" in lines[1]
    assert json.loads(comparison_json(compared(slow, fast)))["before"]["step_ms"] == 1200.0


class EndedWithItsWorkers:
    """A session whose loader's worker is killed while the run is put together."""

    def finish(self, exit_status: int | None, ended_by: str) -> Any:  # noqa: ANN401
        os.kill(os.getpid(), signal.SIGCHLD)
        return run(header=header(exit_status=exit_status, ended_by=ended_by))


def test_a_handler_of_the_program_does_not_end_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def worker_is_gone(number: int, frame: FrameType | None) -> None:
        raise RuntimeError("DataLoader worker is killed by signal: Terminated.")

    monkeypatch.setattr("sys.__stderr__", None)
    before = signal.signal(signal.SIGCHLD, worker_is_gone)
    try:
        session: Any = EndedWithItsWorkers()
        outputs = (Output("json", str(tmp_path / "trace.json")),)
        publish(session, Settings(Device.SIMULATED, lint=False, outputs=outputs, printed=None), 143, "SIGTERM")
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert read_report(tmp_path / "trace.json").header.ended_by == "SIGTERM"
