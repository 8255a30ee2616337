"""Why a line is reported, or is not: what the analysis concluded about each expression on it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from synclint.analysis.domain.descriptions import describe
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import BoundMethod, Value
from synclint.analysis.interpreter.recorder import evidence
from synclint.analysis.project import Project
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.syntax.walk import walk

_TELLING = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Compare, ast.BinOp)


@dataclass(frozen=True)
class Conclusion:
    """What an expression was found to be; ``description`` is None where the analysis never came to it."""

    text: str
    description: str | None
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Explanation:
    """The events on a line, and a conclusion for each expression that starts on it, outermost first."""

    events: tuple[SyncEvent, ...]
    conclusions: tuple[Conclusion, ...]


def explain_line(project: Project, path: Path, source: str, line: int) -> Explanation:
    """Run the analysis while watching the expressions of one line; raises ParseFailure."""
    module = project.add(path, source)
    here = [
        node
        for node in walk(module.tree)
        if isinstance(node, _TELLING) and node.lineno == line and not _is_target(node)
    ]
    watched: dict[int, list[Value]] = {id(node): [] for node in here}
    engine = project.engine
    engine.watched = watched
    try:
        events = project.check(path, source)
    finally:
        engine.watched = None
    on_line = tuple(event for event in events if event.span.start.line <= line <= event.span.end.line)
    conclusions: dict[str, Conclusion] = {}
    for node in here:
        text = module.text_of(node)
        seen = watched[id(node)]
        if text in conclusions or (not seen and _only_names(node, here)):
            continue
        value = join_all(seen)
        if isinstance(value, BoundMethod):
            continue
        links = tuple(evidence(value)) if seen else ()
        conclusions[text] = Conclusion(text, (describe(value) or "unknown") if seen else None, links)
    return Explanation(on_line, tuple(conclusions.values()))


def _is_target(node: ast.expr) -> bool:
    """Whether something is put there: only what is read has a value."""
    return isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load)


def _only_names(node: ast.expr, others: Sequence[ast.expr]) -> bool:
    """Whether an expression is a target or a part of a path, which is nothing that has a value."""
    return isinstance(node, ast.Name) or any(
        isinstance(other, ast.Attribute) and other.value is node for other in others
    )
