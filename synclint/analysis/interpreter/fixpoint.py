"""Runs are done again until none rests on anything that has changed: the answer then hangs on no order.

Every run knows what it has read and which other runs it has used. Those whose facts have changed are done again, round
by round; what they had shown is taken back first, so that nothing is left of a time when less was known. Runs that
nobody asks for any longer are dropped. A run that is done again and again, because it rests on itself, keeps what it
has shown: its values then only grow, and there is an end to that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from synclint.analysis.domain.values import FunctionRecord, Value
from synclint.analysis.domain.visibility import differ_in_evidence, differ_visibly
from synclint.analysis.state.fields import Fields
from synclint.analysis.state.runs import MOST_TIMES, Field, Run, joined_scopes

MOST_ROUNDS = 100


class Fixpoint:
    """All runs, and those of them that have to be done again."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._runs: list[Run] = []
        self._shrunk: dict[Run, None] = {}
        self._writers: dict[Field, list[Run]] = {}
        # Whether runs were added, or have left others, since unused ones were dropped.
        self._may_be_unused = True
        # What edits need to know: the runs of functions, and those that were done or dropped for the last edit.
        self._by_function: defaultdict[FunctionRecord | None, dict[Run, None]] | None = None
        self._touched: dict[Run, None] | None = None

    def add(self, run: Run) -> None:
        """Make a run known, which has just been done or will have to be."""
        self._runs.append(run)
        self._may_be_unused = True  # until whoever asked for it has used it
        if self._by_function is not None:
            self._by_function[run.function][run] = None

    @property
    def runs(self) -> list[Run]:
        """The runs that count."""
        return [run for run in self._runs if not run.is_dropped]

    def runs_of(self, functions: Iterable[FunctionRecord]) -> dict[FunctionRecord, list[Run]]:
        """The runs that count of some functions."""
        if self._by_function is None:  # asked for where functions are edited, which is rare
            self._by_function = defaultdict(dict)
            for run in self._runs:
                self._by_function[run.function][run] = None
        known = self._by_function
        return {function: [run for run in known.get(function, ()) if not run.is_dropped] for function in functions}

    def reach(self, repeat: Callable[[Run], None], may_go_on: Callable[[], bool]) -> None:
        """Do runs by ``repeat`` until none has to be, or no more may be run."""
        self._drop_unused()
        self._reach(self._due(self.runs), repeat, may_go_on)

    def reach_from(
        self,
        edited: Iterable[Run],
        gone: Iterable[Run],
        repeat: Callable[[Run], None],
        may_go_on: Callable[[], bool],
    ) -> bool:
        """Do ``edited`` runs by ``repeat``, and those that rest on them or on ``gone`` ones; whether it came to an end.

        What was left undone when no more could be run stays so: an edit elsewhere is no reason to go on with it.
        """
        self._shrunk.clear()
        self._fields.forget_changes()
        for run in self._runs if self._touched is None else self._touched:
            run.is_due = False
            run.times = min(run.times, 1)
        self._touched = {}
        for run in gone:
            self._drop(run)
        for run in edited:
            run.is_due = not run.is_dropped
        return self._reach(self._due(()), repeat, may_go_on)

    def _reach(self, due: list[Run], repeat: Callable[[Run], None], may_go_on: Callable[[], bool]) -> bool:
        """Do runs that are ``due``, and those that are due by then, until none is, or no more may be run."""
        for _ in range(MOST_ROUNDS):
            if not due or not may_go_on():
                break
            changed = self._round(due, repeat, may_go_on)
            due = self._due({**dict.fromkeys(self._fields.readers_of_changes()), **changed})
        self._drop_unused()
        return not due

    def _due(self, candidates: Iterable[Run]) -> list[Run]:
        """The runs that have to be done, those that never were first, in the order in which they were made."""
        self._shrink()
        wanted = {run for run in candidates if not run.is_dropped and self._is_due(run)}
        due = [
            run for run in self._runs if (run.is_due or run in wanted) and not run.is_dropped and run.times < MOST_TIMES
        ]
        return sorted(due, key=lambda run: run.times > 0)  # what is never done shows nothing at all

    def _is_due(self, run: Run) -> bool:
        return run.is_due or run.is_out_of_date() or self._fields.is_out_of_date(run)

    def _round(self, due: list[Run], repeat: Callable[[Run], None], may_go_on: Callable[[], bool]) -> dict[Run, None]:
        """Do some runs again; those that have used one whose result has changed."""
        self._writers.clear()
        for run in due:
            run.is_waiting = True
            for field in run.writes:
                self._writers.setdefault(field, []).append(run)
        before = [run.result for run in due]
        made = len(self._runs)
        for run in due:
            if run.is_waiting:
                if may_go_on() and self._is_due(run):
                    repeat(run)
                else:
                    run.is_waiting = False
        changed = dict.fromkeys(self._runs[made:])
        for run, result in zip(due, before, strict=True):
            if differ_visibly(run.result, result):
                changed.update(dict.fromkeys(run.demands))
            elif self._touched is not None and differ_in_evidence(run.result, result):
                # What waits is the same, but callers say what they were told before.
                changed.update(dict.fromkeys(run.demands))
                for caller in run.demands:
                    caller.is_due = True
        return changed

    @property
    def is_in_a_round(self) -> bool:
        """Whether runs that have written attributes may wait to be done again."""
        return bool(self._writers)

    def writers_waiting(self, field: Field) -> Iterator[Run]:
        """The runs that have written a field, and have yet to be done again in this round: the next one each time."""
        waiting = self._writers.get(field)
        while waiting:
            run = waiting.pop()
            if run.is_waiting:
                yield run

    @property
    def touched(self) -> Collection[Run]:
        """The runs that were done or dropped for the last edit."""
        return self._touched or ()

    def end(self, run: Run, writes: Mapping[Field, Value], uses: Iterable[Run]) -> None:
        """Take back what a run ``writes`` and ``uses`` no longer, now that it has been done again."""
        if self._touched is not None and not (run.function is None and run.times == 1):
            self._touched[run] = None  # a module that is run for the first time was not there for others to see
        self._fields.end(run, writes)
        for other in uses:
            if other not in run.uses:
                self._leave(run, other)

    def _leave(self, run: Run, other: Run) -> None:
        """Let a run no longer ask anything of another one."""
        self._may_be_unused = True
        if other.demands.pop(run, None) is not None:
            self._shrunk[other] = None

    def _forget(self, run: Run) -> None:
        """Take back what a run has written, and what it has asked for."""
        self._fields.retract(run)
        for other in run.uses:
            self._leave(run, other)

    def _shrink(self) -> None:
        """Let runs allow for no more than is asked of them by now."""
        shrunk, self._shrunk = self._shrunk, {}
        for run in shrunk:
            scopes = iter(run.demands.values())
            scope = next(scopes, None)
            if scope is None or run.only_grows:
                continue
            for other in scopes:
                scope = joined_scopes(scope, other)
            if any(differ_visibly(value, run.scope.get(name)) for name, value in scope.items()):
                run.scope = scope
                run.is_due = True

    def _drop_unused(self) -> None:
        """Drop the runs that nobody asks for any longer, with all that they have shown."""
        if not self._may_be_unused:
            return
        waiting = [run for run in self._runs if run.is_root and not run.is_dropped]
        used = set(waiting)
        while waiting:
            for other in waiting.pop().uses:
                if other not in used:
                    used.add(other)
                    waiting.append(other)
        for run in self._runs:
            if run not in used and not run.is_dropped:
                self._drop(run)
        if len(used) < len(self._runs):
            self._runs = [run for run in self._runs if not run.is_dropped]
        self._may_be_unused = False

    def _drop(self, run: Run) -> None:
        """Take back all that a run has shown."""
        if self._touched is not None:
            self._touched[run] = None
        self._forget(run)
        run.begin()
        run.is_dropped = True
        run.times = 0
