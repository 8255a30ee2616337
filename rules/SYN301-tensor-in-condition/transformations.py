"""Choices that hang on a tensor: the device makes them, so that the host need not know."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.codemod import DType
from synclint.fixes.choices import choice
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing, named
from synclint.fixes.truths import COMPARED, is_asked_of_all

BOTH = "both sides are always computed, and the result is always a new tensor"
ANYWAY = "the tensor is written to, or replaced, even where nothing is masked, which may affect autograd"
MASK = m.SaveMatchedNode(m.Name(), "mask")
ANY = m.Call(m.Attribute(MASK, m.Name("any")), []) | m.Call(args=[m.Arg(MASK, keyword=None, star="")])
# What gives a mask more dimensions, and changes nothing of it.
WHOLE = m.Index(m.Name("None") | m.Ellipsis()) | m.Slice(None, None, step=None)
VIEW = m.Call(m.Attribute(m.SaveMatchedNode(m.DoNotCare(), "inner"), named("unsqueeze", "view"))) | m.Subscript(
    m.SaveMatchedNode(m.DoNotCare(), "inner"), [m.AtLeastN(m.SubscriptElement(WHOLE), n=1)]
)
TARGET = m.SaveMatchedNode(m.Name(), "target")
HIDDEN = m.SaveMatchedNode(m.DoNotCare(), "hidden")
FILLED = m.Call(m.Attribute(m.SaveMatchedNode(m.Name(), "kept"), m.Name("masked_fill")), [m.Arg(HIDDEN), m.Arg()])
CHOSEN = m.Call(
    m.SaveMatchedNode(m.DoNotCare(), "function"), [m.Arg(HIDDEN), m.Arg(), m.Arg(m.SaveMatchedNode(m.Name(), "kept"))]
)
WRITTEN = m.Subscript(slice=[m.SubscriptElement(m.Index(HIDDEN))])
# Statements that change nothing where a mask is false everywhere.
IDLE = m.SimpleStatementLine(
    [
        m.OneOf(
            m.Expr(m.Call(m.Attribute(attr=m.Name("masked_fill_")), [m.Arg(HIDDEN), m.Arg()])),
            m.Assign([m.AssignTarget(WRITTEN)], m.SaveMatchedNode(m.DoNotCare(), "number")),
            m.Assign([m.AssignTarget(TARGET)], FILLED | CHOSEN),
        )
    ]
)


def unconditional(writing: Writing, node: cst.If, saved: Saved) -> Rewrite | None:
    """``if m.any(): x = x.masked_fill(m, 0)``, ``if m.any(): x[m] = 0`` without the test."""
    mask, test, body = saved["mask"], node.test, node.body
    fact = writing.fact(mask)
    if fact.dtype is not DType.BOOL or "tensor" not in fact.kinds:
        return None
    if test.args and writing.qualified(test.func) != "torch.any":
        return None
    if not all(is_idle(writing, line, writing.code(mask)) for line in body.body):
        return None
    first, *others = body.body
    lines = [first.with_changes(leading_lines=[*node.leading_lines, *first.leading_lines]), *others]
    return Rewrite({node: cst.FlattenSentinel(lines)}, "Do it unconditionally", ANYWAY)


def is_idle(writing: Writing, line: cst.CSTNode, mask: str) -> bool:
    """Whether a statement changes nothing where a mask is false everywhere."""
    saved = m.extract(line, IDLE)
    if saved is None or writing.code(without_views(saved["hidden"])) != mask:
        return False
    if "number" in saved:
        return writing.fact(saved["number"]).is_number
    is_same = "kept" not in saved or writing.code(saved["kept"]) == writing.code(saved["target"])
    return is_same and ("function" not in saved or writing.qualified(saved["function"]) == "torch.where")


def without_views(node: cst.CSTNode) -> cst.CSTNode:
    """A mask without what gives it more dimensions."""
    while (saved := m.extract(node, VIEW)) is not None:
        node = saved["inner"]
    return node


def chosen(writing: Writing, node: cst.If, saved: Saved) -> Rewrite | None:
    """``if t > 1: x = x / t`` as ``x = torch.where(t > 1, x / t, x)``."""
    test = node.test
    negated = test.expression if isinstance(test, cst.UnaryOperation) and m.matches(test.operator, m.Not()) else None
    condition = negated or test
    fact = writing.fact(condition)
    if "tensor" not in fact.kinds or fact.dtype is not DType.BOOL or fact.rank:
        return None
    if not m.matches(condition, COMPARED) and not is_asked_of_all(writing, condition):
        return None
    made = choice(writing, node, condition, is_negated=negated is not None)
    return Rewrite({node: made}, "Choose with `torch.where`", BOTH) if made is not None else None


TRANSFORMATIONS = (
    Transformation(m.If(test=ANY, body=m.IndentedBlock(), orelse=None), unconditional),
    Transformation(m.If(), chosen),
)
