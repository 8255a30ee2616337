"""Classes have their ancestors in Python's method resolution order, whichever of them is asked for first."""

from __future__ import annotations

import ast
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from synclint.analysis.domain.values import ClassRecord, ModuleRecord
from synclint.analysis.program.linearization import MOST_ANCESTORS
from synclint.sources.kept_texts import kept

MODULE = ModuleRecord("m", Path("m.py"), Path("m.py"), ast.parse(""), kept(""), Path(), lambda: True, "m")


def record(name: str, *bases: ClassRecord, outside: tuple[str, ...] = ()) -> ClassRecord:
    node = ast.parse(f"class {name}: pass").body[0]
    assert isinstance(node, ast.ClassDef)
    return ClassRecord(name, name, MODULE, node, (*bases, *outside))


def names(one: ClassRecord) -> list[str]:
    return [ancestor.name for ancestor in one.ancestors]


@pytest.mark.parametrize("asked", list(permutations("ABCDE", 3)))
def test_what_two_bases_share_comes_after_both(asked: tuple[str, ...]) -> None:
    a = record("A")
    b, c = record("B", a), record("C", a)
    d = record("D", b, c)
    e = record("E", c, b)
    known = {one.name: one for one in (a, b, c, d, e)}
    for name in asked:
        assert known[name].ancestors[0] is known[name]
    assert names(d) == ["D", "B", "C", "A"]
    assert names(e) == ["E", "C", "B", "A"]


def _order_of_python(bases: list[tuple[int, ...]]) -> list[str] | None:
    """The order in which Python looks through the last of some classes, None where it refuses to make one of them."""
    made: list[Any] = []
    try:
        for number, indices in enumerate(bases):
            made.append(type(f"C{number}", tuple(made[index] for index in indices) or (object,), {}))
    except TypeError:
        return None
    return [one.__name__ for one in made[-1].__mro__[:-1]]


@st.composite
def hierarchies(draw: st.DrawFn) -> list[tuple[int, ...]]:
    """The bases of each class, by their numbers, all of them classes before it."""
    count = draw(st.integers(1, 9))
    return [
        tuple(draw(st.lists(st.integers(0, number - 1), unique=True, max_size=3))) if number else ()
        for number in range(count)
    ]


def _made(bases: list[tuple[int, ...]]) -> list[ClassRecord]:
    made: list[ClassRecord] = []
    for number, indices in enumerate(bases):
        made.append(record(f"C{number}", *(made[index] for index in indices)))
    return made


@given(hierarchies(), st.randoms())
def test_the_order_is_that_of_python(bases: list[tuple[int, ...]], random: Random) -> None:
    expected = _order_of_python(bases)
    assume(expected is not None)
    made = _made(bases)
    for one in random.sample(made, random.randint(0, len(made))):
        assert one.ancestors
    assert names(made[-1]) == expected


@given(hierarchies())
def test_where_python_refuses_to_make_a_class_each_ancestor_comes_once(bases: list[tuple[int, ...]]) -> None:
    assume(_order_of_python(bases) is None)
    made = _made(bases)
    for one in made:
        above = {one, *(ancestor for base in one.bases for ancestor in base.ancestors)}  # type: ignore[union-attr]
        assert len(one.ancestors) == len(above)
        assert set(one.ancestors) == above


def test_classes_outside_the_project_have_their_place_in_the_order() -> None:
    module, mixin = "torch.nn.Module", record("Mixin")
    layer = record("Layer", outside=(module,))
    mixed = record("Mixed", layer, mixin)
    assert mixed.resolution_order == (mixed, layer, "torch.nn.Module", mixin)
    other = record("Other", layer, record("Third", outside=(module,)))
    assert [one if isinstance(one, str) else one.name for one in other.resolution_order] == [
        "Other", "Layer", "Third", "torch.nn.Module",
    ]  # fmt: skip


def test_a_base_of_which_nothing_is_known_is_left_out() -> None:
    one = ClassRecord("C", "C", MODULE, record("C").node, (None, record("A")))
    assert names(one) == ["C", "A"]


def test_of_thousands_of_classes_each_from_the_one_before_the_nearest_are_looked_at() -> None:
    made = [record("C")]
    for _ in range(5000):
        made.append(record("C", made[-1]))
    assert made[-1].ancestors == tuple(reversed(made[-MOST_ANCESTORS:]))
    for one in made:
        assert one.ancestors[0] is one


def test_of_thousands_of_diamonds_the_nearest_classes_are_looked_at() -> None:
    last = record("A")
    for _ in range(2000):
        last = record("A", record("B", last), record("C", last))
    assert [ancestor.name for ancestor in last.ancestors] == [*"ABC" * (MOST_ANCESTORS // 3), "A"]
