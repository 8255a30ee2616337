"""Runs functions whose bodies were edited, with what is stored of the analysis of their share, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from synclint.analysis.domain.values import ClassRecord, Value
from synclint.analysis.domain.visibility import differ_in_evidence, differ_visibly
from synclint.analysis.interpreter.engine import Engine, TooMuchWorkError
from synclint.analysis.program import modules
from synclint.analysis.project import Edited, ProjectAnalysis
from synclint.analysis.recall.recalled import Recalled
from synclint.analysis.recall.stored import StoredShare
from synclint.analysis.results.facts import FunctionFacts
from synclint.analysis.results.moved_lines import MovedFile
from synclint.analysis.results.observations import Observations
from synclint.analysis.state.runs import Run
from synclint.analysis.syntax.edited_bodies import edited_bodies
from synclint.analysis.syntax.edited_lines import EditedLines, lines_after
from synclint.analysis.syntax.parsing import ParseFailure, parse
from synclint.analysis.syntax.positions import lines_of


@dataclass(frozen=True)
class EditedFunctions:
    """What was seen in edited functions of a file, ``before`` and ``after`` the edit, each on the lines of its text.

    ``functions`` is what the texts of all functions in the file say after it. ``lines`` tell how the lines of both
    texts belong together, ``edit`` what the edited functions take. It ``is_alone`` where they tell others what they
    told before, and all that they ask for is stored: else what was seen after the edit is only likely.
    """

    before: Observations
    after: Observations
    functions: Mapping[str, FunctionFacts]
    lines: EditedLines
    edit: Edited
    is_alone: bool


def run_edited_functions(
    project: ProjectAnalysis,
    stored: StoredShare,
    path: Path,
    texts: tuple[str, str],
    methods: Collection[str],
) -> EditedFunctions | None:
    """What is seen in the functions of a file whose bodies differ in two ``texts``, the first of which is known.

    None where more differs, or where the functions did not do before the edit what is stored of them. ``methods`` are
    the names of all functions. The ``project`` is one in which nothing was analysed yet.
    """
    before, after = texts
    try:
        module, tree = project.add(path, before), parse(after)
    except ParseFailure:
        return None
    edited = edited_bodies(module.tree, tree, module.lines, lines_of(after))
    if edited is None or not edited.functions:
        return None
    lines = lines_after(edited, module.lines, lines_of(after))
    engine = project.engine
    recalled = Recalled(stored, engine, module, [old for old, _ in edited.functions])
    engine.remember(recalled)
    engine.run_module(module)
    for node, _ in edited.functions:
        record = module.by_node.get(id(node))
        if not isinstance(record, modules.FunctionRecord):
            return None
        recalled.restore(record)
    if not _reach_fixpoint(engine) or not recalled.is_as_stored() or recalled.are_inner_functions_called_elsewhere:
        return None
    seen_before = project.seen_in(path, methods)
    fields = _fields(engine, recalled.edited_runs())
    for owner, nodes in recalled.made_nodes.items():
        project.hold(owner, nodes)
    recalled.move_lines(lines.then, MovedFile(str(module.real_path), str(path), lines.now))
    edit = project.edit(path, after)
    if edit is None:
        return None
    hold_the_same = _hold_the_same(engine, {**_fields(engine, recalled.edited_runs()), **fields})
    seen_after = project.seen_in(path, methods)
    is_alone = edit.is_alone and hold_the_same and recalled.is_complete
    return EditedFunctions(seen_before, seen_after, project.functions_in(path), lines, edit, is_alone)


def _reach_fixpoint(engine: Engine) -> bool:
    """Do all runs that are due; whether none failed."""
    try:
        engine.fixpoint.reach(lambda run: engine.repeat(run, run.module), lambda: True)
    except (TooMuchWorkError, RecursionError):
        return False
    return not engine.failures


_Held = dict[tuple[ClassRecord, str], Value | None]


def _fields(engine: Engine, runs: Collection[Run]) -> _Held:
    """What the attributes hold that runs write."""
    return {field: engine.fields.held(*field) for run in runs for field in run.writes}


def _hold_the_same(engine: Engine, before: _Held) -> bool:
    for field, value in before.items():
        now = engine.fields.held(*field)
        if differ_visibly(value, now) or (value is None) != (now is None):
            return False
        if value is not None and now is not None and differ_in_evidence(value, now):
            return False
    return True
