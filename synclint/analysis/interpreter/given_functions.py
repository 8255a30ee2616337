"""Who gave a function the function that it calls: ``tree_map(to_device, batch)`` runs `to_device` where that stands.

So does who named it: ``run_hooks("on_epoch_end")``.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from synclint.analysis.calls.written_arguments import positional_names, written_arguments
from synclint.analysis.domain.values import FunctionRecord, FunctionValue, Text, Value, options
from synclint.analysis.state.call_sites import CallSite
from synclint.analysis.state.runs import Run
from synclint.analysis.syntax.selectors import name_looked_up

# The calls that lead from the one that gives a function to the one before the call of it, the first one first.
Way = tuple[CallSite, ...]
# Of a function that more calls than these give, nothing is gained by telling them apart.
_MOST_WAYS = 8
_MOST_CALLS = 4


def parameter_called(site: CallSite) -> str | None:
    """The parameter of the caller that a call calls, or the name of what it calls, where it still is what was given."""
    if site.caller is None or not isinstance(site.node, ast.Call):
        return None
    called = site.node.func
    if isinstance(called, ast.Name):
        given = _parameter(called.id, site.caller)
        if given is not None or not site.caller.looked_up_by:
            return given
        values = [part.value for part in site.caller.nodes if _binds(part, called.id)]
        called = values[0] if len(values) == 1 else called
    name = name_looked_up(called) if isinstance(called, ast.Call) else None
    return name if name in site.caller.looked_up_by else None


def ways_to_give(called: FunctionRecord, parameter: str, runs: Iterable[Run]) -> tuple[Way, ...]:
    """The calls that give the function ``called`` for a ``parameter`` to the ``runs`` that call it at one place.

    Nothing where that is not known of all of them.
    """
    found: dict[tuple[int, ...], Way] = {}
    for run in runs:
        for way in _ways(called, parameter, run):
            if way is None or len(found) > _MOST_WAYS:
                return ()
            found.setdefault(tuple(id(site.node) for site in way), way)
    return tuple(found.values())


def _ways(called: FunctionRecord, parameter: str, run: Run) -> Iterator[Way | None]:
    """The ways of calls that lead to a run and give it a function, None where one cannot be followed."""
    seen = {(run, parameter)}
    waiting: deque[tuple[Run, str, Way]] = deque([(run, parameter, ())])
    while waiting:
        at, name, way = waiting.popleft()
        if not at.demands or at.memo_calls or at.function is None:
            yield None
            return
        positional = positional_names(at.function)
        for caller, scope in at.demands.items():
            if not _may_be(scope.get(name), called) or at not in caller.uses:
                continue
            for site in caller.uses[at].sites.values():
                is_own = caller.function is at.function
                longer = way if is_own else (site, *way)
                given = written_arguments(site.node, positional)
                handed_on = None if given is None or caller.function is None else given.get(name)
                inner = _parameter(handed_on.id, caller.function) if isinstance(handed_on, ast.Name) else None
                if inner is None:
                    yield longer if longer and not is_own and len(longer) <= _MOST_CALLS else None
                elif (caller, inner) not in seen:
                    seen.add((caller, inner))
                    waiting.append((caller, inner, longer))


def _parameter(name: str, function: FunctionRecord | None) -> str | None:
    if function is None or name in function.stored_names:
        return None
    return next((one.name for one in function.parameters if one.name == name), None)


def _binds(node: ast.AST, name: str) -> TypeGuard[ast.Assign]:
    """Whether a statement gives a name a value."""
    return isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id == name for one in node.targets)


def _may_be(value: Value | None, called: FunctionRecord) -> bool:
    """Whether a value may be a function, or its name: it is no other one."""
    found = options(value) if value is not None else ()
    return not found or any(_means(one, called) for one in found)


def _means(value: Value, called: FunctionRecord) -> bool:
    if isinstance(value, Text) and value.literal is not None:
        return value.literal == called.name
    return not isinstance(value, FunctionValue) or value.record is called
