"""Counts by ``bincount``, which asks for the largest value: ones are added to zeros, whose number is known."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m
from libcst.helpers import parse_template_expression

from synclint.codemod import DType, TensorFactProvider
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing

SMALL = "all values have to be less than `{}`, and of type int64"
FOUND = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: bool(fact.reported))
VALUES = m.Arg(m.SaveMatchedNode(m.Name(), "values"), keyword=None, star="")
LENGTH = m.Arg(m.SaveMatchedNode(m.DoNotCare(), "length"), keyword=m.Name("minlength"))


def added(writing: Writing, node: cst.Call, saved: Saved) -> Rewrite | None:
    """``torch.bincount(x, minlength=n)`` as ones that are added to ``n`` zeros where ``x`` says."""
    values, length = saved["values"], saved["length"]
    is_number = isinstance(length, (cst.Name, cst.Attribute, cst.Integer))
    if writing.qualified(node.func) != "torch.bincount" or not is_number:
        return None
    if writing.fact(values).kinds != {"tensor"} or writing.fact(values).dtype is not DType.INT:
        return None
    made = parse_template_expression(
        "{zeros}({n}, dtype={long}, device={x}.device).scatter_add_(0, {x}, {ones}({x}))",
        zeros=writing.name("torch.zeros"),
        long=writing.name("torch.long"),
        ones=writing.name("torch.ones_like"),
        n=length,
        x=values,
    )
    return Rewrite({node: made}, "Add ones to zeros whose number is known", SMALL.format(writing.code(length)))


TRANSFORMATIONS = (Transformation(m.Call(args=[VALUES, LENGTH], metadata=FOUND), added),)
