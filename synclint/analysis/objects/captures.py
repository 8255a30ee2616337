"""Code that is recorded instead of run: CUDA graphs, by hand and by ``torch.compile``.

To wait for the device while a graph is captured is an error of CUDA (``cudaErrorStreamCaptureUnsupported``); inside of
what ``torch.compile`` turns into CUDA graphs it splits the graph, or keeps the compiler from making one.

Source: the "CUDA Graphs" section of PyTorch's notes on CUDA semantics; ``torch/_inductor/cudagraph_trees.py``;
``torch.compile`` in ``torch/__init__.py``, whose ``mode`` is documented there.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from synclint.analysis.domain.values import FunctionRecord, FunctionValue, Instance, Sequence, Symbol, Text, Value
from synclint.analysis.objects import classes
from synclint.analysis.syntax.walk import dotted_name
from synclint.catalog.names import names_in

if TYPE_CHECKING:
    from synclint.analysis.state.frames import Arguments, Frame

_GRAPH_MODES = names_in("torch", "graph-modes")
_GRAPHS = names_in("torch", "graphs")
_GRAPHED_CALLABLES = names_in("torch", "graphed-callables")


def captured_in_block(expression: ast.expr, callee: Value | None) -> str | None:
    """What captures the body of ``with expression:``, None for other blocks; ``callee`` is what it calls."""
    if isinstance(expression, ast.Call) and isinstance(callee, Symbol) and callee.name in _GRAPHS:
        return "a CUDA graph"
    return None


def note_captured(name: str, arguments: Arguments, frame: Frame) -> None:
    """Remember the functions that a call of ``torch.compile`` or ``make_graphed_callables`` turns into graphs.

    Where an option has to be set for that, they run without.
    """
    if any(guard.option for guard in frame.guards):
        return
    if name in _GRAPHED_CALLABLES:
        for value in _each(arguments.positional[0] if arguments.positional else arguments.keywords.get("callables")):
            _note(value, "a CUDA graph, by `make_graphed_callables`", frame)
    elif name == "torch.compile":
        mode = arguments.keywords.get("mode")
        if isinstance(mode, Text) and mode.literal in _GRAPH_MODES:
            model = arguments.positional[0] if arguments.positional else arguments.keywords.get("model")
            _note(model, _compiled(mode.literal), frame)


def captured_by_decorator(record: FunctionRecord) -> str | None:
    """What captures a function by a decorator: ``@torch.compile(mode="reduce-overhead")``."""
    for decorator in record.node.decorator_list if not isinstance(record.node, ast.Lambda) else ():
        if not isinstance(decorator, ast.Call):
            continue
        names = [dotted_name(decorator.func), *(dotted_name(argument) for argument in decorator.args)]
        if not any(name is not None and name.rpartition(".")[2] == "compile" for name in names):
            continue
        for keyword in decorator.keywords:
            if (
                keyword.arg == "mode"
                and isinstance(keyword.value, ast.Constant)
                and keyword.value.value in _GRAPH_MODES
            ):
                return _compiled(str(keyword.value.value))
    return None


def _compiled(mode: str) -> str:
    return f'a CUDA graph, by `torch.compile` with mode="{mode}"'


def _each(value: Value | None) -> tuple[Value, ...]:
    if isinstance(value, Sequence):
        return value.items or ()
    return (value,) if value is not None else ()


def _note(value: Value | None, by: str, frame: Frame) -> None:
    if isinstance(value, Instance) and value.record is not None:
        method = classes.find_method(value.record, "forward")
        value = FunctionValue(method) if method is not None else None
    if isinstance(value, FunctionValue):
        frame.engine.note_captured(value.record, by)
