"""Records that are frozen for type checkers, and compared and hashed by their fields when the program runs."""

from __future__ import annotations

import dataclasses
import pickle

from synclint.analysis.domain.values import NOTHING, Device, Mapping, Origin, Symbol, Tensor, Text
from synclint.findings import Edit, Position, Span


def test_records_with_equal_fields_are_one_key() -> None:
    span = Span(Position(1, 1), Position(1, 5))
    assert {Edit(span, "x"): 1}[Edit(span, "x")] == 1
    assert Edit(span, "x") != Edit(span, "y")
    other: object = Symbol("a")
    assert Text("a") != other


def test_what_is_left_out_of_comparisons_is_left_out_of_hashes() -> None:
    told, untold = Tensor(Device.CPU, origin=Origin("made here")), Tensor(Device.CPU)
    assert told == untold
    assert hash(told) == hash(untold)


def test_records_are_copied_and_sent_as_dataclasses_are() -> None:
    mapping = Mapping((("b", Text()), ("a", NOTHING)), Symbol("c"))
    assert [key for key, _ in mapping.entries] == ["a", "b"]
    assert dataclasses.replace(mapping, element=Text()).entries == (("a", NOTHING),)
    assert pickle.loads(pickle.dumps(mapping)) == mapping
