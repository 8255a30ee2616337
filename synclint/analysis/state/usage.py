"""What the body of a function does with its names."""

from __future__ import annotations

from dataclasses import dataclass


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
