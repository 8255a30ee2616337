"""The constructs whose growth is measured are Python, and as large as they are said to be."""

from __future__ import annotations

import ast

import pytest

from benchmarks.growth import CONSTRUCTS, Growth


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_each_construct_is_python_and_grows_with_its_count(name: str) -> None:
    source = CONSTRUCTS[name].source
    ast.parse(source(4))
    ast.parse(source(8))
    assert len(source(8)) > len(source(4))


@pytest.mark.parametrize(("seconds", "exponent"), [((1.0, 2.0), 1.0), ((1.0, 4.0), 2.0)])
def test_the_exponent_is_that_of_the_size(seconds: tuple[float, float], exponent: float) -> None:
    assert Growth(seconds, (1.0, 2.0)).exponent == pytest.approx(exponent)
