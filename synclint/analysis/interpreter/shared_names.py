"""What a function does with names of the scopes around it: ``global net``, ``nonlocal seen``.

A number that calls of the function increase counts these calls for all who read it, and an object that it makes is
what others find under the name. Both are said where the function is defined, before anybody calls it.
"""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.values import (
    NOTHING,
    UNKNOWN,
    ClassValue,
    FunctionRecord,
    Instance,
    ModuleRecord,
    Nothing,
    Symbol,
)
from synclint.analysis.interpreter.counters import counting, increased_by
from synclint.analysis.program.text_facts import module_fact, text_fact
from synclint.analysis.state.frames import Frame
from synclint.analysis.state.join_points import Scope
from synclint.analysis.syntax.walk import is_none

# Where a statement may begin that shares names.
_SHARING = re.compile(r"(?:^|[;:])[ \t\f]*(?:global|nonlocal) ", re.MULTILINE)


def note_shared(record: FunctionRecord, frame: Frame) -> None:
    """Let the scopes around a function that is being defined hold what its text puts into them."""
    if not _shares(frame.module):
        return
    top = _top(frame)
    for is_global, target, statement in _shared_stores(record):
        scope = top if is_global else frame.scope
        held = scope.get(target)
        if increased_by(statement) is not None:
            if held is not None:
                scope[target] = counting(held)
        elif held is None or isinstance(held, Nothing):
            made = _made(statement, top, frame)
            if held is not None:
                scope[target] = join(held, made or (NOTHING if is_none(statement.value) else UNKNOWN))
            elif made is not None:
                scope[target] = made


def hand_out(record: FunctionRecord, frame: Frame) -> None:
    """Let the scope around a function hold what a call of it has left under the names that it shares: ``nonlocal``."""
    if _shares(frame.module):
        for name in {name for node in record.nodes.of(ast.Nonlocal) for name in node.names} & frame.scope.keys():
            frame.hand_out(name, frame.scope[name])


def take_from_further_out(record: FunctionRecord, frame: Frame) -> None:
    """Let the scope around a function hold what the function names of the scopes around that one.

    Once what surrounds it has returned, the function knows its own scope alone.
    """
    if frame.enclosing:
        for name in {node.id for node in record.nodes.of(ast.Name)} - frame.scope.keys():
            found = frame.further_out(name)
            if found is not None:
                frame.scope[name] = found


def _top(frame: Frame) -> Scope:
    """What the top of a module has bound so far, on the path through it on which a function is defined there."""
    if frame.function is not None:
        return frame.module.scope
    return frame.enclosing[-1] if frame.enclosing else frame.scope


@module_fact
def _shares(module: ModuleRecord) -> bool:
    """Whether any function of a module has a name in common with what is around it."""
    mentions = "global " in module.source or "nonlocal " in module.source  # which texts for people do as well
    return mentions and _SHARING.search(module.source) is not None


class _SharedStore(NamedTuple):
    """A statement that gives something to a name from around its function, of the module if it ``is_global``."""

    is_global: bool
    name: str
    statement: ast.Assign | ast.AugAssign


@text_fact
def _shared_stores(record: FunctionRecord) -> tuple[_SharedStore, ...]:
    found: list[_SharedStore] = []
    for declared in (record.nodes.of(ast.Global), record.nodes.of(ast.Nonlocal)):
        names = {name for node in declared for name in node.names}
        for node in record.nodes if names else ():
            if isinstance(node, (ast.Assign, ast.AugAssign)):
                target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
                if isinstance(target, ast.Name) and target.id in names:
                    found.append(_SharedStore(isinstance(declared[0], ast.Global), target.id, node))
    return tuple(found)


def _made(statement: ast.Assign | ast.AugAssign, top: Scope, frame: Frame) -> Instance | None:
    """The object that a statement makes of a class that the module knows: ``Net()``, ``Net().to(device)``."""
    call = statement.value
    while isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call):
        call = call.func.value
    if not isinstance(call, ast.Call):
        return None
    around = Frame(frame.engine, frame.module, None, top)
    around.muted = 1
    if not isinstance(around.evaluate(call.func), (ClassValue, Symbol)):
        return None
    made = around.evaluate(statement.value)
    return made if isinstance(made, Instance) else None
