"""A file in which functions were edited, and what is seen in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from synclint.analysis.results.expression_facts import Facts
from synclint.analysis.results.facts import FunctionFacts, LoopFacts
from synclint.analysis.results.observations import Observation

# The first and the last lines of some functions.
Spans: TypeAlias = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class SeenAfterEdit:
    """What is seen in a file with edited functions, on the lines of its new text.

    ``facts`` are those about the edited functions, which stand at ``spans``; ``functions`` and ``loops`` are those in
    which anything is seen, or that are called, from there, ``own`` are all functions of the file. ``taken`` and
    ``left`` are names that the edited functions take for something else than the function of a call, and did not
    before; and the other way round.
    """

    events: tuple[Observation, ...]
    facts: Facts = field(default_factory=dict)
    spans: Spans = ()
    functions: Mapping[str, FunctionFacts] = field(default_factory=dict)
    loops: Mapping[str, LoopFacts] = field(default_factory=dict)
    own: Mapping[str, FunctionFacts] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()


@dataclass(frozen=True)
class EditedFile:
    """A file by its resolved path, the name by which the run knows it, and the text that it has now."""

    real_path: str
    path: Path
    text: str
