"""What the body of a function does with its names."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True)
class Usage:
    """The names that a body treats as only tensors, or only numbers, can be treated.

    Among them are parameters, for as long as nothing else is certain to be assigned to them, and what is assigned once.
    ``sizes`` and ``flags`` are used as numbers and truth values are used as a rule, though a tensor could be;
    ``indexed`` are subscripted with several indices, which is done to tensors, and ``masks`` are comparisons element
    by element. Of ``holders`` the elements are used as only tensors can be, beside the attributes that they are asked
    for; ``sliced`` are subscripted with slices of several dimensions, which is done to tensors and arrays only;
    ``operated`` are operands, or have methods called that tensors share with arrays, and ``boolean`` are used as
    operands of ``~`` and ``&`` or as masks, besides selecting something. ``positions`` select as well, and are asked
    for their largest.
    """

    tensors: frozenset[str]
    numbers: frozenset[str]
    sizes: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    indexed: frozenset[str] = frozenset()
    masks: frozenset[str] = frozenset()
    holders: Mapping[str, frozenset[str]] = field(default_factory=dict)
    sliced: frozenset[str] = frozenset()
    operated: frozenset[str] = frozenset()
    boolean: frozenset[str] = frozenset()
    positions: frozenset[str] = frozenset()


class Source(NamedTuple):
    """The name of a value, or of what an element of it is taken from: by a number, or by a name (``at``)."""

    name: str
    at: str | None = None


# What a function within the function is called on: its name, and where its arguments come from, as far as they do.
LocalCall = tuple[str, list[Source | None]]


class Uploads(NamedTuple):
    """What a function hands to the device later: the targets bound to such values, and the parameters that are such.

    ``tensors`` are the names that are used as tensors are, ``batches`` those that are used as what holds tensors.
    """

    targets: frozenset[ast.AST] = frozenset()
    parameters: frozenset[str] = frozenset()
    tensors: frozenset[str] = frozenset()
    batches: frozenset[str] = frozenset()


class NameUses(NamedTuple):
    """What a statement or a lambda tells of names.

    They are ``assigned`` so often, and ``asked`` for these attributes; ``parts`` are names given to what is taken from
    something else, or to what methods of tensors make of it. ``compared`` are names of what a comparison gives,
    ``selecting`` those used as no truth value of Python's can be. ``holders`` have elements that are used as tensors;
    ``counters`` count rounds, ``calls`` are those of functions by a name, ``functions`` those that it defines, with
    their parameters.
    """

    tensors: set[str]
    numbers: set[str]
    assigned: Counter[str]
    asked: dict[str, set[str]]
    sizes: set[str]
    flags: set[str]
    indexed: set[str]
    parts: dict[str, Source]
    compared: set[str]
    selecting: set[str]
    holders: set[Source]
    counters: set[str]
    sliced: set[str]
    operated: set[str]
    boolean: set[str]
    calls: list[LocalCall]
    functions: dict[str, tuple[str, ...]]
