"""Why a line is reported, or is not: what the analysis concluded about each expression on it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from synclint.analysis.domain.values import BoundMethod
from synclint.analysis.frequency.call_graph import CallGraph
from synclint.analysis.project import Project
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.state.recording import Recording
from synclint.analysis.syntax.walk import walk

_TELLING = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Compare, ast.BinOp)


@dataclass(frozen=True)
class Told:
    """What is told of an expression; ``description`` is None where the analysis never came to it."""

    text: str
    description: str | None
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Explanation:
    """The events on a line, and what is told of each expression that starts on it, outermost first."""

    events: tuple[SyncEvent, ...]
    conclusions: tuple[Told, ...]


EventsOf = Callable[[CallGraph], Iterable[SyncEvent]]
"""Finds the events of a file by what is known of all its expressions."""


def explain_line(
    project: Project, path: Path, source: str, line: int, events_of: EventsOf | None = None
) -> Explanation:
    """Run the analysis while recording the expressions of one line; raises ParseFailure.

    With ``events_of`` the events are those that it finds, and all expressions are recorded for it.
    """
    module = project.add(path, source)
    here = [
        node
        for node in walk(module.tree)
        if isinstance(node, _TELLING) and node.lineno == line and not _is_target(node)
    ]
    recording = Recording(with_evidence=True)
    recording.want(here if events_of is None else walk(module.tree))
    project.engine.recording = recording
    graph = project.checked(path, source)
    events = graph.events(str(module.real_path), str(path)) if events_of is None else events_of(graph)
    on_line = tuple(event for event in events if _is_on(line, event))
    concluded = {
        (expression.span, expression.kind): conclusion
        for expression, conclusion, _ in graph.expressions(str(module.real_path))
    }
    told: dict[str, Told] = {}
    for node in here:
        text = module.text_of(node)
        seen = recording.seen.get(id(node))
        if text in told or (seen is None and _only_names(node, here)):
            continue
        if seen is None:
            told[text] = Told(text, None, ())
        elif not isinstance(seen.always, BoundMethod):
            found = concluded[module.span_of(node), type(node).__name__]
            told[text] = Told(text, found.description or "unknown", found.evidence)
    return Explanation(on_line, tuple(told.values()))


def _is_on(line: int, event: SyncEvent) -> bool:
    return event.span.start.line <= line <= event.span.end.line


def _is_target(node: ast.expr) -> bool:
    """Whether something is put there: only what is read has a value."""
    return isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load)


def _only_names(node: ast.expr, others: Sequence[ast.expr]) -> bool:
    """Whether an expression is a target or a part of a path, which is nothing that has a value."""
    return isinstance(node, ast.Name) or any(
        isinstance(other, ast.Attribute) and other.value is node for other in others
    )
