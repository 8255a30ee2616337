"""What findings look like to people and to programs."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import HAZARD, Synclint

from synclint.findings import (
    Applicability,
    CallPlace,
    Confidence,
    Context,
    Edit,
    Finding,
    Fix,
    Phase,
    Position,
    Repetition,
    Severity,
    Span,
)
from synclint.report.concise import concise_report
from synclint.report.full import full_report
from synclint.report.json import json_report
from synclint.report.results import CheckedFile
from synclint.report.statistics import statistics_json, statistics_table, summary
from synclint.report.terminal import Palette, escape, wants_color, width
from synclint.results.file_reports import FileReport

PLAIN = Palette(enabled=False)
HERE = Path("/project")
HOT = Context(
    Phase.STEP,
    reason="called from `step`, /project/loss.py:7",
    times=(Repetition("parameter", "/project/optim.py", 20),),
    path=(CallPlace("", "/project/train.py", 41), CallPlace("step", "/project/loss.py", 7)),
)


def finding(
    span: tuple[int, int, int, int] = (1, 1, 1, 2),
    code: str = "SYN103",
    instead: str = "use `torch.where`",
    context: Context = HOT,
    fix: Fix | None = None,
) -> Finding:
    row, column, end_row, end_column = span
    return Finding(
        code=code,
        name="boolean-mask-read",
        message="`x[mask]` waits: `mask` is a boolean tensor",
        filename="loss.py",
        span=Span(Position(row, column), Position(end_row, end_column)),
        severity=Severity.WARNING,
        confidence=Confidence.MEDIUM,
        mechanism="data-dependent-shape",
        context=context,
        instead=instead,
        url="https://example.org/SYN103",
        fix=fix,
    )


def rendered(source: str, *findings: Finding) -> list[str]:
    return list(full_report([checked(FileReport(HERE / "loss.py", findings, source))], PLAIN, HERE))


def checked(report: FileReport) -> CheckedFile:
    return CheckedFile(report, str(report.path))


def frame(source: str, span: tuple[int, int, int, int]) -> list[str]:
    """The source lines and underlines of one finding."""
    bare = finding(span, instead="", context=Context(Phase.STEP, reason=""))
    return rendered(source, bare)[1:-1]


def test_text_shows_place_rule_message_line_help_and_context() -> None:
    assert rendered("def f(x, mask):\n    return x[mask]\n", finding((2, 12, 2, 19))) == [
        "loss.py:2:12: SYN103 boolean-mask-read: `x[mask]` waits: `mask` is a boolean tensor [medium]",
        "2 |     return x[mask]",
        "  |            ^^^^^^^",
        "  = help: use `torch.where`",
        "  = note: runs in each step, once for each parameter (optim.py:20), "
        "called from train.py:41 → `step`, loss.py:7",
        "",
    ]


def test_of_a_span_over_several_lines_the_first_is_shown() -> None:
    assert frame("y = f(\n    x,\n    z,\n)  # end\n", (1, 5, 4, 2)) == ["1 | y = f(…", "  |     ^^"]


def test_tabs_and_wide_characters_keep_the_underline_in_place() -> None:
    assert frame("\tx = '漢字'; y[m]\n", (1, 12, 1, 16)) == [
        "1 |     x = '漢字'; y[m]",
        "  |                 ^^^^",
    ]


def test_combining_characters_take_no_column() -> None:
    assert frame("e\u0301 = y[m]\n", (1, 6, 1, 10))[1] == "  |     ^^^^"


def test_of_a_very_long_line_the_part_around_the_span_is_shown() -> None:
    shown, underline = frame("a" * 500_000 + "y[m]" + "b" * 500_000, (1, 500_001, 1, 500_005))
    assert shown == f"1 | …{'a' * 40}y[m]{'b' * 50}…"
    assert underline == f"  | {' ' * 41}^^^^"


def test_what_a_terminal_would_obey_is_shown_and_the_underline_allows_for_it() -> None:
    shown, underline = frame("s = '\x1b[2J\u202e'; y[m]\n", (1, 14, 1, 18))
    assert shown == r"1 | s = '\x1b[2J\u202e'; y[m]"
    assert underline == "  | " + " " * 21 + "^^^^"


def test_no_part_of_a_finding_reaches_the_terminal_unescaped() -> None:
    evil = "\x1b]0;owned\x07\u2066"
    hostile = Finding(
        code="SYN103", name="boolean-mask-read", message=f"`{evil}`", filename="x", instead=evil,
        span=Span(Position(1, 1), Position(1, 2)), severity=Severity.WARNING, confidence=Confidence.HIGH,
        mechanism="scalar-read", context=Context(
            Phase.STEP,
            reason=evil,
            times=(Repetition(evil, evil, 1),),
            path=(CallPlace(evil, evil, 1),),
            captured=evil,
        ),
    )  # fmt: skip
    report = FileReport(HERE / f"{evil}.py", (hostile,), evil)
    given = [checked(report)]
    for text in (*full_report(given, PLAIN, HERE), *concise_report(given, PLAIN, HERE)):
        assert text.isprintable(), repr(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ü 漢", "plain ü 漢"),
        ("\x1b[31m", r"\x1b[31m"),
        ("a\tb", "a    b"),
        ("\u202eabc\u200d", r"\u202eabc\u200d"),
        ("\udcff", r"\udcff"),
        ("\U000e0001", r"\U000e0001"),
        ("\r\n", r"\x0d\x0a"),
    ],
)
def test_escape_shows_control_characters(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_width_counts_columns_not_characters() -> None:
    assert [width(text) for text in ("abc", "漢字", "e\u0301", "")] == [3, 4, 1, 0]


def test_concise_is_one_line_for_each_finding() -> None:
    reports = [FileReport(HERE / "loss.py", (finding(), finding((4, 2, 4, 3))), "x\n" * 5)]
    lines = list(concise_report(map(checked, reports), PLAIN, HERE))
    assert [line.split(" ")[0] for line in lines] == ["loss.py:1:1:", "loss.py:4:2:"]


def test_paths_outside_the_current_directory_are_shown_as_given() -> None:
    (line,) = concise_report([checked(FileReport(Path("../other/a.py"), (finding(),), "x"))], PLAIN, HERE)
    assert line.startswith("../other/a.py:1:1: ")


def test_colour_surrounds_but_does_not_change_the_text() -> None:
    report = [checked(FileReport(HERE / "loss.py", (finding((1, 1, 1, 5)),), "x[m]\n"))]
    plain = list(full_report(report, PLAIN, HERE))
    colored = list(full_report(report, Palette(enabled=True), HERE))
    import click

    assert [click.unstyle(line) for line in colored] == plain
    assert colored != plain


class Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "environment", "colored"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_colour_only_on_a_terminal_unless_the_environment_says_so(
    terminal: bool, environment: dict[str, str], colored: bool
) -> None:
    assert wants_color(Stream(terminal), environment) is colored


def test_json_has_the_keys_of_ruff_and_what_only_synclint_knows() -> None:
    edit = Edit(Span(Position(2, 12), Position(2, 19)), "torch.where(mask, x, 0)")
    fix = Fix("Use torch.where", (edit,), Applicability.UNSAFE, "the shape is another one")
    report = json_report([FileReport(Path("loss.py"), (finding((2, 12, 2, 19), fix=fix),), "")], HERE)
    assert json.loads(report) == [
        {
            "code": "SYN103",
            "name": "boolean-mask-read",
            "message": "`x[mask]` waits: `mask` is a boolean tensor",
            "severity": "warning",
            "confidence": "medium",
            "mechanism": "data-dependent-shape",
            "help": "use `torch.where`",
            "context": {
                "runs": "step",
                "reason": "called from `step`, /project/loss.py:7",
                "times": [{"each": "parameter", "filename": "/project/optim.py", "cell": None, "row": 20}],
                "path": [
                    {"function": None, "filename": "/project/train.py", "cell": None, "row": 41},
                    {"function": "step", "filename": "/project/loss.py", "cell": None, "row": 7},
                ],
                "captured": None,
                "work": None,
                "by_nature": False,
                "assumed": False,
            },
            "priority": 0.0,
            "group": None,
            "cell": None,
            "filename": "/project/loss.py",
            "location": {"row": 2, "column": 12},
            "end_location": {"row": 2, "column": 19},
            "fix": {
                "applicability": "unsafe",
                "message": "Use torch.where",
                "caveat": "the shape is another one",
                "edits": [
                    {
                        "content": "torch.where(mask, x, 0)",
                        "location": {"row": 2, "column": 12},
                        "end_location": {"row": 2, "column": 19},
                        "cell": None,
                    }
                ],
            },
            "url": "https://example.org/SYN103",
        }
    ]


def test_json_without_findings_is_an_empty_list() -> None:
    assert json.loads(json_report([FileReport(Path("a.py"))], HERE)) == []


def test_json_survives_file_names_that_are_not_text() -> None:
    report = json_report([FileReport(Path("bad\udcff.py"), (finding(),), "x")], HERE)
    assert report.isascii()
    assert json.loads(report)[0]["filename"] == "/project/bad\udcff.py"


def runs(phase: Phase, code: str = "SYN103", confidence: Confidence = Confidence.HIGH) -> Finding:
    return replace(finding(code=code, context=Context(phase, "")), confidence=confidence)


def test_statistics_count_by_rule_phase_and_confidence_also_what_is_not_shown() -> None:
    reports = [
        FileReport(Path("a.py"), (runs(Phase.STEP), runs(Phase.STEP, "SYN101", Confidence.MEDIUM))),
        FileReport(Path("b.py"), (runs(Phase.STEP), finding(code="SYN000"))),
        FileReport(Path("c.py"), unshown=(runs(Phase.EVAL),), unsure=(runs(Phase.STEP, "SYN999", Confidence.LOW),)),
    ]
    assert list(statistics_table(reports, PLAIN)) == [
        "2  SYN103  boolean-mask-read",
        "1  SYN000  boolean-mask-read",
        "1  SYN101  boolean-mask-read",
        "",
        "3  in each step",
        "1  in evaluation, not shown",
        "",
        "2  of high confidence",
        "1  of medium confidence",
        "1  of low confidence, not shown",
    ]
    rows = {row["code"]: row for row in json.loads(statistics_json(reports))}
    assert rows["SYN103"] == {
        "code": "SYN103",
        "name": "boolean-mask-read",
        "count": 2,
        "runs": {"step": 2},
        "confidence": {"high": 2},
        "not_shown": {"eval": 1},
    }
    assert (rows["SYN999"]["count"], rows["SYN999"]["not_shown"]) == (0, {"low": 1})
    assert rows["SYN000"]["runs"] == {}
    assert list(rows) == ["SYN103", "SYN000", "SYN101", "SYN999"]


def test_the_summary_counts_findings_and_files() -> None:
    clean, broken = FileReport(Path("a.py")), FileReport(Path("b.py"), problem="b.py: permission denied")
    hit = FileReport(Path("c.py"), (finding(), finding()))
    syntax = FileReport(Path("d.py"), (finding(code="SYN000"),))
    assert summary([clean]) == "No waits found in 1 file."
    assert summary([clean, broken]) == "No waits found in 1 file."
    assert summary([clean, hit]) == "2 waits in each step (1 of 2 files)."
    assert summary([clean, hit, syntax]) == "2 waits in each step and 1 syntax error (2 of 3 files)."


def test_the_summary_says_what_is_not_shown_and_how_to_see_it() -> None:
    def report(shown: Sequence[Finding] = (), unshown: Sequence[Finding] = (), unsure: int = 0) -> FileReport:
        low = (runs(Phase.EVAL, confidence=Confidence.LOW),) * unsure
        return FileReport(Path("a.py"), tuple(shown), unshown=tuple(unshown), unsure=low)

    beside = [*[runs(Phase.INTERVAL)] * 2, *[runs(Phase.ONCE)] * 3, runs(Phase.EVAL)]
    assert summary([report([runs(Phase.STEP)], beside, 4)]) == (
        "1 wait in each step (1 of 1 file); 3 that run once, 2 at intervals, 1 in evaluation not shown "
        "(--runs all); 4 of low confidence not shown (--min-confidence low)."
    )
    assert summary([report(unshown=[runs(Phase.ONCE)])]) == (
        "No waits in any step (1 file); 1 that runs once not shown (--runs all)."
    )
    assert summary([report(unsure=1)]) == (
        "No waits in any step (1 file); 1 of low confidence not shown (--min-confidence low)."
    )
    assert summary([report(unshown=[runs(Phase.STEP)])]) == (
        "No waits in the requested phases (1 file); 1 in each step not shown (--runs all)."
    )


def test_the_summary_counts_what_is_captured_apart_from_the_phases() -> None:
    captured = replace(finding(), context=Context(Phase.ONCE, "", captured="the CUDA graph at a.py:3"))
    reports = [FileReport(Path("a.py"), (captured, runs(Phase.EVAL), runs(Phase.STEP)))]
    assert summary(reports) == ("1 wait in captured graphs, 1 in each step and 1 in evaluation (1 of 1 file).")


def test_phases_are_told_on_standard_error_and_change_nothing_else(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "loss.py").write_text(HAZARD)
    plain, profiled = run("loss.py", "--no-cache"), run("loss.py", "--no-cache", "--profile-phases")
    assert (profiled.status, profiled.out) == (plain.status, plain.out)
    told = dict(line.split(maxsplit=1) for line in profiled.err.splitlines())
    assert set(told) == {"discover", "gate", "parse", "analyse", "report"}
    assert all(float(seconds.removesuffix(" s")) >= 0 for seconds in told.values())
