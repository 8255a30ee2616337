"""Which texts have a word without which no body of theirs is read for its steps."""

from __future__ import annotations

import pytest

from synclint.analysis.frequency.step_words import mentions_steps


@pytest.mark.parametrize("line", ["for x in dl: pass", "dl", "for x in train_dl:", "f(DataLoader)", "for x in loader:"])
def test_a_loader_is_one_by_its_name(line: str) -> None:
    assert mentions_steps(line)


@pytest.mark.parametrize("line", ["handle(x)", "middl", "x = dlpack", "val2dl = 1", "idle = 1"])
def test_letters_within_other_words_are_none(line: str) -> None:
    assert not mentions_steps(line)
