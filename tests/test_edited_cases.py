"""After edits of what the analysis knows facts from, runs with a memory tell what runs without one tell.

The analysis cases are small projects in which much rests on little: a line that is edited often decides elsewhere.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from random import Random

import pytest
from analysis_case import AnalysisCase, load_cases

from benchmarks.random_edits import RandomEdits
from synclint.config.options import Options
from synclint.phases import Phases
from synclint.running import runner, shares
from synclint.running.cache import check_files_cached

_ONE_IN = 24
_EDITS = 3


def chosen_cases() -> list[AnalysisCase]:
    """Some of the cases, others as cases come, and the same ones in each process."""
    return [case for case in load_cases() if zlib.crc32(case.identity.encode()) % _ONE_IN == 0]


@pytest.mark.parametrize("case", chosen_cases(), ids=lambda case: case.identity)
def test_edits_of_a_case_are_told_as_a_run_without_memory_tells_them(
    case: AnalysisCase, tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", 600)
    folder = tmp_path / "project"
    for name, source in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source.lstrip("\n"), encoding="utf-8")
    monkeypatch.chdir(folder)
    edits = RandomEdits(Path(), Random(case.identity))
    said: list[str] = []
    options = Options(cold=True, torch_version=case.torch_version)
    for _ in range(_EDITS + 1):
        files = sorted(Path().rglob("*.py"))
        if not files:  # the last one is gone
            break
        found = list(check_files_cached(files, [Path()], options, 1, lambda count: None, Phases(), own_cache))
        assert found == list(runner.check_files(files, [Path()], options, 1).reports), said
        kind, path = edits.edit()
        said.append(f"{path}: {kind}")
