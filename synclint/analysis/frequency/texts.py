"""What the text of a function says beyond its loops: evaluation, clocks, modes of a model."""

from __future__ import annotations

import ast

from synclint.analysis.frequency.facts import Evidence
from synclint.analysis.frequency.loops import loops_in, rounds
from synclint.analysis.walk import children, dotted_name, walk

_CLOCKS = frozenset({"time", "perf_counter", "perf_counter_ns", "monotonic", "time_ns", "elapsed_time", "process_time"})
_GRADIENTS_OFF = frozenset({"no_grad", "inference_mode"})


def called_names(body: list[ast.stmt]) -> frozenset[str]:
    """The last parts of the names of all that a body calls, functions defined in it included."""
    return frozenset(
        call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
        for call in walk(body)
        if isinstance(call, ast.Call) and isinstance(call.func, (ast.Attribute, ast.Name))
    )


def is_generator(body: list[ast.stmt], decorators: tuple[str, ...]) -> bool:
    """Whether a body yields to whoever goes through what its function returns."""
    if any(name.rpartition(".")[2] in ("contextmanager", "asynccontextmanager", "fixture") for name in decorators):
        return False
    waiting: list[ast.AST] = list(body)
    while waiting:
        current = waiting.pop()
        if isinstance(current, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(children(current))
    return False


def is_clocked(called: frozenset[str]) -> bool:
    """Whether a function waits for the device in order to read a clock."""
    return "synchronize" in called and not _CLOCKS.isdisjoint(called)


def is_evaluation(body: list[ast.stmt], called: frozenset[str], decorators: tuple[str, ...]) -> bool:
    """Whether a body goes through batches with the model in evaluation mode, or gradients off, and trains nothing."""
    quiet = (
        "eval" in called
        or not _GRADIENTS_OFF.isdisjoint(called)
        or any(name.rpartition(".")[2] in _GRADIENTS_OFF for name in decorators)
    )
    if not quiet or "backward" in called or "step" in called:
        return False
    return any(rounds(loop).evidence in (Evidence.BATCHES, Evidence.VALIDATION) for loop in loops_in(body))


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
