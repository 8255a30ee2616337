"""The events of Ignite's engines: how often they happen, and thus what is registered for them runs.

Sources: ``ignite/engine/engine.py``, ``Engine.on``, and ``ignite/engine/events.py``, ``EventEnum.__call__`` for events
of which only some count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from synclint.analysis.syntax.walk import dotted_name
from synclint.catalog.names import facts_of
from synclint.findings import Phase

_EVENTS = facts_of("called", "events-of-ignite")
_FREQUENT_FIRST = (Phase.STEP, Phase.INTERVAL, Phase.EPOCH, Phase.EVAL, Phase.ONCE)


def most_frequent(phase: Phase, *others: Phase | None) -> Phase:
    """The phase of what is called in several."""
    return min((phase, *(other for other in others if other is not None)), key=_FREQUENT_FIRST.index)


def phase_of_event(event: ast.expr) -> Phase | None:
    """How often an event happens, None for what is none: of ``Events.STARTED | Events.COMPLETED`` the more frequent."""
    if isinstance(event, ast.BinOp) and isinstance(event.op, ast.BitOr):
        left, right = phase_of_event(event.left), phase_of_event(event.right)
        return most_frequent(left, right) if left is not None else right
    is_filtered = isinstance(event, ast.Call)
    owner, _, name = (dotted_name(event.func if isinstance(event, ast.Call) else event) or "").rpartition(".")
    if owner.rpartition(".")[2] != "Events" or name not in _EVENTS:
        return None
    phase = Phase(_EVENTS[name])
    return Phase.INTERVAL if is_filtered and phase is Phase.STEP else phase


def phase_of_decorated(decorators: Iterable[ast.expr]) -> Phase | None:
    """How often a function runs that ``@engine.on(Events.EPOCH_COMPLETED)`` registers; None for any other."""
    events = (
        decorator.args[0]
        for decorator in decorators
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute)
        if decorator.func.attr == "on" and decorator.args
    )
    phases = [phase for event in events if (phase := phase_of_event(event)) is not None]
    return most_frequent(*phases) if phases else None
