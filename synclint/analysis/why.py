"""Why a line is reported, or is not: what the analysis concluded about each expression on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import libcst as cst

from synclint.analysis.events import SyncEvent
from synclint.analysis.positions import spans
from synclint.analysis.project import Project
from synclint.analysis.values import BoundMethod, Value, describe, join_all
from synclint.analysis.walk import walk

_TELLING = (cst.Name, cst.Attribute, cst.Subscript, cst.Call, cst.Comparison, cst.BinaryOperation)


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
    nodes = [node for node in walk(module.tree) if isinstance(node, _TELLING)]
    places = spans(module.tree, nodes)
    here = [node for node in nodes if id(node) in places and places[id(node)].start.line == line]
    watched: dict[int, list[Value]] = {id(node): [] for node in here}
    engine = project.engine
    engine.watched = watched
    try:
        events = engine.events_of(module)
    finally:
        engine.watched = None
    on_line = tuple(event for event in events if event.span.start.line <= line <= event.span.end.line)
    conclusions: dict[str, Conclusion] = {}
    for node in here:
        text = module.text_of(node)
        seen = watched[id(node)]
        if text in conclusions or (not seen and _names_only(node, here)):
            continue
        value = join_all(seen)
        if isinstance(value, BoundMethod):
            continue
        evidence = tuple(engine.evidence(value)) if seen else ()
        conclusions[text] = Conclusion(text, describe(value) if seen else None, evidence)
    return Explanation(on_line, tuple(conclusions.values()))


def _names_only(node: cst.CSTNode, others: Sequence[cst.CSTNode]) -> bool:
    """Whether a name stands only for an attribute, a keyword or a target, which is nothing that has a value."""
    return isinstance(node, cst.Name) or any(
        isinstance(other, cst.Attribute) and other is not node and other.value is node for other in others
    )
