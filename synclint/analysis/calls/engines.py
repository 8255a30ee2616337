"""What an engine of Ignite is given: the function that it calls for each batch, and handlers of its events.

Source: ``ignite/engine/engine.py``, ``Engine.__init__`` and ``add_event_handler``.
"""

from __future__ import annotations

import ast

from synclint.analysis.domain.values import FunctionRecord, FunctionValue
from synclint.analysis.frequency.carried import is_quiet
from synclint.analysis.frequency.engine_events import phase_of_event
from synclint.analysis.frequency.loops import read_body
from synclint.analysis.state.frames import Arguments, Frame
from synclint.findings import Phase

ENGINES = frozenset({"ignite.engine.Engine", "ignite.engine.engine.Engine"})
REGISTERING = "add_event_handler"


def note_process_function(arguments: Arguments, frame: Frame) -> None:
    """Note the function that an engine calls for each batch: one with gradients off evaluates."""
    for given in (*arguments.positional[:1], arguments.keywords.get("process_function")):
        if isinstance(given, FunctionValue):
            phase = Phase.EVAL if _is_quiet(given.record) else Phase.STEP
            frame.engine.note_registered(given.record, frame.module, phase)


def note_handler(arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """Note the function that an engine calls whenever an event happens."""
    phase = phase_of_event(node.args[0]) if node.args else None
    for given in arguments.positional[1:2]:
        if phase is not None and isinstance(given, FunctionValue):
            frame.engine.note_registered(given.record, frame.module, phase)


def _is_quiet(record: FunctionRecord) -> bool:
    node = record.node
    return not isinstance(node, ast.Lambda) and is_quiet(read_body(node.body), record.decorators)
