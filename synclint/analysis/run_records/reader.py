"""Gives an engine what is stored of a share, so that some functions of one file can be run again without the others.

The file may have another text by now, in which they do something else, or are new. The runs of all other functions
stand still: they have their results, and what they have written is there. If one of them would have to be done again,
or anything is asked for that is not stored, that is noted, and nothing that came of it may be used.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from synclint.analysis.domain.evidence import differ_in_evidence
from synclint.analysis.domain.values import UNKNOWN, ClassRecord, FunctionRecord, ModuleRecord, Value
from synclint.analysis.interpreter.contexts import MOST_CONTEXTS, MOST_RECEIVERS, ContextKey, is_long
from synclint.analysis.interpreter.engine import Engine, are_assumed_alike
from synclint.analysis.program import modules as program
from synclint.analysis.results.moved_lines import MovedFile, moved
from synclint.analysis.run_records.decoding import LOST_SCOPE, Decoder, ForgottenError
from synclint.analysis.run_records.encoding import Encoder, Places, UnknownRowError
from synclint.analysis.run_records.inner_functions import inner_function
from synclint.analysis.run_records.records import NONE, ContextRecord, RunRecord, ShareRecords
from synclint.analysis.state.fields import Fields
from synclint.analysis.state.join_points import Scope
from synclint.analysis.state.memo import Pattern
from synclint.analysis.state.runs import Run, Use, joined_scopes
from synclint.analysis.syntax.edited_lines import EditedLines, Span


class MemoReader:
    """What is ``stored`` of a share, for an ``engine`` in which the ``edited`` functions of a ``module`` are run.

    These stood at ``spans`` of the text of then; nothing is remembered of those that are ``new`` since. ``lines`` tell
    how that text and the one of now belong together.
    """

    def __init__(
        self,
        stored: ShareRecords,
        engine: Engine,
        module: ModuleRecord,
        edited: Collection[ast.AST],
        spans: Collection[Span],
        new: Collection[ast.AST] = (),
        lines: EditedLines | None = None,
    ) -> None:
        path = str(module.real_path)
        self._stored = stored
        self._engine = engine
        self._module = module
        self._edited = frozenset(edited)
        self._new = frozenset(new)
        self._places = Places()
        self._decoder = Decoder(stored.rows, self)
        self._now: MovedFile | None = None
        if lines is not None:
            self._now = MovedFile(path, str(module.path), lines.now)
            self._places.lines_then[path] = lines.then
            self._decoder.lines_now[path] = lines.now
        self._encoder = Encoder(self._places, list(stored.rows), may_add=False)
        self._within = tuple(spans)
        self._start = f"{path}:"
        self._runs: dict[int, Run] = {}
        self._numbers: dict[Run, int] = {}
        self._restored: set[FunctionRecord] = set()
        self._by_place: dict[ModuleRecord, dict[str, FunctionRecord | ClassRecord]] = {}
        self._fields: set[tuple[ClassRecord, str]] = set()
        # What stands for all runs of others that ask for some.
        self._others_on_text = Run(None, module, {}, is_root=True, times=1)
        self._standing = {self._others_on_text}
        # What was asked for in vain.
        self.missing: list[str] = []
        engine.fixpoint.add(self._others_on_text)

    @property
    def is_complete(self) -> bool:
        """Whether all that was asked for is stored, and nothing else than the edited functions has to be run again."""
        return not self.missing

    # --- where things are ----------------------------------------------------------------------------------------

    def module_at(self, path: str) -> ModuleRecord:
        """The module of a file; raises ForgottenError where there is none."""
        if path == str(self._module.real_path):
            return self._module
        known = self._stored.modules.get(path)
        module = None if known is None else self._engine.project.module(known.name)
        if module is None or str(module.real_path) != path:
            raise ForgottenError(path)
        return module

    def function_at(self, place: str) -> FunctionRecord:
        """The function at a place; raises ForgottenError where there is none."""
        record = self._record_at(place)
        if not isinstance(record, program.FunctionRecord):
            raise ForgottenError(place)
        return record

    def class_at(self, place: str) -> ClassRecord:
        """The class at a place; raises ForgottenError where there is none."""
        record = self._record_at(place)
        if not isinstance(record, program.ClassRecord):
            raise ForgottenError(place)
        return record

    def _record_at(self, place: str) -> FunctionRecord | ClassRecord:
        module = self.module_at(place.rsplit(":", 2)[0])
        self._engine.run_module(module)
        known = self._by_place.get(module, {})
        if place not in known:
            known = self._by_place[module] = {self._places.of(record): record for record in module.by_node.values()}
        if place not in known:
            line, column = map(int, place.rsplit(":", 2)[1:])
            if self._now is not None and module is self._module:
                line = self._now.lines(line)
            inner = inner_function(module, line, column)
            if inner is None or self._is_within_edited(inner):
                raise ForgottenError(place)
            known[place] = inner
        return known[place]

    # --- what the interpreter asks for ---------------------------------------------------------------------------

    def load_module(self, module: ModuleRecord) -> None:
        """Let it be known what was found out about a module before anything in it was run."""
        known = self._stored.modules.get(str(module.real_path))
        if known is None:
            self.missing.append(f"module {module.name}")
            return
        vars(module)["has_torch_in_reach"] = known.has_torch_in_reach
        if known.is_begun:
            self._engine.begun.add(module)

    def has_run(self, record: FunctionRecord) -> bool:
        """Whether a function was run on what its own text says."""
        if self.is_new(record):
            return False
        if self._is_edited(record):
            self.restore(record)
        if self._number_by_text(record) is None:
            self.missing.append(f"run of {record.qualified_name}")
        return True

    def run_by_text(self, record: FunctionRecord) -> Run | None:
        """That run of a function; None where there was none."""
        number = self._number_by_text(record)
        return None if number is None else self._standing_run(number, record)

    def _number_by_text(self, record: FunctionRecord) -> int | None:
        numbers = self._stored.runs_of.get(self._places.of(record), ())
        return next((number for number in numbers if self._stored.runs[number].by_text), None)

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
        if self._is_edited(record):
            self.restore(record)
        context = self._context(record, given, receiver, on_trial)
        try:
            key = tuple(map(self._encoder.key, arguments))
            number = next((number for known, number in context.runs if known == key), NONE) if context else NONE
            if number != NONE:
                return self._standing_run(number, record)
        except UnknownRowError:
            pass
        if context is None or context.counts[is_assumed] < MOST_CONTEXTS:
            self.missing.append(f"call of {record.qualified_name}")
        return None

    def results(
        self, record: FunctionRecord, given: Pattern, receiver: ClassRecord | None, on_trial: bool
    ) -> list[Value]:
        """What the calls of a function that may be taken together have given."""
        context = self._context(record, given, receiver, on_trial)
        numbers = () if context is None else (number for _, number in context.runs if number != NONE)
        return [self._value(self._stored.runs[number].result) for number in numbers]

    def _context(
        self, record: FunctionRecord, given: Pattern, receiver: ClassRecord | None, on_trial: bool
    ) -> ContextRecord | None:
        of_class = "" if receiver is None else self._places.of(receiver)
        for context in self._stored.contexts.get(self._places.of(record), ()):
            if context[:3] == (given, of_class, on_trial):
                return context
        return None

    def is_new(self, record: FunctionRecord) -> bool:
        """Whether a function stands within an edited one, and nothing of it is remembered."""
        return not self._is_edited(record) and self._is_within_edited(record)

    def patterns(self, record: FunctionRecord, on_trial: bool) -> set[Pattern]:
        """Where calls of a function have given it something of torch."""
        known = self._stored.contexts.get(self._places.of(record), ())
        return {context.given for context in known if context.on_trial == on_trial}

    def distinguishes_receiver(self, record: FunctionRecord, on_trial: bool, receiver: ClassRecord) -> bool:
        """Whether calls of a method on objects of a class are not taken together with those on others."""
        known = self._stored.contexts.get(self._places.of(record), ())
        receivers = {context.receiver for context in known if context.on_trial == on_trial}
        return len(receivers - {""}) < MOST_RECEIVERS or self._places.of(receiver) in receivers

    def load_field(self, owner: ClassRecord, name: str) -> None:
        """Let it be known what an attribute of a class holds."""
        if (owner, name) in self._fields:
            return
        self._fields.add((owner, name))
        self._engine.fields.take_from_memo(owner, name, self._written_by_others(owner, name))

    def _written_by_others(self, owner: ClassRecord, name: str) -> dict[Run, Value]:
        """What others than the edited functions have written to an attribute."""
        written = self._stored.fields.get(f"{self._places.of(owner)}:{name}", ())
        return {
            Run(self._writer(write.function), self._module, {}, is_root=write.is_root): self._value(write.value)
            for write in written
            if not self._is_place_within_edited(write.function)
        }

    def _writer(self, place: str) -> FunctionRecord | None:
        """The function of a run that has written something; None for one over a module."""
        return None if place in self._stored.modules else self._function(place)

    def load_subclasses(self, owner: ClassRecord) -> None:
        """Let the classes be known that derive from one."""
        for place in self._stored.subclasses.get(self._places.of(owner), ()):
            self._class(place)

    def has_done(self, run: Run) -> bool:
        """Whether a run was done by an analysis whose values are gone; that it has to be done again is noted."""
        if run in self._standing:
            self.missing.append(f"another run of {run.function.qualified_name if run.function else run.module.name}")
            return True
        return False

    def has_lost(self, scope: Scope) -> bool:
        """Whether a scope that a function saw is gone, which is noted."""
        if scope is LOST_SCOPE:
            self.missing.append("scope")
        return scope is LOST_SCOPE

    # --- runs ----------------------------------------------------------------------------------------------------

    def restore(self, record: FunctionRecord) -> None:
        """Let the runs of an edited function be known, as they have to be done again."""
        if record in self._restored:
            return
        self._restored.add(record)
        place = self._places.of(record)
        for number in self._stored.runs_of.get(place, ()):
            self._restore_run(number, self._stored.runs[number], record)
        for context in self._stored.contexts.get(place, ()):
            receiver = self._class(context.receiver)
            key = ContextKey(record, context.given, receiver, context.on_trial)
            self._engine.contexts.take_from_memo(
                key,
                {
                    tuple(map(self._value, known)): self._runs[number]
                    for known, number in context.runs
                    if number in self._runs
                },
                context.counts,
            )

    def _restore_run(self, number: int, stored: RunRecord, record: FunctionRecord) -> None:
        run = self._made_run(number, stored, record)
        is_wanted = stored.is_root or run in self._others_on_text.uses
        if is_wanted:
            run.times, run.is_due = 1, True
            self._engine.fixpoint.add(run)
        if stored.by_text:
            self._engine.know_run(record, run)
            if self._now is not None:
                self._take_from_text(record, run)

    def _take_from_text(self, record: FunctionRecord, run: Run) -> None:
        """Let a run be done on what the text of its function says now; who asks for that asks for what it said."""
        before, run.scope = run.scope, dict(self._engine.assumed(record))
        if not are_assumed_alike(before, run.scope) and any(map(self._is_asked_elsewhere, self._runs_then(record))):
            self.missing.append(f"what {record.qualified_name} takes")

    def _standing_run(self, number: int, record: FunctionRecord) -> Run:
        """A run that is not done again."""
        run = self._runs.get(number)
        if run is None:
            run = self._made_run(number, self._stored.runs[number], record)
            run.times = 1
            self._standing.add(run)
            self._engine.fixpoint.add(run)
        return run

    def _made_run(self, number: int, stored: RunRecord, record: FunctionRecord) -> Run:
        run = Run(
            record,
            record.module,
            self._scope(stored.names, stored.values),
            on_trial=stored.on_trial,
            by_text=stored.by_text,
            is_root=stored.is_root,
            result=self._value(stored.result),
            depth=stored.depth,
            is_assumed=stored.is_assumed,
        )
        self._runs[number], self._numbers[run] = run, number
        demands = [one for one in stored.demands if not self._is_caller_edited(one.caller)]
        if demands:
            scopes = (self._scope(stored.names, values) for values in dict.fromkeys(one.scope for one in demands))
            run.demands[self._others_on_text] = _joined(scopes)
            self._others_on_text.uses[run] = Use(run.result)
            calls = dict.fromkeys(place for one in demands if one.caller != number for place in one.places)
            run.memo_calls = tuple(calls) if self._now is None else moved(tuple(calls), self._now)
        return run

    def _is_caller_edited(self, caller: int) -> bool:
        return self._is_place_within_edited(self._stored.runs[caller].function)

    # --- what is edited ------------------------------------------------------------------------------------------

    def _is_edited(self, record: FunctionRecord) -> bool:
        return record.node in self._edited

    def _is_within_edited(self, record: FunctionRecord | None) -> bool:
        while record is not None and record.node not in self._edited and record.node not in self._new:
            record = record.parent
        return record is not None

    def _is_place_within_edited(self, place: str) -> bool:
        if not place.startswith(self._start):
            return False
        line = int(place.rsplit(":", 2)[1])
        return any(first <= line <= last for first, last in self._within)

    def edited_runs(self) -> list[Run]:
        """The runs of the edited functions, and of those within them."""
        return [run for run in self._engine.fixpoint.runs if self._is_within_edited(run.function)]

    @property
    def are_inner_functions_called_elsewhere(self) -> bool:
        """Whether functions within the edited ones are run for others than these."""
        places = {self._places.of(record) for record in self._restored}
        return any(
            self._is_place_within_edited(run.function) and run.function not in places and self._is_asked_elsewhere(run)
            for run in self._stored.runs
        )

    @property
    def are_redefined_called_elsewhere(self) -> bool:
        """Whether functions of which nothing is remembered were run for others than the edited ones."""
        places = {self._places.of(record) for record in self._module.functions if record.node in self._new}
        return any(
            run.function in places and ((run.is_root and not run.by_text) or self._is_asked_elsewhere(run))
            for run in self._stored.runs
        )

    def tells_as_many_apart(self, before: FunctionRecord, after: FunctionRecord) -> bool:
        """Whether as many calls of a function are told apart after an edit, which may have made it a long one."""
        known = self._stored.contexts.get(self._places.of(after), ())
        count = sum(number for context in known for number in context.counts)
        return is_long(count * before.lines) is is_long(count * after.lines)

    def _runs_then(self, record: FunctionRecord) -> list[RunRecord]:
        return [self._stored.runs[number] for number in self._stored.runs_of.get(self._places.of(record), ())]

    def _is_asked_elsewhere(self, run: RunRecord) -> bool:
        return any(not self._is_caller_edited(demand.caller) for demand in run.demands)

    def is_as_stored(self) -> bool:
        """Whether the edited functions gave what they had given."""
        for number, run in self._runs.items():
            if run not in self._standing and run.times and not run.is_dropped:
                result = self._value(self._stored.runs[number].result)
                if run.result != result or differ_in_evidence(run.result, result):
                    return False
        return True

    def holds_what_it_held(self) -> bool:
        """Whether attributes that edited functions write, or wrote, hold what they held."""
        written = {attribute: None for run in self.edited_runs() for attribute in run.writes}
        for key, writes in self._stored.fields.items():
            if any(self._is_place_within_edited(write.function) for write in writes):
                place, _, name = key.rpartition(":")
                owner = self._class(place)
                if owner is not None:
                    written[owner, name] = None
        return all(self._holds_what_it_held(*attribute) for attribute in written)

    def _holds_what_it_held(self, owner: ClassRecord, name: str) -> bool:
        before = Fields()
        for current in owner.ancestors:
            self.load_field(current, name)
            written = self._written_by_others(current, name)
            for one in self._stored.fields.get(f"{self._places.of(current)}:{name}", ()):
                if self._is_place_within_edited(one.function):
                    run = Run(self._function(one.function), self._module, {}, is_root=one.is_root)
                    written[run] = self._value(one.value)
            before.take_from_memo(current, name, written)
        held, now = before.held(owner, name), self._engine.fields.held(owner, name)
        if held is None or now is None:
            return held is now
        return held == now and not differ_in_evidence(held, now)

    def stable_name(self, record: FunctionRecord) -> str:
        """What names a function whichever text its file has: its place in the text of then."""
        return self._places.of(record)

    def stable_number(self, run: Run) -> int | str:
        """What stands for a run whichever text the file has."""
        return self._numbers.get(run, self._start if run.function is not None else str(run.module.real_path))

    # --- values --------------------------------------------------------------------------------------------------

    def _value(self, number: int) -> Value:
        try:
            return self._decoder.value(number)
        except ForgottenError as error:
            self.missing.append(f"value at {error}")
            return UNKNOWN

    def _scope(self, names: int, values: Iterable[int]) -> Scope:
        named = self._decoder.names(names)
        return dict(zip(named, map(self._value, values), strict=True))

    def _function(self, place: str) -> FunctionRecord | None:
        try:
            return self.function_at(place)
        except ForgottenError:
            return None

    def _class(self, place: str) -> ClassRecord | None:
        try:
            return self.class_at(place) if place else None
        except ForgottenError as error:
            self.missing.append(f"class at {error}")
            return None


def _joined(scopes: Iterable[Scope]) -> Scope:
    found: Scope | None = None
    for scope in scopes:
        found = scope if found is None else joined_scopes(found, scope)
    return found or {}
