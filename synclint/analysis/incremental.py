"""Runs edited functions of a file, with what is stored of the analysis of their share, and nothing else.

They are run twice, each time with what is stored of all others: with the text of then, which checks what is stored, and
with that of now.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from synclint.analysis.domain.values import ClassRecord, FunctionRecord, ModuleRecord
from synclint.analysis.interpreter.edits import OutgoingFacts, facts_for_others, module_facts_for_others
from synclint.analysis.interpreter.engine import TooMuchWorkError
from synclint.analysis.program import modules
from synclint.analysis.project import ProjectAnalysis
from synclint.analysis.results.facts import FunctionFacts, Guard
from synclint.analysis.results.observations import Observations
from synclint.analysis.run_records.reader import MemoReader
from synclint.analysis.run_records.records import ShareRecords
from synclint.analysis.syntax.edited_bodies import FunctionNode
from synclint.analysis.syntax.edited_lines import EditedLines, Span
from synclint.analysis.syntax.parsing import ParseFailure
from synclint.analysis.syntax.walk import walk


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


@dataclass(frozen=True)
class RestoredFunctions:
    """Functions of a file, which stood at ``spans``, run again with what is stored of all others.

    They were ``seen`` to do what is stored of them, and told others certain facts: by that (``outgoing``), and by
    their texts alone (``facts``).
    """

    stored: ShareRecords
    module: ModuleRecord
    path: Path
    spans: frozenset[Span]
    records: Collection[FunctionRecord]
    methods: Collection[str]
    seen: Observations
    outgoing: OutgoingFacts
    facts: Mapping[FunctionRecord, tuple[object, ...]]

    def after(self, project: ProjectAnalysis, text: str, lines: EditedLines) -> EditedFunctions | None:
        """What is seen in the functions in another text of the file; None where they cannot be run.

        ``lines`` tell how those of the first text and of this one belong together. The ``project`` is one in which
        nothing was analysed yet.
        """
        gone = {first for first, _ in lines.gone}
        kept = {lines.now(first) for first, _ in self.spans if first not in lines.redefined | gone}
        new = {first for first, _ in lines.added} | {lines.now(first) for first in lines.redefined}
        run = _run(project, self.stored, self.path, text, self.spans, kept, new, lines)
        if run is None:
            return None
        memo = run.memo
        pairs = [(one, by_place) for one in self.records if (by_place := run.by_place.get(_then(one)))]
        outgoing = project.outgoing_facts(run.records, memo)
        common = {
            memo.stable_name(new): {one.name for one in old.parameters} & {one.name for one in new.parameters}
            for old, new in pairs
        }
        after, functions = project.seen_in(self.path, self.methods), project.functions_in(self.path)
        is_alone = (
            memo.is_complete
            and not memo.are_redefined_called_elsewhere
            and module_facts_for_others(self.module) == module_facts_for_others(run.module)
            and all(facts_for_others(new, project.engine) == self.facts[old] for old, new in pairs)
            and all(memo.tells_as_many_apart(*both) for both in pairs)
            and outgoing.of_parameters(common).is_like(self.outgoing.of_parameters(common))
            and memo.holds_what_it_held()
            and all(map(_is_plain, (one for one in run.module.classes if lines.then(one.node.lineno) in lines.classes)))
            and not any(
                map(_is_called_by_others, (functions[one.place_key] for one in run.records if one.node.lineno in new))
            )
            and not _asks_for_new(after, [both for both in pairs if both[0].node.lineno in lines.redefined])
            and memo.is_complete
        )
        taken, before = outgoing.taken, self.outgoing.taken
        return EditedFunctions(self.seen, after, functions, taken - before, before - taken, is_alone)


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
    run = _run(project, stored, path, text, spans, {first for first, _ in spans})
    if run is None or not run.memo.is_as_stored() or run.memo.are_inner_functions_called_elsewhere:
        return None
    seen, outgoing = project.seen_in(path, methods), project.outgoing_facts(run.records, run.memo)
    facts = {one: facts_for_others(one, project.engine) for one in run.records}
    return RestoredFunctions(
        stored, run.module, path, frozenset(spans), tuple(run.records), tuple(methods), seen, outgoing, facts
    )


@dataclass(frozen=True)
class _RunAgain:
    """Functions of a ``module`` that were run, with a ``memo`` of all others; by the places where they stood."""

    module: ModuleRecord
    memo: MemoReader
    by_place: Mapping[tuple[int, int], FunctionRecord]

    @property
    def records(self) -> Collection[FunctionRecord]:
        """The functions."""
        return self.by_place.values()


def _run(
    project: ProjectAnalysis,
    stored: ShareRecords,
    path: Path,
    text: str,
    spans: Collection[Span],
    kept: Collection[int],
    new: Collection[int] = (),
    lines: EditedLines | None = None,
) -> _RunAgain | None:
    """Run the functions of a file that begin on the lines ``kept``, which stood at ``spans``, and those on ``new``."""
    try:
        module = project.add(path, text)
    except ParseFailure:
        return None
    engine = project.engine
    nodes = [node for node in walk(module.tree) if isinstance(node, FunctionNode)]
    restored = [node for node in nodes if node.lineno in kept]
    added = [node for node in nodes if node.lineno in new]
    memo = MemoReader(stored, engine, module, restored, spans, added, lines)
    engine.use_memo(memo)
    engine.run_module(module)
    records: list[FunctionRecord] = []
    for node in (*restored, *added):
        record = module.by_node.get(id(node))
        if not isinstance(record, modules.FunctionRecord):
            return None
        records.append(record)
    engine.fixpoint.follows_reasons = lines is not None
    try:
        for record in records[: len(restored)]:
            memo.restore(record)
        for record in records[len(restored) :]:
            if module in engine.begun:
                engine.enter(record)
        engine.fixpoint.reach(lambda run: engine.repeat(run, run.module), lambda: True)
    except (TooMuchWorkError, RecursionError):
        return None
    if engine.failures or not engine.was_run_to_its_end(module):
        return None
    then = (lambda line: line) if lines is None else lines.then
    return _RunAgain(module, memo, {(then(one.node.lineno), one.node.col_offset): one for one in records})


def _then(record: FunctionRecord) -> tuple[int, int]:
    return record.node.lineno, record.node.col_offset


def _is_called_by_others(facts: FunctionFacts) -> bool:
    """Whether frameworks call a function by its name, or tell by that what the class around it is."""
    return facts.hot is not None or facts.fixed is not None or bool(facts.interface) or facts.overrides is not None


def _is_plain(record: ClassRecord) -> bool:
    """Whether what the body of a class binds are attributes: no members of an enumeration, and no fields."""
    ancestors = [one for one in record.resolution_order if isinstance(one, modules.ClassRecord)]
    foreign = [base for one in ancestors for base in one.bases if not isinstance(base, modules.ClassRecord)]
    return not record.decorators and all(base is not None and base.startswith(_PLAIN_BASES) for base in foreign)


# Classes from elsewhere whose subclasses may have any attributes.
_PLAIN_BASES = ("torch.nn.", "torch.Tensor", "abc.ABC", "typing.Generic", "object")


def _asks_for_new(seen: Observations, pairs: Collection[tuple[FunctionRecord, FunctionRecord]]) -> bool:
    """Whether anything that was seen rests on parameters that functions have only since an edit."""
    new = {
        (record.place_key, one.name)
        for before, record in pairs
        for one in record.parameters
        if one.name not in {known.name for known in before.parameters}
    }
    around = [way.layers for event in seen.events for way in event.ways_there]
    around += [call.layers for calls in (*seen.calls.values(), *seen.unresolved.values()) for call in calls]
    layers = (layer for some in around for layer in some)
    needs = (layer.need for layer in layers if isinstance(layer, Guard) and layer.need is not None)
    return any((need.function, need.parameter) in new for need in needs)
