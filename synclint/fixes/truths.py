"""Boolean tensors of one element that the host asks, and what turns them into booleans of Python."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.fixes.transformations import Writing, named

ORDER = m.OneOf(m.LessThan(), m.LessThanEqual(), m.GreaterThan(), m.GreaterThanEqual(), m.Equal(), m.NotEqual())
# All elements reduced to one, and numbers that are compared.
ASKED = m.Call(m.Attribute(attr=named("all", "any")), [])
COMPARED = m.Comparison(comparisons=[m.ComparisonTarget(ORDER, m.DoNotCare())])
_READ = m.Call(m.Attribute(m.SaveMatchedNode(m.DoNotCare(), "read"), m.Name("item")), [])
_CONVERTED = m.Call(m.Name("bool"), [m.Arg(m.SaveMatchedNode(m.DoNotCare(), "read"), keyword=None, star="")])


def read_by(writing: Writing, test: cst.BaseExpression) -> cst.BaseExpression:
    """The tensor that a condition asks: ``bool(…)`` and ``.item()`` taken off."""
    while not (m.matches(test, _CONVERTED) and writing.place.binds("bool")):
        saved = m.extract(test, _READ | _CONVERTED)
        if saved is None:
            break
        assert isinstance(saved["read"], cst.BaseExpression)
        test = saved["read"]
    return test


def is_asked_of_all(writing: Writing, node: cst.BaseExpression) -> bool:
    """Whether an expression reduces a tensor to whether all, or any, of its elements are true."""
    if m.matches(node, ASKED):
        return True
    return (
        isinstance(node, cst.Call)
        and m.matches(node, m.Call(args=[m.Arg(keyword=None, star="")]))
        and writing.qualified(node.func) in ("torch.all", "torch.any")
    )
