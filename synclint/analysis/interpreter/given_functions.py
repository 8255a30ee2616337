"""Who gave a function the function that it calls: ``tree_map(to_device, batch)`` runs `to_device` where that stands.

So does who named it: ``run_hooks("on_epoch_end")``.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeGuard

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
_MOST_REACHED = 64


class Given(NamedTuple):
    """A parameter of a function, for which those within it may ask as well."""

    function: FunctionRecord
    parameter: str


def parameter_called(site: CallSite) -> Given | None:
    """The parameter that a call calls, or by which what it calls is named, where it still is what was given.

    It is one of the caller, or of a function around the caller.
    """
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
    return Given(site.caller, name) if name is not None and name in site.caller.looked_up_by else None


def ways_to_give(called: FunctionRecord, parameter: Given, runs: Iterable[Run]) -> tuple[Way, ...]:
    """The calls that give the function ``called`` for a ``parameter`` to the ``runs`` that call it at one place.

    Nothing where that is not known of all of them.
    """
    found: dict[tuple[int, ...], Way] = {}
    for run in runs:
        for way in _ways(called, parameter, run):
            if way is None or len(found) > _MOST_WAYS:
                return ()
            found.setdefault(_places(way), way)
    return tuple(found.values())


def _places(way: Way) -> tuple[int, ...]:
    return tuple(id(site.node) for site in way)


class _Reached(NamedTuple):
    """A run to which calls lead back from that of a function, which it has been ``given`` there, or what is made of it.

    ``through`` are the runs on the way there, with what these were given.
    """

    run: Run
    given: Given
    meant: FunctionRecord
    way: Way
    through: frozenset[tuple[Run, Given]]


def _ways(called: FunctionRecord, parameter: Given, run: Run) -> Iterator[Way | None]:
    """The ways of calls that lead to a run and give it a function, None where one cannot be followed."""
    seen: set[tuple[Run, Given, tuple[int, ...]]] = set()
    waiting = deque([_Reached(run, parameter, called, (), frozenset())])
    while waiting:
        at, given, meant, way, through = waiting.popleft()
        if not at.demands or at.memo_calls or at.function is None or len(seen) > _MOST_REACHED:
            yield None
            return
        through |= {(at, given)}
        for caller, scope in at.demands.items():
            is_other = at.function is given.function and not _may_be(scope.get(given.parameter), meant)
            if is_other or at not in caller.uses:
                continue
            for site in caller.uses[at].sites.values():
                is_own = caller.function is at.function
                longer = way if is_own else (site, *way)
                source = _source(site, given, meant, at.function)
                if source is None:
                    yield longer if longer and not is_own and len(longer) <= _MOST_CALLS else None
                elif (caller, source[0]) not in through and (caller, source[0], _places(longer)) not in seen:
                    seen.add((caller, source[0], _places(longer)))
                    waiting.append(_Reached(caller, *source, longer, through))


def _source(
    site: CallSite, given: Given, meant: FunctionRecord, called: FunctionRecord
) -> tuple[Given, FunctionRecord] | None:
    """From which parameter a call of a function has what it was ``given``, and which function that means.

    None where the call itself tells that. What is given to a function around the one that is ``called`` is given with
    it where that is called from elsewhere.
    """
    if called is not given.function:
        if _is_within(site.caller, given.function):
            return given, meant
        handed_on = parameter_called(site)
        return None if handed_on is None else (handed_on, called)
    arguments = written_arguments(site.node, positional_names(called))
    argument = None if arguments is None else arguments.get(given.parameter)
    found = _parameter(argument.id, site.caller) if isinstance(argument, ast.Name) else None
    return None if found is None else (found, meant)


def _is_within(function: FunctionRecord | None, around: FunctionRecord) -> bool:
    return function is not None and (function is around or _is_within(function.parent, around))


def _parameter(name: str, function: FunctionRecord | None) -> Given | None:
    """The parameter that a name stands for in a function: its own, or that of one around it."""
    if function is None:
        return None
    if any(one.name == name for one in function.parameters):
        return None if name in function.parameters_given_anew else Given(function, name)
    return None if name in function.stored_names else _parameter(name, function.parent)


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
