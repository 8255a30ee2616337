"""How often the linter is right: what is counted, and that pages print what the last recorded run measured."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.accuracy import record
from benchmarks.accuracy.data import Book, Lines, Place, Truth, TruthOfFile, books, truths
from benchmarks.accuracy.linting import AccuracyError
from benchmarks.accuracy.packages import Judged, PackageResult, Recalled, scored
from benchmarks.accuracy.pages import PARTS, PageError, calibration, parts, updated
from benchmarks.accuracy.record import Record, read, written
from benchmarks.accuracy.repositories import RepositoryResult, Share, measured, pooled
from benchmarks.accuracy.repositories import scored as scored_by_book
from benchmarks.accuracy.statements import StatementLines
from synclint.config.options import Options
from synclint.findings import Confidence
from synclint.rules.loading import all_rules

SOURCE = """\
def f(x):
    if (
        x > 0
    ):
        y = x.item()
    return [
        x,
        y,
    ]
"""


def found(file: str, row: int, code: str = "SYN201", confidence: str = "high", **more: object) -> dict[str, Any]:
    return {"filename": file, "location": {"row": row}, "code": code, "confidence": confidence, **more}


@pytest.mark.parametrize("name", PARTS)
def test_pages_print_what_the_last_recorded_run_measured(name: str) -> None:
    page = PARTS[name].read_text(encoding="utf-8")
    assert updated(page, name, parts(read())[name]) == page, (
        "run `python -m benchmarks.accuracy --record`, see its help"
    )


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(written(read()))
    assert read(tmp_path / "a.json") == read()


def test_every_package_and_repository_of_the_open_sets_is_in_the_record() -> None:
    assert {package.name for package in read().packages} == {truth.distribution for truth in truths()}
    assert {each.repository for each in read().repositories} == {book.repository for book in books()}


def test_of_a_compound_statement_the_header_counts() -> None:
    lines = StatementLines(SOURCE.encode())
    assert [lines.of(number) for number in (1, 3, 5, 7)] == [Lines(1, 1), Lines(2, 3), Lines(5, 5), Lines(6, 9)]
    assert StatementLines(b"no python :").of(3) == Lines(3, 3)


def test_statements_that_waited_are_recall_and_those_that_ran_are_precision(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    kinds = {Lines(5, 5): frozenset({"scalar-read"}), Lines(2, 3): frozenset({"scalar-read", "compare"})}
    file = TruthOfFile(kinds, frozenset({Lines(1, 1)}), frozenset({5, 7}))
    truth = Truth("tiny", "1.0", "a", {"a.py": file})
    flagged = [found("a.py", 5), found("a.py", 8), found("a.py", 1, "SYN301"), found("a.py", 3, confidence="low")]
    result = scored(truth, [*flagged, found("a.py", 99)], tmp_path)
    assert (result.waits, result.flagged) == (Recalled(2, 1), Judged(2, 1, 1))
    assert result.kinds == {"compare": Recalled(1, 0), "scalar-read": Recalled(2, 1)}
    assert result.rules == {"SYN201": Judged(1, 1, 1), "SYN301": Judged(1, 0, 0)}
    assert result.levels == {"high": Judged(2, 1, 1), "medium": Judged(), "low": Judged(1, 0, 0)}


def test_a_book_is_read_in_the_order_of_priorities() -> None:
    places = [
        Place("a.py", Lines(number, number + 1), number != 30, "step", number < 30, "") for number in (10, 20, 30, 40)
    ]
    book = Book(
        "o/r", "c", (("a.py", 10), ("b.py", 1)), (*places, Place("a.py", Lines(50, 50), None, "once", True, ""))
    )
    reported = [
        found("a.py", 11, priority=1.0, context={"runs": "step"}),
        found("a.py", 30, priority=3.0, context={"runs": "eval"}),
        found("b.py", 1, priority=2.0),
        found("a.py", 50, priority=0.5, context={"runs": "epoch"}),
    ]
    result = scored_by_book(book, reported)
    assert (result.true, result.useful, result.worth_found) == (Share(1, 2), Share(2, 3), Share(2, 3))
    assert (result.first_ten, result.top_found, result.phases) == (Share(2, 3), Share(2, 2), Share(2, 3))
    assert pooled([result, result])["true"] == Share(2, 4)


def test_a_clone_that_is_missing_or_lacks_the_commit_is_told_in_one_sentence(tmp_path: Path) -> None:
    book = Book("owner/name", "0" * 40, (), ())
    with pytest.raises(AccuracyError, match=r"no clone of github\.com/owner/name, say at .*owner/name"):
        measured(book, tmp_path)
    (tmp_path / "name").mkdir()
    subprocess.run(["git", "init", "-q", str(tmp_path / "name")], check=True)
    with pytest.raises(AccuracyError, match="commit 0000000000"):
        measured(book, tmp_path)


def package(name: str, right: int, false: int) -> PackageResult:
    judged = Judged(right, false, 1)
    levels = {"low": Judged(), "medium": Judged(), "high": judged}
    kinds = {"scalar-read": Recalled(10, right)}
    return PackageResult(name, "1.0", judged, Recalled(10, right), kinds, {"SYN201": judged}, levels)


def test_counts_of_the_packages_are_added_up_before_shares_are_taken() -> None:
    made = Record("0123456789", "2001-02-03", "9.9", "3.10", [package("one", 8, 2), package("two", 1, 0)], [])
    text = calibration(made)
    said = "Measured on 2001-02-03 at commit 0123456, synclint 9.9, cold code included, over one 1.0, two 1.0."
    assert said in text
    assert "| high | 9 | 2 | 2 | 81.8 % | yes |" in text
    assert "| low | 0 | 0 | 0 | – | no |" in text
    assert "| all | 45.0 % (9 of 20) | 9 | 2 | 2 | 81.8 % |" in text
    assert "| SYN201 item-in-hot-code | 9 | 2 | 2 | 81.8 % |" in text
    assert "| scalar-read | 20 | 9 | 45.0 % |" in text


def test_the_readme_shows_open_and_held_back_figures_side_by_side() -> None:
    shares = {name: Share(1, 4) for name in ("true", "useful", "worth_found", "first_ten", "top_found", "phases")}
    made = replace(read(), commit="0123456789", repositories=[RepositoryResult("o/r", **shares)])
    rows = parts(made)["accuracy"].splitlines()
    assert rows[0].startswith("| Figure | Open set, at 0123456 | Held back, at ")
    assert [row.split("|")[2].strip() for row in rows[-3:]] == ["25.0 %"] * 3
    assert [row.split("|")[3].strip() for row in rows[2:]] == ["90.7 %", "96.1 %", "92.1 %", "67.4 %", "75.2 %"]


def test_only_the_part_between_the_markers_is_written_and_twice_gives_the_same() -> None:
    page = "before\n<!-- generated: x -->\nof last year\n<!-- end of x -->\nafter\n"
    once = updated(page, "x", "now")
    assert once == "before\n<!-- generated: x -->\n\nnow\n\n<!-- end of x -->\nafter\n" == updated(once, "x", "now")
    with pytest.raises(PageError, match="lacks the markers"):
        updated("nothing here\n", "x", "now")


def rows_of_the_page(title: str) -> dict[str, list[str]]:
    _, _, after = PARTS["calibration"].read_text(encoding="utf-8").partition(f"### {title}")
    table = after.partition("\n| --- ")[2].partition("\n\n")[0].splitlines()[1:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in table]
    return {row[0]: row[1:] for row in cells}


def test_the_page_names_the_default_level_and_every_rule_by_its_name() -> None:
    page = PARTS["calibration"].read_text(encoding="utf-8")
    assert f"`--min-confidence {Options().min_confidence.value}` is the default" in page
    assert set(rows_of_the_page("By rule")) <= {f"{rule.code} {rule.name}" for rule in all_rules()}
    assert set(rows_of_the_page("By confidence")) == {level.value for level in Confidence}


def test_the_data_hold_facts_and_labels_and_no_code() -> None:
    for file in (*(record.FILE.parent / "truth").glob("*.json"), record.FILE.parent / "book.json"):
        json.loads(file.read_text(encoding="utf-8"))
    assert sum(len(file.waited) for truth in truths() for file in truth.files.values()) == 973
    assert sum(len(book.places) for book in books()) == 1392
    guiding = books("guiding")
    assert sum(len(book.places) for book in guiding) == 2830
    assert {book.repository for book in guiding}.isdisjoint(book.repository for book in books())
    assert max(len(place.why) for book in (*books(), *guiding) for place in book.places) < 200
