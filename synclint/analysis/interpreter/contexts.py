"""Under which calls of a function a run of its own is made, and which calls are taken together.

The first calls that differ are told apart exactly, those after them are given what all of them gave. Calls by runs
that rest on what texts let assume of arguments are counted and taken together by themselves: what nobody may ever give
says nothing of what is given. Where a function has more than ``MOST_EXACT_CONTEXTS``, the order of runs decides how
exactly each call is followed; that order follows from what files define (``program/content_order``), not from their
names. Of a long function fewer calls are told apart: ``MOST_LINES`` bounds the lines that are run for it on one
receiver.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from synclint.analysis.domain.summaries import summary_key
from synclint.analysis.domain.torch_values import is_of_torch
from synclint.analysis.domain.values import (
    ClassRecord,
    ClassValue,
    Device,
    FunctionRecord,
    FunctionValue,
    Instance,
    Scalar,
    Tensor,
    Text,
    Value,
)
from synclint.analysis.state.fields import leaves_to_subclasses
from synclint.analysis.state.join_points import Scope
from synclint.analysis.state.memo import AnalysisMemo, Pattern
from synclint.analysis.state.runs import Run, joined_scopes

MOST_EXACT_CONTEXTS = 5
MOST_CONTEXTS = 9
MOST_PATTERNS = 16
# When so many lines have been run for the calls of a function on one receiver, further ones are taken together at once.
MOST_LINES = 2_200
MOST_RECEIVERS = 32


class ContextKey(NamedTuple):
    """Calls of one function that give it something of torch in the same places: only these are ever taken together.

    So a helper for strings as well as tensors does not make tensors of its callers' strings, and what is made of a
    tensor that is known to be on the CPU stays there, wherever the many others were that the helper is given. A
    function that is given stands by its name: what `tree_map` does with one says nothing of another. So does the
    method that is named: ``run_hooks("on_epoch_end")``. What a method does with something of torch it may do to its
    ``receiver``. What a class method gives is of its class as a rule, and so is what a constructor makes that leaves a
    part to the class of the object. Such calls are taken together class by class. Those that lead there from a test are
    ``on_trial``.
    """

    function: FunctionRecord
    given: Pattern
    receiver: ClassRecord | None
    on_trial: bool


@dataclass(slots=True)
class _Given:
    """What some calls of a function give: how many of them differ, and what any of them gives."""

    count: int = 0
    widest: Scope = field(default_factory=dict)


@dataclass(slots=True)
class _Group:
    """The contexts of a function that may be taken together, and what is given by calls that are known or assumed."""

    runs: dict[tuple[Value, ...], Run] = field(default_factory=dict)
    known: _Given = field(default_factory=_Given)
    assumed: _Given = field(default_factory=_Given)

    def given_by(self, caller: Run) -> _Given:
        """What calls give that are like those of a run."""
        return self.assumed if caller.is_assumed else self.known


class Contexts:
    """The runs that are made of functions for their calls."""

    def __init__(self) -> None:
        self._groups: dict[ContextKey, _Group] = {}
        self._patterns: dict[tuple[FunctionRecord, bool], set[Pattern]] = defaultdict(set)
        # How many lines have been run for calls of a function on one receiver.
        self._lines: dict[tuple[FunctionRecord, ClassRecord | None, bool], int] = defaultdict(int)
        self._receivers: dict[tuple[FunctionRecord, bool], set[ClassRecord]] = defaultdict(set)
        self.memo: AnalysisMemo | None = None

    def context_key(self, record: FunctionRecord, scope: Scope, on_trial: bool) -> ContextKey:
        """With which calls of a function one that gives these arguments may be taken together."""
        looked_up = record.looked_up_by
        given = tuple([_told(value, is_name=name in looked_up) for name, value in scope.items()])
        known = self._patterns[record, on_trial]
        if self.memo is not None:
            known |= self.memo.patterns(record, on_trial)
        if given not in known:
            if len(known) >= MOST_PATTERNS:
                without_names = tuple(map(bool, given))
                given = without_names if without_names in known else (any(given),)
            known.add(given)
        is_of_class = any(given[1:]) or record.is_class_method or leaves_to_subclasses(record)
        if not is_of_class:
            is_of_class = isinstance(scope.get(record.receiver or ""), ClassValue)
        return ContextKey(record, given, self._receiver(record, scope, on_trial) if is_of_class else None, on_trial)

    def _receiver(self, record: FunctionRecord, scope: Scope, on_trial: bool) -> ClassRecord | None:
        """The class that a method is called on, or that of the object, for as many classes as are told apart."""
        receiver = scope.get(record.receiver) if record.receiver is not None else None
        if not isinstance(receiver, (Instance, ClassValue)) or receiver.record is None:
            return None
        if self.memo is not None and not self.memo.distinguishes_receiver(record, on_trial, receiver.record):
            return None
        known = self._receivers[record, on_trial]
        if len(known) < MOST_RECEIVERS:
            known.add(receiver.record)
        return receiver.record if receiver.record in known else None

    def run_for(self, key: ContextKey, scope: Scope, caller: Run) -> Run | None:
        """The run that stands for a call, which may be one that has not been done yet; None beyond the limit."""
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = _Group()
        arguments = _arguments(key.function, scope)
        run = group.runs.get(arguments)
        if run is None and self.memo is not None and not self.memo.is_new(key.function):
            run = self.memo.run_for(*key, arguments, is_assumed=caller.is_assumed)
            if run is None:
                return None
            group.runs[arguments] = run
        if run is None:
            given = group.given_by(caller)
            if given.count >= MOST_CONTEXTS:
                return None
            scope = self._scope_for(key, given, scope)
            run = next((known for known in group.runs.values() if known.scope == scope), None)
            if run is None:  # what takes in all so far often takes in the next one as it is
                run = Run(key.function, key.function.module, scope, on_trial=key.on_trial, is_assumed=True)
            given.count += 1
            given.widest = joined_scopes(given.widest, scope)
            group.runs[arguments] = run
        run.demand(caller, scope)
        return run

    def _scope_for(self, key: ContextKey, given: _Given, scope: Scope) -> Scope:
        """What a run for a call is given: what the call gives, or all that was given before besides."""
        of_receiver = (key.function, key.receiver, key.on_trial)
        most = 1 if is_long(self._lines[of_receiver]) else MOST_EXACT_CONTEXTS
        self._lines[of_receiver] += key.function.lines
        if given.count < most:
            return scope
        return joined_scopes(given.widest, scope)

    def take_from_memo(self, key: ContextKey, runs: Mapping[tuple[Value, ...], Run], counts: tuple[int, int]) -> None:
        """Let the runs be known that stood for calls that may be taken together, of which so many were told apart."""
        group = self._groups.setdefault(key, _Group())
        group.runs.update(runs)
        group.known.count, group.assumed.count = counts

    def all(self) -> Iterator[tuple[ContextKey, Iterable[tuple[tuple[Value, ...], Run]], tuple[int, int]]]:
        """The calls that may be taken together, with the runs that stand for them by the keys of their arguments.

        Also how many were told apart of those that are known, and of those that are assumed.
        """
        for key, group in self._groups.items():
            yield key, group.runs.items(), (group.known.count, group.assumed.count)

    def results(self, key: ContextKey) -> list[Value]:
        """What the calls that may be taken together have given so far."""
        if self.memo is not None and not self.memo.is_new(key.function):
            return self.memo.results(*key)
        return [run.result for run in self._groups[key].runs.values() if run.times]


def is_long(lines: int) -> bool:
    """Whether so many lines have been run for the calls of a function that further ones are taken together at once."""
    return lines > MOST_LINES


def _told(value: Value, *, is_name: bool) -> bool | str:
    """What tells an argument apart: of a function with torch in reach, or a method's name, which one it is."""
    if is_name and isinstance(value, Text) and value.literal is not None:
        return repr(value.literal)
    if isinstance(value, FunctionValue) and value.record.module.has_torch_in_reach:
        record, around = value.record, value.record.parent
        first = 0 if around is None else around.first_line
        place = f":{record.first_line - first}:{record.first_column}" if record.name == "<lambda>" else ""
        return f"{record.qualified_name}{place}"
    if isinstance(value, Tensor) and value.device is Device.CPU:
        return Device.CPU.name
    return is_of_torch(value)


def _arguments(function: FunctionRecord, scope: Scope) -> tuple[Value, ...]:
    """What tells calls apart: of numbers, those that select what the function does."""
    selecting = function.selected_by
    if not selecting:
        return tuple(map(summary_key, scope.values()))
    return tuple(_selecting(value) if name in selecting else summary_key(value) for name, value in scope.items())


def _selecting(value: Value) -> Value:
    if isinstance(value, Scalar) and value.literal is not None:
        return Scalar(value.kind, value.literal)
    return summary_key(value)
