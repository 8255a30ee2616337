"""A text that is kept in UTF-8 is the same text, with the same lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synclint.analysis.syntax.positions import lines_of
from synclint.sources.kept_texts import kept

# Ends of lines, signs that only `str.splitlines` takes for one, letters of one to four bytes, half of a surrogate pair.
texts = st.text(st.sampled_from("ab\n\r\f\v\x1c\x85\u2028é→🤗\ud800"))


@given(texts)
def test_it_is_the_same_text(text: str) -> None:
    assert kept(text).text == text


@given(texts)
def test_its_lines_are_those_of_the_text(text: str) -> None:
    expected, lines = lines_of(text), kept(text).lines
    assert len(lines) == len(expected)
    assert [lines[number] for number in range(len(lines))] == expected
    assert [lines[-1 - number] for number in range(len(lines))] == expected[::-1]
    assert list(lines) == expected


@given(texts, st.integers(-9, 9), st.integers(-9, 9))
def test_some_of_its_lines_are_those_of_the_text(text: str, first: int, end: int) -> None:
    assert kept(text).lines[first:end] == lines_of(text)[first:end]


def test_there_is_no_line_behind_the_last_one() -> None:
    with pytest.raises(IndexError):
        kept("a\n").lines[2]


def test_one_sign_makes_no_other_letter_longer() -> None:
    assert len(kept("a" * 1000 + "🤗").utf8) == 1004
