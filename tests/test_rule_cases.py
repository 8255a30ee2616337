"""Every folder in rules/ is complete, and the linter judges its two files as they are marked; neither needs torch."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

from rule_folders import FOLDERS, description, every_rule

from synclint.analysis.project import ProjectAnalysis
from synclint.catalog.entries import MECHANISMS, load_catalog
from synclint.findings import Confidence, Severity
from synclint.rules.loading import load_rules
from synclint.rules.matching import findings
from synclint.verify.source_lines import marked_lines, statement_starts

HEADINGS = ["What it finds", "Why it waits", "What to write instead", "When to leave it", "References"]
REQUIRED_KEYS = {"code", "name", "summary", "mechanism", "matches", "severity", "dependency"}
OPTIONAL_KEYS = {"requires", "library-versions", "versions", "proof"}


def _marks(path: Path) -> dict[int, set[str]]:
    return {line: set(codes) for line, codes in marked_lines(path.read_text(encoding="utf-8")).items()}


def _versions_with_the_hazard(folder: Path) -> dict[str, str]:
    """For the libraries that have mended the hazard, the patch release before the one that did."""
    mended = description(folder).get("library-versions", {})
    return {library: _previous(version) for library, version in mended.items()}


def _previous(version: str) -> str:
    *leading, patch = version.split(".")
    return ".".join([*leading, str(int(patch) - 1)])


def _flagged(path: Path, least: Confidence) -> dict[int, set[str]]:
    source = path.read_text(encoding="utf-8")
    starts = statement_starts(ast.parse(source))
    project = ProjectAnalysis([path], library_versions=_versions_with_the_hazard(path.parent))
    events = project.check(path, source)
    lines: dict[int, set[str]] = {}
    for finding in findings(events, load_rules(), load_catalog()):
        if finding.confidence.at_least(least):
            lines.setdefault(starts[finding.span.start.line], set()).add(finding.code)
    return lines


@every_rule
def test_folder_holds_the_four_files_of_a_rule(folder: Path) -> None:
    files = {path.name for path in folder.iterdir() if path.is_file()}
    assert files - {"fix.py", "transformations.py"} == {"rule.toml", "README.md", "hazard.py", "sync_free.py"}
    assert ("fix.py" in files) is (folder / "fix_cases").is_dir()


@every_rule
def test_rule_is_described_completely_under_the_name_of_its_folder(folder: Path) -> None:
    rule = description(folder)
    assert f"{rule['code']}-{rule['name']}" == folder.name
    assert REQUIRED_KEYS <= set(rule) <= REQUIRED_KEYS | OPTIONAL_KEYS
    assert rule["mechanism"] in MECHANISMS
    assert rule["severity"] in {severity.value for severity in Severity}
    assert rule["dependency"] in {"true", "false"}
    assert rule["matches"], "a rule that matches no catalogue entry never reports anything"


@every_rule
def test_page_has_the_headings_that_explain_shows(folder: Path) -> None:
    rule = description(folder)
    lines = (folder / "README.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == f"# {rule['code']} {rule['name']}"
    assert [line.removeprefix("## ") for line in lines if line.startswith("## ")] == HEADINGS


@every_rule
def test_hazard_marks_a_line_with_the_code_of_its_rule(folder: Path) -> None:
    marks = _marks(folder / "hazard.py")
    assert description(folder)["code"] in set().union(*marks.values())


@every_rule
def test_linter_flags_the_marked_lines_of_the_hazard_and_no_other(folder: Path) -> None:
    assert _flagged(folder / "hazard.py", Confidence.LOW) == _marks(folder / "hazard.py")


@every_rule
def test_linter_finds_nothing_in_the_twin(folder: Path) -> None:
    assert _flagged(folder / "sync_free.py", Confidence.MEDIUM) == {}


def test_every_catalogue_entry_belongs_to_exactly_one_rule() -> None:
    owners = Counter(entry for folder in FOLDERS for entry in description(folder)["matches"])
    assert owners == Counter(entry.id for entry in load_catalog().entries)


def test_these_tests_are_collected_where_torch_is_not_installed() -> None:
    without = "import sys, pytest; sys.modules['torch'] = None; sys.exit(pytest.main(sys.argv[1:]))"
    arguments = ["--collect-only", "-q", "-p", "no:cacheprovider", __file__]
    collected = subprocess.run([sys.executable, "-c", without, *arguments], capture_output=True, text=True, check=False)
    assert collected.returncode == 0, collected.stdout
