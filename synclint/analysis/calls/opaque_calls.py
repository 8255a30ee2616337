"""Which calls can be followed: what a contract is proved of. Nothing here is asked unless there are contracts.

A call is known where it runs a function of the project, something of PyTorch, or of another library, of which the
catalogue tells, or something of Python's own library that asks nothing of an object of which nothing is known.
"""

from __future__ import annotations

import ast
import sys

from synclint.analysis.domain.values import (
    BoundMethod,
    FunctionRecord,
    Instance,
    Sequence,
    Symbol,
    Unknown,
    Value,
    options,
)
from synclint.analysis.objects import ancestry
from synclint.analysis.objects.device_code import imported_as
from synclint.analysis.state.frames import Arguments, Frame, Interpreter
from synclint.catalog.names import names_in

# They run a text, or what it names.
_RUNNING_TEXTS = frozenset({"builtins.exec", "builtins.eval", "builtins.__import__", "importlib.import_module"})
_READING = names_in("contracts", "reading-what-they-are-given")
# Libraries that keep to the host, apart from what they read of tensors that they are given.
_ON_HOST = names_in("contracts", "on-host")
_PASSING_ON = names_in("contracts", "passing-decorators")
_PASSING_ROOTS = ("torch.", "functools.", "typing.", "typing_extensions.", "contextlib.", "abc.", "enum.", "synclint.")


def note_function(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """Note the call of a function outside the project, by its qualified name, unless it is known what it does."""
    engine = frame.engine
    if engine.for_contracts and not _is_known(engine.api.canonical(name), arguments, engine):
        engine.note_opaque(name.removeprefix("builtins."), frame, node)


def note_method(receiver: Instance, name: str, node: ast.Call, frame: Frame) -> None:
    """Note the call of a method of an object that no class of the project defines, unless it is known what it does."""
    engine = frame.engine
    if not engine.for_contracts:
        return
    if receiver.record is not None:
        owners = ancestry.external_bases(engine, receiver.record)
    else:
        owners = ancestry.library_bases(engine, engine.api.canonical(receiver.name))
    if not any(_has_method(owner, name, engine) for owner in owners):
        engine.note_opaque(frame.module.text_of(node.func), frame, node)


def note_unknown(node: ast.Call, frame: Frame) -> None:
    """Note a call of which nobody knows what it runs."""
    if frame.engine.for_contracts:
        frame.engine.note_opaque(frame.module.text_of(node.func), frame, node)


def note_what_may_wait(node: ast.expr, frame: Frame) -> None:
    """Note, within a region that accepts waits, what waits or not as something is that nobody knows.

    Whoever wrote the region there knows more of it.
    """
    if frame.engine.for_contracts and any(guard.region for guard in frame.guards):
        frame.engine.note_opaque(frame.module.text_of(node), frame, node)


def note_decorators(record: FunctionRecord, node: ast.AST, frame: Frame) -> None:
    """Note the decorators of a function that is called, which may put another one in its place."""
    if not frame.engine.for_contracts:
        return
    for name in record.decorators:
        if decorators_in_between((imported_as(name, record.module),)):
            frame.engine.note_opaque(f"@{name}", frame, node)


def decorators_in_between(names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the decorators that may run something of their own whenever the function is called."""
    return tuple(
        name for name in names if not name.startswith(_PASSING_ROOTS) and name.rpartition(".")[2] not in _PASSING_ON
    )


def _is_known(name: str, arguments: Arguments, engine: Interpreter) -> bool:
    root = name.partition(".")[0]
    if name in _RUNNING_TEXTS:
        return False
    if root in _ON_HOST or (root == "builtins" and name.partition(".")[2] in _READING):
        return not any(_holds_unknown(value) for value in arguments.all_values())
    if root in sys.stdlib_module_names or root in ("builtins", "synclint"):
        return True
    if engine.api.function(name) or engine.api.class_(name) is not None:
        return True
    owner, _, method = name.rpartition(".")
    if engine.api.class_(owner) is not None and engine.api.class_method(owner, method):
        return True
    if name in engine.entries or name in engine.catalog.functions or name in engine.catalog.classes:
        return True
    return f"{name}.__init__" in engine.entries


def _holds_unknown(value: Value) -> bool:
    return any(
        isinstance(option, (Unknown, BoundMethod))
        or (isinstance(option, Symbol) and not option.name.startswith("builtins."))
        or (isinstance(option, Sequence) and any(map(_holds_unknown, option.known)))
        for option in options(value)
    )


def _has_method(owner: str, name: str, engine: Interpreter) -> bool:
    if engine.api.class_method(owner, name) or f"{owner}.{name}" in engine.entries:
        return True
    model = engine.catalog.classes.get(owner)
    return (model is not None and name in model.methods) or owner.partition(".")[0] in sys.stdlib_module_names
