"""What texts say by themselves is found out once for each text, not once for each run."""

from __future__ import annotations

import pytest

from synclint.analysis.program.mentioned import Mentioned, mentioned
from synclint.memo.stores import ProcessStore
from synclint.running import text_memo
from synclint.running.text_memo import TextMemo

TEXT = '''\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        """Do it."""
        return self.layer(x.cuda())


if __name__ == "__main__":
    Net()
'''


def refuse(text: str) -> Mentioned:
    """Nobody may look at a text."""
    raise AssertionError(text)


def test_what_a_text_says_is_kept_between_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    store = ProcessStore()
    first = TextMemo(store, "said")
    assert first.said(TEXT) == mentioned(TEXT)
    first.write()
    monkeypatch.setattr(text_memo, "mentioned", refuse)
    assert TextMemo(store, "said").said(TEXT).definitions == mentioned(TEXT).definitions


def test_a_text_that_nobody_asks_for_any_longer_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    store = ProcessStore()
    for texts in ((TEXT, "old = 1\n"), (TEXT, "new = 1\n")):
        memo = TextMemo(store, "said")
        said = [memo.said(text) for text in texts]
        memo.write()
        assert said == [mentioned(text) for text in texts]
    monkeypatch.setattr(text_memo, "mentioned", refuse)
    last = TextMemo(store, "said")
    assert last.said("new = 1\n").assigned == {"new"}
    with pytest.raises(AssertionError, match="old"):
        last.said("old = 1\n")


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\xc1"])
def test_a_damaged_entry_costs_only_time(damage: bytes) -> None:
    store = ProcessStore()
    store.write_bytes({"said": damage})
    memo = TextMemo(store, "said")
    assert memo.said(TEXT) == mentioned(TEXT)
    memo.write()
    assert TextMemo(store, "said").said(TEXT) == mentioned(TEXT)


def test_a_text_that_cannot_be_written_says_the_same() -> None:
    store = ProcessStore()
    text = "x = '\udc80'\ndef \udc80f(): pass\n"
    for _ in range(2):
        memo = TextMemo(store, "said")
        assert memo.said(text) == mentioned(text)
        memo.write()
