"""The analysis of a project: runs modules and functions on abstract values until nothing changes."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace

from synclint.analysis.annotations.presumed_loaders import without_presumption
from synclint.analysis.calls import calls
from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.summaries import generalised
from synclint.analysis.domain.tensors import weaker
from synclint.analysis.domain.values import (
    NEVER,
    UNKNOWN,
    ClassRecord,
    FunctionRecord,
    FunctionValue,
    Instance,
    Mapping,
    ModuleRecord,
    Nothing,
    Scalar,
    Sequence,
    Tensor,
    Unknown,
    Value,
    is_known,
    is_of_unknown,
    options,
)
from synclint.analysis.frequency.loops import read_body
from synclint.analysis.frequency.texts import is_generator
from synclint.analysis.interpreter import expressions, statements
from synclint.analysis.interpreter.contexts import MOST_CONTEXTS, Contexts
from synclint.analysis.interpreter.edits import ToldOfOthers, told_of_others
from synclint.analysis.interpreter.fixpoint import Fixpoint
from synclint.analysis.interpreter.names import Names
from synclint.analysis.interpreter.plain_records import PlainRecords
from synclint.analysis.interpreter.recorder import Recorder
from synclint.analysis.models.versions import applies
from synclint.analysis.objects import classes, parameters, usages
from synclint.analysis.program.modules import Parameter
from synclint.analysis.program.patterns import Patterns
from synclint.analysis.results.expression_facts import RecordedValues
from synclint.analysis.results.observations import Observations
from synclint.analysis.state.call_sites import CallSite, RawEvent
from synclint.analysis.state.control_context import ControlContext
from synclint.analysis.state.fields import Fields
from synclint.analysis.state.frames import Arguments, Frame, Modules
from synclint.analysis.state.join_points import Scope
from synclint.analysis.state.readings import Readings
from synclint.analysis.state.recording import Recording, Seen
from synclint.analysis.state.runs import Field, Mark, MarkKind, Run
from synclint.analysis.state.usage import Usage
from synclint.catalog.entries import Catalog, Entry
from synclint.catalog.torch_api import load_torch_api
from synclint.findings import Confidence

# Calls are followed so deeply at once; what lies further down is run by itself later, down to where chains end.
DEEPEST_CALL = 14
DEEPEST_CHAIN = 28
# How many statements may be run to learn one file, those of what it calls included. A file of a thousand lines takes
# about as many; counting them, unlike looking at a clock, gives the same answer on every machine. This many take a
# minute or so.
MOST_STATEMENTS = 500_000


# How much may be run again until nothing changes, as a share of what was run first; in small projects this many.
MOST_AGAIN = 0.15
FEWEST_AGAIN = 4_000


class TooMuchWorkError(Exception):
    """A file that takes more work than any file should."""


class Engine:
    """Runs a project's modules and functions on abstract values."""

    # Through these the parts of the interpreter reach those that come after them.
    evaluate = staticmethod(expressions.evaluate)
    bind_target = staticmethod(expressions.bind_target)
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
    ) -> None:
        self.project = project
        self.catalog = catalog
        self.patterns = patterns
        self.api = load_torch_api()
        versions = {**library_versions, **({"torch": torch_version} if torch_version else {})}
        self.entries: dict[str, list[Entry]] = defaultdict(list)
        self._syntax: set[str] = set()
        for entry in catalog.entries:
            if applies(entry, versions):
                if not entry.calls:
                    self._syntax.add(entry.id)
                for name in entry.calls:
                    self.entries[name].append(entry)
        self._switches = {entry.switched_off_by for entry in catalog.by_id.values()}
        self.recording: Recording | None = None
        # What every expression stands for in what runs now, where somebody will ask what surrounds waits to be fixed.
        self.recorded: RecordedValues | None = None
        self._fixable = fixable
        self.readings = Readings()
        self.operators: dict[str, Value] = {}
        # The modules that are being run, the one that is being learned, and what went wrong in which.
        self._in_progress: set[ModuleRecord] = set()
        self._begun: set[ModuleRecord] = set()
        self._learned: dict[ModuleRecord, None] = {}
        self._subject: ModuleRecord | None = None
        self._cut_short: set[ModuleRecord] = set()
        self._exhausted: dict[ModuleRecord, TooMuchWorkError] = {}
        self.failures: dict[ModuleRecord, Exception] = {}
        self._statements_left = MOST_STATEMENTS
        self._statements_run = 0
        self._names = Names(project, self.run_module, self.class_attribute, self._in_progress)
        self.resolve = self._names.resolve
        self.member = self._names.member
        self.from_star = self._names.from_star
        self.annotation = self._names.annotation
        self._fields = Fields()
        self._contexts = Contexts()
        self._fixpoint = Fixpoint(self._fields)
        self._running: list[Run] = []
        # The runs of functions on what their own text says, and those of modules.
        self._by_text: dict[FunctionRecord | ModuleRecord, Run] = {}
        # Attributes of classes by way of which they are read or written, once the methods that assign them have run:
        # those of the class itself, and those of all that it derives from.
        self._assigners_entered: set[Field] = set()
        self._all_assigners_entered: set[Field] = set()
        self._on_trial = False
        self._assumed: dict[FunctionRecord, dict[str, Value]] = {}
        self._usages: dict[FunctionRecord, Usage] = {}
        self._marked: tuple[dict[FunctionRecord, str], set[FunctionRecord]] = {}, set()

    # --- modules ---------------------------------------------------------------------------------------

    def count_statement(self) -> None:
        """Count a statement that is run; raises TooMuchWorkError beyond what one file may take."""
        self._statements_left -= 1
        self._statements_run += 1
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
        run = self._by_text[module] = Run(None, module, module.scope, by_text=True, is_root=True)
        self._fixpoint.add(run)
        self._do(run)

    def _module_result(self, run: Run) -> Value:
        module = run.module
        frame = Frame(self, module, None, module.scope)
        self._in_progress.add(module)
        try:
            self.run_body(module.tree.body, frame)
            module.scope = frame.scope
            self._enter_nested(frame, run)
        except Exception as error:
            self._cut_short.add(module)
            self._blame(module, error)
        finally:
            self._in_progress.discard(module)
        return UNKNOWN

    def _blame(self, module: ModuleRecord, error: Exception) -> None:
        """Let what went wrong in a module cost that one, not another that only uses it; raises it anew if it is one.

        How deeply calls are nested, and how much work they are, depends on where they started: if it is the module's
        own fault, that will show again when it is learned itself.
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
            self._running.append(Run(None, record.module, {}, is_root=True))
            try:
                known = self._assumed[record] = parameters.assume(self, record)
            finally:
                self._running.pop()
        return known

    def usage(self, record: FunctionRecord) -> Usage:
        """What the body of a function does with its names."""
        known = self._usages.get(record)
        if known is None:
            known = self._usages[record] = usages.usage(self, record)
        return known

    @property
    def runs_on_text(self) -> bool:
        """Whether what runs now is run on what its own text says of its parameters, and not for a call."""
        return not self._running or self._running[-1].is_root

    def enter(self, record: FunctionRecord, enclosing: tuple[Scope, ...] = ()) -> None:
        """Run a function on what its own text says of its parameters."""
        if record in self._by_text:
            return
        run = Run(record, record.module, {}, enclosing, by_text=True, is_root=True)
        run.result = self._names.declared(record)
        self._by_text[record] = run
        self._fixpoint.add(run)
        if self._depth > DEEPEST_CALL:
            run.is_due = True
        else:
            self._do(run)

    @property
    def _depth(self) -> int:
        return len(self._running) - len(self._in_progress)

    def is_trial(self, source: ModuleRecord, target: ModuleRecord) -> bool:
        """Whether what a module tells of another one, by a call or an assignment, is said by a test only."""
        return not target.is_test and (source.is_test or self._on_trial)

    def call(self, target: FunctionValue, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
        """What a function of the project returns for the arguments of a call: it is run on the like of them once."""
        record, caller = target.record, self._running[-1]
        site = caller.calls.get((record, id(node)))
        if site is None or not site.is_certain:
            site = CallSite(frame.function, frame.module, node, self._called_at(record, frame))
            caller.calls[record, id(node)] = site
        if frame.muted:
            return self._names.declared(record)
        if frame.function is None and not frame.enclosing:
            frame.module.scope = frame.scope  # what the top level has bound so far, on this path through it
        scope = self._bind(record, target.receiver, arguments)
        on_trial = self.is_trial(frame.module, record.module)
        key = self._contexts.context_key(record, scope, on_trial)
        if target.scope is not None:
            return self._call_closure(target, scope, on_trial, node, site)
        if True not in key.given and not record.module.has_torch_in_reach:
            return self._names.declared(record)  # far from torch nothing of it can come back that was not handed there
        if not on_trial and record.module in self._begun and scope == self.assumed(record):
            self.enter(record)
            as_text = self._by_text[record]
            as_text.demands.setdefault(caller, scope)
            return caller.use(as_text, as_text.result, id(node), site)
        run = self._contexts.run_for(key, scope, caller)
        if run is None:
            caller.marks.add(Mark(MarkKind.UNHEARD, function=record))
            known = self._contexts.results(key)
            return join_all(known) if known else self._names.declared(record)
        if not run.times and caller.depth >= DEEPEST_CHAIN:
            run.is_due = False
            caller.marks.add(Mark(MarkKind.UNHEARD, function=record))
            return self._names.declared(record)
        if not run.times:
            run.is_dropped = False
            run.depth = caller.depth + 1
            self._fixpoint.add(run)
            run.result = self._names.declared(record)
            if self._depth > DEEPEST_CALL or self._is_running_twice(record):
                run.is_due = True
            else:
                self._do(run)
        elif run.is_waiting and not run.in_progress and self._depth <= DEEPEST_CALL:
            self._do(run)
        return caller.use(run, run.result, id(node), site)

    def _is_running_twice(self, record: FunctionRecord) -> bool:
        return sum(run.function is record for run in self._running) > 1

    def _call_closure(
        self, target: FunctionValue, scope: Scope, on_trial: bool, node: ast.AST, site: CallSite
    ) -> Value:
        """Call a function that sees the scope of another one: what it does hangs on that as well."""
        record, caller = target.record, self._running[-1]
        assert target.scope is not None
        like_it = [run for run in caller.uses if run.function is record]
        for run in like_it:
            if run.scope == scope and run.surroundings == target.scope:
                return caller.use(run, run.result, id(node), site)
        if len(like_it) >= MOST_CONTEXTS or self._depth > DEEPEST_CALL or self._is_running_twice(record):
            caller.marks.add(Mark(MarkKind.UNHEARD, function=record))
            known = [run.result for run in like_it]
            return join_all(known) if known else self._names.declared(record)
        run = Run(record, record.module, scope, (target.scope,), on_trial=on_trial)
        run.surroundings = dict(target.scope)
        run.result = self._names.declared(record)
        run.demand(caller, scope)
        self._fixpoint.add(run)
        self._do(run)
        return caller.use(run, run.result, id(node), site)

    def _called_at(self, record: FunctionRecord, frame: Frame) -> ControlContext:
        """Where a call stands: that of a generator, which a loop goes through, is as good as within the loop."""
        place = frame.place
        if frame.iterated is None or isinstance(record.node, ast.Lambda):
            return place
        is_consumed = is_generator(read_body(record.node.body), record.decorators)
        return replace(place, loops=(*place.loops, frame.iterated)) if is_consumed else place

    def call_with(self, target: FunctionValue, values: list[Value], frame: Frame, node: ast.AST) -> Value:
        """Call a function of the project on positional values, as an operator or a subscript does."""
        return self.call(target, Arguments(values), frame, node)

    def _bind(self, record: FunctionRecord, receiver: Value | None, arguments: Arguments) -> Scope:
        """The parameters of a function under a call: what is unknown of an argument, its own text may tell."""
        assumed = self.assumed(record)
        positional = arguments.positional
        if receiver is not None and record.owner is not None and not record.is_static:
            positional = [receiver, *positional]
        keywords = dict(arguments.keywords)
        at, given = 0, len(positional)
        scope: Scope = {}
        for parameter in record.parameters:
            name, kind = parameter.name, parameter.kind
            if kind == "positional" and at < given:
                scope[name] = self._argument(positional[at], parameter, assumed)
                at += 1
            elif kind == "*":
                scope[name] = Sequence("tuple", tuple(positional[at:])) if arguments.complete else Sequence("tuple")
                at = given
            elif kind == "**":
                scope[name] = Mapping(tuple(keywords.items()), NEVER if arguments.complete else arguments.others)
            elif name in keywords:
                scope[name] = self._argument(keywords.pop(name), parameter, assumed)
            elif parameter.default is not None and arguments.complete:
                scope[name] = parameters.default_value(self, record, parameter)
            else:
                scope[name] = assumed.get(name, UNKNOWN)
        return scope

    @staticmethod
    def _argument(value: Value, parameter: Parameter, assumed: Scope) -> Value:
        meant = assumed.get(parameter.name, UNKNOWN)
        value = without_presumption(value)
        if not is_known(value) or (is_known(meant) and is_of_unknown(value)):
            return meant
        if isinstance(meant, Scalar):
            value = parameters.as_one_number(value)
        if isinstance(value, Sequence):
            value = parameters.as_counters(value, parameter.name)
        return generalised(parameters.as_annotated(value, meant) if parameter.annotation is not None else value)

    def _do(self, run: Run) -> None:
        """Run a module or a function, and keep what comes of it."""
        if run.function is not None and run.by_text and not run.times:
            run.scope = dict(self.assumed(run.function))
        on_trial, self._on_trial = self._on_trial, run.on_trial
        writes, uses = run.begin()
        recorded, self.recorded = self.recorded, run.recorded if self._fixable else None
        run.in_progress = True
        self._running.append(run)
        try:
            run.end(self._module_result(run) if run.function is None else self._result(run, run.function))
        finally:
            self._running.pop()
            run.in_progress = False
            self.recorded = recorded
            self._fixpoint.end(run, writes, uses)
            self._on_trial = on_trial

    def _result(self, run: Run, record: FunctionRecord) -> Value:
        """What a function returns in a run over its body."""
        self.run_module(record.module)
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
        if run.by_text:  # else the functions within it would be known by what a call has given
            self._enter_nested(frame, run)
        result = join_all(frame.returned) if frame.returned else UNKNOWN
        if frame.yields:
            return Sequence("generator", None, join_all(frame.yielded))
        declared = self._names.declared(record)
        kinds = {type(option) for option in options(result)}
        # That it returns None somewhere tells nothing of the other places.
        is_untold = Unknown in kinds and kinds <= {Unknown, Nothing}
        return declared if is_untold and is_known(declared) else parameters.as_returned(result, declared)

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
        self._fields.write(owner, name, value, self._running[-1])

    def read_field(self, owner: ClassRecord, name: str) -> Value | None:
        """What an attribute of a class's instances holds, None where nothing is known to write it."""
        field = (owner, name)
        if field not in self._all_assigners_entered or self._fixpoint.is_in_a_round:
            for current in owner.ancestors:
                self._write_field_of(current, name)
            self._all_assigners_entered.add(field)
        return self._fields.read(owner, name, self._running[-1])

    def _write_field_of(self, owner: ClassRecord, name: str) -> None:
        """Run the methods of a class that assign to an attribute, and those of its writers that have to run again."""
        if (owner, name) not in self._assigners_entered:
            self._assigners_entered.add((owner, name))
            for method in owner.assigners.get(name) or classes.constructor(owner):
                self.enter(method)
        for run in self._fixpoint.writers_waiting((owner, name)):
            if self._depth <= DEEPEST_CALL and not run.in_progress:
                self._do(run)

    def subclasses(self, owner: ClassRecord) -> list[ClassRecord]:
        """The classes that derive from one directly, so far as they are known."""
        return self._fields.read_subclasses(owner, self._running[-1])

    # --- what is seen ----------------------------------------------------------------------------------

    def note(
        self,
        frame: Frame,
        construct: str,
        node: ast.AST,
        tensor: Tensor,
        subject: ast.AST,
        known: Value,
        confidence: Confidence | None,
    ) -> None:
        """Keep an event; of several views of one expression in a run the most confident one is kept."""
        entry = self.catalog.by_id.get(construct)
        if entry is None or (not entry.calls and construct not in self._syntax):
            return
        if self._on_trial and not frame.module.is_test:
            return
        level = weaker(tensor.trust, confidence or Confidence(entry.confidence))
        run = self._running[-1]
        key = (id(node), construct, run.function is not None and run.function is frame.function)
        noted = run.events.get(key)
        if noted is None or level.rank > noted.confidence.rank:
            run.events[key] = RawEvent(
                construct, node, frame.module, frame.function, subject, tensor, known, level, frame.place
            )

    def record(self, node: ast.expr, value: Value, frame: Frame) -> None:
        """Keep what an expression stands for if the recording wants it; what tests give is no evidence."""
        recording = self.recording
        if recording is None or id(node) not in recording.wanted or (self._on_trial and not frame.module.is_test):
            return
        run = self._running[-1]
        known = run.seen.get(id(node))
        if known is None:
            run.seen[id(node)] = Seen(node, frame.module, frame.function, frame.place, value, None)
        else:
            known.always = join(known.always, value)

    def note_global(self, module: ModuleRecord, name: str, value: Value) -> None:
        """Remember that what runs now rests on what a name at the top of a module stands for."""
        self._running[-1].globals.setdefault((module, name), value)

    def note_handed_on(self, arguments: Arguments, frame: Frame, node: ast.AST, is_certain: bool) -> None:
        """Remember the functions that a call hands to another function, which may call them there."""
        for values in (arguments.positional, arguments.keywords.values()):
            for value in values:
                if isinstance(value, FunctionValue):
                    made = self._running[-1].calls
                    key = (value.record, id(node))
                    if key not in made:
                        made[key] = CallSite(frame.function, frame.module, node, frame.place, is_certain)

    def note_unresolved(self, name: str, frame: Frame, node: ast.AST) -> None:
        """Remember the call of a method of something unknown, by its name."""
        made = self._running[-1].unresolved
        if (name, id(node)) not in made:
            made[name, id(node)] = CallSite(frame.function, frame.module, node, frame.place)

    def note_switch(self, name: str) -> None:
        """Remember that a function is called with False when the program starts, if that turns waits off."""
        owner, _, method = name.rpartition(".")
        name = f"{self.api.canonical(owner)}.{method}"
        if name in self._switches:
            self._mark(Mark(MarkKind.SWITCHED, name))

    def note_host_functions(self, arguments: Arguments, module: ModuleRecord) -> None:
        """Remember the functions that a loader runs in its workers, where tensors are on the CPU."""
        for key in ("collate_fn", "worker_init_fn"):
            value = arguments.keywords.get(key)
            if isinstance(value, FunctionValue) and not self.is_trial(module, value.record.module):
                self._mark(Mark(MarkKind.LOADED, function=value.record))

    def note_captured(self, record: FunctionRecord, by: str) -> None:
        """Remember that a function is recorded as a graph."""
        self._mark(Mark(MarkKind.CAPTURED, by, record))

    def note_excluded(self, record: FunctionRecord) -> None:
        """Remember a function that is called where nothing ever runs."""
        self._mark(Mark(MarkKind.EXCLUDED, function=record))

    def note_called_on_unknown(self, name: str) -> None:
        """Remember a method by its name that is called on something that may be of any class."""
        self._mark(Mark(MarkKind.ON_UNKNOWN, name))

    def _mark(self, mark: Mark) -> None:
        self._running[-1].marks.add(mark)

    # --- the whole -------------------------------------------------------------------------------------

    def begin(self, module: ModuleRecord) -> None:
        """Run the top level of a module, so that its names and classes are known before any function is run."""
        self._statements_left = MOST_STATEMENTS
        self._subject = None
        self._on_trial = False
        self._begun.add(module)
        try:
            self.run_module(module)
        except TooMuchWorkError as error:
            self._exhausted[module] = error
            raise

    def learn(self, module: ModuleRecord) -> None:
        """Run everything in a module: its functions, and what its classes inherit where they change its meaning."""
        if module in self._learned:
            return
        self._learned[module] = None
        self._statements_left = MOST_STATEMENTS
        self._subject = module
        self._on_trial = False
        self._begun.add(module)
        if module in self._cut_short:
            self._by_text.pop(module, None)
        self.run_module(module)
        for record in list(module.functions):
            self.enter(record)
        for owner in list(module.classes):
            self._enter_inherited(owner)
        if module in self._exhausted:
            # What its top level calls was cut short then, and is not run again.
            raise self._exhausted[module]

    def _enter_inherited(self, owner: ClassRecord) -> None:
        """Run inherited methods that call what this class defines, with an instance of this class as receiver."""
        own = owner.methods.keys()
        if not own:
            return
        nearer = set(own)
        for ancestor in owner.ancestors[1:]:
            for name, method in ancestor.methods.items():
                if name in nearer:
                    continue
                nearer.add(name)
                if method.receiver is None or method.is_class_method or method.calls_on_receiver.isdisjoint(own):
                    continue
                scope = {**self.assumed(method), method.receiver: instance_of(owner)}
                on_trial = self.is_trial(owner.module, method.module)
                run = Run(method, method.module, scope, on_trial=on_trial, is_root=True)
                self._fixpoint.add(run)
                self._do(run)

    def settle(self) -> None:
        """Do runs again until none rests on anything that has changed."""
        most = self._statements_run + max(FEWEST_AGAIN, int(self._statements_run * MOST_AGAIN))
        self._fixpoint.reach(self._again, lambda: self._statements_run < most)

    def _again(self, run: Run) -> None:
        self._begin_again(run)
        try:
            self._do(run)
        except TooMuchWorkError:
            run.is_due = False

    def _begin_again(self, run: Run) -> None:
        self._statements_left = MOST_STATEMENTS
        self._subject = None
        self._on_trial = False
        if run.function is None:
            self._names.forget()

    def was_run_to_its_end(self, module: ModuleRecord) -> bool:
        """Whether a module was run, and nothing kept it from its end."""
        return module in self._by_text and module not in self._cut_short and module not in self._exhausted

    @property
    def entered(self) -> Iterable[FunctionRecord]:
        """The functions whose bodies anything was concluded from."""
        return self._assumed.keys()

    def run_edited(self, functions: Iterable[FunctionRecord]) -> set[Run] | None:
        """Run functions with other bodies again, and all that rests on them; gives the runs that were done or dropped.

        None where that takes too much work, is nested too deeply, or fails: a new analysis reports it as it should be.
        """
        again: dict[Run, None] = {}
        runs = self._fixpoint.runs_of(functions)
        for record, known in runs.items():
            before = self._assumed.pop(record, None)
            self._usages.pop(record, None)
            as_text = self._by_text.get(record)
            if as_text is not None:
                as_text.scope = dict(self.assumed(record))
            if before is not None and not _are_assumed_alike(before, self.assumed(record)):
                again.update(dict.fromkeys(caller for run in known for caller in run.demands))
            again.update(dict.fromkeys(known))
        most = self._statements_run + max(FEWEST_AGAIN, int(self._statements_run * MOST_AGAIN))
        failed = len(self.failures)
        times = {run: min(run.times, 1) for run in self._fixpoint.runs}
        try:
            is_done = self._fixpoint.reach_from(again, self._again_or_fail, lambda: self._statements_run < most)
        except Exception:
            return None
        if not is_done or len(self.failures) > failed:
            return None
        now = {run: run.times for run in self._fixpoint.runs}
        return {run for run in times.keys() | now.keys() if times.get(run) != now.get(run)}

    def _again_or_fail(self, run: Run) -> None:
        """Do a run again; raises what went wrong in its module."""
        self._begin_again(run)
        self._subject = run.module
        self._do(run)

    def observations(self) -> Observations:
        """All that has been seen in every module that was learned or that a learned one reaches."""
        self.settle()
        return self.observed()

    def observed(self) -> Observations:
        """What has been seen by now."""
        shown = self._recorder(self._fixpoint.runs)
        self._marked = shown.captured(), shown.functions_marked(MarkKind.LOADED)
        places = PlainRecords(self, *self._marked)
        observed = shown.observations(places, self._learned, self._names_in, self._fixable)
        return observed if self.recording is None else replace(observed, recorded=shown.recorded(places))

    def seen_in(self, module: ModuleRecord, methods: Collection[str]) -> Observations:
        """What has been seen in one module; what is captured, or run by loaders, was found when all was observed."""
        within = [run for run in self._fixpoint.runs if run.module is module]
        calling = dict.fromkeys(caller for run in within for caller in run.demands)
        shown = self._recorder({**dict.fromkeys(within), **calling})
        places = PlainRecords(self, *self._marked)
        observed = shown.observations_in(module, places, methods, self._fixable)
        return observed if self.recording is None else replace(observed, recorded=shown.recorded(places))

    def _recorder(self, runs: Iterable[Run]) -> Recorder:
        return Recorder(runs, self.catalog.by_id, self.recording)

    def told_by(self, functions: Iterable[FunctionRecord]) -> ToldOfOthers:
        """What the bodies of functions tell of others, places aside."""
        runs = [run for known in self._fixpoint.runs_of(functions).values() for run in known]
        return told_of_others(functions, runs)

    def _names_in(self, name: str) -> Iterable[str]:
        module = self.project.module(name)
        return module.scope if module is not None else ()


def _are_assumed_alike(before: Scope, now: Scope) -> bool:
    """Whether parameters are taken for the same, for the same reasons."""
    return before == now and all(_reason(before[name]) == _reason(value) for name, value in now.items())


def _reason(value: Value) -> str | None:
    return value.origin.text if isinstance(value, Tensor) and value.origin is not None else None
