"""Under which calls of a function a run of its own is made, and which calls are taken together.

The first calls that differ are told apart exactly, those after them are given what all of them gave. So which calls
come first decides how exactly each is followed where a function has more than ``MOST_EXACT_CONTEXTS``. What all of
them gave often takes in the next one as it is: no other run is made for it then. A long function is told apart exactly
for fewer calls: ``MOST_LINES`` bounds the lines that are run for it on one receiver, and not the calls.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from synclint.analysis.domain.summaries import summary_key
from synclint.analysis.domain.torch_values import is_of_torch
from synclint.analysis.domain.values import (
    ClassValue,
    Instance,
    Value,
)
from synclint.analysis.program.modules import ClassRecord, FunctionRecord
from synclint.analysis.state.join_points import Scope
from synclint.analysis.state.runs import Run, joined_scopes

MOST_EXACT_CONTEXTS = 5
MOST_CONTEXTS = 9
MOST_PATTERNS = 16
# When so many lines have been run for the calls of a function on one receiver, further ones are taken together at once.
MOST_LINES = 800
MOST_RECEIVERS = 32


_Given = tuple[Value, ...]


class ContextKey(NamedTuple):
    """Calls of one function that give it something of torch in the same places: only these are ever taken together.

    So a helper for strings as well as tensors does not make tensors of its callers' strings. What a method does with
    something of torch it may do to its ``receiver``, and what a class method gives is of its class as a rule: such
    calls are taken together class by class. Those that lead there from a test are ``on_trial``.
    """

    function: FunctionRecord
    given: tuple[bool, ...]
    receiver: ClassRecord | None
    on_trial: bool


@dataclass(slots=True)
class _Group:
    """The contexts of a function that may be taken together: ``widest`` is what any of their calls gives.

    The runs that are made stand under what each of them is ``given``, and under the arguments of calls.
    """

    widest: Scope = field(default_factory=dict)
    given: dict[_Given, Run] = field(default_factory=dict)
    runs: dict[_Given, Run] = field(default_factory=dict)


class Contexts:
    """The runs that are made of functions for their calls."""

    def __init__(self) -> None:
        self._groups: dict[ContextKey, _Group] = {}
        self._patterns: dict[tuple[FunctionRecord, bool], set[tuple[bool, ...]]] = defaultdict(set)
        # How many lines have been run for calls of a function on one receiver.
        self._lines: dict[tuple[FunctionRecord, ClassRecord | None, bool], int] = defaultdict(int)
        self._receivers: dict[tuple[FunctionRecord, bool], set[ClassRecord]] = defaultdict(set)

    def context_key(self, record: FunctionRecord, scope: Scope, on_trial: bool) -> ContextKey:
        """With which calls of a function one that gives these arguments may be taken together."""
        given = tuple(map(is_of_torch, scope.values()))
        known = self._patterns[record, on_trial]
        if given not in known and len(known) >= MOST_PATTERNS:
            given = (any(given),)
        known.add(given)
        is_of_class = record.is_class_method or any(given[1:])
        return ContextKey(record, given, self._receiver(record, scope, on_trial) if is_of_class else None, on_trial)

    def _receiver(self, record: FunctionRecord, scope: Scope, on_trial: bool) -> ClassRecord | None:
        """The class that a method is called on, or that of the object, for as many classes as are told apart."""
        receiver = scope.get(record.receiver) if record.receiver is not None else None
        if not isinstance(receiver, (Instance, ClassValue)) or receiver.record is None:
            return None
        known = self._receivers[record, on_trial]
        if len(known) < MOST_RECEIVERS:
            known.add(receiver.record)
        return receiver.record if receiver.record in known else None

    def run_for(self, key: ContextKey, scope: Scope, caller: Run) -> Run | None:
        """The run that stands for a call, which may be one that has not been done yet; None beyond the limit."""
        group = self._groups.setdefault(key, _Group())
        arguments = tuple(map(summary_key, scope.values()))
        run = group.runs.get(arguments)
        if run is None:
            run = self._another(key, group, arguments, scope)
            if run is None:
                return None
            group.runs[arguments] = run
        run.demand(caller, scope)
        return run

    def _another(self, key: ContextKey, group: _Group, arguments: _Given, scope: Scope) -> Run | None:
        """The run for arguments that are new: what takes in all so far often takes in these as they are."""
        of_receiver = (key.function, key.receiver, key.on_trial)
        is_long = self._lines[of_receiver] > MOST_LINES
        if len(group.given) >= (1 if is_long else MOST_EXACT_CONTEXTS):
            scope = joined_scopes(group.widest, scope)
            arguments = tuple(map(summary_key, scope.values()))
            if arguments in group.given:
                return group.given[arguments]
        if len(group.given) >= MOST_CONTEXTS:
            return None
        self._lines[of_receiver] += key.function.lines
        group.widest = joined_scopes(group.widest, scope)
        run = group.given[arguments] = Run(key.function, key.function.module, scope, on_trial=key.on_trial)
        return run

    def results(self, key: ContextKey) -> list[Value]:
        """What the calls that may be taken together have given so far."""
        return [run.result for run in self._groups[key].given.values() if run.times]
