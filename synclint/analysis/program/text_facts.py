"""What the text of a function says that runs over other functions may ask: the one way in which they read it.

Where a body is edited, the runs over all other functions stand as long as each of these facts about it is the same,
and each of those that the text of its module as a whole tells. Of what is read past them no edit tells; a test refuses
that (``tests/text_reads.py``).
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

_Record = TypeVar("_Record")
_Names = TypeVar("_Names")
_Answer = TypeVar("_Answer")

_FACTS: list[Callable[[Any], object]] = []
_FACTS_BY_NAMES: list[Callable[[Any, Any], object]] = []
_MODULE_FACTS: list[Callable[[Any], object]] = []


def text_fact(question: Callable[[_Record], _Answer]) -> Callable[[_Record], _Answer]:
    """A question about a function that its text alone answers, for others than that function; answered once."""
    answer = answered_once(question)
    _FACTS.append(answer)
    return answer


def module_fact(question: Callable[[_Record], _Answer]) -> Callable[[_Record], _Answer]:
    """The same of a question about a module that the bodies of its functions answer as well."""
    answer = answered_once(question)
    _MODULE_FACTS.append(answer)
    return answer


def text_fact_by_names(question: Callable[[_Names, _Record], _Answer]) -> Callable[[_Names, _Record], _Answer]:
    """The same of a question whose answer also tells what names in the text stand for."""
    name = _key(question)

    @wraps(question)
    def answer(names: _Names, record: _Record) -> _Answer:
        known: dict[str, Any] = vars(record)
        if name not in known:
            known[name] = question(names, record)
        return known[name]  # type: ignore[no-any-return]

    _FACTS_BY_NAMES.append(answer)
    return answer


def module_facts(module: object) -> tuple[object, ...]:
    """What the text of a module says to its functions and to others, such that it can be compared."""
    return tuple(_comparable(ask(module)) for ask in _MODULE_FACTS)


def text_facts(record: object, names: object) -> tuple[object, ...]:
    """What the text of a function says to others, such that it can be compared with that of another text."""
    answers = (*(ask(record) for ask in _FACTS), *(ask(names, record) for ask in _FACTS_BY_NAMES))
    return tuple(map(_comparable, answers))


def answered_once(question: Callable[[_Record], _Answer]) -> Callable[[_Record], _Answer]:
    """A question about a function, class or module that its text answers for itself; the answer stays with it."""
    name = _key(question)

    @wraps(question)
    def answer(record: _Record) -> _Answer:
        known: dict[str, Any] = vars(record)
        if name not in known:
            known[name] = question(record)
        return known[name]  # type: ignore[no-any-return]

    return answer


def _key(question: Callable[..., object]) -> str:
    return f"{question.__module__}.{question.__qualname__}"


def _comparable(answer: object) -> object:
    """An answer with what the nodes in it say in place of these."""
    if isinstance(answer, ast.AST):
        return ast.dump(answer)
    if isinstance(answer, Mapping):
        return {_comparable(key): _comparable(value) for key, value in answer.items()}
    if isinstance(answer, (tuple, list)):
        return tuple(map(_comparable, answer))
    if dataclasses.is_dataclass(answer) and any(isinstance(part, ast.AST) for part in vars(answer).values()):
        return {name: _comparable(part) for name, part in vars(answer).items()}
    return answer
