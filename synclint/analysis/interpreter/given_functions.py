"""Who gave a function the function that it calls: ``tree_map(to_device, batch)`` runs `to_device` where that stands."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator

from synclint.analysis.calls.written_arguments import positional_names, written_arguments
from synclint.analysis.domain.values import FunctionRecord, FunctionValue, Value, options
from synclint.analysis.state.call_sites import CallSite
from synclint.analysis.state.runs import Run

# The calls that lead from the one that gives a function to the one before the call of it, the first one first.
Way = tuple[CallSite, ...]
# Of a function that more calls than these give, nothing is gained by telling them apart.
_MOST_WAYS = 8
_MOST_CALLS = 4


def parameter_called(site: CallSite) -> str | None:
    """The parameter of the caller that a call calls, where it still is what a call gave it."""
    if site.caller is None or not isinstance(site.node, ast.Call) or not isinstance(site.node.func, ast.Name):
        return None
    return _parameter(site.node.func.id, site.caller)


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
        if not at.demands or at.remembered_calls or at.function is None:
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


def _may_be(value: Value | None, called: FunctionRecord) -> bool:
    """Whether a value may be a function: it is no other one."""
    found = options(value) if value is not None else ()
    return not found or any(not isinstance(one, FunctionValue) or one.record is called for one in found)
