"""Assertions on the host that the device can check itself: ``assert x.all()``."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing, named
from synclint.fixes.truths import ORDER, is_asked_of_all, read_by

REDUCED = m.Call(m.Attribute(attr=named("sum", "max", "min", "mean", "amax", "amin", "prod")), [])
COMPARED = m.Comparison(REDUCED, [m.ComparisonTarget(ORDER, m.SaveMatchedNode(m.DoNotCare(), "other"))])
TEXT = m.SimpleString() | m.ConcatenatedString()

LATER = "a failed check shows up later, as a device error, after which the process can no longer use the device"
# Source: aten/src/ATen/native/cuda/TensorCompare.cu, `_assert_async_msg_cuda`.
WITHOUT_MESSAGE = ", and without its message"


def asserted(writing: Writing, node: cst.Assert, saved: Saved) -> Rewrite | None:
    """``assert x.all(), "…"`` as ``torch._assert_async(x.all(), "…")``."""
    condition = truth(writing, node.test)
    if condition is None:
        return None
    arguments = [condition, node.msg] if node.msg is not None and m.matches(node.msg, TEXT) else [condition]
    checked = cst.Call(writing.name("torch._assert_async"), [cst.Arg(one) for one in arguments])
    caveat = LATER if node.msg is None else LATER + WITHOUT_MESSAGE
    return Rewrite({node: cst.Expr(checked)}, "Check it on the device", caveat)


def truth(writing: Writing, test: cst.BaseExpression) -> cst.BaseExpression | None:
    """The boolean tensor of one element that is asked for certain: a reduced one, or one compared with a number."""
    test = read_by(writing, test)
    if "tensor" not in writing.fact(test).kinds:
        return None
    compared = m.extract(test, COMPARED)
    is_number = compared is not None and "tensor" not in writing.fact(compared["other"]).kinds
    return test if is_number or is_asked_of_all(writing, test) else None


TRANSFORMATIONS = (Transformation(m.Assert(), asserted),)
