"""Which lines are new, whatever the texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from synclint.adoption import line_diff
from synclint.adoption.line_diff import counted_lines, new_lines, similarity

TEXTS = st.lists(st.sampled_from([b"", b"a", b"b", b"c", b"    return x", b"}"]), max_size=40)


def text(lines: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def numbers(old: Sequence[bytes], new: Sequence[bytes]) -> list[int]:
    return [number for lines in new_lines(text(old), text(new)) for number in lines]


def longest_common(old: Sequence[bytes], new: Sequence[bytes]) -> int:
    lengths = [0] * (len(new) + 1)
    for line in old:
        diagonal = 0
        for index, other in enumerate(new, 1):
            diagonal, lengths[index] = (
                lengths[index],
                diagonal + 1 if line == other else max(lengths[index], lengths[index - 1]),
            )
    return lengths[-1]


@given(TEXTS, TEXTS)
def test_what_is_not_new_is_in_the_old_text_in_the_same_order(old: list[bytes], new: list[bytes]) -> None:
    fresh = set(numbers(old, new))
    kept = iter(line for number, line in enumerate(new, 1) if number not in fresh)
    rest = iter(old)
    assert all(any(line == other for other in rest) for line in kept)


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_a_passage_that_took_the_place_of_another_is_all_that_is_new(
    head: list[bytes], old: list[bytes], new: list[bytes], tail: list[bytes]
) -> None:
    own = [b"new %d" % number for number in range(len(new))]
    assert numbers([*head, *old, *tail], [*head, *own, *tail]) == list(range(len(head) + 1, len(head) + len(own) + 1))


@given(TEXTS, TEXTS)
def test_without_lines_that_occur_once_as_few_are_new_as_can_be(old: list[bytes], new: list[bytes]) -> None:
    old, new = old * 2, new * 2
    # What begins and ends both texts is put aside first, and may leave others alone of their kind.
    assume(min((*Counter(between(old, new)).values(), *Counter(between(new, old)).values()), default=2) >= 2)
    assert len(new) - len(numbers(old, new)) == longest_common(old, new)


def between(lines: list[bytes], others: list[bytes]) -> list[bytes]:
    """The lines without those at the beginning and at the end that others have as well."""
    first = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(lines, others, strict=False)))
    rest, other = lines[first:], others[first:]
    last = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(rest[::-1], other[::-1], strict=False)))
    return rest[: len(rest) - last]


def test_lines_between_others_that_stayed_are_found() -> None:
    old = [b"line %d" % number for number in range(1000)]
    new = [b"other" if number % 3 == 0 else line for number, line in enumerate(old)]
    assert numbers(old, new) == [number + 1 for number in range(0, 1000, 3)]


def test_how_lines_end_is_no_difference() -> None:
    assert new_lines(b"a\nb\nc", b"a\r\nb\rc\n") == ()
    assert new_lines(b"", b"a") == (range(1, 2),)
    assert new_lines(b"a", b"") == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([b"a", b"b"] * 20_000, [b"b", b"b", b"a"] * 15_000),
        ([b"%d" % (number % 7) for number in range(40_000)], [b"%d" % (number % 5) for number in range(40_000)]),
        ([b"%d" % number for number in range(20_000)], [b"%d" % number for number in range(20_000, 0, -1)]),
        ([b"%d" % number for number in range(20_000)], [b"%d" % (number ^ 1) for number in range(20_000)]),
        ([b"%d" % (number // 2) for number in range(30_000)], [b"%d" % (number // 3) for number in range(30_000)]),
    ],
    ids=["two lines", "few lines", "backwards", "swapped", "pairs"],
)
def test_the_work_grows_with_the_number_of_lines(
    old: list[bytes], new: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = 0
    anchors, longest = line_diff._anchors, line_diff._longest_common

    def counted_anchors(before: Sequence[bytes], after: Sequence[bytes]) -> list[tuple[int, int]]:
        nonlocal looked_at
        looked_at += len(before) + len(after)
        return anchors(before, after)

    def counted_pairs(before: Sequence[bytes], after: Sequence[bytes]) -> list[int]:
        nonlocal looked_at
        looked_at += len(before) * len(after)
        return list(longest(before, after))

    monkeypatch.setattr(line_diff, "_anchors", counted_anchors)
    monkeypatch.setattr(line_diff, "_longest_common", counted_pairs)
    numbers(old, new)
    assert looked_at <= 200 * (len(old) + len(new))


def test_texts_are_alike_by_what_they_have_in_common() -> None:
    one = counted_lines(b"aaa\nbbb\n")
    assert similarity(one, one) == 1
    assert similarity(one, counted_lines(b"bbb\nccc\n")) == 0.5
    assert similarity(one, counted_lines(b"")) == 0
    assert similarity(counted_lines(b""), counted_lines(b"")) == 0
