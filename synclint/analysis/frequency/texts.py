"""What the text of a function says beyond its loops: evaluation, clocks, modes of a model."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence

from synclint.analysis.annotations.presumed_loaders import TRAINING
from synclint.analysis.frequency.loops import Body, rounds
from synclint.analysis.results.facts import Evidence
from synclint.analysis.syntax.walk import dotted_name, last_name

_CLOCKS = frozenset({"time", "perf_counter", "perf_counter_ns", "monotonic", "time_ns", "process_time"})
_INFERENCE = frozenset({"eval", "inference_mode"})
_INITIALIZERS = frozenset({"init", "nn.init", "torch.nn.init"})
_MODULES = frozenset({"nn", "torch.nn"})
_GRADIENTS_OFF = frozenset({"no_grad", "inference_mode"})
# What tells a socket not to wait: pyzmq's `zmq.NOBLOCK`, and the flags of the system.
_AT_ONCE = frozenset({"NOBLOCK", "DONTWAIT", "MSG_DONTWAIT"})


def is_generator(body: Body, decorators: tuple[str, ...]) -> bool:
    """Whether a body yields to whoever goes through what its function returns."""
    return body.yields and not any(
        name.rpartition(".")[2] in ("contextmanager", "asynccontextmanager", "fixture") for name in decorators
    )


def is_clocked(body: Body) -> bool:
    """Whether a function waits for the device before and after something in order to time it.

    A method of a timer that waits once is called by what it times: how often, only its callers know. Events of the
    device need one wait, before they are asked (``torch/cuda/streams.py``, ``Event.elapsed_time``).
    """
    if body.synchronizes and "elapsed_time" in body.called:
        return True
    return body.synchronizes > 1 and not _CLOCKS.isdisjoint(body.called)


def leaves_early(body: Iterable[ast.stmt]) -> bool:
    """Whether a body has a branch that only leaves, so that all that follows stands behind the test of that."""
    branches = (one for one in body if isinstance(one, ast.If))
    return any(not one.orelse and isinstance(one.body[-1], ast.Return) for one in branches)


def receives(nodes: Iterable[ast.AST]) -> bool:
    """Whether a function waits for so many bytes from a socket (``Modules/socketmodule.c``, ``sock_recv``).

    The ends of a pipe between processes are asked for the next object, whatever its size, other processes of a group
    for a tensor, and who asks not to wait goes on without a request.
    """
    asked = (node for node in nodes if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords)
    return any(
        isinstance(call.func, ast.Attribute) and call.func.attr == "recv" and last_name(call.args[0]) not in _AT_ONCE
        for call in asked
    )


def with_modes_only(body: Body, calls: Iterable[ast.Call], receiver: str | None, own: Collection[str]) -> Body:
    """A body whose ``eval`` sets no mode where that is one of the class's ``own`` methods, called on the receiver."""
    if "eval" not in body.called or "eval" not in own or receiver is None:
        return body
    paths = {dotted_name(call.func) or "" for call in calls if last_name(call.func) == "eval"}
    return body._replace(called=body.called - {"eval"}) if paths == {f"{receiver}.eval"} else body


def is_evaluation(body: Body, decorators: tuple[str, ...], lists: frozenset[str]) -> bool:
    """Whether a body goes through batches with the model in evaluation mode, or gradients off, and trains nothing.

    What ``lists`` hold are no batches of a loader.
    """
    called = body.called
    quiet = (
        "eval" in called
        or not _GRADIENTS_OFF.isdisjoint(called)
        or any(name.rpartition(".")[2] in _GRADIENTS_OFF for name in decorators)
    )
    if not quiet or not called.isdisjoint(TRAINING):
        return False
    return any(rounds(loop, lists).evidence in (Evidence.BATCHES, Evidence.VALIDATION) for loop in body.loops)


def tests_what_trains(node: ast.FunctionDef | ast.AsyncFunctionDef, body: Body, source: str) -> bool:
    """Whether a function puts a model into evaluation mode for good, which another function of the file trains.

    ``source`` is the text of the file.
    """
    if not body.called.isdisjoint({"backward", "step", "train"}):
        return False
    suites = [node.body, *(part.body for part in node.body if isinstance(part, (ast.With, ast.AsyncWith)))]
    tested = (statement for suite in suites for statement in suite if sets_mode(statement, "eval"))
    return any(f"{_receiver_of(statement)}.train(" in source for statement in tested)


def is_inference(body: Body, decorators: tuple[str, ...]) -> bool:
    """Whether a body uses a model that is not trained there: in evaluation mode, or with all recording off.

    Gradients alone are off in much that belongs to training, and in programs without a model.
    """
    if "backward" in body.called or "train" in body.called:
        return False
    return not body.called.isdisjoint(_INFERENCE) or any("inference" in name.lower() for name in decorators)


def initializes(calls: Iterable[ast.Call]) -> bool:
    """Whether the calls in a body, or in a function in it, give weights their first values: ``nn.init.zeros_(w)``."""
    return any((dotted_name(call.func) or "").rpartition(".")[0] in _INITIALIZERS for call in calls)


def keeps_new_modules(assigned: Sequence[ast.Assign]) -> bool:
    """Whether the assignments of a body give an object a part that is made there: ``self.head = nn.Linear(8, 2)``.

    A function of ``nn`` that is called where it is made, as losses are, is no part of anything; a parameter may be
    replaced in passing.
    """
    made = {
        target.id
        for node in assigned
        if _is_new_module(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return any(
        isinstance(target, ast.Attribute)
        for node in assigned
        if _is_new_module(node.value) or (isinstance(node.value, ast.Name) and node.value.id in made)
        for target in node.targets
    )


def _is_new_module(value: ast.expr) -> bool:
    owner, _, name = (dotted_name(value.func) or "" if isinstance(value, ast.Call) else "").rpartition(".")
    return owner in _MODULES and name[:1].isupper() and name != "Parameter"


def _receiver_of(statement: ast.stmt) -> str:
    """The model of which a statement sets the mode."""
    assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    return (dotted_name(statement.value.func) or "").rpartition(".")[0]


def sets_mode(statement: ast.stmt, mode: str) -> bool:
    """Whether a statement is ``model.eval()`` or ``model.train()``."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Attribute)
        and statement.value.func.attr == mode
        and not statement.value.args
        and dotted_name(statement.value.func) is not None
    )
