"""What is found later is found once, for the keys that there are."""

from __future__ import annotations

import pytest

from synclint.analysis.frequency.found_later import FoundLater


def test_nothing_is_looked_for_before_somebody_asks_and_then_once() -> None:
    asked: list[str] = []

    def find(key: str) -> int | None:
        asked.append(key)
        return len(key) if key != "none" else None

    found = FoundLater(["a", "none", "bb"], find)
    assert not asked
    assert found["bb"] == 2
    assert found.get("bb") == 2
    assert asked == ["bb"]
    assert dict(found) == {"a": 1, "bb": 2}
    assert len(found) == 2
    assert asked == ["bb", "a", "none"]


def test_what_is_no_key_and_what_gives_nothing_is_not_there() -> None:
    found = FoundLater(["a", "none"], lambda key: 1 if key == "a" else None)
    assert "none" not in found
    assert found.get("other") is None
    with pytest.raises(KeyError):
        found["other"]
