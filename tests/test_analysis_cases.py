"""What the analysis knows of Python and PyTorch, one fact in each case of ``analysis_cases``."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from analysis_case import AnalysisCase, load_cases
from marked_sources import disagreement, findings_in, marked, marked_phases, phases_of, places_of
from revealed_values import expected, revealed
from text_reads import refused

from synclint.analysis.project import ProjectAnalysis

CASES = load_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.identity)
def test_what_waits_is_reported_and_nothing_else(
    case: AnalysisCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, source in case.files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    with refused(monkeypatch):
        reported = findings_in(
            [tmp_path / name for name in case.files],
            tmp_path,
            torch_version=case.torch_version,
            library_versions=case.library_versions,
        )
    for cold in (False, True):
        expected = {
            place
            for name, source in case.files.items()
            for place in marked(name, source, cold=cold, library_versions=case.library_versions)
        }
        problem = disagreement(expected, places_of(reported, tmp_path, cold=cold))
        assert not problem, f"{'with' if cold else 'without'} --cold\n{problem}"
    said = phases_of(reported, tmp_path)
    for name, source in case.files.items():
        for place, phase in marked_phases(name, source):
            assert said[place] == {phase}, f"{place.file}:{place.line} {place.code}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.identity)
def test_cases_are_valid_python(case: AnalysisCase) -> None:
    for name, source in case.files.items():
        ast.parse(source, filename=name)


REVEALING = [case for case in CASES if any("# revealed:" in source for source in case.files.values())]


@pytest.mark.parametrize("case", REVEALING, ids=lambda case: case.identity)
def test_values_are_what_is_revealed(case: AnalysisCase, tmp_path: Path) -> None:
    for name, source in case.files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    project = ProjectAnalysis(
        [tmp_path], torch_version=case.torch_version, library_versions=dict(case.library_versions)
    )
    for name, source in case.files.items():
        assert revealed(project, tmp_path / name) == expected(source), name


def test_a_call_of_reveal_needs_its_comment_and_the_other_way_round() -> None:
    assert expected("reveal(x)  # revealed: int | None\n") == {1: "int | None"}
    for source in ("reveal(x)\n", "x = 1  # revealed: int\n", "reveal(x)  # revealed:\n"):
        with pytest.raises(ValueError, match="reveal"):
            expected(source)


def test_names_of_cases_are_unique() -> None:
    counts = Counter(case.identity for case in CASES)
    assert not [identity for identity, count in counts.items() if count > 1]
