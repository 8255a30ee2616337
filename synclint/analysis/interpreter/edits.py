"""Puts an edit of functions' bodies into a module that has been run, where nothing else was concluded from the text."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from synclint.analysis.calls.handed_through import gone_through
from synclint.analysis.domain.values import ClassRecord, FunctionRecord, ModuleRecord
from synclint.analysis.frequency.loops import forget_loops
from synclint.analysis.interpreter.command_line_flags import flags_in
from synclint.analysis.interpreter.kept_by_calls import attributes_given
from synclint.analysis.interpreter.mentions import shows_examples, taken_in
from synclint.analysis.interpreter.switches import given_parameters, kept_names
from synclint.analysis.objects.uploads_ahead import moved_parameters
from synclint.analysis.program import modules
from synclint.analysis.program.assigned_attributes import assigned_attributes
from synclint.analysis.program.command_lines import adds_arguments
from synclint.analysis.program.made_objects import made_objects
from synclint.analysis.program.modules import FunctionNode
from synclint.analysis.program.off_the_gpu import is_off_the_gpu
from synclint.analysis.program.scaler_names import named_scalers
from synclint.analysis.state.call_sites import CallSite
from synclint.analysis.state.readings import Readings
from synclint.analysis.state.runs import MarkKind, Run
from synclint.analysis.syntax.edited_bodies import EditedBodies, put_in
from synclint.analysis.syntax.edited_lines import lines_after
from synclint.analysis.syntax.former_nodes import FormerNodes
from synclint.analysis.syntax.positions import lines_of
from synclint.analysis.syntax.walk import walk
from synclint.sources.kept_texts import kept

# What is concluded from the body of a function, and what from where it stands.
_OF_BODIES = (
    "lines",
    "nodes",
    "stored_names",
    "copied_names",
    "selected_by",
    "looked_up_by",
    "is_abstract",
    "calls_on_receiver",
    "assigns_to_receiver",
    "calls_given_receiver",
    "asks_by_name",
)
_OF_PLACES = ("key", "order_key", "place_key", "first_bindings", "loop_lines")


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
        if shows_examples(before) != shows_examples(after):
            return None
        functions.append(record)
    if named_scalers(source) != module.scalers or assigned_attributes(source) != module.assigned_attributes:
        return None
    if made_objects(source) != made_objects(module.source):
        return None
    if is_off_the_gpu(tree) is not module.is_off_the_gpu:
        return None
    if flags_in(tree, source) != flags_in(module.tree, module.source):
        return None
    if adds_arguments(source) is not module.reads_command_line:
        return None
    return functions


def functions_within(functions: Iterable[FunctionRecord]) -> list[FunctionRecord]:
    """The functions that are defined within others."""
    given = set(functions)
    return [
        record
        for module in dict.fromkeys(function.module for function in given)
        for record in module.by_node.values()
        if isinstance(record, modules.FunctionRecord) and record not in given and is_within(record, given)
    ]


def is_within(function: FunctionRecord | None, functions: Collection[FunctionRecord]) -> bool:
    """Whether a function is one of some, or is defined within one of them."""
    while function is not None and function not in functions:
        function = function.parent
    return function is not None


def put_into(
    module: ModuleRecord,
    edited: EditedBodies,
    functions: Collection[FunctionRecord],
    source: str,
    readings: Readings,
    former: FormerNodes,
) -> None:
    """Give a module its new text, and its functions their new bodies; ``former`` are nodes of those before."""
    old = {node for record in functions for node in walk(_body(record))}
    readings.forget_nodes(old)
    former.add(old)
    former.move(lines_after(edited, [*module.lines], lines_of(source)).now)
    del old
    gone = set(functions_within(functions))
    for node, record in list(module.by_node.items()):
        if record in gone:
            del module.by_node[node]  # another node may get its number
    put_in(edited, module.tree)
    forget_loops()
    module.kept = kept(source)
    _forget(module, ("order_key",))
    for record in module.by_node.values():
        _forget(record, _OF_PLACES)
    for record in functions:
        _forget(record, _OF_BODIES)
        readings.forget(record.node)


@dataclass(frozen=True)
class OutgoingFacts:
    """What the bodies of functions tell of others: marks, what their calls give and leave out, names that they take.

    A name is taken as well where a method of something unknown is called so. ``uses`` are the runs of others whose
    results are taken, with the number of calls that take them.
    """

    marks: frozenset[tuple[MarkKind, str, FunctionRecord | str | None]]
    needs: frozenset[tuple[FunctionRecord | str | None, str, bool]]
    handed_on: frozenset[tuple[FunctionRecord | str | None, str, bool, str]]
    taken: frozenset[str]
    uses: frozenset[tuple[Run, int]]

    def is_like(self, other: OutgoingFacts) -> bool:
        """Whether the same is told, of names aside, of which most belong to nothing in the project."""
        mine = (self.marks, self.needs, self.handed_on, self.uses)
        return mine == (other.marks, other.needs, other.handed_on, other.uses)


def outgoing_facts(functions: Iterable[FunctionRecord], runs: Iterable[Run]) -> OutgoingFacts:
    """What functions tell of others by their bodies and by ``runs`` over these.

    What is defined within them is another function after each edit, and known by its name.
    """
    runs, functions = tuple(runs), set(functions)

    def stable_identity(function: FunctionRecord | None) -> FunctionRecord | str | None:
        is_inner = function is not None and function not in functions and is_within(function, functions)
        return function.qualified_name if function is not None and is_inner else function

    called: dict[FunctionRecord, list[CallSite]] = {}
    for run in runs:
        for (callee, _), site in run.calls.items():
            called.setdefault(callee, []).append(site)
    done = {stable_identity(one): given_parameters(one, sites) for one, sites in called.items()}
    marks = set().union(*(run.marks for run in runs))
    uses: dict[Run, set[int]] = {}
    for run in runs:
        for used, use in run.uses.items():
            if not is_within(used.function, functions):
                uses.setdefault(used, set()).update(use.sites)
    on_unknown = {mark.name for mark in marks if mark.kind is MarkKind.ON_UNKNOWN}
    return OutgoingFacts(
        frozenset(
            (mark.kind, mark.name, stable_identity(mark.function))
            for mark in marks
            if mark.kind is not MarkKind.ON_UNKNOWN
        ),
        frozenset((one, need.parameter, need.given) for one, found in done.items() for need in found.needs),
        frozenset(
            (one, need.parameter, need.given, by.parameter)
            for one, found in done.items()
            for need, by in found.handed_on
        ),
        frozenset(on_unknown.union(*(taken_in(one.module, _body(one)) for one in functions))),
        frozenset((used, len(sites)) for used, sites in uses.items()),
    )


def _body(function: FunctionRecord) -> list[ast.stmt]:
    body = function.node.body
    return body if isinstance(body, list) else [ast.Expr(body)]


def _means_the_same_elsewhere(record: FunctionRecord, after: FunctionNode) -> bool:
    """Whether what classes and their other methods conclude from a body is the same with another one."""
    changed = FunctionRecord(record.name, record.qualified_name, record.module, after, record.owner, record.parent)
    if record.is_abstract is not changed.is_abstract or record.assigns_to_receiver != changed.assigns_to_receiver:
        return False
    if record.calls_given_receiver != changed.calls_given_receiver:
        return False
    if attributes_given(record) != attributes_given(changed):
        return False  # callers ask what is kept there
    if record.asks_by_name != changed.asks_by_name:
        return False  # callers read the attribute themselves
    if record.selected_by != changed.selected_by or record.looked_up_by != changed.looked_up_by:
        return False  # by these, calls are told apart
    if moved_parameters(record) != moved_parameters(changed):
        return False  # callers ask what is brought to the device
    if gone_through(record) != gone_through(changed):
        return False  # callers go through that themselves
    if record.name == "__init__" and kept_names(record) != kept_names(changed):
        return False  # other methods ask what it was given
    is_inherited = record.owner is not None and bool(record.owner.subclasses)
    return not is_inherited or record.calls_on_receiver == changed.calls_on_receiver


def _forget(record: FunctionRecord | ClassRecord | ModuleRecord, names: tuple[str, ...]) -> None:
    for name in names:
        vars(record).pop(name, None)
