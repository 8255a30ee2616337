"""The analysis of a project: runs modules and functions on abstract values until nothing changes."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping

from synclint.analysis.calls import calls
from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassRecord,
    ClassValue,
    FunctionRecord,
    Instance,
    ModuleRecord,
    Nothing,
    Sequence,
    Tensor,
    Value,
    is_known,
    options,
)
from synclint.analysis.interpreter import expressions, statements, unpacking
from synclint.analysis.interpreter.attributes import Attributes, inherited_by
from synclint.analysis.interpreter.contexts import Contexts
from synclint.analysis.interpreter.fixpoint import Fixpoint
from synclint.analysis.interpreter.function_calls import FunctionCalls
from synclint.analysis.interpreter.names import Names
from synclint.analysis.interpreter.notes import Notes, is_on_trial, is_trial
from synclint.analysis.interpreter.run_stack import RunStack
from synclint.analysis.interpreter.shared_names import hand_out
from synclint.analysis.models.versions import applies
from synclint.analysis.objects import annotated_values, classes, parameters, usages
from synclint.analysis.objects.device_code import is_device_code
from synclint.analysis.program.patterns import Patterns
from synclint.analysis.results.expression_facts import KeptValues, RecordedValues
from synclint.analysis.state.fields import Fields
from synclint.analysis.state.frames import Frame, Modules
from synclint.analysis.state.join_points import Scope
from synclint.analysis.state.memo import AnalysisMemo
from synclint.analysis.state.readings import Readings
from synclint.analysis.state.recording import Recording
from synclint.analysis.state.runs import Run
from synclint.analysis.state.usage import Usage
from synclint.catalog.entries import Catalog, Entry
from synclint.catalog.summaries import SummaryOf, summary_of
from synclint.catalog.torch_api import load_torch_api

# How many statements may be run to analyse one file, those of what it calls included. A file of a thousand lines takes
# about as many; counting them, unlike looking at a clock, gives the same answer on every machine. This many take a
# minute or so.
MOST_STATEMENTS = 500_000


class TooMuchWorkError(Exception):
    """A file that takes more work than any file should."""


class Engine:
    """Runs a project's modules and functions on abstract values."""

    # Through these the parts of the interpreter reach those that come after them.
    evaluate = staticmethod(expressions.evaluate)
    bind_target = staticmethod(unpacking.bind_target)
    run_body = staticmethod(statements.run_body)
    apply = staticmethod(calls.apply)

    def __init__(
        self,
        project: Modules,
        catalog: Catalog,
        torch_version: str | None,
        library_versions: dict[str, str],
        patterns: Patterns,
        fixable: frozenset[str] = frozenset(),
        summary_of: SummaryOf = summary_of,
        *,
        for_contracts: bool = False,
    ) -> None:
        self.project = project
        self.for_contracts = for_contracts
        self.catalog = catalog
        self.patterns = patterns
        self.api = load_torch_api()
        self.summary_of = summary_of
        versions = {**library_versions, **({"torch": torch_version} if torch_version else {})}
        self.versions: Mapping[str, str] = versions
        self.entries: dict[str, list[Entry]] = defaultdict(list)
        syntax: set[str] = set()
        for entry in catalog.entries:
            if applies(entry, versions):
                if not entry.calls:
                    syntax.add(entry.id)
                for name in entry.calls:
                    self.entries[name].append(entry)
        self.recording: Recording | None = None
        # What every expression stands for in what runs now, where somebody will ask what surrounds waits to be fixed.
        self.recorded: RecordedValues | None = None
        self._recorded_last: dict[FunctionRecord | ModuleRecord, tuple[ast.expr, ...]] = {}
        self.fixable = fixable
        self.readings = Readings()
        self.operators: dict[str, Value] = {}
        self._stack = RunStack()
        # The modules of which every function is run, the one that is being analysed, and what went wrong in which.
        self.begun: set[ModuleRecord] = set()
        self._analysed: dict[ModuleRecord, None] = {}
        self._subject: ModuleRecord | None = None
        self._cut_short: set[ModuleRecord] = set()
        self._exhausted: dict[ModuleRecord, TooMuchWorkError] = {}
        self.failures: dict[ModuleRecord, Exception] = {}
        self._statements_left = MOST_STATEMENTS
        self.statements_run = 0
        self._names = Names(project, self.run_module, self.class_attribute, self._note_read, self._stack.modules)
        self.resolve = self._names.resolve
        self.member = self._names.member
        self.from_star = self._names.from_star
        self.annotation = self._names.annotation
        self.fields = Fields()
        self.contexts = Contexts()
        self.fixpoint = Fixpoint(self.fields)
        self._memo: AnalysisMemo | None = None
        notes = Notes(self._stack.runs, catalog, frozenset(syntax), self.api, for_contracts=for_contracts)
        self.note = notes.note
        self.record = notes.record
        self.note_global = notes.note_global
        self.note_handed_on = notes.note_handed_on
        self.note_unresolved = notes.note_unresolved
        self.note_opaque = notes.note_opaque
        self.note_region = notes.note_region
        self.note_switch = notes.note_switch
        self.note_loaded, self.note_held = notes.note_loaded, notes.note_held
        self.note_collating = notes.note_collating
        self.note_hooked = notes.note_hooked
        self.note_registered = notes.note_registered
        self.note_captured = notes.note_captured
        self.note_excluded = notes.note_excluded
        self.note_called_on_unknown = notes.note_called_on_unknown
        # The runs of functions on what their own text says, and those of modules.
        self._by_text: dict[FunctionRecord | ModuleRecord, Run] = {}
        self._attributes = Attributes(self.fields, self.fixpoint, self.enter, self._do_unless_deep)
        self._calls = FunctionCalls(
            self._stack, self.contexts, self.fixpoint, self, notes, self._names.declared, self.begun
        )
        self.call = self._calls.call
        self.call_with = self._calls.call_with
        self.fill = self._calls.fill
        self.note_filled = self._calls.note_filled
        self._assumed: dict[FunctionRecord, dict[str, Value]] = {}
        self._usages: dict[FunctionRecord, Usage] = {}

    def use_memo(self, memo: AnalysisMemo) -> None:
        """Take what an earlier analysis came to for what this one would come to."""
        self._memo = self.fields.memo = self.contexts.memo = self._calls.memo = memo

    def know_run(self, record: FunctionRecord, run: Run) -> None:
        """Let the run of a function on its own text be known, without doing it."""
        self._by_text[record] = run

    # --- modules ---------------------------------------------------------------------------------------

    def count_statement(self) -> None:
        """Count a statement that is run; raises TooMuchWorkError beyond what one file may take."""
        self._statements_left -= 1
        self.statements_run += 1
        if self._statements_left < 0:
            raise TooMuchWorkError

    @property
    def has_work_to_spare(self) -> bool:
        """Whether most of the work that the file may take is still left."""
        return self._statements_left > MOST_STATEMENTS // 2

    def run_module(self, module: ModuleRecord) -> None:
        """Run a module's top level once."""
        if module in self._by_text:
            return
        if self._memo is not None:
            self._memo.load_module(module)
        run = self._by_text[module] = Run(None, module, module.scope, by_text=True, is_root=True)
        self.fixpoint.add(run)
        self.do(run)

    def _module_result(self, run: Run) -> Value:
        module = run.module
        frame = Frame(self, module, None, module.scope)
        self._stack.modules.add(module)
        try:
            self.run_body(module.tree.body, frame)
            module.scope = frame.scope
            self._calls.fill_again(module)
            self._enter_nested(frame, run)
        except Exception as error:
            self._cut_short.add(module)
            self._blame(module, error)
        finally:
            self._stack.modules.discard(module)
        return UNKNOWN

    def _blame(self, module: ModuleRecord, error: Exception) -> None:
        """Let what went wrong in a module cost that one, not another that only uses it; raises it anew if it is one.

        How deeply calls are nested, and how much work they are, depends on where they started: if it is the module's
        own fault, that will show again when it is analysed itself.
        """
        if module is self._subject or isinstance(error, TooMuchWorkError):
            raise error
        if not isinstance(error, RecursionError):
            self.failures.setdefault(module, error)

    # --- functions -------------------------------------------------------------------------------------

    def assumed(self, record: FunctionRecord) -> dict[str, Value]:
        """What the parameters of a function are, from its own text alone."""
        known = self._assumed.get(record)
        if known is None:
            self._assumed[record] = {}
            # What is called for a default is called by nobody who runs.
            self._stack.runs.append(Run(None, record.module, {}, on_trial=is_on_trial(self._stack.runs), is_root=True))
            try:
                known = self._assumed[record] = parameters.assume(self, record)
            finally:
                self._stack.runs.pop()
        return known

    @property
    def all_assumed(self) -> Mapping[FunctionRecord, Scope]:
        """The same of all functions of which it was asked."""
        return self._assumed

    def usage(self, record: FunctionRecord) -> Usage:
        """What the body of a function does with its names."""
        known = self._usages.get(record)
        if known is None:
            known = self._usages[record] = usages.usage(self, record)
        return known

    @property
    def runs_on_text(self) -> bool:
        """Whether what runs now is run on what its own text says of its parameters, and not for a call."""
        return self._stack.is_on_text

    def enter(self, record: FunctionRecord, enclosing: tuple[Scope, ...] = ()) -> None:
        """Run a function on what its own text says of its parameters."""
        if record in self._by_text or (self._memo is not None and self._memo.has_run(record)):
            return
        run = Run(record, record.module, {}, enclosing, by_text=True, is_root=True)
        run.result = self._names.declared(record)
        self._by_text[record] = run
        self.fixpoint.add(run)
        if self._stack.is_deep:
            run.is_due = True
        else:
            self.do(run)

    def on_text(self, record: FunctionRecord) -> Run | None:
        """The run of a function on what its own text says, done now unless it has been; None where it is not known."""
        self.enter(record)
        run = self._by_text.get(record)
        if run is None and self._memo is not None:
            run = self._memo.run_by_text(record)
            if run is not None:
                self._by_text[record] = run
        return run

    def is_trial(self, source: ModuleRecord, target: ModuleRecord) -> bool:
        """Whether what a module tells of another one, by a call or an assignment, is said by a test only."""
        return is_trial(self._stack.runs, source, target)

    def _note_read(self, module: ModuleRecord, name: str, value: Value) -> None:
        if self._stack.runs:
            self.note_global(module, name, value)

    def do(self, run: Run) -> None:
        """Run a module or a function, and keep what comes of it."""
        if self._memo is not None and self._memo.has_done(run):
            run.is_due = run.is_waiting = False
            return
        if run.function is not None and run.by_text and not run.times:
            run.scope = dict(self.assumed(run.function))
            run.is_assumed = any(not isinstance(value, (Instance, ClassValue)) for value in run.scope.values())
        writes, uses = run.begin()
        recorded, self.recorded = self.recorded, {} if self.fixable else None
        run.in_progress = True
        self._stack.runs.append(run)
        try:
            run.end(self._module_result(run) if run.function is None else self._result(run, run.function))
        finally:
            self._stack.runs.pop()
            run.in_progress = False
            if self.recorded:
                run.recorded = self._kept(run, self.recorded)
            self.recorded = recorded
            self.fixpoint.end(run, writes, uses)

    def _kept(self, run: Run, recorded: RecordedValues) -> KeptValues:
        subject = run.function or run.module
        expressions = tuple(recorded)
        if self._recorded_last.get(subject) != expressions:
            self._recorded_last[subject] = expressions
        return KeptValues(self._recorded_last[subject], tuple(recorded.values()))

    def _result(self, run: Run, record: FunctionRecord) -> Value:
        """What a function returns in a run over its body."""
        self.run_module(record.module)
        if is_device_code(record, self):
            return UNKNOWN
        frame = Frame(self, record.module, record, dict(run.scope), run.enclosing)
        try:
            if isinstance(record.node, ast.Lambda):
                frame.returned.append(self.evaluate(record.node.body, frame))
            else:
                self.run_body(record.node.body, frame)
        except Exception as error:
            if run.by_text:
                self._by_text.pop(record, None)
            self._blame(record.module, error)
        if frame.enclosing:
            hand_out(record, frame)
        if run.by_text:  # else the functions within it would be known by what a call has given
            self._enter_nested(frame, run)
        result = join_all(frame.returned) if frame.returned else UNKNOWN
        if frame.yields:
            return Sequence("generator", None, join_all(frame.yielded))
        declared = self._names.declared(record)
        # That it returns None somewhere says nothing of the other places.
        found = [option for option in options(result) if not isinstance(option, Nothing)]
        is_unknown = bool(found) and all(map(annotated_values.tells_nothing, found))
        return declared if is_unknown and is_known(declared) else annotated_values.as_returned(result, declared)

    def _enter_nested(self, frame: Frame, run: Run) -> None:
        """Run the functions that were defined on the way, in the scope in which they were."""
        for record, scope in frame.nested:
            inner = self._by_text.get(record)
            if inner is None:
                self.enter(record, (scope, *frame.enclosing))
            elif run.times > 1 and not inner.in_progress:
                inner.enclosing = (scope, *frame.enclosing)
                inner.is_due = True

    # --- classes ---------------------------------------------------------------------------------------

    def attribute(self, instance: Instance, name: str, frame: Frame, node: ast.AST) -> Value | None:
        """What reading an attribute of an object gives, None where nothing is known of it."""
        return classes.instance_attribute(self, instance, name, frame, node)

    def class_attribute(self, record: ClassRecord, name: str) -> Value:
        """What reading an attribute of a class gives."""
        return classes.class_attribute(self, record, name)

    def write_field(self, owner: ClassRecord, name: str, value: Value) -> None:
        """Let an attribute of a class's instances hold a value, too."""
        self.fields.write(owner, name, value, self._stack.current)

    def read_field(self, owner: ClassRecord, name: str) -> Value | None:
        """What an attribute of a class's instances holds, None where nothing is known to write it."""
        return self._attributes.read(owner, name, self._stack.current)

    def _do_unless_deep(self, run: Run) -> None:
        if not self._stack.is_deep and not run.in_progress:
            self.do(run)

    def subclasses(self, owner: ClassRecord) -> list[ClassRecord]:
        """The classes that derive from one directly, so far as they are known."""
        return self.fields.read_subclasses(owner, self._stack.current)

    # --- the whole -------------------------------------------------------------------------------------

    def begin(self, module: ModuleRecord) -> None:
        """Run the top level of a module, so that its names and classes are known before any function is run."""
        self._statements_left = MOST_STATEMENTS
        self._subject = None
        self.begun.add(module)
        try:
            self.run_module(module)
        except TooMuchWorkError as error:
            self._exhausted[module] = error
            raise

    def analyse(self, module: ModuleRecord) -> None:
        """Run everything in a module: its functions, and what its classes inherit where they change its meaning."""
        if module in self._analysed:
            return
        self._analysed[module] = None
        self._statements_left = MOST_STATEMENTS
        self._subject = module
        self.begun.add(module)
        if module in self._cut_short:
            self._by_text.pop(module, None)
        self.run_module(module)
        for record in sorted(module.functions, key=_name):
            self.enter(record)
        for owner in sorted(module.classes, key=_name):
            self._enter_inherited(owner)
        if module in self._exhausted:
            # What its top level calls was cut short then, and is not run again.
            raise self._exhausted[module]

    def _enter_inherited(self, owner: ClassRecord) -> None:
        """Run inherited methods that call what this class defines, with an instance of this class as receiver."""
        for method in inherited_by(owner):
            assert method.receiver is not None
            scope = {**self.assumed(method), method.receiver: instance_of(owner)}
            on_trial = self.is_trial(owner.module, method.module)
            run = Run(method, method.module, scope, on_trial=on_trial, is_root=True)
            self.fixpoint.add(run)
            self.do(run)

    def repeat(self, run: Run, subject: ModuleRecord | None = None) -> None:
        """Do a run again; raises what goes wrong in the ``subject``, and TooMuchWorkError."""
        self._statements_left = MOST_STATEMENTS
        self._subject = subject
        if run.function is None:
            self._names.forget()
        self.do(run)

    def was_run_to_its_end(self, module: ModuleRecord) -> bool:
        """Whether a module was run, and nothing kept it from its end."""
        return module in self._by_text and module not in self._cut_short and module not in self._exhausted

    @property
    def analysed(self) -> Iterable[ModuleRecord]:
        """The modules that were asked for, so far."""
        return self._analysed.keys()

    def returned(self, record: FunctionRecord) -> Value:
        """What a function was found to return for what its own text says of its parameters."""
        run = self._by_text.get(record)
        return UNKNOWN if run is None else run.result


def _name(record: FunctionRecord | ClassRecord) -> str:
    return record.qualified_name


def are_assumed_alike(before: Scope, now: Scope) -> bool:
    """Whether parameters are taken for the same, for the same reasons."""
    return before == now and all(_reason(before[name]) == _reason(value) for name, value in now.items())


def _reason(value: Value) -> str | None:
    return value.origin.text if isinstance(value, Tensor) and value.origin is not None else None
