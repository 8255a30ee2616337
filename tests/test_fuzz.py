"""What `scripts/fuzz.py` checks for hours holds for its first files, too; its own checks can fail."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from command_line import HAZARD

from synclint.results.file_reports import FileReport
from synclint.rules.own import INTERNAL_ERROR

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
import fuzz  # noqa: E402 - a program, and no package


@pytest.fixture(scope="module")
def texts() -> list[str]:
    found: list[str] = fuzz.corpus([ROOT / "tests" / "analysis_cases", ROOT / "rules"])
    return found


def test_the_first_files_have_no_internal_error_and_say_the_same_twice(texts: list[str]) -> None:
    codes: set[str] = set()
    for seed in range(150):
        name, data = fuzz.made(seed, texts)
        report = fuzz.checked(name, data)
        codes |= {finding.code for finding in report.findings}
        assert report == fuzz.checked(name, data), name
    assert INTERNAL_ERROR.code not in codes
    assert {"SYN000", "SYN201"} <= codes


def test_the_same_seed_makes_the_same_file(texts: list[str]) -> None:
    assert fuzz.made(7, texts) == fuzz.made(7, texts)
    assert len({fuzz.made(seed, texts)[1] for seed in range(50)}) > 45
    assert {fuzz.made(seed, texts)[0].rpartition(".")[2] for seed in range(400)} == {"py", "ipynb", "md", "rst"}


def test_a_failure_is_told_and_kept(tmp_path: Path, texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str, data: bytes) -> FileReport:
        raise ZeroDivisionError("an invented mistake")

    monkeypatch.setattr(fuzz, "checked", fail)
    failures = fuzz.Failures(tmp_path / "kept")
    fuzz.fuzz_files(2, 0, texts, failures)
    assert ["ZeroDivisionError: an invented mistake" in told for told in failures.found] == [True, True]
    assert len(list((tmp_path / "kept").iterdir())) == 2


def test_projects_and_edits_give_the_same_results_every_way(tmp_path: Path, texts: list[str]) -> None:
    failures = fuzz.Failures(None)
    fuzz.fuzz_groups(1, 0, texts, failures)
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("from .loss import loss\n")
    (package / "loss.py").write_text(HAZARD)
    (package / "user.py").write_text("from . import loss\nfor batch in loader:\n    print(loss(batch, batch).item())\n")
    fuzz.fuzz_edits(package, 5, 0, texts, failures)
    assert failures.found == []
