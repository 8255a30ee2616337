"""Choices that hang on a tensor: the device makes them, so that the host need not know."""

from __future__ import annotations

import ast

import libcst as cst
import libcst.matchers as m

from synclint.codemod import DType
from synclint.fixes.choices import choice
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing, named, statement
from synclint.fixes.truths import COMPARED, is_asked_of_all
from synclint.fixes.uses import bindings

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


def clamped(writing: Writing, node: cst.If, saved: Saved) -> Rewrite | None:
    """``scale = s`` and ``if t > 1: scale = t * s`` as ``scale = t.clamp(min=1) * s``."""
    tensor, factor, order = saved["tensor"], saved["factor"], saved["order"]
    if not m.matches(saved["number"], ONE) or "tensor" not in writing.fact(tensor).kinds or writing.fact(tensor).rank:
        return None
    if not saved["again"].deep_equals(tensor) or given_before(writing, node, saved["target"]) != writing.code(factor):
        return None
    bound = "min" if isinstance(order, (cst.GreaterThan, cst.GreaterThanEqual)) else "max"
    parts = [writing.code(part) for part in (saved["target"], tensor, saved["number"], factor)]
    line = "{} = {}.clamp({}={}) * {}".format(*parts[:2], bound, *parts[2:])
    return Rewrite(
        {node: statement(line, like=node)},
        f"Use `clamp({bound}=…)`",
        "the result is always a tensor, and NaN stays NaN",
    )


def given_before(writing: Writing, node: cst.If, target: cst.Name) -> str:
    """The source of what a name was given before an ``if`` that gives it something else; empty if that is not sure."""
    scope = writing.place.function
    bound = [] if scope is None else sorted(bindings(scope, target.value), key=lambda one: getattr(one, "lineno", 0))
    first = writing.place.file.parent(bound[0]) if len(bound) == 2 else None
    is_sure = isinstance(first, ast.Assign) and first.lineno < writing.place.statement.lineno
    return writing.place.text(first.value) if is_sure and isinstance(first, ast.Assign) else ""


def always_if_tensor(writing: Writing, node: cst.If, saved: Saved) -> Rewrite | None:
    """``if factor != 1.0: multiply(factor)`` as ``if torch.is_tensor(factor) or factor != 1.0: …``."""
    factor = saved["tensor"]
    kinds = writing.fact(factor).kinds
    if "tensor" not in kinds or not kinds & NUMBERS or not m.matches(saved["number"], ONE):
        return None
    if not any(m.matches(use, MULTIPLIES) for use in uses_of(writing, node.body, factor)):
        return None
    text = writing.code(factor)
    made = cst.parse_expression(f"{writing.code(writing.name('torch.is_tensor'))}({text}) or {writing.code(node.test)}")
    return Rewrite({node.test: made}, "Do it for each tensor", f"it is also done for a tensor `{text}` that equals 1")


def uses_of(writing: Writing, body: cst.CSTNode, factor: cst.CSTNode) -> list[cst.CSTNode]:
    """What an expression is a part of, or passed to, within a block."""
    same = m.findall(body, m.MatchIfTrue(lambda node: node.deep_equals(factor)))
    return [outer for use in same for outer in (writing.parent(use), writing.parent(writing.parent(use)))]


NUMBERS = frozenset({"int", "float", "number"})
ONE = m.Integer("1") | m.Float("1.0") | m.Float("1.")
FACTOR = m.SaveMatchedNode(m.Name() | m.Attribute(), "tensor")
NUMBER = m.SaveMatchedNode(m.Integer() | m.Float(), "number")
BOUND = m.SaveMatchedNode(m.OneOf(m.GreaterThan(), m.GreaterThanEqual(), m.LessThan(), m.LessThanEqual()), "order")
SCALED = m.BinaryOperation(
    m.SaveMatchedNode(m.Name() | m.Attribute(), "again"),
    m.Multiply(),
    m.SaveMatchedNode(m.Name() | m.Attribute(), "factor"),
)
SCALES = m.IndentedBlock([m.SimpleStatementLine([m.Assign([m.AssignTarget(TARGET)], SCALED)])])
MULTIPLIES = m.BinaryOperation(operator=m.Multiply() | m.Divide()) | m.Call(
    m.Attribute(attr=m.Name(m.MatchRegex(r".*(mul|div|scale).*")))
)
TRANSFORMATIONS = (
    Transformation(
        m.If(m.Comparison(FACTOR, [m.ComparisonTarget(m.NotEqual(), NUMBER)]), orelse=None), always_if_tensor
    ),
    Transformation(m.If(m.Comparison(FACTOR, [m.ComparisonTarget(BOUND, NUMBER)]), SCALES, orelse=None), clamped),
    Transformation(m.If(test=ANY, body=m.IndentedBlock(), orelse=None), unconditional),
    Transformation(m.If(), chosen),
)
