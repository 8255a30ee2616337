"""What the marks of many runs say of functions, and of names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from synclint.analysis.domain.values import FunctionRecord
from synclint.analysis.frequency.engine_events import most_frequent
from synclint.analysis.state.runs import Mark, MarkKind, Run, name_of_holder
from synclint.findings import Phase


@dataclass(frozen=True)
class Marks:
    """All the marks of some runs."""

    found: frozenset[Mark]

    def of(self, kind: MarkKind) -> list[Mark]:
        """Those of one kind."""
        return [mark for mark in self.found if mark.kind is kind]

    def functions(self, kind: MarkKind) -> set[FunctionRecord]:
        """The functions that runs have marked so."""
        return {mark.function for mark in self.of(kind) if mark.function is not None}

    def names(self, kind: MarkKind) -> frozenset[str]:
        """The names that runs have marked so."""
        return frozenset(mark.name for mark in self.of(kind))

    def said_of(self, kind: MarkKind) -> dict[FunctionRecord, str]:
        """The functions that runs have marked so, with what they say of each."""
        found: dict[FunctionRecord, str] = {}
        for mark in self.of(kind):
            if mark.function is not None:
                found[mark.function] = min(mark.name, found.get(mark.function, mark.name))
        return found

    def phases_in_engines(self) -> dict[FunctionRecord, Phase]:
        """The functions that engines are given to call, and how often they do."""
        found: dict[FunctionRecord, Phase] = {}
        for mark in self.of(MarkKind.REGISTERED):
            if mark.function is not None:
                found[mark.function] = most_frequent(Phase(mark.name), found.get(mark.function))
        return found

    def loaded(self) -> set[FunctionRecord]:
        """The functions that loaders run in their workers.

        Where they run a method, they run what its object was made with: the transforms of a composition.
        """
        held: defaultdict[str, list[FunctionRecord]] = defaultdict(list)
        for mark in self.of(MarkKind.HELD):
            if mark.function is not None:
                held[mark.name].append(mark.function)
        found = self.functions(MarkKind.LOADED)
        waiting = [*found]
        while waiting:
            new = {*held.get(name_of_holder(waiting.pop()), ())} - found
            found |= new
            waiting += new
        return found


def marks_of(runs: Iterable[Run]) -> Marks:
    """The marks of some runs."""
    return Marks(frozenset[Mark]().union(*(run.marks for run in runs)))
