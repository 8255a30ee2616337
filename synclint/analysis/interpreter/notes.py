"""What runs show while they are done: events, calls, and marks on functions, each kept with the run that shows it."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.annotations.host_names import is_of_another_place, runs_elsewhere
from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.tensors import weaker
from synclint.analysis.domain.values import (
    Alternatives,
    FunctionRecord,
    FunctionValue,
    Instance,
    ModuleRecord,
    Sequence,
    Tensor,
    Value,
    options,
)
from synclint.analysis.interpreter.handed import handed_in
from synclint.analysis.results.facts import Region, either_handed
from synclint.analysis.results.known_callers import as_method, as_method_without_places
from synclint.analysis.state.call_sites import CallSite, RawEvent
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.state.recording import SeenExpression
from synclint.analysis.state.runs import Mark, MarkKind, Run, name_of_holder
from synclint.analysis.syntax.asked_together import AskedBeside, asked_together
from synclint.analysis.syntax.walk import dotted_name
from synclint.catalog.entries import Catalog
from synclint.catalog.torch_api import TorchApi
from synclint.findings import Confidence, Phase


def is_on_trial(running: list[Run]) -> bool:
    """Whether what runs now does so for a test."""
    return bool(running) and running[-1].on_trial


def is_trial(running: list[Run], source: ModuleRecord, target: ModuleRecord) -> bool:
    """Whether what a module tells of another one, by a call or an assignment, is said by a test only."""
    return not target.is_test and (source.is_test or is_on_trial(running))


class Notes:
    """Notes what the last of the runs that are ``running`` shows.

    Of the catalogue's entries without calls, only those in ``syntax`` apply. Calls that cannot be followed are noted
    only ``for_contracts``.
    """

    def __init__(
        self, running: list[Run], catalog: Catalog, syntax: frozenset[str], api: TorchApi, *, for_contracts: bool
    ) -> None:
        self._running = running
        self._catalog = catalog
        self._syntax = syntax
        self._api = api
        self._for_contracts = for_contracts
        entries = catalog.by_id.values()
        self._switches = {entry.switched_off_by for entry in entries} | {entry.switched_on_by for entry in entries}

    def _is_no_evidence_for(self, module: ModuleRecord) -> bool:
        return not module.is_test and is_on_trial(self._running)

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
        """Keep an event; of several views of one expression in a run the most confident one is kept.

        ``told`` is what is said of the operand, if that is not what is ``known`` of it.
        """
        entry = self._catalog.by_id.get(construct)
        if entry is None or (not entry.calls and construct not in self._syntax):
            return
        if self._is_no_evidence_for(frame.module) or frame.module.is_off_the_gpu:
            return
        if runs_elsewhere(frame.function) or _is_on_another_place(frame):
            return
        level = weaker(tensor.trust, confidence or Confidence(entry.confidence))
        run = self._running[-1]
        key = (id(node), construct, run.function is not None and run.function is frame.function)
        noted = run.events.get(key)
        if noted is None or level.rank > noted.confidence.rank:
            run.events[key] = RawEvent(
                construct, node, frame.module, frame.function, subject, tensor, known, level, frame.control, told
            )

    def record(self, node: ast.expr, value: Value, frame: Frame) -> None:
        """Keep what an expression stands for; what tests give is no evidence."""
        if self._is_no_evidence_for(frame.module):
            return
        run = self._running[-1]
        known = run.seen.get(id(node))
        if known is None:
            run.seen[id(node)] = SeenExpression(node, frame.module, frame.function, frame.control, value, None)
        else:
            known.always = join(known.always, value)

    def note_global(self, module: ModuleRecord, name: str, value: Value) -> None:
        """Remember that what runs now rests on what a name at the top of a module stands for."""
        self._running[-1].globals.setdefault((module, name), value)

    def note_handed_on(
        self, arguments: Arguments, frame: Frame, node: ast.AST, is_certain: bool, starts: bool = False
    ) -> None:
        """Remember the functions that a call hands to another function, which may call them there.

        It does so for certain, or ``starts`` a process or thread that does.
        """
        for values in (arguments.positional, arguments.keywords.values()):
            for value in values:
                kind = type(value)
                if kind is not FunctionValue and kind is not Sequence and kind is not Alternatives:
                    continue  # which most are
                for given in value.known if type(value) is Sequence else options(value):
                    if isinstance(given, FunctionValue):
                        made = self._running[-1].calls
                        key = (given.record, id(node))
                        if key not in made:
                            made[key] = CallSite(
                                frame.function, frame.module, node, frame.control, is_certain or starts, starts=starts
                            )

    def note_opaque(self, name: str, frame: Frame, node: ast.AST) -> None:
        """Remember a call that cannot be followed, by the ``name`` of what is called, where contracts ask for that."""
        if self._for_contracts:
            self._running[-1].opaque.setdefault(
                (name, id(node)), CallSite(frame.function, frame.module, node, frame.control)
            )

    def note_region(self, node: ast.AST, reason: str, frame: Frame) -> str:
        """Remember a region in which waits are accepted; what names it."""
        function = frame.function.place_key if frame.function is not None else f"{frame.module.real_path}:"
        region = Region(str(frame.module.real_path), frame.module.span_of(node), reason, function)
        start = region.span.start
        key = f"{region.path}:{start.line}:{start.column}"
        self._running[-1].regions[key] = region
        return key

    def note_unresolved(
        self, name: str, arguments: Arguments, frame: Frame, node: ast.AST, *, of_module: bool = False
    ) -> None:
        """Remember the call of a method of something unknown, or of some module, by its name."""
        if self._for_contracts:
            self.note_opaque(frame.module.text_of(node.func) if isinstance(node, ast.Call) else name, frame, node)
        made = self._running[-1].unresolved
        hands, known = handed_in(arguments), made.get((name, id(node)))
        if known is None:
            beside = _asked_beside(node, frame)
            made[name, id(node)] = CallSite(
                frame.function, frame.module, node, frame.control, False, False, hands, of_module, beside
            )
        elif known.hands != hands:
            made[name, id(node)] = replace(known, hands=either_handed(known.hands, hands))

    def note_named(self, name: str, frame: Frame, node: ast.AST) -> None:
        """Remember a call that names a method in a text, so that what it gives this to may call it there."""
        self.note_opaque(name, frame, node)
        self._running[-1].unresolved[name, id(node)] = CallSite(frame.function, frame.module, node, frame.control)
        self.note_called_on_unknown(name, frame.module, by_place=False)

    def note_switch(self, name: str) -> None:
        """Remember that a function is called with False when the program starts, if that turns waits off, or on."""
        owner, _, method = name.rpartition(".")
        name = f"{self._api.canonical(owner)}.{method}"
        if name in self._switches:
            self._mark(Mark(MarkKind.SWITCHED, name))

    def note_loaded(self, record: FunctionRecord, module: ModuleRecord) -> None:
        """Remember a function that a loader runs in its workers, where tensors are on the CPU."""
        if not is_trial(self._running, module, record.module):
            self._mark(Mark(MarkKind.LOADED, function=record))

    def note_held(self, record: FunctionRecord, holder: FunctionRecord, module: ModuleRecord) -> None:
        """Remember a function that an object was made with, and a method of that object, which may call it."""
        if not is_trial(self._running, module, record.module):
            self._mark(Mark(MarkKind.HELD, name_of_holder(holder), record))

    def note_collating(self, record: FunctionRecord, module: ModuleRecord) -> None:
        """Remember a function that a loader without workers calls for each batch, in the process of the program."""
        if not is_trial(self._running, module, record.module):
            self._mark(Mark(MarkKind.COLLATING, function=record))

    def note_hooked(self, record: FunctionRecord, module: ModuleRecord, as_what: str) -> None:
        """Remember a function that a module runs whenever it is called, or an optimizer in each step."""
        if not is_trial(self._running, module, record.module):
            self._mark(Mark(MarkKind.HOOKED, as_what, record))

    def note_registered(self, record: FunctionRecord, module: ModuleRecord, phase: Phase) -> None:
        """Remember a function that an engine calls, and how often."""
        if not is_trial(self._running, module, record.module):
            self._mark(Mark(MarkKind.REGISTERED, phase.value, record))

    def note_captured(self, record: FunctionRecord, by: str) -> None:
        """Remember that a function is recorded as a graph."""
        self._mark(Mark(MarkKind.CAPTURED, by, record))

    def note_excluded(self, record: FunctionRecord) -> None:
        """Remember a function that is called where nothing ever runs."""
        self._mark(Mark(MarkKind.EXCLUDED, function=record))

    def note_called_on_unknown(self, name: str, module: ModuleRecord, *, by_place: bool) -> None:
        """Remember a method by its name that a module calls on something that may be of any class, or a module.

        ``by_place`` tells that it is given something by its place.
        """
        self._mark(Mark(MarkKind.ON_UNKNOWN, as_method(name)))
        if not by_place:
            self._mark(Mark(MarkKind.ON_UNKNOWN, as_method_without_places(name)))
        if module.imports_by_name:
            self._mark(Mark(MarkKind.ON_UNKNOWN, name))

    def _mark(self, mark: Mark) -> None:
        self._running[-1].marks.add(mark)


def _asks_for_several(function: FunctionRecord) -> bool:
    """Whether a function asks anything for more than one method."""
    asked: dict[str, str] = {}
    for call in function.nodes.of(ast.Call):
        if isinstance(call.func, ast.Attribute) and (thing := dotted_name(call.func.value)) is not None:
            if asked.setdefault(thing, call.func.attr) != call.func.attr:
                return True
    return False


def _is_on_another_place(frame: Frame) -> bool:
    """Whether a method runs on an object whose class is a variant for another place than a GPU."""
    receiver = frame.function.receiver if frame.function is not None else None
    held = frame.scope.get(receiver) if receiver is not None else None
    return isinstance(held, Instance) and held.record is not None and is_of_another_place(held.record)


def _asked_beside(node: ast.AST, frame: Frame) -> AskedBeside:
    """For which other methods the thing is asked that a call asks for one."""
    function, known = frame.function, frame.engine.readings.asked
    if function is None or isinstance(function.node, ast.Lambda) or not isinstance(node, ast.Call):
        return AskedBeside()
    if function.node not in known:
        known[function.node] = asked_together(function.node) if _asks_for_several(function) else {}
    return known[function.node].get(node, AskedBeside())
