"""Loops on abstract values: their bodies run until nothing changes, with their exits and repetitions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

from synclint.analysis.annotations.presumed_loaders import gives_batches, on_host, with_batches
from synclint.analysis.calls.prepared_loaders import report_copies
from synclint.analysis.domain.lattice import widen
from synclint.analysis.domain.selection import truth
from synclint.analysis.domain.values import (
    Sequence,
    Text,
    Value,
)
from synclint.analysis.interpreter.counters import begin_counting
from synclint.analysis.interpreter.moved_items import know_moved
from synclint.analysis.interpreter.moved_states import note_moved_states
from synclint.analysis.interpreter.narrowing import narrowed
from synclint.analysis.interpreter.truth import test
from synclint.analysis.interpreter.unpacking import bind_target
from synclint.analysis.objects.batches import element_or_key
from synclint.analysis.objects.own_iterators import element_of
from synclint.analysis.state.frames import Frame, LoopExits, RunningLoop
from synclint.analysis.state.join_points import merge, root_of
from synclint.analysis.syntax.carried_names import captured_names, carried_names
from synclint.analysis.syntax.walk import dotted_name, walk
from synclint.findings import Phase

# After so many rounds of a loop what still changes is widened: lists that grow into each other would do so for ever.
_ROUNDS_BEFORE_WIDENING = 4


# Every round may hand a value on to one more name: no loop that people write has chains as long.
MOST_ROUNDS = 40


# In a file that takes very much work, loops that call loops: there, long chains are given up before the file is.
_FEWEST_ROUNDS = 3


def run_for(node: ast.For | ast.AsyncFor, frame: Frame) -> None:
    frame.iterated = node
    iterable = frame.evaluate(node.iter)
    frame.iterated = None
    # Loops that are run once for each element multiply: one within another is a loop like any other.
    if not frame.loops and isinstance(iterable, Sequence) and iterable.items and _sets_attributes(node, frame):
        _unrolled(node, iterable.items, frame)
        return
    if isinstance(iterable, Sequence) and iterable.items and _puts_items(node, iterable.items):
        _put_for_each(node, iterable.items, frame)
        return
    element = element_of(iterable, node.iter, frame, node)
    presumed = with_batches(element)
    if presumed is not element and frame.module.has_torch_in_reach and _gives_batches(node, frame):
        element = presumed
    element = element_or_key(on_host(element, node), iterable, node, node.body)

    def begin() -> None:
        report_copies(node.iter, frame)
        bind_target(node.target, element, frame)

    if isinstance(node, ast.For):
        note_moved_states(node, frame)
    _loop(node, node.orelse, frame, begin, certain=False)
    know_moved(node, frame)
    if all(isinstance(one, ast.Expr) and isinstance(one.value, ast.Yield) for one in node.body):
        frame.guard(Phase.INTERVAL, "runs only after many of the rounds for which it yields")


def _sets_attributes(node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    """Whether a loop gives names to attributes: each of its rounds means something else then."""
    known = frame.engine.readings.setting
    if node not in known:
        known[node] = any(type(inner) is ast.Call and dotted_name(inner.func) == "setattr" for inner in walk(node.body))
    return known[node]


def _puts_items(node: ast.For | ast.AsyncFor, items: tuple[Value, ...]) -> bool:
    """Whether a loop only puts something under each of some keys: ``for key in ("x", "y"): batch[key] = ...``."""
    return all(isinstance(item, Text) and item.literal is not None for item in items) and all(
        isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Subscript)
        and isinstance(statement.targets[0].slice, ast.Name)
        and statement.targets[0].slice.id == dotted_name(node.target)
        for statement in node.body
    )


def _put_for_each(node: ast.For | ast.AsyncFor, items: tuple[Value, ...], frame: Frame) -> None:
    """Run the body of a loop that only puts items under keys once for each of these: all of them are put there."""
    frame.loops.append(RunningLoop(node))
    for item in items:
        bind_target(node.target, item, frame)
        frame.run_suite(node.body)
    frame.loops.pop()
    frame.run_suite(node.orelse)


def _gives_batches(node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    known = frame.engine.readings.batches
    if node not in known:
        known[node] = gives_batches(node)
    return known[node]


def _unrolled(node: ast.For | ast.AsyncFor, items: tuple[Value, ...], frame: Frame) -> None:
    """Run a loop's body once for each of the known elements."""
    for index, item in enumerate(items, start=1):
        frame.heads.clear()  # each round is another program, and not one more way to the loops within
        if frame.alive:
            orelse = node.orelse if index == len(items) else []
            _loop(node, orelse, frame, partial(bind_target, node.target, item, frame), certain=False)


def run_while(node: ast.While, frame: Frame) -> None:
    endless = isinstance(node.test, (ast.Name, ast.Constant)) and truth(frame.evaluate(node.test)) is True

    def begin() -> None:
        test(node.test, frame)
        narrowed(node.test, frame, True)

    _loop(node, node.orelse, frame, begin, certain=endless)


def _loop(
    node: ast.For | ast.AsyncFor | ast.While,
    orelse: list[ast.stmt],
    frame: Frame,
    begin: Callable[[], None],
    certain: bool,
) -> None:
    """Run a loop's body until the scope no longer changes; ``certain`` loops are left by ``break`` only.

    ``orelse`` is what follows where the loop was not left so. A loop within another goes on from where its last round
    in the other's last round has led: what holds there holds in the next one as well, and rounds do not multiply.
    """
    loop = RunningLoop(node)
    before, start = dict(frame.scope), frame.now
    if frame.loops:
        frame.resume(node)
    frame.loops.append(loop)
    begin_counting(node, frame)
    for turn in range(MOST_ROUNDS):
        entry, begun = dict(frame.scope), frame.now
        muted, guards_outside = frame.muted, len(frame.guards)
        frame.alive = True
        begin()
        frame.run_suite(node.body)
        frame.muted = muted
        del frame.guards[guards_outside:]
        changed = frame.changed_since(begun)
        after = merge(entry, frame.scope, changed) if frame.alive else entry
        if loop.repeats.joined is not None:
            after = merge(after, loop.repeats.joined.scope, changed)
        frame.carry_changes(begun)
        loop.repeats = LoopExits()
        growing = [name for name in changed if after.get(name) != entry.get(name) and _is_carried(name, node, frame)]
        if turn >= _ROUNDS_BEFORE_WIDENING:
            after.update({name: widen(entry[name], after[name]) for name in growing if name in entry and name in after})
        frame.scope = after
        if not growing or (turn + 1 >= _FEWEST_ROUNDS and not frame.engine.has_work_to_spare):
            break
    frame.loops.pop()
    if frame.loops:
        frame.heads[node] = dict(frame.scope), start
    frame.alive = not certain
    if frame.alive:
        frame.run_suite(orelse)
        frame.carry_changes(start)
    if loop.exits.joined is not None:
        broken = loop.exits.joined.scope
        frame.scope = merge(frame.scope, broken, frame.changed_since(start)) if frame.alive else broken
        frame.alive = True
    elif certain:
        frame.scope = before


def _is_carried(path: str, loop: ast.For | ast.AsyncFor | ast.While, frame: Frame) -> bool:
    """Whether a round of a loop may read what the one before it has given a name or a path.

    What is at the top of a module is read by functions that are called in the loop.
    """
    function = frame.function
    if function is None or isinstance(function.node, ast.Lambda):
        return True
    name = root_of(path)
    readings = frame.engine.readings
    if loop not in readings.carried:
        readings.carried[loop] = carried_names(loop)
    if name in readings.carried[loop]:
        return True
    if function.node not in readings.captured:
        readings.captured[function.node] = captured_names(function.nodes)
    return name in readings.captured[function.node]


def run_break(node: ast.Break, frame: Frame) -> None:
    if frame.loops:
        frame.loops[-1].exits.add(frame)
    frame.alive = False


def run_continue(node: ast.Continue, frame: Frame) -> None:
    if frame.loops:
        frame.loops[-1].repeats.add(frame)
    frame.alive = False
