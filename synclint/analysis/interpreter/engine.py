"""The analysis of a project: runs modules and functions, keeps summaries, collects events and calls."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from synclint.analysis.annotations.annotations import annotated
from synclint.analysis.annotations.presumed_loaders import as_said
from synclint.analysis.calls import calls
from synclint.analysis.domain.descriptions import describe_operand
from synclint.analysis.domain.torch_values import is_of_torch
from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassValue,
    Device,
    FunctionValue,
    Instance,
    Mapping,
    Nothing,
    ProjectModule,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Unknown,
    Value,
    as_part,
    coarse,
    is_known,
    join,
    join_all,
    options,
    settled,
    tensor_of,
    weaker,
)
from synclint.analysis.frequency.loops import read_body
from synclint.analysis.frequency.texts import is_generator
from synclint.analysis.interpreter import expressions, mentions, statements
from synclint.analysis.interpreter.places import Places
from synclint.analysis.models.versions import applies
from synclint.analysis.objects import classes, parameters
from synclint.analysis.program.modules import ClassRecord, FunctionRecord, ModuleRecord, Parameter
from synclint.analysis.program.patterns import Patterns
from synclint.analysis.results.accounts import Accounts, Handle
from synclint.analysis.results.facts import Call
from synclint.analysis.results.observations import Observation, Observations
from synclint.analysis.state.call_sites import CallSite, RawEvent, Way
from synclint.analysis.state.frames import Arguments, Frame, Modules
from synclint.analysis.state.join_points import Scope
from synclint.analysis.state.places import Place
from synclint.analysis.state.readings import Readings
from synclint.analysis.state.usage import Usage
from synclint.catalog.entries import Catalog, Entry
from synclint.catalog.torch_api import load_torch_api
from synclint.findings import CallPlace, Confidence

DEEPEST_CALL = 14
DEEPEST_NAME = 60
MOST_EXACT_CONTEXTS = 5
MOST_CONTEXTS = 9
MOST_ALIKE = 16
MOST_RECEIVERS = 32
MOST_UNRESOLVED = 8
# How many statements may be run to learn one file, those of what it calls included. A file of a thousand lines takes
# about as many; counting them, unlike looking at a clock, gives the same answer on every machine. This many take a
# minute or so.
MOST_STATEMENTS = 500_000


class Alike(NamedTuple):
    """Calls of one function that give it something of torch in the same places: only these are ever taken together.

    Those that lead there from a test are on ``trial``.

    So a helper for strings as well as tensors does not make tensors of its callers' strings. What a method does with
    something of torch it may do to its ``receiver``, and what a class method gives is of its class as a rule: such
    calls are taken together class by class.
    """

    function: FunctionRecord
    given: tuple[bool, ...]
    receiver: ClassRecord | None
    trial: bool


class TooMuchWorkError(Exception):
    """A file that takes more work than any file should."""


def _joined_scopes(first: Scope | None, second: Scope) -> Scope:
    """What the parameters are in one call or another."""
    if first is None:
        return dict(second)
    return {name: join(first.get(name, value), value) for name, value in second.items()}


class Engine:
    """Everything that is learned about a project while its functions are run on abstract values."""

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
    ) -> None:
        self.project = project
        self.catalog = catalog
        self.patterns = patterns
        self.api = load_torch_api()
        versions = {**library_versions, **({"torch": torch_version} if torch_version else {})}
        self.entries: dict[str, list[Entry]] = defaultdict(list)
        self.syntax: dict[str, Entry] = {}
        for entry in catalog.entries:
            if applies(entry, versions):
                if not entry.calls:
                    self.syntax[entry.id] = entry
                for name in entry.calls:
                    self.entries[name].append(entry)
        self.by_id = catalog.by_id
        self.events: dict[ModuleRecord, dict[tuple[int, str, bool], RawEvent]] = defaultdict(dict)
        self.callers: dict[FunctionRecord, dict[int, CallSite]] = defaultdict(dict)
        self.watched: dict[int, list[Value]] | None = None
        self.loader_functions: set[FunctionRecord] = set()
        # Functions called only where a branch is left out, and methods that were called on something unknown.
        self.excluded: set[FunctionRecord] = set()
        self.called_on_unknown: set[str] = set()
        self.unresolved: dict[str, dict[int, CallSite]] = defaultdict(dict)
        self.captured: dict[FunctionRecord, str] = {}
        self.readings = Readings()
        self._summaries: dict[tuple[FunctionRecord, tuple[Value, ...], bool], tuple[Value, Way]] = {}
        self._widest: dict[Alike, Scope] = {}
        self._returned: dict[Alike, Value] = {}
        self._contexts: dict[Alike, int] = defaultdict(int)
        self._given: dict[tuple[FunctionRecord, bool], set[tuple[bool, ...]]] = defaultdict(set)
        self._receivers: dict[tuple[FunctionRecord, bool], set[ClassRecord]] = defaultdict(set)
        self._resolving: set[tuple[ModuleRecord, str]] = set()
        self._running: list[FunctionRecord] = []
        self._ways: list[Way] = []
        # Whether what runs now was called from a test, and the functions of which some calls could not be followed.
        self._on_trial = False
        self._unheard: set[FunctionRecord] = set()
        self._entered: set[FunctionRecord] = set()
        self._learned: set[ModuleRecord] = set()
        self._assumed: dict[FunctionRecord, dict[str, Value]] = {}
        self._switches = {entry.switched_off_by for entry in self.by_id.values()}
        self.switched_off: set[str] = set()
        self._usages: dict[FunctionRecord, Usage] = {}
        self._declarations: dict[FunctionRecord, Value] = {}
        self._symbols: dict[str, Value | None] = {}
        self._starred: dict[tuple[ModuleRecord, str], Value | None] = {}
        self._aliases: dict[ast.expr, Value] = {}
        self._statements_left = MOST_STATEMENTS
        # The module that is being learned, those that are being run for it, and what went wrong in them.
        self._subject: ModuleRecord | None = None
        self._in_progress: set[ModuleRecord] = set()
        self._cut_short: set[ModuleRecord] = set()
        self.failures: dict[ModuleRecord, Exception] = {}

    # --- names -----------------------------------------------------------------------------------------

    def resolve(self, name: str) -> Value:
        """What a qualified name stands for: a value of the project, else a symbol outside of it."""
        if name not in self._symbols:
            self._symbols[name] = Symbol(name)
            found = self._in_project(name)
            if found is not None:
                self._symbols[name] = found
        value = self._symbols[name]
        return value if value is not None else Symbol(name)

    def _in_project(self, name: str) -> Value | None:
        if self.project.module(name) is not None or self.project.is_package(name):
            return ProjectModule(name)
        parent, _, last = name.rpartition(".")
        if not parent or name.count(".") > DEEPEST_NAME:
            return None
        module = self.project.module(parent)
        if module is not None:
            value = self.member(module, last)
            if isinstance(value, Symbol) and value.name != name:
                return self.resolve(value.name)
            return value if value is not None else UNKNOWN
        if self.project.is_package(parent):
            return UNKNOWN
        container = self.resolve(parent)
        if isinstance(container, ClassValue):
            return classes.class_attribute(self, container.record, last)
        return None

    def member(self, module: ModuleRecord, name: str) -> Value | None:
        """What a name stands for at the top level of a module, None where it is not bound there."""
        self.run_module(module)
        value = module.scope.get(name)
        return value if value is not None else self.from_star(module, name)

    def from_star(self, module: ModuleRecord, name: str) -> Value | None:
        """What a module has under a name from its ``import *``, None where they do not give it.

        They are looked through only for names that nothing else binds: a package may import everything from hundreds
        of modules of which nobody uses more than a few.
        """
        wanted = (module, name)
        if not module.stars or wanted in self._starred:
            return self._starred.get(wanted)
        self._starred[wanted] = None  # modules may import everything from one another
        for star in reversed(module.stars):
            other = self.project.module_giving(star, name)
            value = self.member(other, name) if other is not None else None
            if value is not None:
                self._starred[wanted] = value
                return value
        if self._in_progress:
            del self._starred[wanted]  # it may be bound yet
        return None

    def count_statement(self) -> None:
        """Count a statement that is run; raises TooMuchWorkError beyond what one file may take."""
        self._statements_left -= 1
        if self._statements_left < 0:
            raise TooMuchWorkError

    def run_module(self, module: ModuleRecord) -> None:
        """Run a module's top level once."""
        if module.executed:
            return
        module.executed = True
        frame = Frame(self, module, None, module.scope)
        self._in_progress.add(module)
        on_trial, self._on_trial = self._on_trial, False
        try:
            self.run_body(module.tree.body, frame)
            module.scope = frame.scope
            self._enter_nested(frame)
        except Exception as error:
            self._cut_short.add(module)
            self._blame(module, error)
        finally:
            self._on_trial = on_trial
            self._in_progress.discard(module)

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
        if record not in self._assumed:
            self._assumed[record] = {}
            self._assumed[record] = parameters.assume(self, record)
        return self._assumed[record]

    def usage(self, record: FunctionRecord) -> Usage:
        """What the body of a function does with its names."""
        if record not in self._usages:
            self._usages[record] = parameters.usage(self, record)
        return self._usages[record]

    def enter(self, record: FunctionRecord, enclosing: tuple[Scope, ...] = ()) -> Value:
        """Run a function on what its own text says of its parameters."""
        if record in self._entered or len(self._running) > DEEPEST_CALL:
            return UNKNOWN
        self._entered.add(record)
        on_trial, self._on_trial = self._on_trial, False
        result = self._run(record, dict(self.assumed(record)), enclosing)
        self._on_trial = on_trial
        return result

    def is_trial(self, source: ModuleRecord, target: ModuleRecord) -> bool:
        """Whether what a module tells of another one, by a call or an assignment, is said by a test only."""
        return not target.is_test and (source.is_test or self._on_trial)

    def call(self, target: FunctionValue, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
        """Run a function of the project on the arguments of a call; the result is kept for the like of them."""
        record = target.record
        site = self.callers[record].get(id(node))
        if site is None or not site.is_certain:
            place = self._called_at(record, frame)
            self.callers[record][id(node)] = CallSite(frame.function, frame.module, node, place)
        if frame.muted:
            return self._declared(record)
        scope = self._bind(record, target.receiver, arguments)
        trial = self.is_trial(frame.module, record.module)
        alike = self._alike(record, scope, trial)
        if target.scope is None and not any(alike.given) and not record.module.has_torch_in_reach:
            return self._declared(record)  # far from torch nothing of it can come back that was not handed there
        key = (record, tuple(coarse(value) for value in scope.values()), trial)
        site = self.callers[record][id(node)]
        if key in self._summaries and target.scope is None:
            known_result, known_way = self._summaries[key]
            known_way.sites[id(node)] = site
            return known_result
        if self._running.count(record) > 1 or len(self._running) > DEEPEST_CALL:
            self._unheard.add(record)
            return self._declared(record)
        if self._contexts[alike] >= MOST_CONTEXTS:
            self._unheard.add(record)
            return self._returned.get(alike, self._declared(record))
        self._contexts[alike] += 1
        if self._contexts[alike] > MOST_EXACT_CONTEXTS:
            scope = _joined_scopes(self._widest.get(alike), scope)
        self._widest[alike] = _joined_scopes(self._widest.get(alike), scope)
        enclosing = (target.scope,) if target.scope is not None else ()
        way = Way({id(node): site})
        on_trial, self._on_trial = self._on_trial, trial
        result = self._run(record, scope, enclosing, way)
        self._on_trial = on_trial
        self._summaries[key] = (result, way)
        known = self._returned.get(alike)
        self._returned[alike] = result if known is None else join(known, result)
        return result

    def _called_at(self, record: FunctionRecord, frame: Frame) -> Place:
        """Where a call stands: that of a generator, which a loop goes through, is as good as within the loop."""
        place = frame.place
        if frame.iterated is None or isinstance(record.node, ast.Lambda):
            return place
        is_consumed = is_generator(read_body(record.node.body), record.decorators)
        return replace(place, loops=(*place.loops, frame.iterated)) if is_consumed else place

    def note_handed_on(self, arguments: Arguments, frame: Frame, node: ast.AST, is_certain: bool) -> None:
        """Remember the functions that a call hands to another function, which may call them there."""
        for value in arguments.all_values():
            if isinstance(value, FunctionValue) and id(node) not in self.callers[value.record]:
                site = CallSite(frame.function, frame.module, node, frame.place, is_certain)
                self.callers[value.record][id(node)] = site

    def note_unresolved(self, name: str, frame: Frame, node: ast.AST) -> None:
        """Remember the call of a method of something unknown, by its name."""
        sites = self.unresolved[name]
        if len(sites) < MOST_UNRESOLVED and id(node) not in sites:
            sites[id(node)] = CallSite(frame.function, frame.module, node, frame.place)

    def _alike(self, record: FunctionRecord, scope: Scope, trial: bool) -> Alike:
        given = tuple(map(is_of_torch, scope.values()))
        known = self._given[record, trial]
        if given not in known and len(known) >= MOST_ALIKE:
            given = (any(given),)
        known.add(given)
        is_of_class = record.is_class_method or any(given[1:])
        return Alike(record, given, self._told_apart(record, scope, trial) if is_of_class else None, trial)

    def _told_apart(self, record: FunctionRecord, scope: Scope, trial: bool) -> ClassRecord | None:
        """The class that a method is called on, or that of the object, for as many classes as are told apart."""
        receiver = scope.get(record.receiver) if record.receiver is not None else None
        if not isinstance(receiver, (Instance, ClassValue)) or receiver.record is None:
            return None
        known = self._receivers[record, trial]
        if len(known) < MOST_RECEIVERS:
            known.add(receiver.record)
        return receiver.record if receiver.record in known else None

    def note_switch(self, name: str) -> None:
        """Remember that a function is called with False when the program starts, if that turns waits off."""
        owner, _, method = name.rpartition(".")
        name = f"{self.api.canonical(owner)}.{method}"
        if name in self._switches:
            self.switched_off.add(name)

    def note_host_functions(self, arguments: Arguments, module: ModuleRecord) -> None:
        """Remember the functions that a loader runs in its workers, where tensors are on the CPU."""
        for key in ("collate_fn", "worker_init_fn"):
            value = arguments.keywords.get(key)
            if isinstance(value, FunctionValue) and not self.is_trial(module, value.record.module):
                self.loader_functions.add(value.record)

    def call_with(self, target: FunctionValue, values: list[Value], frame: Frame, node: ast.AST) -> Value:
        """Call a function of the project on positional values, as an operator or a subscript does."""
        return self.call(target, Arguments(values), frame, node)

    def _declared(self, record: FunctionRecord) -> Value:
        if record.returns is None:
            return UNKNOWN
        if record not in self._declarations:
            value = self.annotation(record.returns, record)
            if self._in_progress:
                return value  # names that it is made of may be bound yet
            self._declarations[record] = value
        return self._declarations[record]

    def annotation(self, node: ast.expr, record: FunctionRecord | ClassRecord | ModuleRecord) -> Value:
        """The value that an annotation in a function, class or module stands for."""
        module = record if isinstance(record, ModuleRecord) else record.module
        return annotated(node, lambda name: self._name_in(module, name))

    def _imported(self, name: str) -> Value:
        """What an imported name stands for in an annotation: a class, or an alias of a type in its own module."""
        seen = {name}
        while True:
            parent, _, last = name.rpartition(".")
            module = self.project.module(parent) if parent else None
            if module is None:
                return self.resolve(name)
            self.run_module(module)
            if last in module.aliases:
                return self._alias(module, last)
            value = self.member(module, last)
            if not isinstance(value, Symbol) or value.name in seen:  # modules may import a name from one another
                return self.resolve(name)
            name = value.name
            seen.add(name)

    def _alias(self, module: ModuleRecord, name: str) -> Value:
        """What an alias of a type stands for; one that stands for itself in part is unknown there."""
        node = module.aliases[name]
        if node in self._aliases:
            return self._aliases[node]
        if (module, name) in self._resolving:
            return UNKNOWN
        self._resolving.add((module, name))
        value = as_part(self.annotation(node, module))
        self._resolving.discard((module, name))
        self._aliases[node] = value
        if self._in_progress and not self._resolving:
            self._aliases.clear()  # names that they are made of may be bound yet
        return value

    def _name_in(self, module: ModuleRecord, node: ast.expr) -> Value:
        if isinstance(node, ast.Attribute):
            container = self._name_in(module, node.value)
            if isinstance(container, (Symbol, ProjectModule)):
                return self.resolve(f"{container.name}.{node.attr}")
            return UNKNOWN
        if not isinstance(node, ast.Name):
            return UNKNOWN
        if node.id in module.aliases:
            return self._alias(module, node.id)
        value = self.member(module, node.id)
        if isinstance(value, Symbol):
            return self._imported(value.name)
        return value if value is not None else Symbol(f"builtins.{node.id}")

    def _bind(self, record: FunctionRecord, receiver: Value | None, arguments: Arguments) -> Scope:
        """The parameters of a function under a call: what is unknown of an argument, its own text may tell."""
        assumed = self.assumed(record)
        positional = list(arguments.positional)
        keywords = dict(arguments.keywords)
        if receiver is not None and record.owner is not None and not record.is_static:
            positional.insert(0, receiver)
        scope: Scope = {}
        for parameter in record.parameters:
            name = parameter.name
            if parameter.kind == "*":
                scope[name] = Sequence("tuple", tuple(positional)) if arguments.complete else Sequence("tuple")
                positional = []
            elif parameter.kind == "**":
                scope[name] = Mapping(tuple(sorted(keywords.items(), key=lambda item: item[0])))
            elif parameter.kind == "positional" and positional:
                scope[name] = self._argument(positional.pop(0), parameter, assumed)
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
        value = as_said(value)
        if not is_known(value):
            return meant
        if isinstance(meant, Scalar):
            value = parameters.as_one_number(value)
        return settled(parameters.as_annotated(value, meant) if parameter.annotation is not None else value)

    def _run(
        self, record: FunctionRecord, scope: Scope, enclosing: tuple[Scope, ...] = (), way: Way | None = None
    ) -> Value:
        self.run_module(record.module)
        frame = Frame(self, record.module, record, scope, enclosing)
        self._running.append(record)
        self._ways.append(way or Way())
        try:
            if isinstance(record.node, ast.Lambda):
                frame.returned.append(self.evaluate(record.node.body, frame))
            else:
                self.run_body(record.node.body, frame)
        except Exception as error:
            self._entered.discard(record)
            self._blame(record.module, error)
        finally:
            self._running.pop()
            self._ways.pop()
        if not self._on_trial:  # else the functions within it would be known by what a test has given
            self._enter_nested(frame)
        result = join_all(frame.returned) if frame.returned else UNKNOWN
        if frame.yields:
            return Sequence("generator", None, join_all(frame.yielded))
        declared = self._declared(record)
        kinds = {type(option) for option in options(result)}
        # That it returns None somewhere tells nothing of the other places.
        is_untold = Unknown in kinds and kinds <= {Unknown, Nothing}
        return declared if is_untold and is_known(declared) else result

    def _enter_nested(self, frame: Frame) -> None:
        for record, scope in frame.nested:
            if record not in self._entered:
                self.enter(record, (scope, *frame.enclosing))

    # --- classes ---------------------------------------------------------------------------------------

    def attribute(self, instance: Instance, name: str, frame: Frame, node: ast.AST) -> Value | None:
        """What reading an attribute of an object gives, None where nothing is known of it."""
        return classes.instance_attribute(self, instance, name, frame, node)

    def class_attribute(self, record: ClassRecord, name: str) -> Value:
        """What reading an attribute of a class gives."""
        return classes.class_attribute(self, record, name)

    # --- events ----------------------------------------------------------------------------------------

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
        """Keep an event; of several runs over the same expression the most confident one is kept."""
        entry = self.by_id.get(construct)
        if entry is None or (not entry.calls and construct not in self.syntax):
            return
        if self._on_trial and not frame.module.is_test:
            return
        level = weaker(tensor.trust, confidence or Confidence(entry.confidence))
        way = self._ways[-1] if self._running and self._running[-1] is frame.function else Way()
        key = (id(node), construct, bool(way.sites))
        noted = self.events[frame.module].get(key)
        ways = noted.ways if noted is not None else []
        if way.sites and way not in ways:
            ways.append(way)
        if noted is None or level.rank > noted.confidence.rank:
            self.events[frame.module][key] = RawEvent(
                construct, node, frame.function, subject, tensor, known, level, frame.place, ways
            )

    def evidence(self, value: Value) -> Iterator[str]:
        """The chain of inferences behind a value, one sentence each, the last one first."""
        tensor = tensor_of(value)
        if tensor is None:
            return
        for link in tensor.origin.chain() if tensor.origin is not None else ():
            if link.module is None or link.node is None:
                yield link.text
            else:
                yield f"{link.text} at {link.module.path}:{link.module.line_of(link.node)}"
        if tensor.device is Device.UNKNOWN:
            yield "where it lives is not said: tensors are taken to be on the device"

    def learn(self, module: ModuleRecord) -> None:
        """Run everything in a module: its functions, and what its classes inherit where they change its meaning."""
        if module in self._learned:
            return
        self._learned.add(module)
        self._statements_left = MOST_STATEMENTS
        self._subject = module
        self._on_trial = False
        if module in self._cut_short:
            module.executed = False
        self.run_module(module)
        for record in list(module.functions):
            self.enter(record)
        for owner in list(module.classes):
            self._enter_inherited(owner)

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
                if method.receiver is None or method.is_class_method:
                    continue
                if method.calls_on_receiver & own:
                    scope = dict(self.assumed(method))
                    scope[method.receiver] = Instance(owner.qualified_name, owner)
                    on_trial, self._on_trial = self._on_trial, self.is_trial(owner.module, method.module)
                    self._run(method, scope)
                    self._on_trial = on_trial

    def observations(self) -> Observations:
        """All that has been seen so far, in every module that was learned or that a learned one reaches."""
        places = Places(self)
        events = tuple(
            self._observation(module, event, places)
            for module, noted in self.events.items()
            for event in noted.values()
        )
        calls = {
            places.function(record, record.module): tuple(map(places.call, sites.values()))
            for record, sites in self.callers.items()
            if sites
        }
        names = {facts.name for facts in places.functions.values()}
        unresolved: dict[str, tuple[Call, ...]] = {
            name: tuple(map(places.call, sites.values())) for name, sites in self.unresolved.items() if name in names
        }
        accounts = self._accounts(places)
        return Observations(
            events, places.functions, places.loops, calls, unresolved, frozenset(self.switched_off), accounts
        )

    def _accounts(self, places: Places) -> Accounts:
        """What tells of which functions all calls are known."""
        handles: dict[str, Handle] = {}
        for record, sites in self.callers.items():
            found = mentions.handle(record)
            if found is not None and any(not site.module.is_test for site in sites.values()):
                handles[places.function(record, record.module)] = found
        for record in self.excluded:
            if record not in self.callers and (found := mentions.handle(record)) is not None:
                handles[places.function(record, record.module)] = found
        taken, exported = set(self.called_on_unknown), set[str]()
        tests = {str(module.path) for module in self._learned if module.is_test}
        for module in self._learned:
            exported.update(mentions.exported(module))
            if not module.is_test:
                taken.update(mentions.taken(module))
            for star in module.stars if module.is_package else ():
                other = self.project.module(star)
                exported.update(other.scope if other is not None else ())
        unheard = frozenset(places.function(record, record.module) for record in self._unheard)
        return Accounts(handles, unheard, frozenset(taken), frozenset(exported), frozenset(tests))

    def _observation(self, module: ModuleRecord, event: RawEvent, places: Places) -> Observation:
        return Observation(
            path=str(module.real_path),
            span=module.span_of(event.node),
            construct=event.construct,
            subject=module.text_of(event.subject),
            facts=describe_operand(event.subject, event.known),
            confidence=event.confidence,
            evidence=tuple(self.evidence(event.tensor)) if self.watched is not None else (),
            function=places.function(event.function, module),
            layers=places.layers(event.place, module),
            switch=self.by_id[event.construct].switched_off_by,
            cause=_cause(event),
            callers=tuple(dict.fromkeys(map(_place_of, event.callers.values()))),
        )


def _place_of(site: CallSite) -> CallPlace:
    name = site.caller.name if site.caller is not None else ""
    return CallPlace(name, str(site.module.path), site.module.line_of(site.node))


def _cause(event: RawEvent) -> str:
    """The place where the chain of inferences begins, empty where it has none."""
    origin = event.tensor.origin
    for link in reversed(tuple(origin.chain())) if origin is not None else ():
        if link.module is not None and link.node is not None:
            return f"{link.module.path}:{link.module.line_of(link.node)}"
    return ""
