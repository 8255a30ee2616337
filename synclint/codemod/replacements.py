"""A fix as a node of libcst's tree that takes the place of another, which is what Fixit and codemods deal with."""

from __future__ import annotations

import libcst as cst

from synclint.adoption.edits import apply_edits
from synclint.findings import Fix


def replacement_of(module: cst.Module, fix: Fix) -> tuple[cst.CSTNode, cst.CSTNode] | None:
    """The smallest node of a module that a fix changes, and what it becomes.

    None for a fix that changes another file as well, or whose result libcst does not read.
    """
    if any(edit.path for edit in fix.edits):
        return None
    try:
        fixed = cst.parse_module(apply_edits(module.code, fix.edits))
    except (cst.ParserSyntaxError, RecursionError):
        return None
    return None if module.deep_equals(fixed) else _smallest(module, fixed)


def _smallest(old: cst.CSTNode, new: cst.CSTNode) -> tuple[cst.CSTNode, cst.CSTNode]:
    """The smallest nodes in which two trees differ: those around them have the same other children."""
    while type(old) is type(new) and len(old.children) == len(new.children):
        differing = [pair for pair in zip(old.children, new.children, strict=True) if not pair[0].deep_equals(pair[1])]
        if len(differing) != 1 or not _is_replaceable(*differing[0]):
            break
        old, new = differing[0]
    return old, new


def _is_replaceable(old: cst.CSTNode, new: cst.CSTNode) -> bool:
    """Whether a node can take the place of another one: an expression that of an expression, else one of its class."""
    if isinstance(old, cst.BaseExpression) and isinstance(new, cst.BaseExpression):
        return True
    return type(old) is type(new) and not isinstance(old, cst.BaseParenthesizableWhitespace)
