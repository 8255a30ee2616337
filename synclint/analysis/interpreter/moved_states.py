"""Loops that bring all that the states of an optimizer hold to the device, their step counters as well.

Optimizers keep these on the CPU and read them in each step, unless they are fused or capturable: `_get_value` in
``torch/optim/optimizer.py``, ``_init_group`` in ``torch/optim/adam.py``. ``Optimizer.load_state_dict`` leaves them
there (``_process_value_according_to_param_policy``); loops by hand as a rule do not::

    for state in optimizer.state.values():
        for key, value in state.items():
            if isinstance(value, torch.Tensor):
                state[key] = value.cuda()
"""

from __future__ import annotations

import ast

from synclint.analysis.domain.values import Device, Instance, Unknown
from synclint.analysis.models.torch_results import device_named
from synclint.analysis.objects import ancestry
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, walk

# What an entry of the catalogue waits for.
MOVED = "torch.optim.Optimizer.state"
# What optimizers are asked for, and nothing else that has a state for each of several things.
_OF_OPTIMIZERS = frozenset({"load_state_dict", "param_groups", "zero_grad"})


def note_moved_states(loop: ast.For, frame: Frame) -> None:
    """Remember that a loop over what one state holds brings all of it to the device."""
    held = loop.iter
    if not isinstance(held, ast.Call) or not isinstance(held.func, ast.Attribute) or held.args:
        return
    optimizer = _optimizer_of(held.func.value, frame)
    if optimizer is None or not _is_optimizer(optimizer, frame):
        return
    names = [name.id for name in walk(loop.target) if isinstance(name, ast.Name)]
    moves = _moves(loop.body, names[-1]) if names else None
    if moves is not None and not _leads_to_host(moves, frame):
        frame.engine.note_switch(MOVED)


def _optimizer_of(state: ast.expr, frame: Frame) -> ast.expr | None:
    """Whose state for one parameter an expression stands for: a variable of the loop around, or an element."""
    if isinstance(state, ast.Subscript):
        return _owner(state.value)
    for running in reversed(frame.loops):
        around = running.node
        if isinstance(state, ast.Name) and isinstance(around, ast.For) and isinstance(around.iter, ast.Call):
            names = [name.id for name in walk(around.target) if isinstance(name, ast.Name)]
            method = around.iter.func
            if names[-1:] == [state.id] and isinstance(method, ast.Attribute) and method.attr in ("values", "items"):
                return _owner(method.value)
    return None


def _owner(states: ast.expr) -> ast.expr | None:
    return states.value if isinstance(states, ast.Attribute) and states.attr == "state" else None


def _is_optimizer(asked: ast.expr, frame: Frame) -> bool:
    """Whether an expression stands for an optimizer: by what it is, else by what the function asks it for."""
    frame.muted += 1
    value = frame.evaluate(asked)
    frame.muted -= 1
    if isinstance(value, Instance):
        return ancestry.is_optimizer(frame.engine, value)
    path = dotted_name(asked)
    if not isinstance(value, Unknown) or path is None or frame.function is None:
        return False
    return any(
        isinstance(node, ast.Attribute) and node.attr in _OF_OPTIMIZERS and dotted_name(node.value) == path
        for node in walk(frame.function.node)
    )


def _moves(body: list[ast.stmt], held: str) -> ast.Call | None:
    """The call that brings each tensor that is ``held`` elsewhere, whichever its key; None where there is none."""
    for statement in body:
        if isinstance(statement, ast.If) and _asks_only_for(statement.test, held):
            if (found := _moves(statement.body, held)) is not None:
                return found
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], (ast.Subscript, ast.Attribute)):
            value = statement.value
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
                root = (dotted_name(value.func.value) or "").partition(".")[0]
                if value.func.attr in ("to", "cuda") and root == held:
                    return value
    return None


def _asks_only_for(test: ast.expr, held: str) -> bool:
    """Whether a test asks for the type of what is held alone: ``torch.is_tensor(value)``."""
    if not isinstance(test, ast.Call) or not test.args or dotted_name(test.args[0]) != held:
        return False
    return (dotted_name(test.func) or "").rpartition(".")[2] in ("isinstance", "is_tensor")


def _leads_to_host(move: ast.Call, frame: Frame) -> bool:
    frame.muted += 1
    places = [frame.evaluate(argument) for argument in (*move.args, *(keyword.value for keyword in move.keywords))]
    frame.muted -= 1
    return any(device_named(place) is Device.CPU for place in places)
