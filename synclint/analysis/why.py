"""Why a line is reported, or is not: what the analysis concluded about each expression on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from synclint.analysis.domain.conclusions import Conclusion
from synclint.analysis.syntax.parsing import parse
from synclint.analysis.syntax.positions import lines_of, span_of, text_between
from synclint.analysis.syntax.walk import walk
from synclint.findings import Span

_EXPLAINED = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Compare, ast.BinOp)

# What was concluded of expressions, by where they stand and by their classes in ``ast``.
Conclusions = Mapping[tuple[Span, str], Conclusion]


@dataclass(frozen=True)
class Explanation:
    """What is known of an expression; ``description`` is None where the analysis never reached it."""

    text: str
    description: str | None
    evidence: tuple[str, ...]


def explain_line(source: str, line: int, concluded: Conclusions) -> Iterator[Explanation]:
    """What is known of each expression that starts on a line, outermost first; raises ParseFailure."""
    lines = lines_of(source.removeprefix("\ufeff"))
    here = [
        node
        for node in walk(parse(source))
        if isinstance(node, _EXPLAINED) and node.lineno == line and not _is_target(node)
    ]
    called = {node.func for node in here if isinstance(node, ast.Call)}
    shown: set[str] = set()
    for node in here:
        span = span_of(node, lines)
        text, found = " ".join(text_between(lines, span).split()), concluded.get((span, type(node).__name__))
        if text in shown or (found is None and _only_names(node, here)):
            continue
        shown.add(text)
        if found is None:
            yield Explanation(text, None, ())
        elif not (node in called and isinstance(node, ast.Attribute)):  # a method is nothing that has a value
            yield Explanation(text, found.description or "unknown", found.evidence)


def _is_target(node: ast.expr) -> bool:
    """Whether something is put there: only what is read has a value."""
    return isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load)


def _only_names(node: ast.expr, others: Sequence[ast.expr]) -> bool:
    """Whether an expression is a target or a part of a path, which is nothing that has a value."""
    return isinstance(node, ast.Name) or any(
        isinstance(other, ast.Attribute) and other.value is node for other in others
    )
