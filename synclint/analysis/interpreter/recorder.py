"""What runs have shown, brought together: one event for each expression, the calls of each function, what is called."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from synclint.analysis.domain.conclusions import Conclusion, conclusion
from synclint.analysis.domain.descriptions import describe_operand
from synclint.analysis.domain.tensors import tensor_of
from synclint.analysis.domain.values import Device, FunctionRecord, ModuleRecord, Value
from synclint.analysis.interpreter import mentions
from synclint.analysis.interpreter.given_functions import parameter_called, ways_to_give
from synclint.analysis.interpreter.handed import handed_to, parameter_behind
from synclint.analysis.interpreter.marks import marks_of
from synclint.analysis.interpreter.plain_records import PlainRecords
from synclint.analysis.interpreter.seen_calls import (
    asked_in,
    called_in,
    callers_in,
    handed_by_name,
    handed_in_calls,
    order_of,
    place_of,
    runs_by_call,
)
from synclint.analysis.interpreter.switches import given_parameters
from synclint.analysis.results.expression_facts import (
    Facts,
    FactsOf,
    RecordedValues,
    expressions_within,
    record_another,
)
from synclint.analysis.results.expressions import Expression
from synclint.analysis.results.facts import (
    Call,
    CallsBehind,
    HandedOn,
    Need,
    OpaqueCall,
    Slot,
)
from synclint.analysis.results.known_callers import Handle, KnownCallers
from synclint.analysis.results.observations import Observation, Observations, Recorded, told_apart
from synclint.analysis.results.signatures import Asked
from synclint.analysis.state.call_sites import CallSite, RawEvent
from synclint.analysis.state.join_points import Scope
from synclint.analysis.state.recording import Recording, SeenExpression
from synclint.analysis.state.runs import MarkKind, Run
from synclint.catalog.entries import Entry
from synclint.findings import CallPlace, Phase


class Recorder:
    """All that some runs have shown; what is ``assumed`` of parameters is what the texts of functions tell of them."""

    def __init__(
        self,
        runs: Iterable[Run],
        entries: dict[str, Entry],
        recording: Recording | None,
        assumed: Mapping[FunctionRecord, Scope],
    ) -> None:
        self._runs = tuple(runs)
        self._assumed = assumed
        self._entries = entries
        # Of what is copied to the device it is the one that is not there which waits.
        self._copies_to_device = {key for key, one in entries.items() if one.mechanism == "host-to-device-copy"}
        self._recording = recording
        self._has_evidence = recording is not None and recording.with_evidence
        self._sites = _sites_in(self._runs)
        self.marks = marks_of(self._runs)
        self._called = called_in(self._runs)
        self.callers = callers_in(self._runs, self._called)

    def observations(
        self,
        records: PlainRecords,
        analysed: Iterable[ModuleRecord],
        exports: Callable[[str], Iterable[str]],
        fixable: frozenset[str],
    ) -> Observations:
        """All that has been seen, as plain records; facts are told of functions with ``fixable`` waits."""
        known_callers = self._known_callers(records, analysed, exports)
        self._follow(records, known_callers)
        self._sites = _sites_in(run for run in self._runs if run.is_followed)
        self._called = called_in(self._runs)
        self.callers = callers_in(self._runs, self._called)
        events = tuple(self._events(records))
        calls = self._calls(records, self.callers)
        unresolved = self._unresolved(records)
        opaque = self._opaque(records)
        return Observations(
            events,
            dict(records.functions),
            records.loops,
            calls,
            unresolved,
            self.marks.names(MarkKind.SWITCHED),
            known_callers,
            facts=self._facts(fixable) if fixable else {},
            opaque=opaque,
            handed=handed_by_name(self._runs),
            regions={key: region for run in self._runs for key, region in run.regions.items()},
        )

    def _calls(
        self, records: PlainRecords, callers: Mapping[FunctionRecord, Mapping[int, CallSite]]
    ) -> dict[str, tuple[Call, ...]]:
        """The calls of functions, with who gave the caller what it calls where that was given to it."""
        handed = handed_in_calls(self._runs, self._called, self._assumed)
        parameters = {
            (record, node): parameter
            for record, sites in callers.items()
            for node, site in sites.items()
            if (parameter := parameter_called(site)) is not None
        }
        runs = runs_by_call(self._runs, parameters)

        def call(record: FunctionRecord, node: int, site: CallSite) -> Call:
            key = (record, node)
            told = records.call(site, record, handed.get(key, ()))
            if key not in parameters:
                return told
            ways = ways_to_give(record, parameters[key], runs[key])
            return told._replace(given=tuple(sorted(tuple(map(records.call, way)) for way in ways)))

        return {
            records.function(record, record.module): tuple([call(record, *one) for one in sites.items()])
            for record, sites in callers.items()
        }

    def _opaque(self, records: PlainRecords) -> dict[str, tuple[OpaqueCall, ...]]:
        """The calls in each function that cannot be followed, each told once."""
        found: dict[str, dict[OpaqueCall, dict[CallPlace, None]]] = {}
        for run in self._runs:
            around = map(place_of, self._sites[run].values()) if run.opaque else ()
            callers = dict.fromkeys((*around, *run.memo_calls))
            for (name, _), site in run.opaque.items():
                call = records.call(site)
                opaque = OpaqueCall(name, call.place, call.layers)
                found.setdefault(call.caller, {}).setdefault(opaque, {}).update(callers)
        return {
            key: tuple(opaque._replace(callers=tuple(callers)) for opaque, callers in calls.items())
            for key, calls in found.items()
        }

    def observations_in(
        self, module: ModuleRecord, records: PlainRecords, methods: Collection[str], fixable: frozenset[str]
    ) -> Observations:
        """What has been seen in one module, without known callers; ``methods`` are the names of all functions."""
        events = tuple(self._events(records, module))
        within = {
            record: {node: site for node, site in sites.items() if site.module is module}
            for record, sites in self.callers.items()
        }
        calls = self._calls(records, {record: sites for record, sites in within.items() if sites})
        path = str(module.real_path)
        facts = self._facts(fixable, module).get(path, {}) if fixable else {}
        asked = asked_in(self._runs, methods)
        unresolved = {
            one: found
            for one, sites in asked.items()
            if (found := tuple(records.call(site) for site in sites if site.module is module))
        }
        return Observations(
            events,
            dict(records.functions),
            records.loops,
            calls,
            unresolved,
            facts={path: facts},
            handed=handed_by_name(self._runs, module),
        )

    def recorded(self, records: PlainRecords) -> Recorded:
        """What was recorded; the functions of ``records`` become more by it."""
        expressions = tuple(self._expression(one, records) for one in self._seen())
        return Recorded(expressions, records.functions, self._unresolved(records))

    def _seen(self) -> Iterable[SeenExpression]:
        """What the expressions that were asked for stood for, in all runs over them and in those for calls."""
        found = self._recording or Recording()
        found.seen.clear()
        for run in self._runs:
            is_called = run in self._sites
            for one in run.seen.values():
                under_calls = one.always if is_called and run.function is one.function else None
                found.note(replace(one, under_calls=under_calls))
        return found.seen.values()

    def _expression(self, seen: SeenExpression, records: PlainRecords) -> Expression:
        return Expression(
            path=str(seen.module.real_path),
            span=seen.module.span_of(seen.node),
            kind=type(seen.node).__name__,
            concluded=self._concluded(seen.always),
            under_calls=self._concluded(seen.under_calls) if seen.under_calls is not None else None,
            function=records.function(seen.function, seen.module),
            layers=records.layers(seen.control, seen.function, seen.module),
        )

    def _concluded(self, value: Value) -> Conclusion:
        return conclusion(value, evidence(value) if self._has_evidence else ())

    def _facts(self, fixable: frozenset[str], module: ModuleRecord | None = None) -> dict[str, Facts]:
        """The facts about all expressions of the functions in which there are waits that can be fixed, by path.

        Those in one module alone, if it is given.
        """
        roots: dict[ModuleRecord, dict[ast.AST, None]] = {}
        for run in self._runs:
            for event in run.events.values():
                if event.construct in fixable and (module is None or event.module is module):
                    root: ast.AST = event.function.node if event.function is not None else event.module.tree
                    roots.setdefault(event.module, {})[root] = None
        expressions = {one: tuple(chain.from_iterable(map(expressions_within, nodes))) for one, nodes in roots.items()}
        wanted = {one: set(nodes) for one, nodes in expressions.items()}
        recorded: RecordedValues = {}
        # Runs of one function have one tuple of expressions, as a rule: it is gone through once.
        known_places: dict[int, tuple[int, ...]] = {}
        for run in self._runs:
            if run.module in wanted:
                recorded_here = run.recorded.expressions
                places = known_places.get(id(recorded_here))
                if places is None:
                    of_module = wanted[run.module]
                    places = tuple([at for at, node in enumerate(recorded_here) if node in of_module])
                    known_places[id(recorded_here)] = places
                for at in places:
                    node, seen = recorded_here[at], run.recorded.values[at]
                    known = recorded.setdefault(node, seen)
                    if known is not seen:
                        for value in seen if isinstance(seen, tuple) else (seen,):
                            record_another(node, recorded[node], value, recorded)
        facts: dict[str, Facts] = {}
        facts_of = FactsOf(recorded)
        for one, nodes in expressions.items():
            facts.setdefault(str(one.real_path), {}).update(facts_of.about(nodes))
        return facts

    def _unresolved(self, records: PlainRecords) -> dict[Asked, tuple[Call, ...]]:
        """The calls of methods of something unknown by what is asked for."""
        names = {facts.name for facts in records.functions.values()}
        return {
            asked: tuple(map(records.call, sorted(sites, key=order_of)))
            for asked, sites in asked_in(self._runs, names).items()
        }

    def _follow(self, records: PlainRecords, known: KnownCallers) -> None:
        """Find out which runs stand for something that may happen.

        What a function's text alone suggests of its parameters does not where all calls of it are known: what it calls
        with that is called by nobody so, unless another call shows the same.
        """
        idle = dict.fromkeys(run for run in self._runs if self._is_idle(run, records, known))
        followed: set[Run] = set()
        starts = [one for one in self._runs if one.by_text or one.is_root or one.memo_calls]
        self._reach([one for one in starts if one.memo_calls or one not in idle], followed)
        # Functions that only call each other are called by somebody all the same.
        called = {run.function for run in followed}
        self._reach([run for run in idle if run.function not in called], followed)
        for run in self._runs:
            run.is_followed = run in followed

    @staticmethod
    def _reach(starts: list[Run], followed: set[Run]) -> None:
        """Add to the runs that are followed these, and all whose results they use."""
        waiting = [run for run in starts if run not in followed]
        followed.update(waiting)
        while waiting:
            new = [other for other in waiting.pop().uses if other not in followed]
            followed.update(new)
            waiting += new

    def _is_idle(self, run: Run, records: PlainRecords, known: KnownCallers) -> bool:
        """Whether a run over a function's text alone stands for no call, since all are known and give more.

        What calls a module may not name it, but does not pass other things than the calls that were followed.
        """
        function = run.function
        if not run.by_text or function is None:
            return False
        if all(site.module.is_test for site in self.callers.get(function, {}).values()):
            return False
        key, owner = records.function(function, function.module), function.owner
        if known.all_known(key):
            return True
        if owner is None or function.name != "forward" or key in known.unfollowed:
            return False
        return owner.name not in known.taken and owner.name not in known.exported

    def _events(self, records: PlainRecords, module: ModuleRecord | None = None) -> Iterator[Observation]:
        best: dict[tuple[int, str, bool], RawEvent] = {}
        rests_on: dict[tuple[int, str, bool], set[Slot | None]] = defaultdict(set)
        called_runs: dict[tuple[int, str, bool], dict[Run, RawEvent]] = {}
        for run in self._runs:
            sites = self._sites.get(run)
            for (node, construct, is_own), event in run.events.items():
                if module is not None and event.module is not module:
                    continue
                is_called_so = is_own and run.is_followed and (sites or run.memo_calls)
                for is_called in _seen_under(run, bool(is_called_so)):
                    key = (node, construct, is_called)
                    rests_on[key].add(None if construct in self._copies_to_device else _rests_on(event, run))
                    known = best.get(key)
                    if known is None or _is_more_informative(event, known):
                        best[key] = event
                    if is_called:
                        called_runs.setdefault(key, {})[run] = event
        for key, event in best.items():
            called = called_runs.get(key, {})
            slots = [slot for slot in rests_on[key] if slot is not None]
            on = tuple(sorted(slots)) if len(slots) == len(rests_on[key]) else ()
            yield self._observation(event, called, on, records)

    def _calls_of(self, runs: Iterable[Run]) -> tuple[CallPlace, ...]:
        sites = ((*map(place_of, self._sites[run].values()), *run.memo_calls) for run in runs)
        return tuple(dict.fromkeys(chain.from_iterable(sites)))

    def _ways(self, called: Mapping[Run, RawEvent], records: PlainRecords) -> Iterator[CallsBehind]:
        """What stands around an event under calls, where that is not the same under all of them."""
        alike: dict[tuple[object, ...], dict[Run, RawEvent]] = defaultdict(dict)
        for run, seen in called.items():
            alike[_rarity(seen)][run] = seen
        for runs in alike.values() if len(alike) > 1 else ():
            first = next(iter(runs.values()))
            yield CallsBehind(records.layers(first.control, first.function, first.module), self._calls_of(runs))

    def _observation(
        self, event: RawEvent, called: Mapping[Run, RawEvent], rests_on: tuple[Slot, ...], records: PlainRecords
    ) -> Observation:
        module = event.module
        return Observation(
            path=str(module.real_path),
            span=module.span_of(event.node),
            construct=event.construct,
            subject=module.text_of(event.subject),
            facts=_facts(event),
            confidence=event.confidence,
            evidence=tuple(evidence(event.tensor)) if self._has_evidence else (),
            function=records.function(event.function, module),
            layers=records.layers(event.control, event.function, module),
            switch=self._entries[event.construct].switched_off_by,
            switched_on_by=self._entries[event.construct].switched_on_by,
            cause=_cause(event),
            callers=self._calls_of(called),
            rests_on=rests_on,
            ways=told_apart(self._ways(called, records)),
        )

    def _known_callers(
        self, records: PlainRecords, analysed: Iterable[ModuleRecord], exports: Callable[[str], Iterable[str]]
    ) -> KnownCallers:
        """What tells of which functions all calls are known."""
        handles: dict[str, Handle] = {}
        called: set[str] = set()
        done: set[Need] = set()
        handed_on: set[HandedOn] = set()
        run_for_calls = {run.function for run in self._runs if self._sites.get(run) or run.memo_calls}
        for record, sites in self.callers.items():
            if all(site.module.is_test for site in sites.values()):
                continue
            # One that is only handed on, and takes nothing, is called with just that: its own text shows the call.
            if record.parameters or record in run_for_calls:
                called.add(records.function(record, record.module))
            needs, passed = given_parameters(record, [site for site in sites.values() if not site.module.is_test])
            done |= needs
            handed_on |= passed
            if (found := mentions.handle(record)) is not None:
                handles[records.function(record, record.module)] = found
        for record in self.marks.functions(MarkKind.EXCLUDED):
            if record not in self.callers and (found := mentions.handle(record)) is not None:
                handles[records.function(record, record.module)] = found
        taken, exported = set(self.marks.names(MarkKind.ON_UNKNOWN)), set[str]()
        analysed = tuple(analysed)
        tests = {str(module.path) for module in analysed if module.is_test}
        for module in analysed:
            exported.update(mentions.exported(module))
            if not module.is_test:
                taken.update(mentions.taken(module))
            for star in module.stars if module.is_package else ():
                exported.update(exports(star))
        unfollowed = frozenset(records.function(one, one.module) for one in self.marks.functions(MarkKind.UNFOLLOWED))
        return KnownCallers(
            handles,
            unfollowed,
            frozenset(taken),
            frozenset(exported),
            frozenset(tests),
            frozenset(called),
            frozenset(done),
            frozenset(handed_on),
        )


def _sites_in(runs: Iterable[Run]) -> dict[Run, dict[int, CallSite]]:
    """The calls by which runs have used others."""
    sites: dict[Run, dict[int, CallSite]] = defaultdict(dict)
    for run in runs:
        for other, use in run.uses.items():
            if other is not run:  # that a function calls itself is no call by which anything else is known
                sites[other].update(use.sites)
    return sites


def _seen_under(run: Run, is_called: bool) -> tuple[bool, ...]:
    """Whether what a run has shown was seen under calls, on the text of the function alone, or both."""
    if not is_called:
        return (False,)
    return (False, True) if run.is_root else (True,)


def _rests_on(event: RawEvent, run: Run) -> Slot | None:
    """The parameter of its function, or of its file, that an event takes to be on the device, though none says so."""
    behind = parameter_behind(event.tensor)
    if behind is None:
        return None
    function = run.function.place_key if run.function is not None else ""
    if behind.function != function:
        for one in handed_to(run.scope.items()):
            if one.of == behind:
                return Slot(function, one.parameter)
    return behind if behind.function.startswith(f"{event.module.real_path}:") else None


def _is_more_informative(event: RawEvent, known: RawEvent) -> bool:
    """Whether of two views of one expression the first is surer or, where both are as sure, says more."""
    if event.confidence is not known.confidence:
        return event.confidence.rank > known.confidence.rank
    if event.known == known.known and event.tensor.origin is known.tensor.origin:
        return _rarity(event) < _rarity(known)
    mine, yours = _view(event), _view(known)
    return mine > yours if mine != yours else _rarity(event) < _rarity(known)


def _rarity(event: RawEvent) -> tuple[object, ...]:
    seldom = [guard for guard in event.control.guards if guard.runs is not Phase.STEP]
    return len(seldom), tuple((guard.runs.value, guard.reason, guard.loops, guard.counts) for guard in seldom)


def _view(event: RawEvent) -> tuple[bool, int, str]:
    facts = _facts(event)
    return event.tensor.device is not Device.EITHER, len(facts), facts


def _facts(event: RawEvent) -> str:
    return event.told or describe_operand(event.subject, event.known)


def _cause(event: RawEvent) -> str:
    """The place where the chain of inferences begins, empty where it has none."""
    origin = event.tensor.origin
    first = origin.beginning() if origin is not None else None
    if first is None or first.module is None or first.node is None:
        return ""
    return f"{first.module.path}:{first.module.line_of(first.node)}"


def evidence(value: Value) -> Iterator[str]:
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
        yield "its device is not known: tensors are assumed to be on the device"
