"""Rows in the place of which a parameter is written: a parameter has its own shape, and is the same for all rows."""

from __future__ import annotations

import ast

import libcst as cst
import libcst.matchers as m

from synclint.codemod import DType
from synclint.fixes.transformations import Rewrite, Saved, Transformation, Writing, grouped, statement
from synclint.fixes.uses import bindings, is_captured

SHAPES = "the mask has to have one dimension less than `{0}`, and `{1}` to be one row of it; `{0}` becomes a new tensor"
MASK = m.SubscriptElement(m.Index(m.SaveMatchedNode(m.DoNotCare(), "mask")))
TARGET = m.AssignTarget(m.Subscript(m.SaveMatchedNode(m.Name(), "rows"), [MASK]))
WRITTEN = m.SimpleStatementLine([m.Assign([TARGET], m.SaveMatchedNode(m.Name(), "row"))])


def chosen(writing: Writing, node: cst.SimpleStatementLine, saved: Saved) -> Rewrite | None:
    """``x[mask] = token`` as ``x = torch.where(mask.unsqueeze(-1), token, x)`` for a parameter."""
    rows, row, mask = saved["rows"].value, saved["row"].value, saved["mask"]
    scope = writing.place.function
    if scope is None or is_captured(scope, rows) or not is_parameter(scope, row):
        return None
    if writing.fact(mask).dtype not in (DType.BOOL, DType.UNKNOWN) or "tensor" not in writing.fact(saved["rows"]).kinds:
        return None
    if all(isinstance(one, ast.arg) for one in bindings(scope, rows)):
        return None  # whoever passed it is waiting for what is written
    where = writing.code(writing.name("torch.where"))
    line = f"{rows} = {where}({writing.code(grouped(mask))}.unsqueeze(-1), {row}, {rows})"
    return Rewrite({node: statement(line, like=node)}, "Choose with `torch.where`", SHAPES.format(rows, row))


def is_parameter(scope: ast.AST, name: str) -> bool:
    """Whether a name is that of an argument that is said to be a parameter of a module."""
    bound = bindings(scope, name)
    annotation = bound[0].annotation if len(bound) == 1 and isinstance(bound[0], ast.arg) else None
    return annotation is not None and ast.unparse(annotation).rpartition(".")[2] == "Parameter"


TRANSFORMATIONS = (Transformation(WRITTEN, chosen),)
