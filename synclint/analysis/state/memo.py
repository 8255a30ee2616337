"""What is remembered of an analysis whose values are gone, as the interpreter asks for it."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from synclint.analysis.domain.values import ClassRecord, FunctionRecord, ModuleRecord, Value
from synclint.analysis.state.join_points import Scope
from synclint.analysis.state.runs import Run

# Of each argument of a call, whether it is something of torch, or which function it is.
Pattern: TypeAlias = tuple[bool | str, ...]


class AnalysisMemo(Protocol):
    """Facts that runs came to which need not be done again; each is recalled when it is first asked for."""

    def load_module(self, module: ModuleRecord) -> None:
        """Let it be known what was found out about a module before anything in it was run."""

    def has_run(self, record: FunctionRecord) -> bool:
        """Whether a function was run on what its own text says, and need not be run again."""

    def is_new(self, record: FunctionRecord) -> bool:
        """Whether nothing of a function is remembered, because it was not there."""

    def patterns(self, record: FunctionRecord, on_trial: bool) -> set[Pattern]:
        """Where calls of a function have given it something of torch."""

    def distinguishes_receiver(self, record: FunctionRecord, on_trial: bool, receiver: ClassRecord) -> bool:
        """Whether calls of a method on objects of a class are not taken together with those on others."""

    def run_by_text(self, record: FunctionRecord) -> Run | None:
        """That run of a function; None where there was none."""

    def run_for(
        self,
        record: FunctionRecord,
        given: Pattern,
        receiver: ClassRecord | None,
        on_trial: bool,
        arguments: tuple[Value, ...],
        *,
        is_assumed: bool,
    ) -> Run | None:
        """The run that stands for calls of a function with such arguments; None where there was none."""

    def results(
        self, record: FunctionRecord, given: Pattern, receiver: ClassRecord | None, on_trial: bool
    ) -> list[Value]:
        """What the calls of a function that may be taken together have given."""

    def load_field(self, owner: ClassRecord, name: str) -> None:
        """Let it be known what an attribute of a class holds."""

    def load_subclasses(self, owner: ClassRecord) -> None:
        """Let the classes be known that derive from one."""

    def has_done(self, run: Run) -> bool:
        """Whether a run was done by an analysis whose values are gone; that it has to be done again is noted."""

    def has_lost(self, scope: Scope) -> bool:
        """Whether a scope that a function saw is gone, which is noted."""
