"""Stores what an analysis came to: after its fixpoint, so that each run has what it will have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from synclint.analysis.domain.values import ClassRecord, FunctionRecord, ModuleRecord, Value
from synclint.analysis.interpreter.contexts import ContextKey
from synclint.analysis.interpreter.engine import Engine
from synclint.analysis.interpreter.seen_calls import place_of
from synclint.analysis.run_records.encoding import Encoder, Places
from synclint.analysis.run_records.records import (
    NONE,
    ContextRecord,
    DemandRecord,
    ModuleEntry,
    Row,
    RunRecord,
    ShareRecords,
    WriteRecord,
)
from synclint.analysis.state.runs import Run
from synclint.findings import CallPlace


def stored_share(engine: Engine, modules: Iterable[ModuleRecord]) -> ShareRecords:
    """All that the runs over some modules came to."""
    return _Storing(engine).share(tuple(modules))


class _Storing:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._places = Places()
        self._rows: list[Row] = []
        self._encoder = Encoder(self._places, self._rows)
        self._runs = engine.fixpoint.runs
        self._numbers = {run: number for number, run in enumerate(self._runs)}

    def share(self, modules: tuple[ModuleRecord, ...]) -> ShareRecords:
        runs_of: defaultdict[str, list[int]] = defaultdict(list)
        for run, number in self._numbers.items():
            runs_of[self._function(run.function, run.module)].append(number)
        contexts: defaultdict[str, list[ContextRecord]] = defaultdict(list)
        for key, runs, counts in self._engine.contexts.all():
            contexts[self._places.of(key.function)].append(self._context(key, runs, counts))
        return ShareRecords(
            runs=tuple(map(self._run, self._runs)),
            runs_of={place: tuple(numbers) for place, numbers in runs_of.items()},
            contexts={place: tuple(found) for place, found in contexts.items()},
            fields={
                f"{self._places.of(owner)}:{name}": tuple(
                    WriteRecord(self._function(run.function, run.module), run.is_root, self._encoder.value(value))
                    for run, value in written.items()
                )
                for (owner, name), written in self._engine.fields.all()
            },
            subclasses={
                self._places.of(record): tuple(map(self._places.of, record.subclasses))
                for record in self._classes(modules)
                if record.subclasses
            },
            modules={
                str(module.real_path): ModuleEntry(module.name, module in self._engine.begun, module.has_torch_in_reach)
                for module in modules
            },
            rows=tuple(self._rows),
        )

    def _classes(self, modules: Iterable[ModuleRecord]) -> Iterable[ClassRecord]:
        return (record for module in modules for record in module.classes)

    def _function(self, record: FunctionRecord | None, module: ModuleRecord) -> str:
        return str(module.real_path) if record is None else self._places.of(record)

    def _run(self, run: Run) -> RunRecord:
        encoder = self._encoder
        is_of_module = run.function is None  # whose scope is made again with the module
        return RunRecord(
            self._function(run.function, run.module),
            run.by_text,
            run.is_root,
            run.on_trial,
            run.surroundings is not None or bool(run.enclosing),
            run.depth,
            run.is_assumed,
            encoder.names(() if is_of_module else tuple(run.scope)),
            () if is_of_module else encoder.values(run.scope.values()),
            encoder.value(run.result),
            tuple(
                DemandRecord(
                    self._numbers[caller],
                    encoder.values(scope.values()),
                    self._call_places(caller, run),
                )
                for caller, scope in run.demands.items()
                if caller in self._numbers
            ),
        )

    def _call_places(self, caller: Run, run: Run) -> tuple[CallPlace, ...]:
        use = caller.uses.get(run)
        return () if use is None or not caller.is_followed else tuple(dict.fromkeys(map(place_of, use.sites.values())))

    def _context(
        self, key: ContextKey, runs: Iterable[tuple[tuple[Value, ...], Run]], counts: tuple[int, int]
    ) -> ContextRecord:
        receiver = "" if key.receiver is None else self._places.of(key.receiver)
        encoded = tuple(
            (tuple(map(self._encoder.key, arguments)), self._numbers.get(run, NONE)) for arguments, run in runs
        )
        return ContextRecord(key.given, receiver, key.on_trial, encoded, counts)
