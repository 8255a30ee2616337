"""The modules of a project, by path and by dotted name, and their analysis."""

from __future__ import annotations

import ast
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from synclint.analysis.domain.values import FunctionRecord, ModuleRecord, Symbol
from synclint.analysis.frequency.call_graph import CallGraph
from synclint.analysis.interpreter.edits import OutgoingFacts, StableNames
from synclint.analysis.interpreter.engine import Engine
from synclint.analysis.interpreter.observer import Observer
from synclint.analysis.interpreter.repetition import reach_fixpoint
from synclint.analysis.interpreter.seen_calls import asked_in
from synclint.analysis.models.method_names import tells_of_project
from synclint.analysis.program.late_bodies import keep_bodies_apart
from synclint.analysis.program.module_files import ModuleFiles, may_name_module
from synclint.analysis.program.modules import FunctionNode
from synclint.analysis.program.patterns import Patterns
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.facts import FunctionFacts
from synclint.analysis.results.observations import Observations
from synclint.analysis.state.recording import Recording
from synclint.analysis.state.runs import MarkKind
from synclint.analysis.syntax.parsing import ParseFailure, parse
from synclint.analysis.syntax.walk import walk
from synclint.catalog.entries import Catalog, load_catalog
from synclint.catalog.summaries import SummaryOf, summary_of
from synclint.phases import PARSE, Phases, uncounted
from synclint.sources.decoding import UnreadableSourceError, read_source
from synclint.sources.kept_texts import KeptText, kept

# Offered by ``import synclint``: a region in which waits are accepted.
SYNC_ALLOWED = "synclint.sync_allowed"


def _know_stub(record: ModuleRecord, stub: Path) -> None:
    """Let a module know the stub that lies beside it: what it says of functions, and the names it imports for that."""
    try:
        tree = parse(read_source(stub))
    except (UnreadableSourceError, ParseFailure):
        return
    record.stubbed = dict(_stubbed_functions(tree.body))
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module is not None:
            for alias in statement.names:
                if alias.name != "*":
                    record.scope[alias.asname or alias.name] = Symbol(f"{statement.module}.{alias.name}")


class ProjectAnalysis:
    """The modules that can be reached from the files to be checked; each is parsed at most once.

    ``roots`` are the files and folders that the user named: names are looked up beside them. The function
    patterns are shell-style globs on qualified names (``train.*_step``): functions known to be hot, known to be
    cold, and known to return tensors on the device. Of modules that are only imported, which those that will be
    ``analysed`` are not, few bodies are kept. ``catalog`` is another one than that of the program. Facts are
    kept of the functions in which there are waits by ``fixable`` constructs. ``for_contracts`` asks for the calls that
    cannot be followed, and for the regions in which waits are accepted: ``allowed_regions`` are the project's own
    context managers for that.
    """

    def __init__(
        self,
        roots: Iterable[Path] = (),
        torch_version: str | None = None,
        library_versions: Mapping[str, str] | None = None,
        hot_functions: Iterable[str] = (),
        cold_functions: Iterable[str] = (),
        device_functions: Iterable[str] = (),
        phases: Phases | None = None,
        analysed: Iterable[Path] = (),
        catalog: Catalog | None = None,
        fixable: frozenset[str] = frozenset(),
        allowed_regions: Iterable[str] = (),
        summary_of: SummaryOf = summary_of,
        *,
        for_contracts: bool = False,
    ) -> None:
        self._phases = phases or uncounted()
        self._files = ModuleFiles(roots)
        # By resolved paths, as the user calls them: a file is called the same whether it is analysed first or imported.
        self._analysed = {self._files.paths.of(path): path for path in analysed}
        self._by_name: dict[str, ModuleRecord | None] = {}
        self._by_path: dict[Path, ModuleRecord] = {}
        regions = (SYNC_ALLOWED, *allowed_regions) if for_contracts else ()
        patterns = Patterns(tuple(hot_functions), tuple(cold_functions), tuple(device_functions), regions)
        self.engine = Engine(
            self,
            catalog or load_catalog(),
            torch_version,
            dict(library_versions or {}),
            patterns,
            fixable,
            summary_of,
            for_contracts=for_contracts,
        )
        self._observer = Observer(self.engine)

    def analyse(self, path: Path, source: str) -> None:
        """Run one file, so that what it calls is known before any file is reported; raises ParseFailure."""
        self.engine.analyse(self.add(path, source))

    def begin(self, path: Path, source: str) -> None:
        """Run the top level of a file, so that others know its classes when they are analysed; raises ParseFailure."""
        self.engine.begin(self.add(path, source))

    def check(self, path: Path, source: str) -> list[SyncEvent]:
        """The events of one file among those analysed so far, in source order; raises ParseFailure."""
        return self.checked(path, source).events(os.path.realpath(path), str(path))

    def checked(self, path: Path, source: str) -> CallGraph:
        """All that is known once one more file has been analysed; raises ParseFailure."""
        self.analyse(path, source)
        for error in self.failures.values():
            raise error
        return CallGraph(self.observations())

    @property
    def modules(self) -> Collection[ModuleRecord]:
        """The modules that were parsed."""
        return self._by_path.values()

    def outgoing_facts(self, functions: Iterable[FunctionRecord], names: StableNames) -> OutgoingFacts:
        """What functions tell of others."""
        return self._observer.outgoing_facts(functions, names)

    def seen_in(self, path: Path, methods: Collection[str]) -> Observations:
        """What was seen in one file, by now; ``methods`` are the names of all functions there are."""
        module = self._by_path.get(self._files.paths.of(path))
        return self._observer.observations_in(module, methods) if module is not None else Observations()

    def functions_in(self, path: Path) -> Mapping[str, FunctionFacts]:
        """What the texts of all functions in one file say by now."""
        module = self._by_path.get(self._files.paths.of(path))
        return self._observer.functions_in(module) if module is not None else {}

    @property
    def starred(self) -> frozenset[str]:
        """The files, by their resolved paths, of which it was asked what a star gives."""
        return self._files.asked_for_exports

    @property
    def called_by_name(self) -> frozenset[str]:
        """The names of methods that are called on something unknown, as far as one of the project may be meant."""
        runs = self.engine.fixpoint.runs
        asked = asked_in(runs, {name for run in runs for name, _ in run.unresolved})
        return frozenset(one.name for one in asked if tells_of_project(one))

    @property
    def marked(self) -> frozenset[str]:
        """The names of functions that are recorded as graphs, run by loaders, or given to something that calls them."""
        marks = (mark for run in self.engine.fixpoint.runs for mark in run.marks if mark.kind in _CALLED_BY_OTHERS)
        return frozenset(mark.function.name for mark in marks if mark.function is not None)

    def record(self, path: Path, source: str, *, with_evidence: bool) -> None:
        """Record what the expressions of a file stand for, whichever file makes it run; raises ParseFailure."""
        module = self.add(path, source)
        if self.engine.recording is None:
            self.engine.recording = Recording(with_evidence)
        self.engine.recording.want(walk(module.tree))

    def record_evidence(self) -> None:
        """Let each event tell the chain of inferences that led to it."""
        if self.engine.recording is None:
            self.engine.recording = Recording(with_evidence=True)

    @property
    def failures(self) -> dict[str, Exception]:
        """Mistakes of ours in files that an analysed one uses, by the files' resolved paths."""
        return {str(record.real_path): error for record, error in self.engine.failures.items()}

    def observations(self) -> Observations:
        """What was seen in the files that have been analysed, and in those that they reach."""
        reach_fixpoint(self.engine)
        return self._observer.observations()

    def add(self, path: Path, source: str) -> ModuleRecord:
        """Parse a file and make it known under its dotted name."""
        resolved = self._files.paths.of(path)
        if resolved in self._by_path and self._by_path[resolved].source == source:
            return self._by_path[resolved]
        text = kept(source)
        name, folder = self._files.add(resolved, text)
        record = self._record(name, path, resolved, folder, text, self._parsed(source))
        self._by_path[resolved] = record
        if resolved.suffix == ".py":
            self._by_name[name] = record
        return record

    def module(self, name: str) -> ModuleRecord | None:
        """The module of this dotted name, None where the project has none (or it cannot be read)."""
        if not may_name_module(name):
            return None
        if name not in self._by_name:
            self._by_name[name] = None
            path = self._files.find(name)
            if path is not None:
                self._by_name[name] = self._load(path, name)
        return self._by_name[name]

    def module_giving(self, module: str, name: str) -> ModuleRecord | None:
        """The module of this dotted name if its star may give a name; else it is not parsed."""
        path = self._files.find(module)
        exports = self._files.exports_of(path) if path is not None else None
        return self.module(module) if exports is not None and exports.may_give(name) else None

    @property
    def consulted(self) -> frozenset[str]:
        """The paths on which the events depend: the files read, and the places at which names were looked up."""
        paths = {str(path) for path in (*self._by_path, *(record.path for record in self._by_path.values()))}
        return self._files.consulted | paths

    def name_for(self, name: str, importer: ModuleRecord) -> str:
        """The name under which the project knows what a module imports as ``name``."""
        return self._files.name_from(importer.real_path, importer.folder, name)

    def modules_offering(self, names: frozenset[str], package: str, importer: ModuleRecord) -> tuple[str, ...]:
        """The modules of a package, or of the folders that a module sees, that have most of the ``names``."""
        return self._files.modules_offering(names, package, importer.real_path, importer.folder)

    def is_package(self, name: str) -> bool:
        """Whether the name is a folder of the project, with or without an ``__init__``."""
        return self._files.is_package(name)

    def _load(self, path: Path, name: str) -> ModuleRecord | None:
        resolved = self._files.paths.of(path)
        if resolved in self._by_path:
            return self._by_path[resolved]
        try:
            is_analysed = resolved in self._analysed
            path = self._analysed[resolved] if is_analysed else self._files.as_named(resolved)
            source = read_source(path)
            text = kept(source)
            tree = self._parsed(source) if is_analysed else self._imported_tree(source, text)
            record = self._record(name, path, resolved, self._files.folder_of(resolved), text, tree)
        except (UnreadableSourceError, ParseFailure):
            return None
        self._by_path[resolved] = record
        return record

    def _record(
        self, name: str, path: Path, resolved: Path, folder: Path, source: KeptText, tree: ast.Module
    ) -> ModuleRecord:
        reaches_torch = partial(self._files.reaches_torch, resolved)
        around = ".".join((*self._files.around(folder), name))
        record = ModuleRecord(name, path, resolved, tree, source, folder, reaches_torch, around)
        stub = self._files.stub_of(path)
        if stub is not None:
            _know_stub(record, stub)
        return record

    def _imported_tree(self, source: str, text: KeptText) -> ast.Module:
        """The tree of a module that is only imported, without the bodies of functions at which nobody has looked yet.

        They are most of what a large project imports.
        """
        tree = self._parsed(source)
        keep_bodies_apart(tree, text, self._parsed)
        return tree

    def _parsed(self, source: str) -> ast.Module:
        with self._phases.phase(PARSE):
            return parse(source)


# What marks functions that are called without a call in the project.
_CALLED_BY_OTHERS = frozenset(
    {
        MarkKind.CAPTURED, MarkKind.LOADED, MarkKind.HELD, MarkKind.COLLATING, MarkKind.HOOKED, MarkKind.REGISTERED,
    }
)  # fmt: skip


def _stubbed_functions(body: Iterable[ast.stmt], prefix: str = "") -> Iterator[tuple[str, FunctionNode]]:
    """The functions of a stub by their names within the module, methods as ``Class.method``."""
    for statement in body:
        if isinstance(statement, FunctionNode):
            yield f"{prefix}{statement.name}", statement
        elif isinstance(statement, ast.ClassDef):
            yield from _stubbed_functions(statement.body, f"{prefix}{statement.name}.")
