"""What other code is told by functions that are edited: by their texts, and by runs over them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from synclint.analysis.domain.values import FunctionRecord, ModuleRecord
from synclint.analysis.interpreter.mentions import shows_examples, taken_in
from synclint.analysis.interpreter.switches import given_parameters
from synclint.analysis.program import modules
from synclint.analysis.program.made_objects import made_objects
from synclint.analysis.program.text_facts import module_facts, text_facts
from synclint.analysis.state.call_sites import CallSite
from synclint.analysis.state.frames import Interpreter
from synclint.analysis.state.runs import MarkKind, Run


def module_facts_for_others(module: ModuleRecord) -> tuple[object, ...]:
    """What the text of a module says to others, such that it can be compared with another text."""
    return (*module_facts(module), made_objects(module.source))


def facts_for_others(record: FunctionRecord, engine: Interpreter) -> tuple[object, ...]:
    """What the text of a function says to others, such that it can be compared with that of another text."""
    is_inherited = record.owner is not None and bool(record.owner.subclasses)
    calls = record.calls_on_receiver if is_inherited else frozenset()
    return (*text_facts(record, engine), shows_examples(record.node), calls)


def functions_within(functions: Iterable[FunctionRecord]) -> list[FunctionRecord]:
    """The functions that are defined within others."""
    given = set(functions)
    return [
        record
        for module in dict.fromkeys(function.module for function in given)
        for record in module.by_node.values()
        if isinstance(record, modules.FunctionRecord) and record not in given and is_within(record, given)
    ]


def is_within(function: FunctionRecord | None, functions: Collection[FunctionRecord]) -> bool:
    """Whether a function is one of some, or is defined within one of them."""
    while function is not None and function not in functions:
        function = function.parent
    return function is not None


@dataclass(frozen=True)
class OutgoingFacts:
    """What the bodies of functions tell of others: marks, what their calls give and leave out, names that they take.

    A name is taken as well where a method of something unknown is called so. ``uses`` are the runs of others whose
    results are taken, with the number of calls that take them.
    """

    marks: frozenset[tuple[MarkKind, str, str | None]]
    needs: frozenset[tuple[str, str, bool]]
    handed_on: frozenset[tuple[str, str, bool, str]]
    taken: frozenset[str]
    uses: frozenset[tuple[int | str, int]]

    def of_parameters(self, names: Mapping[str, Collection[str]]) -> OutgoingFacts:
        """The same without what calls of some functions give for others than the named parameters."""

        def is_wanted(function: str, parameter: str) -> bool:
            return function not in names or parameter in names[function]

        return replace(
            self,
            needs=frozenset(one for one in self.needs if is_wanted(*one[:2])),
            handed_on=frozenset(one for one in self.handed_on if is_wanted(*one[:2])),
        )

    def is_like(self, other: OutgoingFacts) -> bool:
        """Whether the same is told, of names aside, of which most belong to nothing in the project."""
        mine = (self.marks, self.needs, self.handed_on, self.uses)
        return mine == (other.marks, other.needs, other.handed_on, other.uses)


class StableNames(Protocol):
    """What names functions and runs whichever text a file has."""

    def stable_name(self, record: FunctionRecord) -> str:
        """What names a function."""

    def stable_number(self, run: Run) -> int | str:
        """What stands for a run."""


def outgoing_facts(functions: Iterable[FunctionRecord], runs: Iterable[Run], names: StableNames) -> OutgoingFacts:
    """What functions tell of others by their bodies and by ``runs`` over these.

    What is defined within them is another function after each edit, and known by its name.
    """
    runs, functions = tuple(runs), set(functions)

    def stable_identity(function: FunctionRecord) -> str:
        is_inner = function not in functions and is_within(function, functions)
        return function.qualified_name if is_inner else names.stable_name(function)

    called: dict[FunctionRecord, list[CallSite]] = {}
    for run in runs:
        for (callee, _), site in run.calls.items():
            called.setdefault(callee, []).append(site)
    done = {stable_identity(one): given_parameters(one, sites) for one, sites in called.items()}
    marks = set().union(*(run.marks for run in runs))
    uses: dict[Run, set[int]] = {}
    for run in runs:
        for used, use in run.uses.items():
            if not is_within(used.function, functions):
                uses.setdefault(used, set()).update(use.sites)
    on_unknown = {mark.name for mark in marks if mark.kind is MarkKind.ON_UNKNOWN}
    return OutgoingFacts(
        frozenset(
            (mark.kind, mark.name, None if mark.function is None else stable_identity(mark.function))
            for mark in marks
            if mark.kind is not MarkKind.ON_UNKNOWN
        ),
        frozenset((one, need.parameter, need.given) for one, found in done.items() for need in found.needs),
        frozenset(
            (one, need.parameter, need.given, by.parameter)
            for one, found in done.items()
            for need, by in found.handed_on
        ),
        frozenset(on_unknown.union(*(taken_in(one.module, _body(one)) for one in functions))),
        frozenset((names.stable_number(used), len(sites)) for used, sites in uses.items()),
    )


def _body(function: FunctionRecord) -> list[ast.stmt]:
    body = function.node.body
    return body if isinstance(body, list) else [ast.Expr(body)]
