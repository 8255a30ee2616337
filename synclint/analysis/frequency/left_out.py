"""Parameters that a call has to leave out for something to be called: ``if targets is None: return self.decode(x)``.

Only the calls of a function that leave a parameter out lead to what stands behind such a test, also where the callers
hand on a parameter of their own. How often a function runs by these calls is found together with how often it runs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from synclint.analysis.frequency.known_frequencies import left_out_before
from synclint.analysis.results.facts import Call

# A function, by its key, and what stands for one of its parameters among the flags of calls.
LeftOut: TypeAlias = tuple[str, str]
# That, or a function.
Node: TypeAlias = str | LeftOut


def left_out_for(call: Call) -> LeftOut | None:
    """What the caller has to be left for a call to be made; None for nothing."""
    flag = left_out_before(call.caller, call.layers)
    return (call.caller, flag) if flag is not None else None


class LeftOutFor:
    """The same, found once for each call: it is asked whenever how often the caller runs may have changed."""

    def __init__(self) -> None:
        # By the identities of the calls, which are kept by this.
        self._known: dict[int, tuple[Call, LeftOut | None]] = {}

    def __call__(self, call: Call) -> LeftOut | None:
        """What the caller has to be left for a call to be made; None for nothing."""
        known = self._known.get(id(call))
        if known is None:
            known = self._known[id(call)] = call, left_out_for(call)
        return known[1]


def leaving_out(flag: str, calls: Iterable[Call]) -> Iterator[tuple[Call, LeftOut | None]]:
    """The calls that may leave a parameter out, each with what its caller has to be left for it to do so."""
    for call in calls:
        handed_on = dict(call.passes).get(flag)
        if handed_on is not None:
            yield call, (call.caller, handed_on)
        elif flag in call.sets or flag in call.may_set:
            yield call, None


def all_left_out(calls: Iterable[Call], calls_of: Callable[[str], list[Call]]) -> frozenset[LeftOut]:
    """What has to be left out for one of the ``calls`` to be made, and is by somebody, as far as is known.

    Who calls what nothing is seen to call may leave anything out.
    """
    asked = {left_out for call in calls if (left_out := left_out_for(call)) is not None}
    handed: dict[LeftOut, set[LeftOut]] = {}
    found: set[LeftOut] = set()
    waiting = sorted(asked)
    while waiting:
        function, flag = one = waiting.pop()
        made = calls_of(function)
        sources = [source for _, source in leaving_out(flag, made)]
        if not made or None in sources:
            found.add(one)
        for source in sources:
            if source is not None:
                handed.setdefault(source, set()).add(one)
                if source not in asked:
                    asked.add(source)
                    waiting.append(source)
    waiting = sorted(found)
    while waiting:
        new = handed.get(waiting.pop(), set()) - found
        found |= new
        waiting += sorted(new)
    return frozenset(found)


def hanging_on(
    left_out: Iterable[LeftOut], calls: Mapping[str, tuple[Call, ...]], calls_of: Callable[[str], list[Call]]
) -> Mapping[Node, set[Node]]:
    """What hangs on how often a function runs by the calls that leave something out, and what that itself hangs on."""
    found: dict[Node, set[Node]] = defaultdict(set)
    for callee, made in calls.items():
        for call in made:
            if (needed := left_out_for(call)) is not None:
                found[needed].add(callee)
    for one in left_out:
        function, flag = one
        found[function].add(one)
        for call, source in leaving_out(flag, calls_of(function)):
            for node in (source, left_out_for(call), call.caller):
                if node is not None:
                    found[node].add(one)
    return found
