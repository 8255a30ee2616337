"""Refuses that a run over one function reads the text of another one past the facts of which edits tell."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, cast

import pytest

from synclint.analysis.interpreter.engine import Engine
from synclint.analysis.program import text_facts
from synclint.analysis.program.modules import FunctionRecord, ModuleRecord
from synclint.analysis.state.call_sites import CallSite
from synclint.analysis.state.runs import Run

# What heads a function, and where it stands: of other heads it is told by its being redefined, of places by lines.
_HEADS = frozenset(
    {
        "key", "order_key", "place_key", "first_line", "first_column", "stands_at", "parameters", "decorators",
        "decorator_nodes", "returns", "receiver", "stub", "is_property", "is_static", "is_class_method",
    }
)  # fmt: skip
# Compared after edits besides the facts, as they depend on more than the text.
_COMPARED = frozenset({"calls_on_receiver", "lines"})
# Those which conclude something of the function that is their argument, from what it is given to its own text.
_OF_THEIR_ARGUMENT = frozenset({"assume", "_function_facts"})
# What they conclude of a module is told anew of each of its functions.
_OF_WHOLE_MODULES = frozenset({"_function_facts", "read_text"})


class UnnotedReadError(Exception):
    """A run has read what no edit tells of."""


@contextmanager
def refused(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let reads of other functions' texts fail that are no facts (``text_fact``)."""
    with monkeypatch.context() as patched:
        for name, held in [*vars(FunctionRecord).items()]:
            if type(held).__name__ == "remembered" and name not in _HEADS | _COMPARED and not _is_fact(held):
                patched.setattr(FunctionRecord, name, _Guarded(name, held._function))
        patched.setattr(FunctionRecord, "node", _Guarded("node", None), raising=False)
        patched.setattr(ModuleRecord, "tree", _Guarded("tree", None), raising=False)
        patched.setattr(ModuleRecord, "source", _Guarded("source", lambda module: module.kept.text))
        yield


class _Guarded:
    """An attribute of functions that is their text, or tells what that says."""

    def __init__(self, name: str, make: Callable[[Any], object] | None) -> None:
        self._name = name
        self._make = make

    def __get__(self, record: Any, owner: type | None = None) -> Any:  # noqa: ANN401
        if record is None:
            return self
        reader = _reader(sys._getframe(1), record)
        if reader is not None and not _is_own(record, reader):
            raise UnnotedReadError(f"{_name_of(reader)} reads `{self._name}` of {_name_of(record)}")
        known = vars(record)
        if self._name not in known and self._make is not None:
            known[self._name] = self._make(record)
        return known[self._name]

    def __set__(self, record: Any, value: object) -> None:  # noqa: ANN401
        vars(record)[self._name] = value


def _is_fact(held: Any) -> bool:  # noqa: ANN401 - the decorator is something else for type checkers
    return held._function.__code__ in _FACTS


_Reader = FunctionRecord[Any] | ModuleRecord[Any]


def _reader(frame: FrameType | None, read: _Reader) -> _Reader | None:
    """Of what something is concluded that is read; None where edits tell of that."""
    while frame is not None:
        code, names = frame.f_code, frame.f_locals
        if code in _FACTS or code.co_name in _HEADS | _COMPARED:
            return None
        if isinstance(read, ModuleRecord) and code.co_name in _OF_WHOLE_MODULES:
            return None
        if code.co_name in _OF_THEIR_ARGUMENT and isinstance(names.get("record"), FunctionRecord):
            return cast(_Reader, names["record"])
        if isinstance(names.get("site"), CallSite):
            return names["site"].caller or cast(_Reader, names["site"].module)
        if code is _DONE:
            run: Run = names["run"]
            return run.function or run.module
        frame = frame.f_back
    return None


_FACTS = {known[0].__code__ for known in (text_facts._FACTS, text_facts._FACTS_BY_NAMES, text_facts._MODULE_FACTS)}
_DONE = Engine.do.__code__


def _is_own(read: _Reader, reader: _Reader) -> bool:
    """Whether a text is part of the reader's: that of a function within it, or around it."""
    if isinstance(reader, ModuleRecord):
        return reader in (read, getattr(read, "module", None))
    if isinstance(read, ModuleRecord):
        return False
    return _outermost(read) is _outermost(reader)


def _outermost(record: FunctionRecord[Any]) -> FunctionRecord[Any]:
    while record.parent is not None:
        record = record.parent
    return record


def _name_of(reader: _Reader) -> str:
    return reader.qualified_name if isinstance(reader, FunctionRecord) else reader.name
