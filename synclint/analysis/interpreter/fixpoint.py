"""Runs are done again until none rests on anything that has changed: the answer then hangs on no order.

Every run knows what it has read and which other runs it has used. Those whose facts have changed are done again, round
by round; what they had shown is taken back first, so that nothing is left of a time when less was known. Runs that
nobody asks for any longer are dropped. A run that is done again and again, because it rests on itself, keeps what it
has shown: its values then only grow, and there is an end to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from synclint.analysis.domain.evidence import differ_in_evidence
from synclint.analysis.domain.values import FunctionRecord, Value
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
        # Whether runs are done again where what they have used is the same for other reasons.
        self.follows_reasons = False

    def add(self, run: Run) -> None:
        """Make a run known, which has just been done or will have to be."""
        self._runs.append(run)
        self._may_be_unused = True  # until whoever asked for it has used it

    @property
    def runs(self) -> list[Run]:
        """The runs that count."""
        return [run for run in self._runs if not run.is_dropped]

    def runs_of(self, functions: Iterable[FunctionRecord]) -> dict[FunctionRecord, list[Run]]:
        """The runs that count of some functions."""
        known: dict[FunctionRecord, list[Run]] = {function: [] for function in functions}
        for run in self.runs:
            if run.function in known:
                known[run.function].append(run)
        return known

    def reach(self, repeat: Callable[[Run], None], may_go_on: Callable[[], bool]) -> None:
        """Do runs by ``repeat`` until none has to be, or no more may be run."""
        self._drop_unused()
        due = self._due(self.runs)
        for _ in range(MOST_ROUNDS):
            if not due or not may_go_on():
                break
            changed = self._round(due, repeat, may_go_on)
            due = self._due({**dict.fromkeys(self._fields.readers_of_changes()), **changed})
        self._drop_unused()

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
            if run.result != result:
                changed.update(dict.fromkeys(run.demands))
            elif self.follows_reasons and differ_in_evidence(run.result, result):
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

    def end(self, run: Run, writes: Mapping[Field, Value], uses: Iterable[Run]) -> None:
        """Take back what a run ``writes`` and ``uses`` no longer, now that it has been done again."""
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
            if scope != run.scope:
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
        self._forget(run)
        run.begin()
        run.is_dropped = True
        run.times = 0
