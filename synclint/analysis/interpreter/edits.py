"""Puts an edit of functions' bodies into a module that has been run, where nothing else was concluded from the text."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from synclint.analysis.domain.values import ClassRecord, FunctionRecord, ModuleRecord
from synclint.analysis.interpreter.asked_for import flags_in
from synclint.analysis.interpreter.mentions import taken_in
from synclint.analysis.interpreter.switches import asked_for, kept_names
from synclint.analysis.program import modules
from synclint.analysis.program.assigned_attributes import assigned_attributes
from synclint.analysis.program.modules import FunctionNode
from synclint.analysis.program.scaler_names import named_scalers
from synclint.analysis.state.call_sites import CallSite
from synclint.analysis.state.readings import Readings
from synclint.analysis.state.runs import Mark, Run
from synclint.analysis.syntax.edited_bodies import EditedBodies, put_in

# What is concluded from the body of a function, and what from where it stands.
_OF_BODIES = (
    "lines",
    "nodes",
    "stored_names",
    "copied_names",
    "is_abstract",
    "calls_on_receiver",
    "assigns_to_receiver",
)
_OF_PLACES = ("key", "place_key", "first_bindings", "loop_lines")


def edited_functions(
    module: ModuleRecord, edited: EditedBodies, tree: ast.Module, source: str
) -> list[FunctionRecord] | None:
    """The functions whose bodies an edit changes; ``tree`` is that of the new ``source``.

    None where other code was read in the light of what these bodies said before.
    """
    functions: list[FunctionRecord] = []
    for before, after in edited.functions:
        record = module.by_node.get(id(before))
        if not isinstance(record, modules.FunctionRecord) or not _means_the_same_elsewhere(record, after):
            return None
        functions.append(record)
    if named_scalers(source) != module.scalers or assigned_attributes(source) != module.assigned_attributes:
        return None
    if flags_in(tree, source) != flags_in(module.tree, module.source):
        return None
    return functions


def put_into(
    module: ModuleRecord, edited: EditedBodies, functions: Iterable[FunctionRecord], source: str, readings: Readings
) -> None:
    """Give a module its new text, and its functions their new bodies."""
    put_in(edited, module.tree)
    module.source = source
    _forget(module, ("lines",))
    for record in module.by_node.values():
        _forget(record, _OF_PLACES)
    for record in functions:
        _forget(record, _OF_BODIES)
        readings.forget(record.node)


@dataclass(frozen=True)
class OutgoingFacts:
    """What the bodies of functions tell of others: marks, what their calls give and leave out, names that they take."""

    marks: frozenset[Mark]
    needs: frozenset[tuple[FunctionRecord, str, bool]]
    taken: frozenset[str]


def outgoing_facts(functions: Iterable[FunctionRecord], runs: Iterable[Run]) -> OutgoingFacts:
    """What functions tell of others by their bodies and by ``runs`` over these."""
    runs = tuple(runs)
    called: dict[FunctionRecord, list[CallSite]] = {}
    for run in runs:
        for (callee, _), site in run.calls.items():
            called.setdefault(callee, []).append(site)
    return OutgoingFacts(
        frozenset().union(*(run.marks for run in runs)),
        frozenset((one, need.parameter, need.given) for one, sites in called.items() for need in asked_for(one, sites)),
        frozenset(name for one in functions for name in taken_in(one.module, _body(one))),
    )


def _body(function: FunctionRecord) -> list[ast.stmt]:
    body = function.node.body
    return body if isinstance(body, list) else [ast.Expr(body)]


def _means_the_same_elsewhere(record: FunctionRecord, after: FunctionNode) -> bool:
    """Whether what classes and their other methods conclude from a body is the same with another one."""
    changed = FunctionRecord(record.name, record.qualified_name, record.module, after, record.owner, record.parent)
    if record.is_abstract is not changed.is_abstract or record.assigns_to_receiver != changed.assigns_to_receiver:
        return False
    if record.name == "__init__" and kept_names(record) != kept_names(changed):
        return False  # other methods ask what it was given
    is_inherited = record.owner is not None and bool(record.owner.subclasses)
    return not is_inherited or record.calls_on_receiver == changed.calls_on_receiver


def _forget(record: FunctionRecord | ClassRecord | ModuleRecord, names: tuple[str, ...]) -> None:
    for name in names:
        vars(record).pop(name, None)
