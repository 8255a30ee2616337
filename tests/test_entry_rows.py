"""What people read fits: an entry has at most six rows, five entries a screen, and the words are explained once."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import HAZARD, Synclint

from synclint.findings import CallPlace, Confidence, Context, Finding, Phase, Position, Repetition, Severity, Span
from synclint.report.full import COLUMNS, MOST_ROWS, full_report
from synclint.report.results import checked_files
from synclint.report.terminal import Palette
from synclint.report.wrapping import wrapped
from synclint.results.file_reports import FileReport

REPOSITORY = Path(__file__).parent.parent
LONG = "a_name_that_is_long " * 4


def place(span: tuple[int, int, int, int], **fields: object) -> Finding:
    made = {
        "code": "SYN103", "name": "boolean-mask-read", "message": "a mask makes the host wait: `mask` is a tensor",
        "filename": "a.py", "severity": Severity.WARNING, "confidence": Confidence.HIGH, "mechanism": "scalar-read",
        "context": Context(Phase.STEP, "in the training loop at a.py:3"), "instead": "Keep the shape.",
    }  # fmt: skip
    return Finding(span=Span(Position(*span[:2]), Position(*span[2:])), **{**made, **fields})  # type: ignore[arg-type]


def shown(*findings: Finding, source: str = "x = y[mask]\n" * 9) -> list[str]:
    files = checked_files([FileReport(Path("/w/a.py"), findings, source)], Path("/w"), Path("/w"))
    return list(full_report(files, Palette(enabled=False), Path("/w")))


def rows(lines: list[str]) -> int:
    return sum(1 for line in lines if line for _ in wrapped([line], COLUMNS))


@pytest.mark.parametrize("message", ["short", f"{LONG}waits: `mask` is {LONG}"])
@pytest.mark.parametrize("instead", ["Keep it.", "word " * 24])
@pytest.mark.parametrize("calls", [0, 1, 12])
@pytest.mark.parametrize("others", [0, 1, 9])
def test_no_entry_has_more_than_six_rows_on_a_hundred_columns(
    message: str, instead: str, calls: int, others: int
) -> None:
    path = tuple(CallPlace(f"function_{number}", f"folder/module_{number}.py", number + 1) for number in range(calls))
    times = (Repetition("layer", "folder/model.py", 7),)
    context = Context(Phase.STEP, "in the training loop at a.py:3", times=times, path=path)
    found = [place((1, 5, 1, 12), message=message, instead=instead, context=context, group="g")]
    found += [
        place((number + 2, 5, number + 2, 12), instead=f"Do {number}.", group="g", repeats=True)
        for number in range(others)
    ]
    assert rows(shown(*found, source=f"x = y[mask]{'  # and more' * 30}\n" * 20)) <= MOST_ROWS


def test_each_further_place_has_its_own_advice() -> None:
    found = [
        place((1, 5, 1, 12), group="g"),
        place((2, 5, 2, 12), group="g", repeats=True),
        place((3, 5, 3, 12), group="g", repeats=True, code="SYN301", name="tensor-in-condition", instead="Test later."),
    ]
    assert shown(*found)[-3:-1] == ["  = also: 2:5", "  = also: 3:5 SYN301 tensor-in-condition: Test later."]


def test_the_other_places_are_named_where_all_rows_are_full() -> None:
    context = Context(Phase.STEP, f"in the loop of {LONG}at a.py:3")
    found = [place((1, 5, 1, 12), message=f"{LONG}waits", instead="word " * 24, context=context, group="g")]
    found += [place((number, 5, number, 12), message=LONG, group="g", repeats=True) for number in (2, 3)]
    (note,) = (line for line in shown(*found, source=f"x = y[mask]{'  # and more' * 30}\n" * 20) if "note" in line)
    assert note.startswith("  = note: runs in each step: in the loop") and note.endswith("; also at 2:5, 3:5")


def test_a_chain_of_calls_names_each_file_once_where_places_follow_one_another() -> None:
    path = (CallPlace("", "a.py", 3), CallPlace("train", "a.py", 9), CallPlace("step", "a.py", 12))
    context = Context(Phase.STEP, "called from `step`, a.py:12", path=path)
    (note,) = (line for line in shown(place((1, 5, 1, 12), context=context)) if "note" in line)
    assert note.endswith("called from a.py:3 → `train`, line 9 → `step`, line 12")


def test_five_entries_of_the_examples_fit_on_a_screen(run: Synclint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    lines = run("--no-cache", "--isolated", "examples").out.splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith("examples/")]
    screen = lines[: heads[5]]
    assert sum(1 for line in screen for _ in wrapped([line], COLUMNS)) <= 45


def test_the_words_of_a_report_are_explained_after_the_first_one_only(
    run: Synclint, tmp_path: Path, own_cache: Path
) -> None:
    (own_cache / "explained").unlink()
    (tmp_path / "clean.py").write_text("import torch\n")
    assert run("clean.py").err == ""
    (tmp_path / "loss.py").write_text(HAZARD)
    assert run("loss.py", "--output-format", "json").err == ""
    first = run("loss.py")
    assert [word in first.err for word in ("[high]", "cause", "phase", "synclint explain")] == [True] * 4
    assert run("loss.py").err == ""
    assert run("loss.py").out == first.out
