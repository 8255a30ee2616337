"""Rows that a loop writes up to a bound of the device each: positions are compared with all bounds at once."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing, statement
from synclint.fixes.uses import is_name_free

SHAPES = "the tensor has to have two dimensions, and a row for each of `{}`, none of which may be negative"
INDEX = m.SaveMatchedNode(m.Name(), "index")
LENGTH = m.Subscript(m.SaveMatchedNode(m.Name(), "lengths"), [m.SubscriptElement(m.Index(INDEX))])
UP_TO = m.SubscriptElement(m.Slice(None, LENGTH, step=None))
FROM = m.SubscriptElement(m.Slice(LENGTH, None, step=None))
ROW = m.SubscriptElement(m.Index(m.SaveMatchedNode(m.Name(), "row")))
NUMBER = m.SaveMatchedNode(m.Name("True") | m.Name("False") | m.Integer() | m.Float(), "number")


def written(part: m.SubscriptElement) -> m.For:
    """``for i in range(n): mask[i, …lengths[i]…] = number``."""
    target = m.AssignTarget(m.Subscript(m.SaveMatchedNode(m.Name(), "mask"), [ROW, part]))
    body = m.IndentedBlock([m.SimpleStatementLine([m.Assign([target], NUMBER)])])
    return m.For(m.SaveMatchedNode(m.Name(), "counter"), m.Call(m.Name("range"), [m.Arg()]), body, orelse=None)


def compared(order: str) -> Transformation:
    """The loop as one write where the positions in a row compare like this with its bound."""

    def rewrite(writing: Writing, node: cst.For, saved: Saved) -> Rewrite | None:
        counter, mask, lengths = saved["counter"], saved["mask"], saved["lengths"]
        if not all(saved[part].deep_equals(counter) for part in ("row", "index")):
            return None
        if writing.fact(mask).kinds != {"tensor"} or (writing.fact(mask).rank or 2) != 2:
            return None
        scope = writing.place.function
        if scope is None or not is_name_free(scope, "positions"):
            return None
        mask, lengths, number = (writing.code(part) for part in (mask, lengths, saved["number"]))
        arange = writing.code(writing.name("torch.arange"))
        first = statement(f"positions = {arange}({mask}.shape[1], device={mask}.device)", like=node)
        second = statement(f"{mask}[positions {order} {lengths}[:, None]] = {number}", like=cst.EmptyLine())
        caveat = SHAPES.format(lengths)
        return Rewrite({node: cst.FlattenSentinel([first, second])}, "Compare positions with all bounds", caveat)

    return Transformation(written(UP_TO if order == "<" else FROM), rewrite)


TRANSFORMATIONS = (compared("<"), compared(">="))
