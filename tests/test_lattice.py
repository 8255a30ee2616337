"""The abstract values are a lattice: what holds of any two or three of them."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from generated_values import objects, tensors, values
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from value_order import leq, leq_tensors

from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.containers import any_item, concatenated, extended, with_inserted
from synclint.analysis.domain.keys import key_of
from synclint.analysis.domain.lattice import join, join_all, widen
from synclint.analysis.domain.summaries import generalised
from synclint.analysis.domain.tensors import device_tensor_of, join_tensors, tensor_of
from synclint.analysis.domain.values import (
    ANYTHING,
    INTEGER,
    NEVER,
    NOTHING,
    STRING,
    UNKNOWN,
    Alternatives,
    Array,
    ClassRecord,
    Instance,
    Mapping,
    ModuleRecord,
    Nothing,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.sources.kept_texts import kept

pytestmark = pytest.mark.filterwarnings("error")
LAWS = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@LAWS
@given(values(), values())
def test_the_join_is_commutative(first: Value, second: Value) -> None:
    assert join(first, second) == join(second, first)


@LAWS
@given(values(), values(), values())
def test_the_join_is_associative(first: Value, second: Value, third: Value) -> None:
    assert join(join(first, second), third) == join(first, join(second, third))


@LAWS
@given(values())
def test_the_join_is_idempotent(value: Value) -> None:
    assert join(value, value) == value


@LAWS
@given(values(), values())
def test_the_join_is_an_upper_bound(first: Value, second: Value) -> None:
    assert leq(first, join(first, second))
    assert leq(second, join(first, second))


@LAWS
@given(values(), values(), values())
def test_no_other_upper_bound_is_less(first: Value, second: Value, third: Value) -> None:
    above = join(join(third, second), first)
    assert leq(join(first, second), above)
    if leq(first, third) and leq(second, third):
        assert leq(join(first, second), third)


@LAWS
@given(values())
def test_an_option_that_is_there_already_leaves_the_same_object(value: Value) -> None:
    for option in options(value):
        assert join(value, option) is value
        assert join(option, value) is value


@LAWS
@given(values(), values())
def test_what_is_below_adds_nothing(first: Value, second: Value) -> None:
    assert leq(first, second) == (join(first, second) == second)


@LAWS
@given(values(), values(), values())
def test_the_order_is_one(first: Value, second: Value, third: Value) -> None:
    assert leq(first, first)
    if leq(first, second) and leq(second, first):
        assert first == second
    if leq(first, second) and leq(second, third):
        assert leq(first, third)


@LAWS
@given(values())
def test_the_bottom_is_neutral_and_the_top_takes_in_everything(value: Value) -> None:
    assert join(NEVER, value) == value == join(value, NEVER)
    assert join(ANYTHING, value) == ANYTHING == join(value, ANYTHING)
    assert leq(NEVER, value)
    assert leq(value, ANYTHING)


@LAWS
@given(st.permutations(list(range(5))), st.lists(values(), min_size=5, max_size=5))
def test_the_order_in_which_values_come_together_is_forgotten(order: list[int], found: list[Value]) -> None:
    assert join_all(found[index] for index in order) == join_all(found)


@LAWS
@given(st.lists(objects(), min_size=7, max_size=9), st.data())
def test_so_it_is_of_objects_that_are_too_many_to_be_told_apart(found: list[Value], data: st.DataObject) -> None:
    assert join_all(data.draw(st.permutations(found))) == join_all(found)


@LAWS
@given(values(), values())
def test_keys_are_equal_where_values_are(first: Value, second: Value) -> None:
    assert (key_of(first) == key_of(second)) == (first == second)
    assert key_of(join(first, second)) == key_of(join(second, first))


@LAWS
@given(tensors(), tensors())
def test_tensors_are_ordered_as_values_are(first: Tensor, second: Tensor) -> None:
    assert leq_tensors(first, second) == leq(first, second) == (join_tensors(first, second) == second)


@LAWS
@given(values(), values())
def test_widening_is_above_both(before: Value, after: Value) -> None:
    assert leq(before, widen(before, after))
    assert leq(after, widen(before, after))


GROWING: dict[str, Callable[[Value, int], Value]] = {
    "lists in lists": lambda value, turn: Sequence("list", None, value),
    "lists of one more each time": lambda value, turn: Sequence("list", (value,) * (turn % 40)),
    "dictionaries in dictionaries": lambda value, turn: Mapping((), value),
    "another key each time": lambda value, turn: Mapping(((f"key{turn}", value),)),
    "another key each time, within": lambda value, turn: Mapping((("a", Mapping(((f"key{turn}", INTEGER),))),)),
    "objects in objects": lambda value, turn: Instance("library.Node", None, (("next", value),)),
    "objects of ever new classes": lambda value, turn: Instance(f"library.Class{turn}"),
    "names of names": lambda value, turn: Symbol(f"library.name{turn}"),
    "lists beside dictionaries": lambda value, turn: Sequence("list", (value, Mapping((("a", value),)))),
}


@pytest.mark.parametrize("name", GROWING)
def test_widening_ends(name: str) -> None:
    value: Value = NOTHING
    rounds = 0
    for turn in range(200):
        widened = widen(value, join(value, GROWING[name](value, turn)))
        if widened != value:
            rounds += 1
        value = widened
    assert rounds <= 24


@settings(LAWS, max_examples=20)
@given(st.lists(values(), min_size=4, max_size=4))
def test_widening_by_the_same_values_again_and_again_ends(found: list[Value]) -> None:
    value: Value = NEVER
    before: Value = UNKNOWN
    for _ in range(12):
        before = value
        for other in found:
            value = widen(value, Sequence("list", None, join(other, value)))
    assert value == before


@LAWS
@given(st.lists(values(), min_size=2, max_size=12))
def test_options_are_few_and_in_one_order(found: list[Value]) -> None:
    joined = join_all(found)
    kinds = [type(option) for option in options(joined)]
    single = (Tensor, Array, Scalar, Text, Sequence, Mapping, Nothing, Unknown)
    assert all(kinds.count(kind) <= 1 for kind in single)
    assert Alternatives not in kinds
    assert len(kinds) <= 10 + 6 + 16 + 6


@LAWS
@given(values(), tensors())
def test_a_tensor_is_found_beside_anything_that_is_told_apart(value: Value, tensor: Tensor) -> None:
    joined = join(value, tensor)
    if joined != ANYTHING:
        found = tensor_of(joined)
        assert found is not None
        assert leq_tensors(tensor, found)
        assert device_tensor_of(joined) is not None or not tensor.may_be_on_device


PARTS: dict[str, Callable[[Value], Value]] = {
    "any item of a list": lambda value: any_item(Sequence("list", None, value)),
    "any value of a dictionary": lambda value: any_item(Mapping((("a", value),), INTEGER)),
    "the value of a key": lambda value: Mapping((("a", INTEGER),), value).get("b"),
    "a list after one more": lambda value: extended(Sequence("list", (INTEGER,)), value),
    "a list with one put in": lambda value: with_inserted(Sequence("list", (INTEGER,)), value),
    "two lists, one after the other": lambda value: concatenated(
        Sequence("list", (INTEGER,)), Sequence("list", None, value)
    ),
    "what a callee is given": generalised,
}


@pytest.mark.parametrize("name", PARTS)
def test_what_is_done_with_values_keeps_their_order(name: str) -> None:
    @settings(LAWS, max_examples=30)
    @given(values(), values())
    def check(first: Value, second: Value) -> None:
        if not {NEVER, UNKNOWN} & {first, second}:
            assert leq(PARTS[name](first), PARTS[name](join(first, second)))

    check()


def test_the_tensor_among_many_options_is_kept_wherever_it_stands() -> None:
    several: list[Value] = [INTEGER, STRING, NOTHING, Sequence("list", ()), Mapping(), Symbol("a.b"), Instance("c.D")]
    for place in range(len(several) + 1):
        found: list[Value] = [*several[:place], Tensor(), *several[place:]]
        assert tensor_of(join_all(found)) == Tensor()
    found = [Tensor(), *several]
    assert len({join_all(order) for order in itertools.islice(itertools.permutations(found), 500)}) == 1


def test_a_key_of_one_dictionary_may_stand_for_any_of_the_other() -> None:
    joined = join(Mapping((("a", Scalar("int", 1)),), NEVER), Mapping((), Tensor()))
    assert isinstance(joined, Mapping)
    assert tensor_of(joined.get("a")) == Tensor()
    assert joined.get("b") == Tensor()
    assert join(Text("a"), Mapping()) == join(Mapping(), Text("a"))


def test_crowds_that_share_more_and_less_share_what_both_do() -> None:
    left, right = _class("Left"), _class("Right")
    both, other = ([_class(f"{name}{number}", *bases) for number in range(7)] for name, bases in (
        ("Both", (left, right)), ("Other", (right,)),
    ))  # fmt: skip
    more, less = (join_all(instance_of(record) for record in records) for records in (both, other))
    assert isinstance(more, Instance) and isinstance(less, Instance)
    assert set(more.shared) == {left, right} and less.shared == (right,)
    assert join(more, less) == join(less, more) == less
    assert leq(more, less) and not leq(less, more)


def _class(name: str, *bases: ClassRecord) -> ClassRecord:
    """A class of a module of its own."""
    tree = ast.parse(f"class {name}: ...")
    (node,) = tree.body
    assert isinstance(node, ast.ClassDef)
    path = Path(f"{name}.py")
    module = ModuleRecord(name, path, path, tree, kept(""), path.parent, lambda: True, name)
    return ClassRecord(name, f"{name}.{name}", module, node, bases)
