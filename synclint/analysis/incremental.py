"""Runs functions whose bodies were edited, with what is stored of the analysis of their share, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from synclint.analysis.domain.values import ClassRecord, FunctionRecord, ModuleRecord, Value
from synclint.analysis.domain.visibility import differ_in_evidence, differ_visibly
from synclint.analysis.interpreter.engine import Engine, TooMuchWorkError
from synclint.analysis.program import modules
from synclint.analysis.project import ProjectAnalysis
from synclint.analysis.results.facts import FunctionFacts
from synclint.analysis.results.moved_lines import MovedFile
from synclint.analysis.results.observations import Observations
from synclint.analysis.run_records.reader import MemoReader
from synclint.analysis.run_records.records import ShareRecords
from synclint.analysis.state.runs import Run
from synclint.analysis.syntax.edited_bodies import FunctionNode
from synclint.analysis.syntax.edited_lines import EditedLines, Span, span_of
from synclint.analysis.syntax.parsing import ParseFailure
from synclint.analysis.syntax.walk import walk

_Held: TypeAlias = "dict[tuple[ClassRecord, str], Value | None]"


@dataclass(frozen=True)
class EditedFunctions:
    """What was seen in edited functions of a file, ``before`` and ``after`` the edit, each on the lines of its text.

    ``functions`` is what the texts of all functions in the file say after it. ``taken`` and ``left`` are the names that
    the edited functions take for something else than the function of a call, and did not before; and the other way
    round. It ``is_alone`` where they tell others what they told before, and all that they ask for is stored: else what
    was seen after the edit is only likely.
    """

    before: Observations
    after: Observations
    functions: Mapping[str, FunctionFacts]
    taken: frozenset[str]
    left: frozenset[str]
    is_alone: bool


def restored_functions(
    project: ProjectAnalysis,
    stored: ShareRecords,
    path: Path,
    text: str,
    spans: Collection[Span],
    methods: Collection[str],
) -> RestoredFunctions | None:
    """The functions of a file that stand at ``spans`` of a ``text``, run again with what is stored of all others.

    None where they did not do what is stored of them. ``methods`` are the names of all functions. The ``project`` is
    one in which nothing was analysed yet.
    """
    try:
        module = project.add(path, text)
    except ParseFailure:
        return None
    engine = project.engine
    nodes = [node for node in walk(module.tree) if isinstance(node, FunctionNode) and span_of(node) in spans]
    memo = MemoReader(stored, engine, module, nodes)
    engine.use_memo(memo)
    engine.run_module(module)
    records = [record for node in nodes if isinstance(record := module.by_node.get(id(node)), modules.FunctionRecord)]
    if len(records) < len(nodes):
        return None
    for record in records:
        memo.restore(record)
    if not _reach_fixpoint(engine) or not memo.is_as_stored() or memo.are_inner_functions_called_elsewhere:
        return None
    seen = project.seen_in(path, methods)
    fields = _fields(engine, memo.edited_runs())
    taken = project.names_taken(records)
    return RestoredFunctions(
        project, memo, module, path, frozenset(spans), tuple(records), tuple(methods), seen, fields, taken
    )


@dataclass
class RestoredFunctions:
    """Functions of a file that can be given other bodies, one after the other, as long as these concern nothing else.

    They stood at ``spans``, where they were ``seen`` to do what is stored of them, wrote ``fields`` and took names.
    """

    project: ProjectAnalysis
    memo: MemoReader
    module: ModuleRecord
    path: Path
    spans: frozenset[Span]
    records: Collection[FunctionRecord]
    methods: Collection[str]
    seen: Observations
    fields: _Held
    taken: frozenset[str]
    _held: dict[ModuleRecord, int] = field(default_factory=dict)

    def after(self, text: str, lines: EditedLines) -> EditedFunctions | None:
        """What is seen in the functions in another text of the file; None where more differs.

        ``lines`` tell how those of the first text and of this one belong together. Where the edit is not alone, nothing
        more can be said after it.
        """
        for owner, nodes in self.memo.made_nodes.items():
            self.project.hold(owner, nodes[self._held.get(owner, 0) :])
            self._held[owner] = len(nodes)
        now = MovedFile(str(self.module.real_path), str(self.path), lines.now)
        self.memo.move_lines(lines.then, now)
        is_alone = self.project.edit(self.path, text)
        if is_alone is None:
            return None
        engine = self.project.engine
        held = _hold_the_same(engine, {**_fields(engine, self.memo.edited_runs()), **self.fields})
        seen = self.project.seen_in(self.path, self.methods)
        taken = self.project.names_taken(self.records)
        return EditedFunctions(
            self.seen,
            seen,
            self.project.functions_in(self.path),
            taken - self.taken,
            self.taken - taken,
            is_alone and held and self.memo.is_complete,
        )


def _reach_fixpoint(engine: Engine) -> bool:
    """Do all runs that are due; whether none failed."""
    try:
        engine.fixpoint.reach(lambda run: engine.repeat(run, run.module), lambda: True)
    except (TooMuchWorkError, RecursionError):
        return False
    return not engine.failures


def _fields(engine: Engine, runs: Collection[Run]) -> _Held:
    """What the attributes hold that runs write."""
    return {attribute: engine.fields.held(*attribute) for run in runs for attribute in run.writes}


def _hold_the_same(engine: Engine, before: _Held) -> bool:
    for attribute, value in before.items():
        now = engine.fields.held(*attribute)
        if differ_visibly(value, now) or (value is None) != (now is None):
            return False
        if value is not None and now is not None and differ_in_evidence(value, now):
            return False
    return True
