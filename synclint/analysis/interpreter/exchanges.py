"""What goes between a program and a simulated environment: actions that come down, observations that go up.

A simulation that runs on the host cannot do without either. What else waits beside them, such as rewards that are
copied one by one, can.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from synclint.analysis.frequency.loops import acts
from synclint.analysis.results.facts import ACTION, BOTH, OBSERVATION
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, walk

# What brings something to the device, or may: by itself, or as the first part of that.
_UPLOADS = frozenset({"to", "cuda", "Tensor", "FloatTensor", "tensor", "as_tensor", "from_numpy", "asarray"})
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def exchanged(statement: ast.stmt, frame: Frame) -> str:
    """Whether a statement in a loop brings an action down or an observation up; empty for neither."""
    loop = frame.loops[-1].node
    known = frame.engine.readings.exchanges
    if loop not in known:
        known[loop] = _exchanges_in(loop) if isinstance(loop, _LOOPS) else {}
    return known[loop].get(statement, "")


def _exchanges_in(loop: ast.For | ast.AsyncFor | ast.While) -> Mapping[ast.stmt, str]:
    nodes = list(walk(loop.body))
    acting = [node for node in nodes if isinstance(node, ast.Assign) and acts(node)]
    if not acting:
        return {}
    assigned = [node for node in nodes if isinstance(node, ast.Assign)]
    given = {name for node in acting for name in _names_given(node)}
    observed = {name for node in acting if (name := _observation(node)) is not None}
    results = {name for node in acting for name in _names_in(node.targets[0])}
    for node in assigned:  # `obs = next_obs`
        pair = {target.id for target in (*node.targets, node.value) if isinstance(target, ast.Name)}
        if isinstance(node.value, ast.Name) and len(pair) > 1 and not pair.isdisjoint(observed):
            observed |= pair
    for node in assigned:  # `done = np.logical_or(terminated, truncated)`
        if not results.isdisjoint(_names_in(node.value)):
            results.update(target.id for target in node.targets if isinstance(target, ast.Name))
    downwards = {*acting}
    downwards.update(
        node for node in assigned if any(not given.isdisjoint(_names_in(target)) for target in node.targets)
    )
    found: dict[ast.stmt, str] = {}
    for statement in nodes:
        if isinstance(statement, (ast.Assign, ast.Expr, ast.AnnAssign)) and statement.value is not None:
            uploaded = [set(_names_in(call)) for call in walk(statement.value) if _may_upload(call)]
            # Beside the observation nothing goes up but what else the environment has said.
            is_up = any(not observed.isdisjoint(one) for one in uploaded)
            is_up = is_up and all(not results.isdisjoint(one) for one in uploaded)
            is_down = statement in downwards
            if is_up or is_down:
                found[statement] = BOTH if is_up and is_down else ACTION if is_down else OBSERVATION
    return found


def _names_given(node: ast.Assign) -> Iterator[str]:
    """The names of what an environment is given."""
    if isinstance(node.value, ast.Call):
        for argument in (*node.value.args, *(keyword.value for keyword in node.value.keywords)):
            yield from _names_in(argument)


def _names_in(node: ast.AST) -> Iterator[str]:
    return (one.id for one in walk(node) if isinstance(one, ast.Name))


def _may_upload(node: ast.AST) -> bool:
    name = dotted_name(node.func) if isinstance(node, ast.Call) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name = node.func.attr
    return name is not None and name.rpartition(".")[2] in _UPLOADS


def _observation(node: ast.Assign) -> str | None:
    """The name of what is observed, which comes first."""
    target = node.targets[0]
    first = target.elts[0] if isinstance(target, (ast.Tuple, ast.List)) and target.elts else target
    return first.id if isinstance(first, ast.Name) else None
