"""Factors that a method takes as a number: multiplied by beforehand, they may be tensors."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.codemod import TensorFactProvider
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing, grouped, named

FOUND = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: bool(fact.reported))
FIRST = m.Arg(m.SaveMatchedNode(m.DoNotCare(), "first"), keyword=None, star="")
OTHERS = m.ZeroOrMore(m.Arg(keyword=None, star=""))


def multiplied(writing: Writing, node: cst.Call, saved: Saved) -> Rewrite | None:
    """``x.add_(y, alpha=t)`` as ``x.add_(y * t)``: what is given as a number would be read."""
    factor = saved["factor"]
    fact = writing.fact(factor)
    if "tensor" not in fact.kinds or fact.rank or "tensor" not in writing.fact(node.func.value).kinds:
        return None
    product = cst.BinaryOperation(grouped(saved["first"]), cst.Multiply(), grouped(factor))
    first, *others = node.args[:-1]
    arguments = [first.with_changes(value=product), *others]
    arguments[-1] = arguments[-1].with_changes(comma=node.args[-1].comma)
    return Rewrite({node: node.with_changes(args=arguments)}, "Multiply on the device", "the last bits can differ")


def scaled(word: str, *methods: str) -> m.Call:
    """A call of one of some methods that is given a factor by name."""
    factor = m.Arg(m.SaveMatchedNode(m.DoNotCare(), "factor"), keyword=m.Name(word))
    return m.Call(m.Attribute(attr=named(*methods)), [FIRST, OTHERS, factor], metadata=FOUND)


TRANSFORMATIONS = (
    Transformation(scaled("alpha", "add", "add_", "sub", "sub_"), multiplied),
    Transformation(scaled("value", "addcmul", "addcmul_", "addcdiv", "addcdiv_"), multiplied),
)
