"""Checks on the host that the device can make itself: ``assert x.all()`` and ``if x.any(): raise``."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing, grouped, named, statement
from synclint.fixes.truths import ORDER, is_asked_of_all, read_by

REDUCED = m.Call(m.Attribute(attr=named("sum", "max", "min", "mean", "amax", "amin", "prod")), [])
COMPARED = m.Comparison(REDUCED, [m.ComparisonTarget(ORDER, m.SaveMatchedNode(m.DoNotCare(), "other"))])
TEXT = m.SimpleString() | m.ConcatenatedString()
ERROR = m.Call(args=[m.Arg(m.SaveMatchedNode(TEXT, "text"), keyword=None)])

THERE = "Check it on the device"
LATER = "a failed check shows up later, as a device error, after which the process can no longer use the device"
WITHOUT_MESSAGE = ", and without its message"


def asserted(writing: Writing, node: cst.Assert, saved: Saved) -> Rewrite | None:
    """``assert x.all(), "…"`` as ``torch._assert_async(x.all(), "…")``."""
    condition = truth(writing, node.test)
    if condition is None:
        return None
    text = node.msg if node.msg is not None and m.matches(node.msg, TEXT) else None
    caveat = LATER if text is node.msg else LATER + WITHOUT_MESSAGE
    return Rewrite({node: cst.Expr(check(writing, condition, text))}, THERE, caveat)


def raised(writing: Writing, node: cst.If, saved: Saved) -> Rewrite | None:
    """``if x.any(): raise …`` as ``torch._assert_async(~x.any())``."""
    test = node.test
    negated = test.expression if isinstance(test, cst.UnaryOperation) and m.matches(test.operator, m.Not()) else None
    condition = truth(writing, negated or test)
    if condition is None:
        return None
    if negated is None:
        condition = cst.UnaryOperation(cst.BitInvert(), grouped(condition))
    call = writing.code(check(writing, condition, saved.get("text")))
    return Rewrite({node: statement(call, like=node)}, THERE, LATER)


def truth(writing: Writing, test: cst.BaseExpression) -> cst.BaseExpression | None:
    """The boolean tensor of one element that is asked for certain: a reduced one, or one compared with a number."""
    test = read_by(writing, test)
    if "tensor" not in writing.fact(test).kinds:
        return None
    compared = m.extract(test, COMPARED)
    is_number = compared is not None and "tensor" not in writing.fact(compared["other"]).kinds
    return test if is_number or is_asked_of_all(writing, test) else None


def check(writing: Writing, condition: cst.BaseExpression, text: cst.BaseExpression | None) -> cst.Call:
    """The call that lets the device check a condition."""
    arguments = [condition] if text is None else [condition, text]
    return cst.Call(writing.name("torch._assert_async"), [cst.Arg(one) for one in arguments])


TRANSFORMATIONS = (
    Transformation(m.Assert(), asserted),
    Transformation(m.If(body=m.IndentedBlock([m.SimpleStatementLine([m.Raise(ERROR)])]), orelse=None), raised),
    Transformation(m.If(body=m.IndentedBlock([m.SimpleStatementLine([m.Raise()])]), orelse=None), raised),
)
