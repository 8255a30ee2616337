"""The page about confidence says what was measured, and names what exists."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from synclint.config.options import Options
from synclint.findings import Confidence
from synclint.rules.loading import all_rules

REPOSITORY = Path(__file__).parent.parent
PAGE = REPOSITORY / "docs" / "calibration.md"
CALIBRATE = REPOSITORY / "scripts" / "calibrate.py"
RUN_EXAM = REPOSITORY / "scripts" / "run_exam.py"


def package(name: str, right: int, false: int) -> dict[str, Any]:
    judged = {"right": right, "false": false, "unknown": 1}
    nothing = {"right": 0, "false": 0, "unknown": 0}
    return {
        "name": name,
        "version": "1.0",
        "seconds": 1.0,
        "flagged": judged,
        "waits": {"waited": 10, "found": right},
        "kinds": {"scalar-read": {"waited": 10, "found": right}},
        "rules": {"SYN201": judged},
        "levels": {"low": nothing, "medium": nothing, "high": judged},
    }


def calibrate(page: Path, exam: object, *arguments: str) -> subprocess.CompletedProcess[str]:
    measured = page.with_name("exam.json")
    measured.write_text(json.dumps(exam))
    command = [
        sys.executable,
        str(CALIBRATE),
        str(measured),
        "--document",
        str(page),
        "--date",
        "2001-02-03",
        *arguments,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    copy = tmp_path / "calibration.md"
    copy.write_text("before\n<!-- generated: calibration -->\nof last year\n<!-- end of calibration -->\nafter\n")
    return copy


def test_counts_of_the_packages_are_added_up_before_shares_are_taken(page: Path) -> None:
    exam = {"synclint": "9.9", "packages": [package("one", 8, 2), package("two", 1, 0)]}
    assert calibrate(page, exam).returncode == 0
    text = page.read_text()
    assert "Measured on 2001-02-03 with synclint 9.9, cold code included, over one 1.0, two 1.0." in text
    assert "| high | 9 | 2 | 2 | 81.8 % | yes |" in text
    assert "| all | 45.0 % (9 of 20) | 9 | 2 | 2 | 81.8 % |" in text
    assert "| SYN201 item-in-hot-code | 9 | 2 | 2 | 81.8 % |" in text
    assert "| scalar-read | 20 | 9 | 45.0 % |" in text


def test_a_level_without_findings_that_ran_has_no_precision(page: Path) -> None:
    calibrate(page, {"synclint": "9.9", "packages": [package("one", 8, 2)]})
    assert "| low | 0 | 0 | 0 | – | no |" in page.read_text()


def test_only_the_part_between_the_markers_is_written_and_twice_gives_the_same(page: Path) -> None:
    exam = {"synclint": "9.9", "packages": [package("one", 8, 2)]}
    calibrate(page, exam)
    once = page.read_text()
    calibrate(page, exam)
    assert page.read_text() == once
    assert once.startswith("before\n")
    assert once.endswith("\nafter\n")
    assert "of last year" not in once


def test_a_page_without_markers_is_left_alone(page: Path) -> None:
    page.write_text("nothing here\n")
    ended = calibrate(page, {"synclint": "9.9", "packages": [package("one", 8, 2)]})
    assert ended.returncode == 2
    assert "lacks the markers" in ended.stderr
    assert page.read_text() == "nothing here\n"


def test_a_measurement_that_lacks_something_is_told_in_one_line(page: Path) -> None:
    ended = calibrate(page, {"synclint": "9.9"})
    assert ended.returncode == 2
    assert ended.stderr.splitlines() == [f"error: {page.with_name('exam.json')}: lacks 'packages'"]


def rows_of_the_page(title: str) -> dict[str, list[str]]:
    _, _, after = PAGE.read_text(encoding="utf-8").partition(f"### {title}")
    table = after.partition("\n| --- ")[2].partition("\n\n")[0].splitlines()[1:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in table]
    return {row[0]: row[1:] for row in cells}


def test_the_page_shows_every_level_and_marks_those_reported_by_default() -> None:
    rows = rows_of_the_page("By confidence")
    threshold = Options().min_confidence
    reported = {level.value: "yes" if level.at_least(threshold) else "no" for level in Confidence}
    assert {level: row[-1] for level, row in rows.items()} == reported


def test_the_page_names_the_default_level_and_every_rule_by_its_name() -> None:
    assert f"`--min-confidence {Options().min_confidence.value}` is the default" in PAGE.read_text(encoding="utf-8")
    named = {f"{rule.code} {rule.name}" for rule in all_rules()}
    assert set(rows_of_the_page("By rule")) <= named


def test_shares_on_the_page_follow_from_its_counts() -> None:
    counted = 0
    for title in ("By confidence", "By rule"):
        for right, false, _, precision, *_ in rows_of_the_page(title).values():
            ran = int(right) + int(false)
            assert precision == (f"{100 * int(right) / ran:.1f} %" if ran else "–")
            counted += 1
    assert counted > len(Confidence)


TRUTH = {"distribution": "tiny", "import": "tiny", "version": "1.0+cpu"}
SCORE = """\
def score(truth, findings, root, device_only):
    lines = sorted(finding["line"] for finding in findings)
    return {"right": len(lines), "false": 0, "unknown": 0, "waited": 2, "found": len(lines),
            "kinds": {}, "codes": {}}
"""
EXAM = """\
def unpack(truth, cache):
    return cache
"""
WAITING = """\
import torch

def read(x: torch.Tensor) -> float:
    return x.sum().item()
"""


def test_the_exam_is_held_with_the_programs_of_the_folder_that_is_named(tmp_path: Path) -> None:
    folder, cache = tmp_path / "exam", tmp_path / "cache"
    (folder / "truth").mkdir(parents=True)
    (folder / "truth" / "tiny.json").write_text(json.dumps(TRUTH))
    (folder / "score.py").write_text(SCORE)
    (folder / "exam.py").write_text(EXAM)
    (cache / "tiny").mkdir(parents=True)
    (cache / "tiny" / "__init__.py").write_text(WAITING)
    out = tmp_path / "exam.json"
    held = subprocess.run(
        [sys.executable, RUN_EXAM, folder, "--cache", cache, "--json", out], capture_output=True, text=True, check=False
    )
    assert held.returncode == 0, held.stderr
    assert re.search(r"^tiny +0\.500 \(1/2\) +1\.000 \(1/1\)", held.stdout, re.MULTILINE)
    assert re.search(r"^high +1\.000 \(1/1\)", held.stdout, re.MULTILINE)
    (result,) = json.loads(out.read_text())["packages"]
    assert result["version"] == "1.0"
    assert result["levels"]["low"] == {"right": 0, "false": 0, "unknown": 0}


def test_a_folder_without_the_exam_is_told_in_one_line(tmp_path: Path) -> None:
    held = subprocess.run([sys.executable, RUN_EXAM, tmp_path], capture_output=True, text=True, check=False)
    assert held.returncode == 2
    assert held.stderr == f"error: {tmp_path / 'truth'}: no truth files of these names\n"
