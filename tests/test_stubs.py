"""The annotations of a stub beside a module count for functions that have none of their own."""

from __future__ import annotations

from pathlib import Path

from synclint.analysis.project import ProjectAnalysis

SOURCE = """\
from torch import Tensor


def largest(scores):
    if scores.max() > 0:
        return 1
    return 0


class Filter:
    def keep(self, rows, chosen):
        return rows[chosen]
"""
STUB = """\
from torch import BoolTensor, Tensor

def largest(scores: Tensor) -> int: ...

class Filter:
    def keep(self, rows: Tensor, chosen: BoolTensor) -> Tensor: ...
"""


def waiting_lines(folder: Path) -> set[int]:
    path = folder / "rows.py"
    path.write_text(SOURCE)
    return {event.span.start.line for event in ProjectAnalysis([folder]).check(path, SOURCE)}


def test_without_a_stub_nothing_is_known(tmp_path: Path) -> None:
    assert waiting_lines(tmp_path) == set()


def test_stub_tells_what_the_parameters_are(tmp_path: Path) -> None:
    (tmp_path / "rows.pyi").write_text(STUB)
    assert waiting_lines(tmp_path) == {5, 12}


def test_stub_that_does_not_parse_is_left_aside(tmp_path: Path) -> None:
    (tmp_path / "rows.pyi").write_text("def largest(:\n")
    assert waiting_lines(tmp_path) == set()
