"""The parameters to which no call that is seen hands a tensor on the device, though their functions do not say so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from synclint.analysis.frequency.calls_meant import Meant
from synclint.analysis.models.method_names import may_be_meant
from synclint.analysis.results.facts import UNTOLD, FunctionFacts, Handed, Slot
from synclint.analysis.results.known_callers import as_method
from synclint.analysis.results.observations import Observations
from synclint.analysis.results.signatures import Asked


def parameters_on_cpu(
    observed: Observations, meant: Meant, asked_about: Collection[Slot], *, of_those_seen: bool = False
) -> frozenset[Slot]:
    """Those of the parameters that are ``asked_about`` of which all calls that are seen tell so, by whatever name.

    ``meant`` tells which methods a call on something unknown may mean. What packages offer to others has calls that
    nobody sees. ``of_those_seen`` are also those of methods that are called as those of containers or tensors are, such
    as `update`: what something unknown is asked for so is one of these as a rule.
    """
    by_name = _calls_by_name(observed, meant)
    given: dict[Slot, list[Handed]] = {}
    waiting = {*asked_about}
    while waiting:
        slot = waiting.pop()
        given[slot] = [*_given(slot, observed, by_name, of_those_seen=of_those_seen)]
        waiting |= {one.of for one in given[slot] if one.of is not None} - given.keys()
    found: set[Slot] = set()
    while more := {slot for slot, hands in given.items() if slot not in found and _is_on_cpu(hands, found)}:
        found |= more
    return frozenset(found)


def _is_on_cpu(hands: list[Handed], known: set[Slot]) -> bool:
    return bool(hands) and all(one.parameter and (one.of is None or one.of in known) for one in hands)


def _given(
    slot: Slot,
    observed: Observations,
    by_name: Mapping[str, Sequence[tuple[Asked, tuple[Handed, ...]]]],
    *,
    of_those_seen: bool,
) -> Iterator[Handed]:
    """What all calls hand to a parameter."""
    facts = observed.functions.get(slot.function)
    if facts is None or (facts.is_method and facts.takes is None):
        yield UNTOLD
        return
    # Others hand on numbers as the calls do that are seen, where either is allowed.
    if slot.parameter not in facts.numbers and (
        _is_exported(facts, observed)
        or (slot.function not in by_name and _is_handed_on(slot.function, facts, observed, of_those_seen=of_those_seen))
    ):
        yield UNTOLD
        return
    tests = observed.known_callers.tests
    for call in observed.calls.get(slot.function, ()):
        if call.place.path not in tests:
            hands = [*_to(slot.parameter, call.hands)] if call.is_certain else [UNTOLD]
            yield from (one for one in hands or [UNTOLD] if one.of != slot or call.caller != slot.function)
    for asked, hands_by_name in by_name.get(slot.function, ()):
        assert facts.takes is not None
        name, item, at = slot.parameter.partition("[")
        place = facts.takes.positional.index(name) if name in facts.takes.positional else len(facts.takes.positional)
        if name in asked.keywords or place < asked.positional:
            given = (name if name in asked.keywords else str(place)) + item + at
            yield from [*_to(given, hands_by_name)] or [UNTOLD]
        elif asked.is_open:
            yield UNTOLD


def _to(parameter: str, hands: Iterable[Handed]) -> Iterator[Handed]:
    """What calls hand to a parameter: what holds no tensor holds none at any place."""
    whole = parameter.partition("[")[0]
    for one in hands:
        if one.parameter == parameter or (one.parameter == whole and not one.is_tensor):
            yield one


def _is_exported(facts: FunctionFacts, observed: Observations) -> bool:
    """Whether a package offers a function to others, or the class whose method it is."""
    return not observed.known_callers.exported.isdisjoint(facts.scope.split("."))


def _is_handed_on(function: str, facts: FunctionFacts, observed: Observations, *, of_those_seen: bool) -> bool:
    """Whether somebody else may call a function than the calls that are seen; a class calls its ``forward``."""
    known = observed.known_callers
    if facts.is_method:
        is_taken = as_method(facts.name) in known.taken and (may_be_meant(facts.name) or not of_those_seen)
        return facts.name != "forward" and (function in known.unfollowed or is_taken)
    return not known.all_known(function)


def _calls_by_name(observed: Observations, meant: Meant) -> dict[str, list[tuple[Asked, tuple[Handed, ...]]]]:
    """What calls on something unknown hand on that each method may be meant by."""
    found: dict[str, list[tuple[Asked, tuple[Handed, ...]]]] = defaultdict(list)
    for path, in_file in observed.handed.items():
        for asked, hands in in_file.items():
            for key in meant.methods(asked, path):
                found[key].append((asked, hands))
    return found
