"""What the body of a function does with its names."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Usage:
    """The names that a body treats as only tensors, or only numbers, can be treated.

    Among them are parameters, for as long as nothing else is certain to be assigned to them, and what is assigned once.
    ``sizes`` and ``flags`` are used as numbers and truth values are used as a rule, though a tensor could be;
    ``indexed`` are subscripted with several indices, which is done to tensors, and ``masks`` are comparisons element
    by element.
    """

    tensors: frozenset[str]
    numbers: frozenset[str]
    sizes: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    indexed: frozenset[str] = frozenset()
    masks: frozenset[str] = frozenset()


class NameUses(NamedTuple):
    """What a statement or a lambda tells of names.

    They are ``assigned`` so often, and ``asked`` for these attributes; ``parts`` are names given to what is selected by
    several indices, with the name of what it is selected from. ``compared`` are names of what a comparison gives,
    ``selecting`` those used as no truth value of Python's can be.
    """

    tensors: set[str]
    numbers: set[str]
    assigned: Counter[str]
    asked: dict[str, set[str]]
    sizes: set[str]
    flags: set[str]
    indexed: set[str]
    parts: dict[str, str]
    compared: set[str]
    selecting: set[str]
