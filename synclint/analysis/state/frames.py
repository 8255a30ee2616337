"""What the interpreter knows while it runs over one function: names, paths, and where it stands."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.values import (
    UNKNOWN,
    ClassRecord,
    ClassValue,
    FunctionRecord,
    FunctionValue,
    Instance,
    ModuleRecord,
    Origin,
    Pace,
    ProjectModule,
    Symbol,
    Tensor,
    Value,
)
from synclint.analysis.program.patterns import Patterns
from synclint.analysis.results.expression_facts import RecordedValues, record_another
from synclint.analysis.state.control_context import UNCONDITIONAL, Condition, ControlContext, NotedGuard
from synclint.analysis.state.join_points import JoinPoint, Scope, merge
from synclint.analysis.state.readings import Readings
from synclint.analysis.state.recording import Recording
from synclint.analysis.state.usage import Usage
from synclint.catalog.entries import Catalog, Entry
from synclint.catalog.summaries import SummaryOf
from synclint.catalog.torch_api import TorchApi
from synclint.findings import Confidence, Phase

# What a module binds by a definition or an import, which stays what it is.
_DEFINED = frozenset({Symbol, ProjectModule, FunctionValue, ClassValue})


@dataclass(slots=True)
class LoopExits:
    """The exits of a loop by ``break``, or its repetitions by ``continue``: the join of the scopes at them so far."""

    joined: JoinPoint | None = None
    at: int = -1

    def add(self, frame: Frame) -> None:
        """Join what holds here: the path that is being followed ends."""
        if self.joined is None:
            self.joined = JoinPoint(frame.scope, set())
        else:
            self.joined.follow(frame.scope, frame.changed_since(self.at))
        self.at = frame.now


@dataclass(slots=True)
class RunningLoop:
    """A loop being run, with its exits and its repetitions."""

    node: ast.AST
    exits: LoopExits = field(default_factory=LoopExits)
    repeats: LoopExits = field(default_factory=LoopExits)


@dataclass(slots=True)
class Arguments:
    """The arguments of a call; ``complete`` is false where some came from ``*`` or ``**`` of unknown content.

    ``others`` is what stands under the keywords that are not known by their names, ``more`` what any number of further
    positional ones are.
    """

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    complete: bool = True
    nodes: dict[str | int, ast.AST] = field(default_factory=dict)
    others: Value = UNKNOWN
    more: Value = UNKNOWN

    def all_values(self) -> list[Value]:
        """Every argument, however it was passed."""
        return [*self.positional, *self.keywords.values()]


@dataclass(slots=True)
class Frame:
    """One run over the body of a function, class or module.

    ``scope`` maps names, and dotted paths such as ``self.mask``, to values; ``tests`` keeps the tests whose
    outcomes have been given names, ``paces`` those that tests had when they were evaluated last; ``iterated`` is the
    loop whose rounds are being looked for; ``heads`` keeps what held, when they were left, at the beginning of loops
    within others, and when they were begun; ``doubts`` counts the calls in progress whose receiver may be one of
    several objects; ``answers`` are calls of functions of which nothing is known that were given nothing but tensors;
    ``alive`` is false once the path that is being followed has returned, raised, or left its loop.
    Names and paths are given their values by ``bind`` or ``know`` and lose them by ``forget`` or ``drop``, so that it
    is known which of them are below which name, and which have changed since two paths through the code parted.
    """

    engine: Interpreter
    module: ModuleRecord
    function: FunctionRecord | None
    scope: Scope
    enclosing: tuple[Scope, ...] = ()
    returned: list[Value] = field(default_factory=list)
    yielded: list[Value] = field(default_factory=list)
    yields: bool = False
    nested: list[tuple[FunctionRecord, Scope]] = field(default_factory=list)
    loops: list[RunningLoop] = field(default_factory=list)
    tests: dict[str, ast.expr] = field(default_factory=dict)
    paces: dict[ast.expr, Pace] = field(default_factory=dict)
    guards: list[NotedGuard] = field(default_factory=list)
    iterated: ast.AST | None = None
    alive: bool = True
    muted: int = 0
    doubts: int = 0
    heads: dict[ast.AST, tuple[Scope, int]] = field(default_factory=dict)
    answers: set[ast.AST] = field(default_factory=set)
    _below: dict[str, set[str]] = field(init=False, default_factory=dict)
    _changes: list[str] = field(init=False, default_factory=list)

    @property
    def control(self) -> ControlContext:
        """Where the interpreter stands now."""
        if not self.guards and not self.loops:
            return UNCONDITIONAL
        return ControlContext(tuple(self.guards), tuple([loop.node for loop in self.loops]))

    def guard(
        self,
        runs: Phase,
        reason: str,
        counts: int = 0,
        captured: str | None = None,
        need: Condition | None = None,
        option: str = "",
        is_mode: bool = False,
        region: str = "",
        exchange: str = "",
    ) -> None:
        """Note that what follows runs in another phase, is captured, or has to be asked for, until that is taken away.

        A ``need`` is what calls have to do, an ``option`` what is off unless somebody sets it, ``counts`` the loop
        whose rounds are counted. ``is_mode`` tells that a model is put into evaluation mode in passing. ``region`` is
        the key of a region that accepts waits, ``exchange`` what is brought from or to a simulated environment.
        """
        self.guards.append(
            NotedGuard(runs, reason, len(self.loops), captured, need, option, counts, is_mode, region, exchange)
        )

    def leave_the_gpu(self) -> None:
        """Note that what follows runs only where nothing waits for a GPU: there is no step in it."""
        self.muted += 1
        self.guard(Phase.UNREACHED, "runs where nothing waits for a GPU")

    def lookup(self, name: str) -> Value | None:
        """What a name is bound to, the builtins aside."""
        value = self.scope.get(name)
        if value is not None:
            return value
        value = self.further_out(name) if self.enclosing else None
        if value is not None:
            return value
        value = self.module.scope.get(name)
        if value is not None and type(value) not in _DEFINED:
            self.engine.note_global(self.module, name, value)
        return value

    def further_out(self, name: str) -> Value | None:
        """What a name is bound to in the functions around, from the nearest one outwards."""
        for scope in self.enclosing:
            if name in scope:
                return scope[name]
        return None

    def bind(self, name: str, value: Value) -> None:
        """Bind a name or a path, forgetting what was known of paths that start with it."""
        if name in self._below:
            self.forget(name)
        if name in self.tests:
            del self.tests[name]
        self.know(name, value)

    def hand_out(self, name: str, value: Value) -> bool:
        """Let a name of a function around stand for something else as well; false where none of them has it."""
        for scope in self.enclosing:
            if name in scope:
                scope[name] = join(scope[name], value)
                return True
        return False

    def know(self, path: str, value: Value) -> None:
        """Note what a name or a path stands for; what is known below it stays so."""
        self.scope[path] = value
        self._changes.append(path)
        if "." in path or "[" in path:
            self._note_path(path)

    def _note_path(self, path: str) -> None:
        """Remember that ``self.a["b"]`` is below ``self.a`` and ``self``, and ``a[key]`` below ``key`` as well."""
        above, item, key = path.partition("[")
        if not item:
            above = path.rpartition(".")[0]
        elif key[0].isalpha() or key[0] == "_":
            self._note_below(key[:-1], path)
        self._note_below(above, path)

    def _note_below(self, above: str, path: str) -> None:
        while above:
            below = self._below.setdefault(above, set())
            if path in below:
                return
            below.add(path)
            above = above.rpartition(".")[0]

    def forget(self, name: str) -> None:
        """Drop what was known of the attributes and items below a name or path."""
        below = self._below.get(name)
        if below:
            for path in self.scope.keys() & below:
                del self.scope[path]
                self._changes.append(path)

    def drop(self, name: str) -> None:
        """Take a name or path out of the scope, with all that is below it."""
        self.forget(name)
        if self.scope.pop(name, None) is not None:
            self._changes.append(name)

    @property
    def now(self) -> int:
        """A point in the run, for ``changed_since``."""
        return len(self._changes)

    def changed_since(self, point: int, until: int | None = None) -> set[str]:
        """The names and paths that were bound or unbound since a point, on any path, and what is below them."""
        changed = set(self._changes[point:until])
        for name in self._below.keys() & changed:
            changed |= self._below[name]
        return changed

    def carry_changes(self, since: int) -> None:
        """Note anew what has changed since a branching of which one path has left a loop and is not followed further.

        It is what makes the scope on the path that is followed now differ from that in which the loop was left.
        """
        if self.loops and max(self.loops[-1].exits.at, self.loops[-1].repeats.at) > since:
            self._changes += self.changed_since(since)

    def resume(self, loop: ast.AST) -> None:
        """Begin a loop with the join of what holds now and held there in the last round of the loop around it."""
        if loop in self.heads:
            head, since = self.heads[loop]
            changed = self.changed_since(since)
            self.scope = merge(self.scope, head, changed)
            self._changes += changed

    def evaluate(self, node: ast.expr) -> Value:
        """What an expression stands for here; events within it are reported."""
        return self.engine.evaluate(node, self)

    def run_suite(self, suite: list[ast.stmt]) -> None:
        """Run the statements of a block; what is guarded from one of them on is so up to its end."""
        guards_outside = len(self.guards)
        self.engine.run_body(suite, self)
        del self.guards[guards_outside:]

    def record(self, node: ast.expr, value: Value) -> Value:
        """Keep what an expression stands for, as long as anybody wants to know."""
        engine = self.engine
        if engine.recorded is not None:
            known = engine.recorded.setdefault(node, value)
            if known is not value:
                record_another(node, known, value, engine.recorded)
        if engine.recording is not None and engine.recording.wants(node):
            engine.record(node, value, self)
        return value

    def report(
        self,
        construct: str,
        node: ast.AST,
        tensor: Tensor,
        subject: ast.AST | None = None,
        confidence: Confidence | None = None,
        known: Value | None = None,
        told: str = "",
    ) -> None:
        """Note that ``node`` makes the host wait because of ``tensor``.

        ``subject`` is the expression that a message names, ``known`` what is known of it where it is not that tensor,
        ``told`` what is said of it instead.
        """
        if self.doubts:
            confidence = Confidence.LOW
        if not self.muted and self.alive:
            subject = node if subject is None else subject
            known = tensor if known is None else known
            self.engine.note(self, construct, node, tensor, subject, known, confidence, told)

    def origin(self, text: str, node: ast.AST, parent: Origin | None = None) -> Origin:
        """A link of evidence at a place in this module."""
        return Origin(text, self.module, node, parent)


class Modules(Protocol):
    """The modules of a project, as the interpreter looks them up."""

    def module(self, name: str) -> ModuleRecord | None:
        """The module of this dotted name, None where the project has none."""

    def module_giving(self, module: str, name: str) -> ModuleRecord | None:
        """The module of this dotted name if its star may give a name."""

    def is_package(self, name: str) -> bool:
        """Whether the name is a folder of the project."""

    def name_for(self, name: str, importer: ModuleRecord) -> str:
        """The name under which the project knows what a module imports as ``name``."""

    def modules_offering(self, names: frozenset[str], package: str, importer: ModuleRecord) -> tuple[str, ...]:
        """The modules of a package, or of the folders that a module sees, that have most of the ``names``."""


class Interpreter(Protocol):
    """What runs functions on abstract values, as its parts reach it and, through it, one another.

    Expressions hold calls, calls run functions, functions hold expressions: each of these is in a module of its own,
    and none imports those that come after it.
    """

    project: Modules
    catalog: Catalog
    patterns: Patterns
    api: TorchApi
    versions: Mapping[str, str]
    summary_of: SummaryOf
    entries: dict[str, list[Entry]]
    readings: Readings
    recording: Recording | None
    recorded: RecordedValues | None
    operators: dict[str, Value]
    for_contracts: bool

    @property
    def runs_on_text(self) -> bool:
        """Whether what runs now is run on what its own text says of its parameters."""

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """What an expression stands for; events within it are reported to the frame."""

    def bind_target(self, target: ast.expr, value: Value, frame: Frame) -> None:
        """Bind the target of a loop, a ``with`` or an unpacking to a value."""

    def run_body(self, body: list[ast.stmt], frame: Frame) -> None:
        """Run statements one after the other."""

    def apply(self, callee: Value, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
        """Call a value."""

    def call(self, target: FunctionValue, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
        """Run a function of the project on the arguments of a call."""

    def call_with(self, target: FunctionValue, values: list[Value], frame: Frame, node: ast.AST) -> Value:
        """Call a function of the project on positional values, as an operator or a subscript does."""

    def enter(self, record: FunctionRecord, enclosing: tuple[Scope, ...] = ()) -> None:
        """Run a function on what its own text says of its parameters."""

    def run_module(self, module: ModuleRecord) -> None:
        """Run a module's top level once."""

    def count_statement(self) -> None:
        """Count a statement that is run; raises TooMuchWorkError beyond what one file may take."""

    @property
    def has_work_to_spare(self) -> bool:
        """Whether most of the work that the file may take is still left."""

    def resolve(self, name: str) -> Value:
        """What a qualified name stands for: a value of the project, else a symbol outside of it."""

    def member(self, module: ModuleRecord, name: str) -> Value | None:
        """What a name stands for at the top level of a module, None where it is not bound there."""

    def from_star(self, module: ModuleRecord, name: str) -> Value | None:
        """What a module has under a name from its ``import *``, None where they do not give it."""

    def annotation(self, node: ast.expr, record: FunctionRecord | ClassRecord | ModuleRecord) -> Value:
        """The value that an annotation in a function, class or module stands for."""

    def usage(self, record: FunctionRecord) -> Usage:
        """What the body of a function does with its names."""

    def attribute(self, instance: Instance, name: str, frame: Frame, node: ast.AST) -> Value | None:
        """What reading an attribute of an object gives, None where nothing is known of it."""

    def class_attribute(self, record: ClassRecord, name: str) -> Value:
        """What reading an attribute of a class gives."""

    def read_field(self, owner: ClassRecord, name: str) -> Value | None:
        """What an attribute of a class's instances holds, None where nothing is known to write it."""

    def write_field(self, owner: ClassRecord, name: str, value: Value) -> None:
        """Let an attribute of a class's instances hold a value, too."""

    def subclasses(self, owner: ClassRecord) -> list[ClassRecord]:
        """The classes that derive from one directly, so far as they are known."""

    def is_trial(self, source: ModuleRecord, target: ModuleRecord) -> bool:
        """Whether what a module tells of another one, by a call or an assignment, is said by a test only."""

    def record(self, node: ast.expr, value: Value, frame: Frame) -> None:
        """Keep what an expression stands for if the recording wants it."""

    def note(
        self,
        frame: Frame,
        construct: str,
        node: ast.AST,
        tensor: Tensor,
        subject: ast.AST,
        known: Value,
        confidence: Confidence | None,
        told: str = "",
    ) -> None:
        """Keep an event; of several views of one expression in a run the most confident one is kept."""

    def note_global(self, module: ModuleRecord, name: str, value: Value) -> None:
        """Remember that what runs now rests on what a name at the top of a module stands for."""

    def fill(self, module: ModuleRecord, name: str, value: Value) -> None:
        """Let a container at the top of a module hold what one holds that others put into it."""

    def note_filled(self, module: ModuleRecord) -> None:
        """Remember that a module keeps functions or classes from elsewhere, which calls there may give."""

    def note_captured(self, record: FunctionRecord, by: str) -> None:
        """Remember that a function is recorded as a graph."""

    def note_excluded(self, record: FunctionRecord) -> None:
        """Remember a function that is called where nothing ever runs."""

    def note_called_on_unknown(self, name: str, module: ModuleRecord, *, by_place: bool) -> None:
        """Remember a method by its name that a module calls on something that may be of any class, or a module."""

    def note_handed_on(
        self, arguments: Arguments, frame: Frame, node: ast.AST, is_certain: bool, starts: bool = False
    ) -> None:
        """Remember the functions that a call hands to another function, which may call them there."""

    def note_opaque(self, name: str, frame: Frame, node: ast.AST) -> None:
        """Remember a call that cannot be followed, by the name of what is called, where contracts ask for that."""

    def note_region(self, node: ast.AST, reason: str, frame: Frame) -> str:
        """Remember a region in which waits are accepted; what names it."""

    def note_unresolved(
        self, name: str, arguments: Arguments, frame: Frame, node: ast.AST, *, of_module: bool = False
    ) -> None:
        """Remember the call of a method of something unknown, or of some module, by its name."""

    def note_switch(self, name: str) -> None:
        """Remember that a function is called with False when the program starts, if that turns waits off."""

    def note_loaded(self, record: FunctionRecord, module: ModuleRecord) -> None:
        """Remember a function that a loader runs in its workers, where tensors are on the CPU."""

    def note_held(self, record: FunctionRecord, holder: FunctionRecord, module: ModuleRecord) -> None:
        """Remember a function that an object was made with, and a method of that object, which may call it."""

    def note_collating(self, record: FunctionRecord, module: ModuleRecord) -> None:
        """Remember a function that a loader without workers calls for each batch, in the process of the program."""

    def note_hooked(self, record: FunctionRecord, module: ModuleRecord, as_what: str) -> None:
        """Remember a function that a module runs whenever it is called, or an optimizer in each step."""

    def note_registered(self, record: FunctionRecord, module: ModuleRecord, phase: Phase) -> None:
        """Remember a function that an engine calls, and how often."""
