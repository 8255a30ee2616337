"""What Python's operators give where an operand may be one of several things."""

from __future__ import annotations

import ast

import pytest

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import INTEGER, NOTHING, Device, DType, Tensor
from synclint.analysis.models.operators import arithmetic, comparison

ON_HOST = Tensor(Device.CPU, DType.INT, 1)
NUMBER_OR_NONE = join_all([INTEGER, NOTHING])


@pytest.mark.parametrize("operator", [ast.Lt, ast.LtE, ast.Gt, ast.GtE])
def test_nothing_is_ordered_beside_none(operator: type[ast.AST]) -> None:
    assert comparison(operator, ON_HOST, NUMBER_OR_NONE) == comparison(operator, ON_HOST, INTEGER)
    assert comparison(operator, NUMBER_OR_NONE, ON_HOST) == comparison(operator, INTEGER, ON_HOST)


def test_anything_may_be_equal_to_none() -> None:
    assert comparison(ast.Eq, ON_HOST, NUMBER_OR_NONE) != comparison(ast.Eq, ON_HOST, INTEGER)


def test_nothing_is_added_to_none() -> None:
    assert arithmetic(ast.Add, ON_HOST, NUMBER_OR_NONE) == arithmetic(ast.Add, ON_HOST, INTEGER)
