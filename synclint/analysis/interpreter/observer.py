"""What the runs of an engine have shown by now, as plain records."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from synclint.analysis.domain.values import FunctionRecord, ModuleRecord
from synclint.analysis.interpreter.edits import OutgoingFacts, outgoing_facts
from synclint.analysis.interpreter.engine import Engine
from synclint.analysis.interpreter.plain_records import PlainRecords
from synclint.analysis.interpreter.recorder import Recorder
from synclint.analysis.results.observations import Observations
from synclint.analysis.state.runs import MarkKind, Run


class Observer:
    """Looks at the runs of an engine, at all of them or at those that concern one module."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._captured: dict[FunctionRecord, str] = {}
        self._loaded: set[FunctionRecord] = set()

    def observations(self) -> Observations:
        """What has been seen in every module that was analysed or that an analysed one reaches."""
        engine = self._engine
        recorder = self._recorder(engine.fixpoint.runs)
        self._captured, self._loaded = recorder.captured(), recorder.functions_marked(MarkKind.LOADED)
        records = self._records()
        observed = recorder.observations(records, engine.analysed, self._names_in, engine.fixable)
        return self._with_recorded(observed, recorder, records)

    def observations_in(self, module: ModuleRecord, methods: Collection[str]) -> Observations:
        """What has been seen in one module; what is captured, or run by loaders, was found when all was observed.

        ``methods`` are the names of all functions there are.
        """
        engine = self._engine
        within = [run for run in engine.fixpoint.runs if run.module is module]
        calling = dict.fromkeys(caller for run in within for caller in run.demands)
        recorder = self._recorder({**dict.fromkeys(within), **calling})
        records = self._records()
        observed = recorder.observations_in(module, records, methods, engine.fixable)
        return self._with_recorded(observed, recorder, records)

    def outgoing_facts(self, functions: Iterable[FunctionRecord]) -> OutgoingFacts:
        """What the bodies of functions tell of others, places aside."""
        runs = [run for known in self._engine.fixpoint.runs_of(functions).values() for run in known]
        return outgoing_facts(functions, runs)

    def _recorder(self, runs: Iterable[Run]) -> Recorder:
        return Recorder(runs, self._engine.catalog.by_id, self._engine.recording)

    def _records(self) -> PlainRecords:
        return PlainRecords(self._engine, self._captured, self._loaded)

    def _with_recorded(self, observed: Observations, recorder: Recorder, records: PlainRecords) -> Observations:
        return observed if self._engine.recording is None else replace(observed, recorded=recorder.recorded(records))

    def _names_in(self, name: str) -> Iterable[str]:
        module = self._engine.project.module(name)
        return module.scope if module is not None else ()
