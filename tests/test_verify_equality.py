"""What counts as the same result."""

from __future__ import annotations

import pytest
import torch

from synclint.verify.equality import difference


@pytest.mark.parametrize(
    ("hazard", "twin"),
    [
        (torch.ones(3), torch.ones(3)),
        (torch.tensor(2.0), 2.0),
        (2.0, torch.tensor(2.0)),
        (3, 3.0),
        (None, None),
        ("text", "text"),
        (float("nan"), float("nan")),
        ((torch.ones(2), [1, None]), (torch.ones(2), [1, None])),
        ({"a": torch.zeros(1)}, {"a": torch.zeros(1)}),
    ],
)
def test_equal(hazard: object, twin: object) -> None:
    assert difference(hazard, twin) is None


@pytest.mark.parametrize(
    ("hazard", "twin", "said"),
    [
        (torch.ones(3), torch.zeros(3), "not close"),
        (torch.ones(3), torch.ones(2), "shape"),
        (torch.ones(3), torch.ones(3, dtype=torch.int64), "dtype"),
        (torch.ones(1), None, "Tensor and NoneType"),
        ([1, 2], [1], "2 and 1 elements"),
        ((1, (2, 3)), (1, (2, 4)), "result[1][1]"),
        ({"a": 1}, {"b": 1}, "keys ['a'] and ['b']"),
        ("a", "b", "'a' and 'b'"),
        (True, False, "result"),
    ],
)
def test_different(hazard: object, twin: object, said: str) -> None:
    found = difference(hazard, twin)
    assert found is not None and said in found and "\n" not in found
