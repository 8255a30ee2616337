"""The page, the drawings and the evidence of a verification."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from synclint.verify.cases import BrokenCase, Case, CaseKind, Source
from synclint.verify.evidence import evidence, evidence_name, kept_evidence, to_json
from synclint.verify.measurement import (
    CUDA_WITNESSES,
    SIMULATED_WITNESSES,
    Bar,
    Comparison,
    Cost,
    Environment,
    LineTime,
    Measurement,
    Reached,
    Side,
    Timeline,
    Wait,
    Witness,
    WitnessReport,
)
from synclint.verify.report_html import page
from synclint.verify.report_text import aligned, explanations, header_lines, summary, table
from synclint.verify.run import Result, Verification
from synclint.verify.svg import WIDTH, draw, span
from synclint.verify.timeline import schematic
from synclint.verify.verdict import Outcome, Verdict, broken_verdict, inapplicable_verdict, judge

NASTY = "<script>alert('x')</script> & \"q\""

HAZARD = Source(
    "hazard.py",
    "/r/hazard.py",
    f"a = 1  # {NASTY}\nb = x.item()  # sync: SYN201\n",
    ("case",),
    {2: ("SYN201",)},
)
TWIN = Source("sync_free.py", "/r/sync_free.py", "a = 1\n", ("case",))
CASE = Case("SYN201", "item", CaseKind.RULE, HAZARD, TWIN)
REACHED = (Reached(Side.HAZARD, "case", (1, 2)), Reached(Side.TWIN, "case", (1,)))

GPU = Environment(
    False, "NVIDIA H200", "2.13.0+cu130", "3.11.7", "Linux x86_64", "2026-11-21T00:00:00Z", "580.1", "13.0"
)
SIMULATED = Environment(True, "simulated cuda:0", "2.13.0+cpu", "3.11.7", "Linux x86_64", "2026-11-21T00:00:00Z")

TIMELINES = tuple(
    Timeline(
        side,
        "case",
        (Bar(0, 5000, "line 2", "line", 2), Bar(10, 4900, f"sync {NASTY}", "wait")) if side is Side.HAZARD else (),
        (Bar(5, 5000, "spin_kernel(long)", "queued"),),
    )
    for side in Side
)


def on_gpu() -> Verification:
    waits = (Wait("case", 2, "cudaStreamSynchronize in aten::item", 0.0049),)
    time = LineTime("case", 2, 0.0051, 0.0001, 0.005, True)
    measured = Measurement(
        witness_reports=(
            WitnessReport(Witness.TRACE, Side.HAZARD, waits),
            WitnessReport(Witness.TRACE, Side.TWIN),
            WitnessReport(Witness.DEBUG_MODE, Side.HAZARD),
            WitnessReport(Witness.DEBUG_MODE, Side.TWIN),
            WitnessReport(Witness.STOPWATCH, Side.HAZARD, times=(time,)),
            WitnessReport(Witness.STOPWATCH, Side.TWIN),
        ),
        reached=REACHED,
        comparisons=(Comparison("case", None),),
        costs=(
            Cost(Side.HAZARD, "case", 0.001, 0.0009, 0.001, 10),
            Cost(Side.TWIN, "case", 0.0001, 0, 0.001, 10),
        ),
        timelines=TIMELINES,
    )
    result = Result(CASE, judge(CASE, measured, CUDA_WITNESSES), measured, Path("traces/SYN201.json.gz"))
    broken = BrokenCase("SYN900", "broken", CaseKind.RULE, f"hazard.py is missing {NASTY}")
    missing = replace(CASE, id="SYN501", name="metric")
    return Verification(
        GPU,
        (
            result,
            Result(broken, broken_verdict(broken)),
            Result(missing, inapplicable_verdict("needs torchmetrics")),
        ),
    )


def simulated() -> Verification:
    wait = Wait("case", 2, "aten::item, scalar-read")
    measured = Measurement(
        (
            WitnessReport(Witness.SIMULATED, Side.HAZARD, (wait, wait)),
            WitnessReport(Witness.SIMULATED, Side.TWIN),
        ),
        REACHED,
        (Comparison("case", None),),
    )
    return Verification(SIMULATED, (Result(CASE, judge(CASE, measured, SIMULATED_WITNESSES), measured),))


class Page(HTMLParser):
    """What a browser would find: elements, and what they load from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [value or "" for name, value in attrs if name == "src" or (tag == "link" and name == "href")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    found = Page(page(on_gpu(), "evidence.json", "traces"))
    assert found.loads == []
    assert "script" not in found.tags


def test_what_cases_say_is_shown_and_not_obeyed() -> None:
    found = Page(page(on_gpu(), "evidence.json", "traces"))
    assert f"a = 1  # {NASTY}" in found.text
    assert f"hazard.py is missing {NASTY}" in found.text


def test_the_page_shows_the_verdict_the_waiting_line_the_trace_and_both_timelines() -> None:
    text = page(on_gpu(), "evidence.json", "traces")
    assert '<tr class="waits"><td class="number">2</td>' in text
    assert 'href="traces/SYN201.json.gz"' in text
    assert text.count("<svg") == 2
    assert "blocks the host 10 times as long as its twin" in text
    assert "not applicable here" in text
    assert "Simulated" not in text


def test_the_page_says_which_witness_saw_what_on_each_line() -> None:
    found = Page(page(on_gpu(), "evidence.json", "traces"))
    assert (
        "hazard.py:2: trace: cudaStreamSynchronize in aten::item (4.90 ms); "
        "stopwatch: held 5.1 ms by 5.0 ms of queued work; debug mode: nothing"
    ) in found.text


def test_the_simulated_page_says_so_at_the_top_and_at_every_case() -> None:
    text = page(simulated(), "evidence.json", "traces")
    assert '<p class="banner" role="note"><strong>Simulated.</strong>' in text
    assert '<span class="badge simulated">simulated</span>' in text
    assert "Schematic: drawn from the waits that were counted" in text
    assert "order only, no time scale" in text


def test_every_drawing_is_well_formed_and_within_its_frame() -> None:
    for drawn in (*TIMELINES, *schematic(simulated().results[0].measured)):
        root = ElementTree.fromstring(draw(drawn, span([drawn])))
        bars = [bar for bar in root.iter("rect") if "bar" in bar.attrib["class"].split()]
        assert len(bars) == len(drawn.host) + len(drawn.device)
        assert all(float(bar.attrib["x"]) + float(bar.attrib["width"]) <= WIDTH + 2 for bar in bars)


def test_a_schematic_draws_as_many_waits_as_were_counted() -> None:
    hazard, twin = schematic(simulated().results[0].measured)
    assert [bar.kind for bar in hazard.host].count("wait") == 2
    assert [bar.kind for bar in twin.host].count("wait") == 0
    assert hazard.schematic and twin.schematic


def test_in_a_schematic_the_device_idles_while_the_host_waits_and_the_twin_runs_ahead() -> None:
    hazard, twin = schematic(simulated().results[0].measured)
    assert max(bar.end for bar in hazard.host) > max(bar.end for bar in hazard.device)
    assert max(bar.end for bar in twin.host) < max(bar.end for bar in twin.device)


def test_the_table_has_a_column_per_witness() -> None:
    heading, first, *_ = table(on_gpu())
    assert heading == (
        "rule",
        "lines",
        "trace",
        "debug mode",
        "stopwatch",
        "equal results",
        "cost",
        "verdict",
    )
    assert first == ("SYN201 item", "1", "1/1", "0/1", "1/1", "yes", "×10", "confirmed")


def test_the_simulated_table_has_one_witness_and_no_cost() -> None:
    heading, first = table(simulated())
    assert heading == ("rule", "lines", "simulated", "equal results", "verdict")
    assert first == ("SYN201 item", "1", "1/1", "yes", "confirmed")


def test_columns_are_aligned() -> None:
    assert len({len(text) for text, _ in aligned(table(on_gpu()))}) == 1


def test_what_is_not_confirmed_is_explained_and_disagreements_are_shown() -> None:
    told = dict(explanations(on_gpu()))
    assert told["not applicable here"] == ["SYN501 metric: needs torchmetrics"]
    assert told["SYN900 broken is inconclusive"] == (f"hazard.py is missing {NASTY}",)
    assert told["SYN201 item: the witnesses disagree"] == (
        "hazard.py:2: seen by trace and stopwatch, not by debug mode",
    )


def test_the_summary_counts_and_marks_what_is_simulated() -> None:
    assert summary(on_gpu()) == "1 confirmed, 1 inconclusive, 1 not applicable here"
    assert summary(simulated()) == "1 confirmed (simulated)"
    assert summary(replace(simulated(), interrupted=True)).endswith("interrupted before the end")


def test_the_header_names_gpu_driver_cuda_torch_and_date() -> None:
    assert header_lines(GPU) == [
        "NVIDIA H200, driver 580.1, CUDA 13.0, torch 2.13.0+cu130, Python 3.11.7, 2026-11-21T00:00:00Z"
    ]


def test_evidence_keeps_what_each_line_was_measured_at() -> None:
    document = evidence(on_gpu())
    line = next(line for line in document["cases"][0]["lines"] if line["marked"])
    assert line["stopwatch"] == [
        {"queued": 0.0051, "idle": 0.0001, "remaining": 0.005, "waited": True, "disturbed": False}
    ]
    assert line["seen_by"] == ["trace", "stopwatch"]
    assert document["environment"]["driver"] == "580.1"


def test_evidence_is_named_after_the_gpu_and_the_release() -> None:
    assert evidence_name(on_gpu()) == "nvidia-h200-torch2.13.0-cuda13.0-driver580.1.json"
    assert evidence_name(simulated()) == "simulated-torch2.13.0.json"


def test_kept_evidence_gives_the_rules_verdicts(tmp_path: Path) -> None:
    (tmp_path / evidence_name(on_gpu())).write_text(to_json(on_gpu()), encoding="utf-8")
    (found,) = kept_evidence(tmp_path)
    assert (found.device, found.torch) == ("NVIDIA H200", "2.13.0+cu130")
    assert found.outcomes["SYN201"] is Outcome.CONFIRMED


@pytest.mark.parametrize("text", ["{", "[]", '{"simulated": false}'])
def test_malformed_evidence_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "gpu.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"gpu\.json is not evidence of a GPU run"):
        kept_evidence(tmp_path)


def test_simulated_evidence_is_not_kept_as_a_gpus(tmp_path: Path) -> None:
    (tmp_path / "sim.json").write_text(to_json(simulated()), encoding="utf-8")
    with pytest.raises(ValueError, match="it comes from the simulated device"):
        kept_evidence(tmp_path)


def test_evidence_of_a_pretended_device_is_refused(tmp_path: Path) -> None:
    run = on_gpu()
    pretended = replace(run, environment=replace(run.environment, device="Pretended GPU"))
    (tmp_path / "gpu.json").write_text(to_json(pretended), encoding="utf-8")
    with pytest.raises(ValueError, match="it comes from a pretended device"):
        kept_evidence(tmp_path)


def test_evidence_names_the_programs_and_what_they_ran_with() -> None:
    document = evidence(on_gpu())
    assert len(document["cases"][0]["programs"]) == 64
    assert {"cupti", "packages", "commit", "synclint"} <= document["environment"].keys()


def test_without_a_folder_there_is_no_evidence(tmp_path: Path) -> None:
    assert kept_evidence(tmp_path / "nowhere") == ()


def test_json_survives_a_round_trip() -> None:
    assert json.loads(to_json(on_gpu())) == evidence(on_gpu())


def test_an_inconclusive_verdict_alone_makes_a_page() -> None:
    alone = Verification(GPU, (Result(CASE, Verdict(Outcome.INCONCLUSIVE, ("why",))),))
    assert "why" in page(alone, "evidence.json", "traces")
