"""Calls of the project's functions: each is given a run that stands for it, which is done once for the like of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

from synclint.analysis.annotations.host_names import runs_elsewhere
from synclint.analysis.calls.by_name import methods_named
from synclint.analysis.domain.containers import filled
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.paces import pace_of, uncounted
from synclint.analysis.domain.values import (
    UNKNOWN,
    FunctionRecord,
    FunctionValue,
    Instance,
    ModuleRecord,
    Text,
    Value,
    is_known,
)
from synclint.analysis.frequency.loops import read_body
from synclint.analysis.frequency.texts import is_generator
from synclint.analysis.interpreter import idle_calls
from synclint.analysis.interpreter.binding import bound
from synclint.analysis.interpreter.contexts import MOST_CONTEXTS, ContextKey, Contexts
from synclint.analysis.interpreter.counters import counts_down
from synclint.analysis.interpreter.fixpoint import Fixpoint
from synclint.analysis.interpreter.notes import Notes, is_trial
from synclint.analysis.interpreter.run_stack import RunStack
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.state.call_sites import CallSite
from synclint.analysis.state.control_context import ControlContext
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.state.join_points import Scope
from synclint.analysis.state.memo import AnalysisMemo
from synclint.analysis.state.runs import Mark, MarkKind, Run

# What lies further down a chain of calls than this is not run for them.
DEEPEST_CHAIN = 28


class Runs(Protocol):
    """What does the runs of an analysis."""

    def assumed(self, record: FunctionRecord) -> Scope:
        """What the parameters of a function are, from its own text alone."""

    def on_text(self, record: FunctionRecord) -> Run | None:
        """The run of a function on what its own text says, done now unless it has been; None where it is not known."""

    def do(self, run: Run) -> None:
        """Do a run."""


class FunctionCalls:
    """Calls in the runs of a ``stack``, as far as they lead to functions of the project.

    ``declared`` gives what a function says that it returns; of the modules that ``have_begun`` every function is run on
    its own text.
    """

    def __init__(
        self,
        stack: RunStack,
        contexts: Contexts,
        fixpoint: Fixpoint,
        runs: Runs,
        notes: Notes,
        declared: Callable[[FunctionRecord], Value],
        have_begun: set[ModuleRecord],
    ) -> None:
        self._stack = stack
        self._contexts = contexts
        self._fixpoint = fixpoint
        self._runs = runs
        self._notes = notes
        self._declared = declared
        self._have_begun = have_begun
        self.memo: AnalysisMemo | None = None
        # Modules that keep what others register, with what their containers are filled with, and the runs with calls
        # into other modules that nobody followed.
        self._filled: dict[ModuleRecord, dict[str, Value]] = {}
        self._left_out: dict[ModuleRecord, dict[Run, None]] = {}

    def call(self, target: FunctionValue, arguments: Arguments, frame: Frame, node: ast.AST) -> Value:
        """What a function of the project returns for the arguments of a call: it is run on the like of them once."""
        record, caller = target.record, self._stack.current
        site = self._site(record, caller, frame, node)
        if frame.muted:
            return self._declared(record)
        if frame.function is None and not frame.enclosing:
            frame.module.scope = frame.scope  # what the top level has bound so far, on this path through it
        assumed = self._runs.assumed(record)
        scope = bound(frame.engine, target, arguments, assumed)
        if site.is_idle and not idle_calls.is_idle(record, {**(target.scope or {}), **scope}):
            site = caller.calls[record, id(node)] = replace(site, is_idle=False)
        if (named := _attribute_by_name(record, scope, frame, node)) is not None:
            return named
        if record is frame.function or counts_down(node):
            scope = {name: uncounted(value) for name, value in scope.items()}  # it counts the depth of a recursion
        on_trial = is_trial(self._stack.runs, frame.module, record.module) or _is_for_another_place(record, frame)
        key = self._contexts.context_key(record, scope, on_trial)
        if target.scope is not None:
            return self._call_closure(record, target.scope, scope, on_trial, node, site, frame)
        if self._is_far(key, scope):
            self._left_out.setdefault(record.module, {})[caller] = None
            return self._declared(record)  # far from torch nothing of it can come back that was not handed there
        if not on_trial and record.module in self._have_begun and scope == assumed:
            on_text = self._runs.on_text(record)
            if on_text is None:
                return self._declared(record)
            on_text.demands.setdefault(caller, scope)
            return caller.use(on_text, on_text.result, id(node), site)
        run = self._contexts.run_for(key, scope, caller)
        if run is None:
            return self._unfollowed(record, self._contexts.results(key))
        if not run.times and caller.depth >= DEEPEST_CHAIN:
            run.is_due = False
            return self._unfollowed(record, ())
        if not run.times:
            run.is_dropped = False
            run.depth = caller.depth + 1
            self._begin(run, record)
            if self._stack.is_deep or self._stack.is_running_twice(record):
                run.is_due = True
            else:
                self._runs.do(run)
        elif run.is_waiting and not run.in_progress and not self._stack.is_deep:
            self._runs.do(run)
        return caller.use(run, run.result, id(node), site)

    def call_with(self, target: FunctionValue, values: list[Value], frame: Frame, node: ast.AST) -> Value:
        """Call a function of the project on positional values, as an operator or a subscript does."""
        return self.call(target, Arguments(values), frame, node)

    def fill(self, module: ModuleRecord, name: str, value: Value) -> None:
        """Let a container at the top of a module hold what one holds that others put into it."""
        known = self._filled[module]
        known[name] = value if name not in known else filled(known[name], value)
        module.scope[name] = filled(module.scope.get(name), value)

    def fill_again(self, module: ModuleRecord) -> None:
        """Let the containers of a module that has been run again hold what others have put into them."""
        for name, value in self._filled.get(module, {}).items():
            module.scope[name] = filled(module.scope.get(name), value)

    def note_filled(self, module: ModuleRecord) -> None:
        """Remember that a module keeps functions or classes from elsewhere, which calls there may give."""
        self._filled.setdefault(module, {})
        for run in self._left_out.pop(module, ()):
            run.is_due = run.function is not None

    def _is_far(self, key: ContextKey, scope: Scope) -> bool:
        """Whether a call leads away from torch with nothing that could bring it back."""
        module = key.function.module
        is_elsewhere = not module.has_torch_in_reach and not module.reads_command_line and module not in self._filled
        is_far = is_elsewhere and not any(key.given)
        return is_far and all(pace_of(value) is None for value in scope.values())

    def _site(self, record: FunctionRecord, caller: Run, frame: Frame, node: ast.AST) -> CallSite:
        """The place of a call, which the run that is done now shows."""
        site = caller.calls.get((record, id(node)))
        if site is None or not site.is_certain:
            may_be_idle = bool(idle_calls.switches_of(record))  # until it is run otherwise
            site = CallSite(frame.function, frame.module, node, _called_at(record, frame), is_idle=may_be_idle)
            caller.calls[record, id(node)] = site
            for name in methods_named(record, node):
                self._notes.note_named(name, frame, node)
        return site

    def _begin(self, run: Run, record: FunctionRecord) -> None:
        self._fixpoint.add(run)
        run.result = self._declared(record)

    def _unfollowed(self, record: FunctionRecord, known: Iterable[Value]) -> Value:
        """What a call gives for which no run is made, by what is ``known`` of others."""
        self._stack.current.marks.add(Mark(MarkKind.UNFOLLOWED, function=record))
        known = tuple(known)
        return join_all(known) if known else self._declared(record)

    def _call_closure(
        self,
        record: FunctionRecord,
        around: Scope,
        scope: Scope,
        on_trial: bool,
        node: ast.AST,
        site: CallSite,
        frame: Frame,
    ) -> Value:
        """Call a function that sees the scope ``around`` it: what it does hangs on that as well."""
        caller = self._stack.current
        if self.memo is not None and self.memo.has_lost(around):
            return self._declared(record)
        like_it = [run for run in caller.uses if run.function is record]
        for run in like_it:
            if run.scope == scope and run.surroundings == around:
                _take_left(run, frame)
                return caller.use(run, run.result, id(node), site)
        if len(like_it) >= MOST_CONTEXTS or self._stack.is_deep or self._stack.is_running_twice(record):
            return self._unfollowed(record, [run.result for run in like_it])
        run = Run(record, record.module, scope, (around,), on_trial=on_trial, is_assumed=True)
        run.surroundings = dict(around)
        run.demand(caller, scope)
        self._begin(run, record)
        self._runs.do(run)
        run.left = {name: value for name, value in around.items() if value is not run.surroundings.get(name)}
        _take_left(run, frame)
        return caller.use(run, run.result, id(node), site)


def _is_for_another_place(record: FunctionRecord, frame: Frame) -> bool:
    """Whether a variant for other places than a GPU calls what others use as well, of which it says nothing."""
    return not record.module.is_test and runs_elsewhere(frame.function) and not runs_elsewhere(record)


def _take_left(run: Run, frame: Frame) -> None:
    """Let names stand for what a call has left under them of the function that is called within the one around it."""
    if run.function is not None and frame.function is run.function.parent:
        for name, value in run.left.items():
            frame.bind(name, join(frame.scope.get(name, value), value))


def _attribute_by_name(record: FunctionRecord, scope: Scope, frame: Frame, node: ast.AST) -> Value | None:
    """The attribute that a method is asked for by its name: ``batch["mask"]``, where that is ``getattr(self, key)``.

    Only runs of their own could tell the names apart, and of those there are few for a method. What is looked up where
    there is no such attribute (``__getattr__``) would ask for itself.
    """
    if record.asks_by_name is None or record.name.startswith("__getattr"):
        return None
    name, default = record.asks_by_name
    asked, receiver = scope.get(name), scope.get(record.receiver or "")
    if not isinstance(receiver, Instance) or not isinstance(asked, Text) or asked.literal is None:
        return None
    found = frame.engine.attribute(receiver, asked.literal, frame, node)
    if found is None or not is_known(found):
        return None
    return found if default is None else join(found, scope.get(default, UNKNOWN))


def _called_at(record: FunctionRecord, frame: Frame) -> ControlContext:
    """Where a call stands: that of a generator, which a loop goes through, is as good as within the loop."""
    control = frame.control
    if frame.iterated is None or not _is_gone_through(record):
        return control
    return replace(control, loops=(*control.loops, frame.iterated))


@text_fact
def _is_gone_through(record: FunctionRecord) -> bool:
    """Whether what calls of a function give is done by who goes through it."""
    return not isinstance(record.node, ast.Lambda) and is_generator(read_body(record.node.body), record.decorators)
