"""How operands are named in advice: as they are written, or in few words where that would be long."""

from __future__ import annotations

import ast
import re

from synclint.analysis.syntax.walk import walk

# What a message cuts off ends so (`ModuleRecord.text_of`); this much of it is enough to find the expression again.
_CUT, _ENOUGH = "...", 40
_REST = "…"


def written_out(subject: str, expression: ast.expr | None) -> str:
    """An operand as the source has it, where a message has cut it off; what the message has if it is not found."""
    if not subject.endswith(_CUT) or expression is None:
        return subject
    begun = _plain(subject.removesuffix(_CUT))[:_ENOUGH]
    nodes = [*walk(expression)]
    whole = {id(expression), *(id(node.func) for node in nodes if isinstance(node, ast.Call))}
    texts = (ast.unparse(node) for node in nodes if isinstance(node, ast.expr) and id(node) not in whole)
    return max((text for text in texts if _plain(text).startswith(begun)), key=len, default=subject)


def _plain(text: str) -> str:
    """A text without what may be written in several ways."""
    return "".join(text.split()).translate(_SAME)


# Of constants more is to be said than their names.
_PATH = re.compile(r"(?!(?:None|True|False)\b)[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
_SAME = str.maketrans({'"': "'", "(": None, ")": None})


def shortened(subject: str) -> str:
    """An operand with an ellipsis in place of what it is called or indexed with; itself if it cannot be read."""
    if _PATH.fullmatch(subject) is not None:
        return subject  # as most are
    try:
        return _shortened(ast.parse(subject, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return subject


def _shortened(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return f"{_shortened(node.func)}({_REST if node.args or node.keywords else ''})"
    if isinstance(node, ast.Subscript):
        return f"{_shortened(node.value)}[{_REST}]"
    if isinstance(node, ast.Attribute):
        return f"{_shortened(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else f"({_REST})"
