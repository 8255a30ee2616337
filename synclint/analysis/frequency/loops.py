"""What the text of loops and functions says of their rounds: training, batches, or a few of something."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from synclint.analysis.frequency.loop_sources import (
    NOT_BATCHES,
    is_for_validation,
    loads,
    taken_from,
    unwrapped,
    words_of,
)
from synclint.analysis.frequency.parts_of_steps import OPTIMIZERS, divides_a_step, last_of_call, passes_up
from synclint.analysis.program.late_bodies import LateAsyncFunction, LateFunction
from synclint.analysis.results.facts import Evidence
from synclint.analysis.syntax.walk import children, dotted_name, first_name, last_name, walk
from synclint.catalog.names import names_in

Loop = ast.For | ast.AsyncFor | ast.While | ast.comprehension
LOOPS = (ast.For, ast.AsyncFor, ast.While)
_OF_THEIR_OWN = frozenset(
    (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, LateFunction, LateAsyncFunction)
)
# All others tell nothing but by what stands in them.
_READ = _OF_THEIR_OWN.union((ast.Call, *LOOPS, ast.Assign, ast.Yield, ast.YieldFrom))

# As XLA has it: `xm.optimizer_step(optimizer)`.
_OPTIMIZING = frozenset({"optimizer_step"})
_BACKWARD = frozenset({"backward", "manual_backward"})
# The calls without which a body neither steps an optimizer nor runs a backward pass, or takes the next batch.
_OF_TRAINING = _OPTIMIZING | _BACKWARD | {"step", "grad"}
_TELLING = _OF_TRAINING | {"next", "zero_grad"}
_LOSSES = names_in("judged", "loss")
_MOVES = frozenset({"to", "cuda"})
_GRADIENTS_OFF = frozenset({"no_grad", "inference_mode"})
_ENVIRONMENTS = re.compile(r"(^|_)v?(env|envs|environment|environments|simulator)(\d|_|$)")
RESULTS_OF_A_STEP = (4, 5)
_SINGULAR = {
    "parameters": "parameter", "named_parameters": "parameter", "params": "parameter",
    "param_groups": "parameter group",
    "modules": "module", "named_modules": "module", "children": "module", "layers": "layer", "blocks": "block",
    "targets": "target", "images": "image", "boxes": "box", "samples": "sample", "tokens": "token", "batch": "sample",
    "micro_batches": "micro batch", "microbatches": "micro batch", "losses": "loss", "metrics": "metric",
}  # fmt: skip


# `labels` of a batch are not what a loop goes through one by one.
_PLURAL = re.compile(r"[^su]s$")


class LoopEvidence(NamedTuple):
    """What the text of a loop says: the evidence of its own rounds, and what the loops in it do.

    ``holds_steps`` tells that one of them trains, or that something learns from the steps that they take in an
    environment; ``holds_actions`` that one takes such steps.
    """

    evidence: Evidence
    holds_steps: bool
    holds_actions: bool = False


def rounds(node: Loop, lists: frozenset[str] = frozenset()) -> LoopEvidence:
    """What the text of a loop says of its rounds; ``lists`` are names that are known to hold lists, and no loaders."""
    if isinstance(node, ast.comprehension):
        return LoopEvidence(taken_from(node.iter, lists), False)
    read = read_loop(node)
    own = own_evidence(read, is_loop=True)
    taken = _taken_by(node, read, lists)
    inner = holds_steps(read.loops, lists) or learns_from_actions(node)
    acts = holds_actions(read.loops)
    if _has_one_round(node):
        return LoopEvidence(Evidence.NONE, inner, acts)
    if divides_a_step(node):
        return LoopEvidence(Evidence.PARTS, inner, acts)
    if own is Evidence.OPTIMIZER or (own is Evidence.BACKWARD and taken is Evidence.BATCHES):
        return LoopEvidence(Evidence.OPTIMIZER, inner, acts)
    if taken in (Evidence.BATCHES, Evidence.VALIDATION):
        return LoopEvidence(taken, inner, acts)
    if own is not Evidence.NONE:
        return LoopEvidence(own, inner, acts)
    return LoopEvidence(taken, inner, acts)


def _taken_by(node: ast.For | ast.AsyncFor | ast.While, read: Body, lists: frozenset[str] = frozenset()) -> Evidence:
    """What the thing that a loop goes through says, or what is done with the parts of it."""
    if isinstance(node, ast.While):
        return Evidence.NONE
    taken = taken_from(node.iter, lists)
    if taken is Evidence.NONE and _takes_pairs(node, read):
        taken = Evidence.BATCHES
    # One that always ends in its first round looks at one batch alone.
    return Evidence.NONE if taken in (Evidence.BATCHES, Evidence.VALIDATION) and is_retry(node) else taken


def _takes_pairs(node: ast.For | ast.AsyncFor, read: Body) -> bool:
    """Whether each round unpacks what it takes, and copies a part of it to a device: inputs with their targets.

    What a loop pairs itself, as ``zip(starts, ends)``, are parts of what is there.
    """
    target, source = node.target, node.iter
    if isinstance(source, ast.Call) and last_of_call(source) == "enumerate" and source.args:
        source = source.args[0]
        target = target.elts[-1] if isinstance(target, ast.Tuple) and len(target.elts) > 1 else target
    elif last_of_call(unwrapped(source)) in NOT_BATCHES:
        return False
    if last_of_call(source) == "zip":
        return False
    if not isinstance(target, (ast.Tuple, ast.List)) or len(target.elts) < 2:
        return False
    parts = {name.id for name in walk(target) if isinstance(name, ast.Name)}
    return not parts.isdisjoint(_moved(read))


def _moved(read: Body) -> set[str]:
    """The names of which something is copied to a device outside of the loops of a body."""
    found = set()
    for call in read.own_calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr in _MOVES and not _stays_on_host(call):
            receiver = first_name(call.func.value)
            if receiver is not None:
                found.add(receiver)
    return found


def _stays_on_host(call: ast.Call) -> bool:
    """Whether ``to`` names the CPU or an element type, and no device: `out.to("cpu")`, `x.to(torch.float32)`."""
    named = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "device")]
    if not named:
        return bool(call.keywords)
    target = named[-1]
    if isinstance(target, ast.Constant):
        return target.value == "cpu"
    return isinstance(target, ast.Attribute) and dotted_name(target.value) == "torch"


class Body(NamedTuple):
    """What stands in a body, functions and classes that it defines left out.

    ``own_calls`` are the calls that are not within its loops, those of loops through optimizers included; ``called``
    are the last parts of the names of all calls, ``taken`` the calls of ``next`` outside of its loops, with what their
    results are given to. ``acts`` tells that it takes a step in an environment outside its loops. ``synchronizes``
    counts the calls that wait for the device on purpose; ``closures`` are functions within it that run a backward pass.
    """

    loops: tuple[ast.For | ast.AsyncFor | ast.While, ...]
    own_calls: tuple[ast.Call, ...]
    taken: tuple[tuple[ast.Call, ast.expr], ...]
    closures: frozenset[str]
    acts: bool
    called: frozenset[str]
    synchronizes: int
    yields: bool


@lru_cache(maxsize=256)  # it is asked for again and again while the facts about a function are put together
def read_loop(loop: ast.For | ast.AsyncFor | ast.While) -> Body:
    """Read the body of a loop."""
    return read_body(loop.body)


def read_body(body: list[ast.stmt]) -> Body:
    """Read a body once for all that is asked of it."""
    loops: list[ast.For | ast.AsyncFor | ast.While] = []
    own_calls: list[ast.Call] = []
    called: set[str] = set()
    taken: list[tuple[ast.Call, ast.expr]] = []
    closures: set[str] = set()
    synchronizes = 0
    yields = acts_here = False
    is_own = True
    waiting: list[ast.AST | None] = [*reversed(body)]
    while waiting:
        node = waiting.pop()
        if node is None:  # the end of a loop whose calls are not the body's own
            is_own = True
            continue
        kind = type(node)
        if kind in _READ:
            if kind in _OF_THEIR_OWN:
                if isinstance(node, ast.FunctionDef) and _runs_backward(node):
                    closures.add(node.name)
                continue
            if isinstance(node, ast.Call):
                if is_own:
                    own_calls.append(node)
                name = last_name(node.func)
                called.add(name)
                synchronizes += name == "synchronize"
            elif isinstance(node, LOOPS):
                loops.append(node)
                if is_own and not passes_up(node):
                    is_own = False
                    waiting.append(None)
            elif isinstance(node, ast.Assign):
                acts_here = acts_here or (is_own and acts(node))
                if is_own and isinstance(node.value, ast.Call) and dotted_name(node.value.func) == "next":
                    taken.append((node.value, node.targets[0]))
            else:
                yields = True
        below = children(node)
        below.reverse()
        waiting += below
    return Body(
        tuple(loops),
        tuple(own_calls),
        tuple(taken),
        frozenset(closures),
        acts_here,
        frozenset(called),
        synchronizes,
        yields,
    )


def _runs_backward(node: ast.FunctionDef) -> bool:
    return any(
        isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _BACKWARD
        for call in walk(node.body)
    )


def trains(suite: list[ast.stmt]) -> bool:
    """Whether a branch steps an optimizer or runs a backward pass, in loops or not."""
    return not _evidence_in(suite).isdisjoint({Evidence.OPTIMIZER, Evidence.BACKWARD})


def may_train(calls: Iterable[ast.Call]) -> bool:
    """Whether one of some calls, by its name alone, can step an optimizer or run a backward pass."""
    return any(last_name(call.func) in _OF_TRAINING for call in calls)


def is_further_pass(suite: list[ast.stmt], rest: list[ast.stmt]) -> bool:
    """Whether a branch steps nothing, and its backward pass is another one than that of what stands beside it."""
    return Evidence.OPTIMIZER not in _evidence_in(suite) and not _BACKWARD.isdisjoint(read_body(rest).called)


def _evidence_in(suite: list[ast.stmt]) -> set[Evidence | None]:
    read = read_body(suite)
    return {own_evidence(read, is_loop=False), *(rounds(loop).evidence for loop in read.loops)}


def holds_steps(loops: Iterable[ast.For | ast.AsyncFor | ast.While], lists: frozenset[str] = frozenset()) -> bool:
    """Whether one of the loops of a body trains, or takes batches to train on, which ``lists`` do not give.

    One that yields what it takes leaves it to somebody else what is done with it.
    """
    for inner in loops:
        found = rounds(inner, lists).evidence
        takes = found is Evidence.BATCHES and not read_loop(inner).yields
        if takes or (found is Evidence.OPTIMIZER and not passes_up(inner)):
            return True
    return False


def holds_actions(loops: Iterable[ast.For | ast.AsyncFor | ast.While]) -> bool:
    """Whether one of the loops of a body takes steps in an environment."""
    return any(read_loop(loop).acts for loop in loops)


def learns_from_actions(node: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether each round takes steps in an environment with gradients off, and goes on once they are on again.

    What only plays has no reason to leave the block in each round.
    """
    for index, statement in enumerate(node.body):
        if isinstance(statement, ast.With) and any(
            last_of_call(item.context_expr) in _GRADIENTS_OFF for item in statement.items
        ):
            inner = read_body(statement.body)
            if inner.acts or holds_actions(inner.loops):
                after = node.body[index + 1 :]
                return any(isinstance(part, ast.Call) for one in after for part in walk(one))
    return False


def own_evidence(body: Body, is_loop: bool) -> Evidence:
    """What a body says of itself, its loops left out; ``is_loop`` tells that it is run again and again."""
    found = Evidence.ENVIRONMENT if body.acts else Evidence.NONE
    if not body.closures and body.called.isdisjoint(_TELLING):
        return found
    named = [(call, _path(call.func)) for call in body.own_calls]
    cleared = {path.rpartition(".")[0] for _, path in named if path.endswith(".zero_grad")}
    goes_back = any(_goes_back(call, path, body.closures) for call, path in named)
    for call, path in named:
        if _steps_an_optimizer(call, path, cleared, goes_back, body.closures):
            return Evidence.OPTIMIZER
        if path == "next" and is_loop and _takes_the_next(call, body):
            found = Evidence.VALIDATION if is_for_validation(call.args[0]) else Evidence.BATCHES
    return Evidence.BACKWARD if goes_back and found in (Evidence.NONE, Evidence.ENVIRONMENT) else found


def _goes_back(call: ast.Call, path: str, closures: frozenset[str]) -> bool:
    """Whether a call runs a backward pass: itself, by a function that it is given, or to the parameters of a model.

    Solvers of other libraries are given what computes a loss and its gradients (``scipy.optimize.minimize(closure)``).
    ``torch.autograd.grad`` with respect to anything else than parameters is a part of a loss.
    """
    last = path.rpartition(".")[2]
    if last in _BACKWARD:
        return True
    if last == "grad":
        return any(last_of_call(argument) == "parameters" for argument in call.args[1:2])
    return any(isinstance(argument, ast.Name) and argument.id in closures for argument in call.args)


def steps_beside_loops(body: Body) -> Evidence:
    """What a function says of itself, its loops left out, as whoever calls it has to take it.

    Behind a loop that trains on the batches of a loader is stepped what its last round has left.
    """
    found = own_evidence(body, is_loop=False)
    trained = (Evidence.OPTIMIZER, Evidence.BACKWARD)
    return Evidence.NONE if found in trained and any(map(_trains_on_batches, body.loops)) else found


def _trains_on_batches(loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    read = read_loop(loop)
    return _taken_by(loop, read) is Evidence.BATCHES and own_evidence(read, is_loop=True) is Evidence.OPTIMIZER


def _path(function: ast.expr) -> str:
    return dotted_name(function) or (function.attr if isinstance(function, ast.Attribute) else "")


def _takes_the_next(call: ast.Call, body: Body) -> bool:
    """Whether ``next`` is asked for another batch: by what is done with it, or by the name of what is asked.

    A counter gives numbers, a dictionary its keys: neither is unpacked or copied to a device. What is made for the
    call, as in ``next(iter(loader))``, gives the first one again.
    """
    if not call.args or not isinstance(call.args[0], (ast.Name, ast.Attribute, ast.Subscript)):
        return False
    moved = _moved(body)
    for taken, target in body.taken:
        if taken is call:
            if isinstance(target, (ast.Tuple, ast.List)):
                return True
            if isinstance(target, ast.Name) and target.id in moved:
                return True
    called = (one.func for one in body.own_calls if isinstance(one.func, ast.Attribute))
    return any(one.value is call and one.attr in _MOVES for one in called) or loads(call.args[0])


def acts(node: ast.Assign) -> bool:
    """Whether a statement takes a step in an environment, by the four or five results of it, or by its name.

    The order of the results is that of Gym: observation, reward, whether the episode has ended, and what else is known.
    Of several environments that take a step one after the other, the list speaks that they are taken from.
    """
    call, target = node.value, node.targets[0]
    if isinstance(call, ast.ListComp):
        sources = (word.lower() for clause in call.generators for word in words_of(clause.iter))
        return last_of_call(call.elt) == "step" and any(map(_ENVIRONMENTS.search, sources))
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "step":
        return False
    if isinstance(target, ast.Tuple) and len(target.elts) in RESULTS_OF_A_STEP:
        return True
    return bool(_ENVIRONMENTS.search((dotted_name(call.func.value) or "").rpartition(".")[2].lower()))


def _steps_an_optimizer(
    call: ast.Call, path: str, cleared: set[str], goes_back: bool, closures: frozenset[str]
) -> bool:
    """Whether a call steps an optimizer: what has its gradients cleared, or what is stepped beside a backward pass.

    What is given a loss and that optimizer does so as well: ``loss_scaler(loss, optimizer)``. ``closures`` run such a
    pass when they are called. Where nothing shows it, names say so.
    """
    owner, _, last = path.rpartition(".")
    if last in _OPTIMIZING:
        return True
    if cleared:
        given = {dotted_name(argument) or "" for argument in call.args}
        if not cleared.isdisjoint(given) and any(_LOSSES.intersection(re.split(r"[._]", name)) for name in given):
            return True
    if last != "step" or not isinstance(call.func, ast.Attribute):
        return False
    if goes_back or owner in cleared:
        return True
    if any(isinstance(argument, ast.Name) and argument.id in closures for argument in call.args):
        return True
    spoken = [part for part in re.split(r"\W+", ast.unparse(call.func.value).lower()) if part]
    spoken += [part for argument in call.args for part in re.split(r"\W+", ast.unparse(argument).lower())]
    return any(OPTIMIZERS.search(part) for part in spoken) and not any("sched" in part for part in spoken[:1])


def training_loops(nodes: Iterable[ast.AST], lists: frozenset[str]) -> tuple[ast.For | ast.AsyncFor | ast.While, ...]:
    """Those of the loops among the nodes of a body that train by their text."""
    found = (node for node in nodes if isinstance(node, LOOPS))
    return tuple(one for one in found if rounds(one, lists).evidence in (Evidence.OPTIMIZER, Evidence.BACKWARD))


def is_beside(node: Loop, others: Iterable[ast.stmt]) -> bool:
    """Whether one of some other loops stands before or behind one that trains nothing, not within it nor around it."""
    if isinstance(node, ast.comprehension) or not _BACKWARD.isdisjoint(read_loop(node).called):
        return False
    return any(not (_spans(one, node) or _spans(node, one)) for one in others)


def _spans(outer: ast.stmt, inner: ast.stmt) -> bool:
    return outer.lineno <= inner.lineno and (outer.end_lineno or 0) >= (inner.end_lineno or 0)


def is_retry(node: Loop) -> bool:
    """Whether a loop tries until something succeeds: a round that comes to its end leaves it, or there is only one.

    An error that is caught may begin another one.
    """
    if isinstance(node, ast.comprehension):
        return False
    last = node.body[-1]
    if isinstance(last, ast.Try) and not last.finalbody:
        last = last.orelse[-1] if last.orelse else last.body[-1]
    return isinstance(last, (ast.Break, ast.Return)) or _has_one_round(node)


def _has_one_round(node: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether a loop is none but by its form: ``for _ in range(1):``."""
    if isinstance(node, ast.While) or not isinstance(node.iter, ast.Call):
        return False
    called, given = dotted_name(node.iter.func), node.iter.args
    return called == "range" and len(given) == 1 and isinstance(given[0], ast.Constant) and given[0].value == 1


def each(node: Loop) -> str:
    """What a loop runs once for, in the singular: "parameter", "`box`", "round"."""
    if isinstance(node, ast.While):
        return "round"
    source = unwrapped(node.iter)
    if isinstance(source, ast.Call):
        name = dotted_name(source.func) or (source.func.attr if isinstance(source.func, ast.Attribute) else "")
    elif isinstance(source, ast.Subscript) and isinstance(source.slice, ast.Constant):
        name = str(source.slice.value)  # `group["params"]`
    else:
        name = dotted_name(source) or ""
    last = name.rpartition(".")[2].lower()
    if last in _SINGULAR:
        return _SINGULAR[last]
    names = [part.id for part in walk(node.target) if isinstance(part, ast.Name) and part.id != "_"]
    if last in ("items", "keys", "values"):
        held = name.rpartition(".")[0].rpartition(".")[2].lower()
        said = (known for known in _SINGULAR.values() if known in names)
        return _SINGULAR.get(held) or next(said, "item")
    for name in reversed(names):
        if name in _SINGULAR:
            return _SINGULAR[name]
        if len(name) > 2 and not _PLURAL.search(name):
            return f"`{name}`"
    return "round"
