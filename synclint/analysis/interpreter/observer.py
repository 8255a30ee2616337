"""What the runs of an engine have shown by now, as plain records."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from synclint.analysis.domain.values import FunctionRecord, ModuleRecord
from synclint.analysis.interpreter.edits import OutgoingFacts, StableNames, functions_within, outgoing_facts
from synclint.analysis.interpreter.engine import Engine
from synclint.analysis.interpreter.plain_records import PlainRecords
from synclint.analysis.interpreter.recorder import Recorder
from synclint.analysis.program import modules
from synclint.analysis.results.facts import FunctionFacts
from synclint.analysis.results.observations import Observations
from synclint.analysis.state.runs import MarkKind, Run
from synclint.findings import Phase


class Observer:
    """Looks at the runs of an engine, at all of them or at those that concern one module."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._captured: dict[FunctionRecord, str] = {}
        self._loaded: set[FunctionRecord] = set()
        self._collating: set[FunctionRecord] = set()
        self._hooked: dict[FunctionRecord, str] = {}
        self._registered: dict[FunctionRecord, Phase] = {}

    def observations(self) -> Observations:
        """What has been seen in every module that was analysed or that an analysed one reaches."""
        engine = self._engine
        recorder = self._recorder(engine.fixpoint.runs)
        marks = recorder.marks
        self._captured, self._hooked = marks.said_of(MarkKind.CAPTURED), marks.said_of(MarkKind.HOOKED)
        self._registered, self._loaded = marks.phases_in_engines(), marks.loaded()
        self._collating = marks.functions(MarkKind.COLLATING)
        records = self._records()
        observed = recorder.observations(records, engine.analysed, self._names_in, engine.fixable)
        return observed if engine.recording is None else replace(observed, recorded=recorder.recorded(records))

    def observations_in(self, module: ModuleRecord, methods: Collection[str]) -> Observations:
        """What has been seen in one module, without what was recorded there.

        What is captured, or run by loaders or as a hook, was found when all was observed. ``methods`` are the names of
        all functions there are.
        """
        engine = self._engine
        within = [run for run in engine.fixpoint.runs if run.module is module]
        calling = dict.fromkeys(caller for run in within for caller in run.demands)
        recorder = self._recorder({**dict.fromkeys(within), **calling})
        records = self._records()
        return recorder.observations_in(module, records, methods, engine.fixable)

    def functions_in(self, module: ModuleRecord) -> dict[str, FunctionFacts]:
        """What the texts of a module and of all its functions say, whether anything was seen in them or not."""
        records = self._records()
        records.function(None, module)
        for record in [*module.by_node.values()]:
            if isinstance(record, modules.FunctionRecord):
                records.function(record, module)
        return {key: facts for key, facts in records.functions.items() if key.startswith(f"{module.real_path}:")}

    def outgoing_facts(self, functions: Iterable[FunctionRecord], names: StableNames) -> OutgoingFacts:
        """What the bodies of functions tell of others, places aside."""
        functions = tuple(functions)
        known = self._engine.fixpoint.runs_of((*functions, *functions_within(functions)))
        return outgoing_facts(functions, (run for runs in known.values() for run in runs), names)

    def _recorder(self, runs: Iterable[Run]) -> Recorder:
        engine = self._engine
        return Recorder(runs, engine.catalog.by_id, engine.recording, engine.all_assumed)

    def _records(self) -> PlainRecords:
        return PlainRecords(self._engine, self._captured, self._loaded, self._collating, self._hooked, self._registered)

    def _names_in(self, name: str) -> Iterable[str]:
        module = self._engine.project.module(name)
        return module.scope if module is not None else ()
