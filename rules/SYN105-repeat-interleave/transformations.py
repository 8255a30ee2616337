"""Repetitions by the sums of a mask: there are as many results as the mask selects elements."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.codemod import DType, TensorFactProvider
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing
from synclint.fixes.uses import bindings, is_written_to

FOUND = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: bool(fact.reported))
MASK = m.SaveMatchedNode(m.Name(), "mask")
COUNTS = m.Call(m.Attribute(MASK, m.Name("sum")), [m.Arg()])
REPEATED = m.Call(m.Attribute(attr=m.Name("repeat_interleave")), [m.ZeroOrMore(m.Arg()), m.Arg(COUNTS)], metadata=FOUND)
SELECTED = m.Assign([m.AssignTarget(m.Name())], m.Subscript(slice=[m.SubscriptElement(m.Index(m.Name()))]))


def sized(writing: Writing, node: cst.Call, saved: Saved) -> Rewrite | None:
    """``x.repeat_interleave(mask.sum(1))`` with ``output_size=y.shape[0]``, where ``y`` is ``z[mask]``."""
    mask, scope = saved["mask"].value, writing.place.function
    if writing.fact(saved["mask"]).dtype is not DType.BOOL or len(node.args) > 2 or scope is None:
        return None
    if len(bindings(scope, mask)) != 1 or is_written_to(scope, mask):
        return None
    for block in writing.around(node):
        for line in block.body if isinstance(block, cst.IndentedBlock) else ():
            if line in writing.around(node):
                break
            for assigned in m.findall(line, SELECTED) if isinstance(line, cst.SimpleStatementLine) else ():
                name = assigned.targets[0].target.value
                if assigned.value.slice[0].slice.value.value == mask and len(bindings(scope, name)) == 1:
                    size = cst.parse_expression(f"{name}.shape[0]")
                    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
                    argument = cst.Arg(size, cst.Name("output_size"), equal)
                    last = node.args[-1].with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
                    made = node.with_changes(args=[*node.args[:-1], last, argument])
                    return Rewrite(
                        {node: made}, "Pass the number of the results", "the mask has to be a boolean tensor"
                    )
    return None


TRANSFORMATIONS = (Transformation(REPEATED, sized),)
