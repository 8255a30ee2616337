"""What runs read of the texts of other functions, edits tell of: all else is refused while the analysis cases run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from marked_sources import findings_in
from text_reads import UnnotedReadError, refused

from synclint.analysis.calls.by_name import methods_named
from synclint.analysis.domain.values import FunctionRecord
from synclint.analysis.program import text_facts

TWO = """\
import torch


def caller(x: torch.Tensor):
    return called(x)


def called(x):
    return x.sum().item()
"""


def _number_of_calls(record: FunctionRecord) -> int:
    return len(record.nodes.of(ast.Call))


@pytest.fixture
def two(tmp_path: Path) -> Path:
    path = tmp_path / "two.py"
    path.write_text(TWO)
    return path


def _read_where_calls_are_seen(monkeypatch: pytest.MonkeyPatch, read: Callable[[FunctionRecord], int]) -> None:
    """Have each call read something of the function that it calls."""

    def reading(record: FunctionRecord, node: ast.AST) -> Iterable[str]:
        read(record)
        return methods_named(record, node)

    monkeypatch.setattr("synclint.analysis.interpreter.function_calls.methods_named", reading)


def test_a_run_may_not_read_the_text_of_what_it_calls(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _read_where_calls_are_seen(monkeypatch, _number_of_calls)
    assert findings_in([two], two.parent)
    with refused(monkeypatch), pytest.raises(UnnotedReadError, match=r"two\.caller reads `nodes` of two\.called"):
        findings_in([two], two.parent)


def test_a_run_may_ask_for_facts(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_facts, "_FACTS", [*text_facts._FACTS])
    _read_where_calls_are_seen(monkeypatch, text_facts.text_fact(_number_of_calls))
    with refused(monkeypatch):
        assert findings_in([two], two.parent)
