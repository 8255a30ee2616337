"""A class and its bases come depth first, each once, whichever of them was asked for before."""

from __future__ import annotations

import ast
from itertools import permutations
from pathlib import Path

import pytest

from synclint.analysis.domain.values import ClassValue
from synclint.analysis.program.modules import ClassRecord, ModuleRecord

MODULE = ModuleRecord("m", Path("m.py"), Path("m.py"), ast.parse(""), "", Path(), lambda: True)


def record(name: str, *bases: ClassRecord) -> ClassRecord:
    node = ast.parse(f"class {name}: pass").body[0]
    assert isinstance(node, ast.ClassDef)
    return ClassRecord(name, name, MODULE, node, tuple(map(ClassValue, bases)))


@pytest.mark.parametrize("asked", list(permutations("ABCDE", 3)))
def test_ancestors_come_depth_first(asked: tuple[str, ...]) -> None:
    a = record("A")
    b, c = record("B", a), record("C", a)
    d = record("D", c, b)
    e = record("E", b, d)
    known = {one.name: one for one in (a, b, c, d, e)}
    for name in asked:
        assert known[name].ancestors[0] is known[name]
    assert [one.name for one in d.ancestors] == ["D", "C", "A", "B"]
    assert [one.name for one in e.ancestors] == ["E", "B", "A", "D", "C"]


def test_thousands_of_classes_each_from_the_one_before_have_their_ancestors() -> None:
    last = record("C")
    for _ in range(5000):
        last = record("C", last)
    assert len(last.ancestors) == 5001
