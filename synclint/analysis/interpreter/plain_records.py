"""What the analysis has seen of functions, loops and the places in them, as plain records."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from synclint.analysis.annotations.host_names import runs_elsewhere
from synclint.analysis.calls.asked_methods import given_to, signature_of
from synclint.analysis.domain.values import FunctionRecord, ModuleRecord
from synclint.analysis.frequency import names
from synclint.analysis.frequency.carried import (
    holds_turns,
    is_quiet,
    runs_a_model_in_turn,
    small_defaults,
    waits_for_what_is_typed,
)
from synclint.analysis.frequency.engine_events import most_frequent, phase_of_decorated
from synclint.analysis.frequency.framework_methods import called_by_framework, phases_in_frameworks
from synclint.analysis.frequency.handed_out import hands_results_out
from synclint.analysis.frequency.listed import lists_in
from synclint.analysis.frequency.loop_sources import is_counted, loads
from synclint.analysis.frequency.loops import (
    LOOPS,
    each,
    holds_actions,
    holds_steps,
    is_beside,
    is_retry,
    learns_from_actions,
    read_body,
    read_loop,
    rounds,
    steps_beside_loops,
    training_loops,
)
from synclint.analysis.frequency.texts import (
    initializes,
    is_clocked,
    is_evaluation,
    is_generator,
    is_inference,
    keeps_new_modules,
    leaves_early,
    receives,
    tests_what_trains,
    with_modes_only,
)
from synclint.analysis.interpreter.frames_shown import shows_frames
from synclint.analysis.interpreter.module_texts import ModuleText, read_text
from synclint.analysis.interpreter.switches import FlagsGiven, asked_whether_given, flags_given
from synclint.analysis.objects import ancestry, classes
from synclint.analysis.objects.captures import captured_by_decorator
from synclint.analysis.objects.currying import wrappers
from synclint.analysis.objects.data_classes import prepares_data
from synclint.analysis.objects.parameters import numbers_or_tensors
from synclint.analysis.program.heads import Parameter
from synclint.analysis.program.patterns import named, without_marks
from synclint.analysis.results.facts import (
    OF_THE_PLACE,
    Call,
    Evidence,
    FunctionFacts,
    Guard,
    Handed,
    Layer,
    LoopFacts,
    Need,
)
from synclint.analysis.state.frames import Interpreter
from synclint.analysis.syntax.arms import arms_of_calls
from synclint.analysis.syntax.walk import dotted_name, walk
from synclint.findings import CallPlace, Context, Phase, Repetition

if TYPE_CHECKING:
    from synclint.analysis.state.call_sites import CallSite
    from synclint.analysis.state.control_context import ControlContext, NotedGuard

_OVER_BATCHES = frozenset({Evidence.BATCHES, Evidence.VALIDATION})
# Called by the program that uses them, in each step; those in the second set whatever else is said of them, and those
# in the third by frameworks, also where others are known to call them.
# What modules and autograd functions do not derive from.
_OBJECT = frozenset({"builtins", "object"})
_PYTHON = frozenset({*sys.stdlib_module_names, "builtins", "object", "typing_extensions"})
_HOT_METHODS = {
    "forward": "in `forward` of {}",
    "training_step": "in `training_step` of {}",
    "predict_step": "in `predict_step` of {}",
    "update": "in `update` of {}",
    "backward": "in `backward` of {}",
    "step": "in `step` of {}",
    "__call__": "in calls of {}",
}
_OF_STEPS = frozenset({"forward", "training_step", "backward"})
_ALWAYS_HOT = frozenset({"training_step", "backward"})
_CACHES = frozenset({"lru_cache", "cache", "cached_property"})


class PlainRecords:
    """Makes the records for an engine: keys of functions and loops, and what their text says."""

    def __init__(
        self,
        engine: Interpreter,
        captured: dict[FunctionRecord, str],
        loaded: set[FunctionRecord],
        collating: set[FunctionRecord],
        hooked: dict[FunctionRecord, str],
        registered: dict[FunctionRecord, Phase],
    ) -> None:
        self._engine = engine
        self._captured = captured
        self._loaded = loaded
        self._collating = collating
        self._hooked = hooked
        self._registered = registered
        self._function_keys: dict[FunctionRecord, str] = {}
        self._texts: dict[ModuleRecord, ModuleText] = {}
        self._lists: dict[FunctionRecord | ModuleRecord, frozenset[str]] = {}
        self._training_loops: dict[FunctionRecord | ModuleRecord, tuple[ast.stmt, ...]] = {}
        self._arms_in: dict[FunctionRecord | ModuleRecord, Mapping[ast.AST, tuple[str, ...]]] = {}
        self._asked: dict[FunctionRecord, list[str]] = {}
        self.loops: dict[str, LoopFacts] = {}
        self.functions: dict[str, FunctionFacts] = {}

    def function(self, record: FunctionRecord | None, module: ModuleRecord) -> str:
        """The key of a function, or of the top of a module: the same in every process and in every run."""
        if record is None:
            key = f"{module.real_path}:"
            if key not in self.functions:
                self.functions[key] = self._module_facts(module)
            return key
        if record not in self._function_keys:
            key = self._function_keys[record] = record.place_key
            self.functions[key] = self._function_facts(record)
        return self._function_keys[record]

    def layers(
        self, control: ControlContext, function: FunctionRecord | None, module: ModuleRecord
    ) -> tuple[Layer, ...]:
        """What stands around a place in a function, or at the top of a module, from the outside in."""
        found: list[Layer] = []
        guards = list(control.guards)
        for count, loop in enumerate(control.loops):
            while guards and guards[0].loops <= count:
                found.append(_guard(guards.pop(0)))
            found.append(self._loop(loop, function, module))
        return (*found, *map(_guard, guards))

    def call(self, site: CallSite, called: FunctionRecord | None = None, hands: tuple[Handed, ...] = ()) -> Call:
        """A call that was seen, with what it does to the flags of the function if that is known, and what it hands."""
        caller = site.caller.name if site.caller is not None else ""
        place = CallPlace(caller, str(site.module.path), site.module.line_of(site.node))
        around = self.layers(site.control, site.caller, site.module)
        layers = tuple(one for one in around if isinstance(one, str) or one.exchange not in OF_THE_PLACE)
        flags = flags_given(called, site, self._asked_of(called)) if called is not None else FlagsGiven()
        key = self.function(site.caller, site.module)
        up, arms = _goes_up(site.node), self._arms(site)
        gives = given_to(called, site.node) if called is not None else None
        told = Call(key, place, layers, site.is_certain, *flags, site.is_idle, up, hands, arms, gives=gives)
        return told._replace(starts=site.starts, is_gone_through=_is_gone_through(site))

    def _asked_of(self, called: FunctionRecord) -> list[str]:
        if called not in self._asked:
            self._asked[called] = asked_whether_given(called)
        return self._asked[called]

    def _arms(self, site: CallSite) -> tuple[str, ...]:
        """The branches in which a call stands where a program begins."""
        record = site.caller
        if record is not None and not _is_entry(record):
            return ()
        around: FunctionRecord | ModuleRecord = record if record is not None else site.module
        if around not in self._arms_in:
            body = _top_level(site.module) if record is None else record.node.body
            self._arms_in[around] = arms_of_calls(body) if isinstance(body, list) else {}
        return self._arms_in[around].get(site.node, ())

    def _loop(self, node: ast.AST, function: FunctionRecord | None, module: ModuleRecord) -> str:
        assert isinstance(node, (ast.For, ast.AsyncFor, ast.While, ast.comprehension))
        start = node.target if isinstance(node, ast.comprehension) else node
        key = f"{module.real_path}:{start.lineno}:{start.col_offset}"
        if key not in self.loops:
            lists = self._lists_in(function, module)
            found = rounds(node, lists)
            evidence = found.evidence
            if evidence is Evidence.NONE and isinstance(node, ast.comprehension):
                evidence = Evidence.FEW
            if evidence in (Evidence.NONE, Evidence.FEW) and isinstance(node, ast.While) and shows_frames(node, module):
                evidence = Evidence.FRAMES
            is_asked = isinstance(node, ast.While) and waits_for_what_is_typed(node)
            is_in_turn = evidence is Evidence.NONE and not is_asked and runs_a_model_in_turn(node)
            self.loops[key] = LoopFacts(
                evidence,
                found.holds_steps,
                Repetition(each(node), str(module.path), module.line_of(start)),
                is_retry(node),
                found.holds_actions,
                is_in_turn,
                evidence in _OVER_BATCHES and holds_turns(node),
                (evidence is Evidence.NONE and not is_in_turn and (is_asked or not isinstance(node, ast.While)))
                or evidence is Evidence.VALIDATION,
                isinstance(node, ast.While),
                evidence is Evidence.BATCHES and is_beside(node, self._training_loops_in(function, module)),
                isinstance(node, LOOPS) and read_loop(node).yields,
                is_asked,
                is_counted(node),
            )
        return key

    def _module_facts(self, module: ModuleRecord) -> FunctionFacts:
        read = read_body(_top_level(module))
        lists = self._lists_in(None, module)
        return FunctionFacts(
            name=module.name,
            fixed=_as_context(self._text(module).purpose),
            is_entry=True,
            is_module=True,
            steps=steps_beside_loops(read),
            holds_steps=holds_steps(read.loops, lists) or any(map(learns_from_actions, read.loops)),
            holds_actions=holds_actions(read.loops),
            runs_in_turn=any(map(runs_a_model_in_turn, read.loops)),
            is_quiet=is_quiet(read, ()),
            is_clocked=is_clocked(read),
            infers=is_inference(read, ()),
            order_key=module.order_key,
        )

    def _function_facts(self, record: FunctionRecord) -> FunctionFacts:
        engine, node, text = self._engine, record.node, self._text(record.module)
        is_telling = not isinstance(node, ast.Lambda) and text.has_steps
        body = read_body(node.body if is_telling and not isinstance(node, ast.Lambda) else [])
        own = record.owner.all_methods if record.owner is not None else ()
        body = with_modes_only(body, record.nodes.of(ast.Call), record.receiver, own)
        lists = self._lists_in(record, record.module) if body.loops else frozenset()
        phase = self._phase_in_engines(record)
        hook = "is called by an engine" if phase is Phase.STEP else self._hooked.get(record)
        by_framework = _by_framework(engine, record)
        in_steps = by_framework.reason if by_framework is not None and by_framework.runs is Phase.STEP else None
        hot = f"`{record.name}` {hook} in each step" if hook is not None else in_steps or _hot_method(engine, record)
        is_named_inference = names.infers(record.name)
        evaluates = is_evaluation(body, record.decorators, lists)
        hands_out = evaluates and not isinstance(node, ast.Lambda) and hands_results_out(node, body.loops, lists)
        return FunctionFacts(
            name=record.name,
            parent=self.function(record.parent, record.module) if record.parent is not None else None,
            overrides=self._overridden(record),
            wrapped_in=wrappers(engine, record),
            configured=_configured(engine, record),
            fixed=_as_context(text.purpose) or _fixed(record) or _registered(record, phase),
            named=None
            if hook is not None
            else _named(engine, record) or _initializing(record, text) or _placed(record, text),
            is_method=record.owner is not None,
            hot=hot,
            is_always_hot=record.name in _ALWAYS_HOT or in_steps is not None,
            is_hot_by_name=hot is not None
            and hook is None
            and record.name in ("forward", "__call__")
            and _derives_from_nothing(record),
            evaluates=evaluates and not hands_out,
            tests=is_quiet(body, record.decorators)
            and not isinstance(node, ast.Lambda)
            and tests_what_trains(node, body, record.module.source),
            is_entry=_is_entry(record),
            answers_requests=names.answers_requests(
                record.name, record.decorators, record.owner.decorators if record.owner is not None else ()
            ),
            receives=text.has_sockets and receives(record.nodes),
            steps=steps_beside_loops(body),
            holds_steps=holds_steps(body.loops, lists) or any(map(learns_from_actions, body.loops)),
            holds_actions=holds_actions(body.loops),
            runs_in_turn=(hot is None or record.name == "__call__")
            and any(runs_a_model_in_turn(loop, small_defaults(node)) for loop in body.loops),
            is_quiet=is_quiet(body, record.decorators),
            is_clocked=is_clocked(body),
            leaves_early=not isinstance(node, ast.Lambda) and leaves_early(node.body),
            is_generator=is_generator(body, record.decorators),
            captured=self._captured.get(record) or captured_by_decorator(record),
            on_host=record not in self._collating and (record in self._loaded or prepares_data(engine, record)),
            collates=record in self._collating,
            scope=_scope(record),
            infers=is_named_inference or hands_out or is_inference(body, record.decorators),
            is_named_inference=is_named_inference,
            is_named_training=names.trains(record.name) or in_steps is not None,
            is_loss=names.is_loss(record.name, record.owner.name if record.owner is not None else ""),
            constructor=self._constructor(record),
            interface=_interface(record),
            takes=signature_of(record),
            is_elsewhere=runs_elsewhere(record),
            numbers=numbers_or_tensors(engine, record),
            saves=(_saves_where_told(record) if text.saves else None)
            or _as_context(names.saves(record.name, (one.name for one in record.parameters if not _is_off(one)))),
            order_key=record.order_key,
        )

    def _phase_in_engines(self, record: FunctionRecord) -> Phase | None:
        """How often the engines call a function for whose events it is registered, or with which they are made."""
        decorated = phase_of_decorated(record.decorator_nodes)
        registered = self._registered.get(record)
        return most_frequent(decorated, registered) if decorated is not None else registered

    def _training_loops_in(self, function: FunctionRecord | None, module: ModuleRecord) -> tuple[ast.stmt, ...]:
        """The loops that train in a function, or at the top of a module."""
        around: FunctionRecord | ModuleRecord = function if function is not None else module
        if around not in self._training_loops:
            nodes = function.nodes if function is not None else walk(_top_level(module))
            self._training_loops[around] = training_loops(nodes, self._lists_in(function, module))
        return self._training_loops[around]

    def _lists_in(self, function: FunctionRecord | None, module: ModuleRecord) -> frozenset[str]:
        """The names that hold lists in a function, or at the top of a module."""
        around: FunctionRecord | ModuleRecord = function if function is not None else module
        if around not in self._lists:
            node = function.node if function is not None else module.tree
            self._lists[around] = lists_in(node, loads) if self._text(module).has_steps else frozenset()
        return self._lists[around]

    def _text(self, module: ModuleRecord) -> ModuleText:
        if module not in self._texts:
            self._texts[module] = read_text(module)
        return self._texts[module]

    def _constructor(self, record: FunctionRecord) -> str | None:
        if record.owner is None or record.name == "__init__":
            return None
        made = classes.find_method(record.owner, "__init__")
        return self.function(made, made.module) if made is not None else None

    def _overridden(self, record: FunctionRecord) -> str | None:
        if record.owner is None:
            return None
        for ancestor in record.owner.ancestors[1:]:
            if record.name in ancestor.methods and record.name != "__init__":
                method = ancestor.methods[record.name]
                return self.function(method, method.module)
        return None


def _is_off(parameter: Parameter) -> bool:
    """Whether a parameter is false by default, so that a function does what it is there for without it."""
    return isinstance(parameter.default, ast.Constant) and parameter.default.value is False


def _saves_where_told(record: FunctionRecord) -> Context | None:
    """What it says of a function that it saves something at a path that it is given: that somebody asks for it."""
    given = {parameter.name for parameter in record.parameters} - {record.receiver}
    for call in record.nodes.of(ast.Call):
        if dotted_name(call.func) == "torch.save":
            if any(isinstance(part, ast.Name) and part.id in given for one in call.args[1:] for part in walk(one)):
                return Context(Phase.ONCE, f"`{record.name}` runs on request: it saves at a path that it is given")
    return None


def _interface(record: FunctionRecord) -> str:
    """The abstract method that a method implements, as one of many perhaps, by its name; empty without one."""
    ancestors = record.owner.ancestors[1:] if record.owner is not None else ()
    implemented = (ancestor.methods.get(record.name) for ancestor in ancestors)
    found = [method for method in implemented if method is not None and method.is_abstract]
    return without_marks(found[-1].qualified_name) if found else ""


def _top_level(module: ModuleRecord) -> list[ast.stmt]:
    """What a module does when it is imported, without what it defines."""
    defining = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [statement for statement in module.tree.body if not isinstance(statement, defining)]


def _guard(noted: NotedGuard) -> Guard:
    need = noted.need
    asked = None if need is None else Need(need.function.place_key, need.parameter, need.given)
    return Guard(
        noted.runs,
        noted.reason,
        noted.loops,
        noted.captured,
        asked,
        noted.option,
        noted.counts,
        noted.is_mode,
        noted.region,
        noted.exchange,
    )


def _scope(record: FunctionRecord) -> str:
    """The name of a function in its module."""
    return without_marks(record.qualified_name).removeprefix(f"{without_marks(record.module.name)}.")


def _configured(engine: Interpreter, record: FunctionRecord) -> Context | None:
    if named(record.qualified_name, engine.patterns.hot):
        return Context(Phase.STEP, f"`{record.name}` is hot by configuration")
    if named(record.qualified_name, engine.patterns.cold):
        return Context(Phase.ONCE, f"`{record.name}` is cold by configuration")
    return None


def _fixed(record: FunctionRecord) -> Context | None:
    for decorator in record.decorators:
        if decorator.rpartition(".")[2] in _CACHES:
            return Context(Phase.ONCE, f"`{record.name}` caches its result, and runs once for it")
    return None


def _registered(record: FunctionRecord, phase: Phase | None) -> Context | None:
    """What is said of a function that an engine calls otherwise than in each step."""
    if phase is None or phase is Phase.STEP:
        return None
    if phase is Phase.EVAL:
        return Context(phase, f"`{record.name}` evaluates: an engine calls it for each batch, and it has gradients off")
    return Context(phase, f"`{record.name}` is called by an engine when what it is registered for happens")


def _named(engine: Interpreter, record: FunctionRecord) -> Context | None:
    """What the names of a function, of those around it, and of its class say."""
    outer: FunctionRecord | None = record
    while outer is not None:
        owner = outer.owner
        if (said := _by_framework(engine, outer)) is not None:
            return _as_context(said) if said.runs is not Phase.STEP else None
        if (said := names.of_function(outer.name)) is not None:
            return _as_context(said)
        if owner is not None:
            if outer.name == "compute" and ancestry.is_a(engine, owner, ancestry.METRIC):
                return Context(Phase.EVAL, "computes a metric, usually once per epoch")
            if (said := names.of_class(owner.name)) is not None:
                return _as_context(said)
        outer = outer.parent
    return None


def _by_framework(engine: Interpreter, record: FunctionRecord) -> names.Named | None:
    """How often the framework of a method's class calls it, if it is one of those that a framework calls."""
    owner = record.owner
    if owner is None or not phases_in_frameworks(record.name):
        return None
    return called_by_framework(record.name, (owner.name, *ancestry.external_bases(engine, owner)))


def _is_entry(record: FunctionRecord) -> bool:
    """Whether a program begins with a function."""
    return record.owner is None and names.is_entry_point(record.name, record.decorators)


def _goes_up(node: ast.AST) -> bool:
    """Whether a call is that of a method by ``super()``."""
    method = node.func if isinstance(node, ast.Call) else None
    owner = method.value if isinstance(method, ast.Attribute) else None
    return isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super"


def _is_gone_through(site: CallSite) -> bool:
    """Whether the innermost loop around a call goes through what the call yields: it stands in the loop's head."""
    loop = site.control.loops[-1] if site.control.loops else None
    source = loop.iter if isinstance(loop, (ast.For, ast.AsyncFor)) else None
    return source is not None and any(one is site.node for one in walk(source))


def _initializing(record: FunctionRecord, text: ModuleText) -> Context | None:
    """What is said of a function that makes parts of a model, or gives weights their first values."""
    node = record.node
    if record.name in _OF_STEPS or isinstance(node, ast.Lambda):
        return None
    if text.initializes and initializes(record.nodes.of(ast.Call)):
        return Context(Phase.ONCE, f"`{record.name}` initializes weights")
    if text.has_modules and keeps_new_modules(record.nodes.of(ast.Assign)):
        return Context(Phase.ONCE, f"`{record.name}` makes a part of a model")
    return None


def _placed(record: FunctionRecord, text: ModuleText) -> Context | None:
    """What the name of a module says of a function in it."""
    if record.name in _OF_STEPS:
        return None
    return _as_context(text.of_functions if record.owner is None else text.of_methods)


def _as_context(said: names.Named | None) -> Context | None:
    return Context(said.runs, said.reason) if said is not None else None


def _derives_from_nothing(record: FunctionRecord) -> bool:
    """Whether it is known that a method is neither that of a module nor that of an autograd function."""
    ancestors = record.owner.ancestors if record.owner is not None else ()
    others = {base for one in ancestors for base in one.bases if base is None or isinstance(base, str)}
    plain = _PYTHON if record.name == "__call__" else _OBJECT
    return all(base is not None and base.partition(".")[0] in plain for base in others)


def _hot_method(engine: Interpreter, record: FunctionRecord) -> str | None:
    owner = record.owner
    if owner is None or record.name not in _HOT_METHODS or isinstance(record.node, ast.AsyncFunctionDef):
        return None  # no framework awaits what it calls in each step
    return _HOT_METHODS[record.name].format(owner.name)
