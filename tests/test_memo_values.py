"""Values that are stored are the same when they are read back, and told from others by their keys."""

from __future__ import annotations

import ast

import msgspec
import pytest
from generated_values import hierarchy, values
from hypothesis import given
from hypothesis import strategies as st

from synclint.analysis.domain.values import (
    ClassRecord,
    ClassValue,
    FunctionRecord,
    FunctionValue,
    ModuleRecord,
    Origin,
    Scalar,
    Tensor,
    Value,
)
from synclint.analysis.program import modules
from synclint.analysis.run_records.decoding import LOST_SCOPE, Decoder, ForgottenError
from synclint.analysis.run_records.encoding import Encoder, Places, UnknownRowError
from synclint.analysis.run_records.records import Row, ShareRecords, with_hashable_rows


class _Module:
    """The module of the generated values, in which all is found by its place."""

    def __init__(self) -> None:
        self.record = hierarchy()
        self._by_place = {Places().of(record): record for record in self.record.by_node.values()}

    def function_at(self, place: str) -> FunctionRecord:
        record = self._by_place.get(place)
        if not isinstance(record, modules.FunctionRecord):
            raise ForgottenError(place)
        return record

    def class_at(self, place: str) -> ClassRecord:
        record = self._by_place.get(place)
        if not isinstance(record, modules.ClassRecord):
            raise ForgottenError(place)
        return record

    def module_at(self, path: str) -> ModuleRecord:
        assert path == str(self.record.real_path)
        return self.record


def _read_back(rows: list[Row]) -> tuple[Row, ...]:
    """The rows as they come from the disk."""
    share = ShareRecords(tuple(rows), (), {}, {}, {}, {}, {})
    return with_hashable_rows(msgspec.msgpack.decode(msgspec.msgpack.encode(share), type=ShareRecords)).rows


def _stored(value: Value) -> Value:
    rows: list[Row] = []
    number = Encoder(Places(), rows).value(value)
    return Decoder(_read_back(rows), _Module()).value(number)


@given(values())
def test_a_value_is_the_same_when_it_is_read_back(value: Value) -> None:
    assert _stored(value) == value


@given(values(), values())
def test_keys_are_equal_where_values_are(first: Value, second: Value) -> None:
    rows: list[Row] = []
    encoder = Encoder(Places(), rows)
    keys = encoder.key(first), encoder.key(second)
    assert (keys[0] == keys[1]) == (first == second)
    again = Encoder(Places(), list(_read_back(rows)), may_add=False)
    assert (again.key(first), again.key(second)) == keys


@given(st.one_of(st.integers(), st.floats(allow_nan=False), st.complex_numbers(allow_nan=False), st.booleans()))
def test_literals_are_read_back_as_they_were(literal: complex) -> None:
    back = _stored(Scalar("number", literal))
    assert isinstance(back, Scalar)
    assert repr(back.literal) == repr(literal)


def test_a_value_that_is_not_in_a_table_has_no_key_in_it() -> None:
    with pytest.raises(UnknownRowError):
        Encoder(Places(), [], may_add=False).key(Tensor())


def test_reasons_are_read_back_with_their_places_and_are_no_part_of_keys() -> None:
    module = hierarchy()
    node = module.tree.body[-1]
    first = Origin("given", module, node)
    tensor = Tensor(origin=Origin("taken from it", module, node, first))
    back = _stored(tensor)
    assert isinstance(back, Tensor)
    assert back.origin is not None
    assert [(link.text, type(link.node), getattr(link.node, "lineno", 0)) for link in back.origin.chain()] == [
        ("taken from it", ast.FunctionDef, node.lineno),
        ("given", ast.FunctionDef, node.lineno),
    ]
    rows: list[Row] = []
    encoder = Encoder(Places(), rows)
    assert encoder.key(tensor) == encoder.key(Tensor())
    assert encoder.value(tensor) != encoder.value(Tensor())


def test_a_long_chain_of_reasons_is_stored() -> None:
    origin: Origin | None = None
    for number in range(20_000):
        origin = Origin(f"reason {number}", parent=origin)
    back = _stored(Tensor(origin=origin))
    assert isinstance(back, Tensor)
    assert back.origin is not None
    assert sum(1 for _ in back.origin.chain()) == 20_000


def test_the_scope_of_a_function_within_another_one_is_lost() -> None:
    function = next(value for value in hierarchy().scope.values() if isinstance(value, FunctionValue))
    back = _stored(FunctionValue(function.record, None, {"x": Tensor()}))
    assert isinstance(back, FunctionValue)
    assert back.scope is LOST_SCOPE


def test_a_class_that_is_not_there_any_longer_is_missed() -> None:
    rows: list[Row] = []
    value = next(value for value in hierarchy().scope.values() if isinstance(value, ClassValue))
    number = Encoder(Places(), rows).value(value)
    gone = [("ClassValue", f"{hierarchy().real_path}:1000:0") if row[0] == "ClassValue" else row for row in rows]
    with pytest.raises(ForgottenError):
        Decoder(gone, _Module()).value(number)
