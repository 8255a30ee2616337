"""What is tried, and what handles that it raises: ``try`` on abstract values."""

from __future__ import annotations

import ast

from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassValue,
    DeviceName,
    FunctionValue,
    ProjectModule,
    Symbol,
    Value,
)
from synclint.analysis.state.frames import Frame
from synclint.analysis.state.join_points import JoinPoint, Scope, merge
from synclint.findings import Phase


def run_try(node: ast.Try, frame: Frame) -> None:
    start, begun, returned = dict(frame.scope), frame.now, len(frame.returned)
    interrupted = _tried(node.body, frame)
    if node.orelse and frame.alive:
        frame.run_suite(node.orelse)
    changed = frame.changed_since(begun)
    join_point = JoinPoint(frame.scope, changed) if frame.alive else None
    interrupted = merge(start, interrupted, changed)
    since, tried = begun, len(frame.returned)
    for handler in node.handlers:
        frame.carry_changes(since)
        since = frame.now
        frame.scope, frame.alive = dict(interrupted), True
        if handler.name is not None:
            frame.bind(handler.name, UNKNOWN)
        frame.guard(Phase.ONCE, "runs only when an exception is handled")
        frame.run_suite(handler.body)
        frame.guards.pop()
        if frame.alive and join_point is None:
            join_point = JoinPoint(frame.scope, frame.changed_since(since))
        elif frame.alive and join_point is not None:
            _join_handler(join_point, frame.scope, frame.changed_since(since))
    if tried > returned:
        # ``return next(self.parameters()).device``, and the CPU where there are no parameters
        frame.returned[tried:] = [value for value in frame.returned[tried:] if not isinstance(value, DeviceName)]
    frame.alive = join_point is not None
    frame.scope = join_point.scope if join_point is not None else interrupted
    frame.carry_changes(begun)
    if node.finalbody:
        alive, frame.alive = frame.alive, True
        frame.run_suite(node.finalbody)
        frame.alive = alive and frame.alive


def _tried(body: list[ast.stmt], frame: Frame) -> Scope:
    """Run what is tried; what may hold where it raises, beside what held before it.

    A last statement that raises has bound nothing.
    """
    outside = len(frame.guards)
    last = body[-1]
    frame.engine.run_body(body[:-1], frame)
    interrupted = dict(frame.scope) if isinstance(last, (ast.Assign, ast.AnnAssign)) else None
    if frame.alive:
        frame.engine.run_body([last], frame)
    del frame.guards[outside:]
    return frame.scope if interrupted is None else interrupted


def _join_handler(join_point: JoinPoint, handled: Scope, changed: set[str]) -> None:
    """``try: import fast as lib``/``except ImportError: lib = None``: what was imported counts."""
    tried = join_point.scope
    for name in join_point.follow(handled, changed):
        value = tried.get(name)
        if value is not None and type(value) in _IMPORTED:
            instead = handled.get(name)
            join_point.scope[name] = instead if instead is not None and _is_torch_instead(instead, value) else value


def _is_torch_instead(instead: Value, tried: Value) -> bool:
    """Whether what is imported where something else is not installed is torch's: the other one is used alike."""
    if not isinstance(instead, Symbol) or not isinstance(tried, Symbol):
        return False
    return instead.name.startswith("torch.") and not tried.name.startswith("torch.")


_IMPORTED = frozenset({Symbol, ProjectModule, FunctionValue, ClassValue})
