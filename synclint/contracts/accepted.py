"""Which waits regions accept, in them and in what they call, and which regions accept none."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

from synclint.analysis.results.facts import Region
from synclint.analysis.results.observations import Observation, Observations
from synclint.contracts.reached import Calls, region_of
from synclint.findings import CallPlace, Span


class Acceptance:
    """What the regions of a project accept."""

    def __init__(self, observed: Observations, calls: Calls) -> None:
        self._observed = observed
        self._calls = calls
        self._within = self._only_from_regions()

    def region_around(self, wait: Observation) -> Region | None:
        """The region that accepts a wait, None where it is outside of all: every call under which it waits counts."""
        direct = region_of(wait.layers) or self._within.get(wait.function, "")
        if direct:
            return self._observed.regions.get(direct)
        seen = set(wait.callers)
        made = [call for call in self._observed.calls.get(wait.function, ()) if call.place in seen]
        around = [region_of(call.layers) or self._within.get(call.caller, "") for call in made]
        return self._observed.regions.get(around[0]) if around and all(around) else None

    def useless(self, waits: Iterable[Observation]) -> Mapping[str, list[Region]]:
        """The regions in which nothing waits, and all can be followed, by the resolved paths of their files."""
        used = {region_of(wait.layers) for wait in waits}
        found: dict[str, list[Region]] = {}
        for key, region in self._observed.regions.items():
            if key not in used and not self._may_wait(key, region):
                found.setdefault(region.path, []).append(region)
        return found

    def _may_wait(self, key: str, region: Region) -> bool:
        if any(region_of(call.layers) == key for call in self._calls.opaque_in(region.function)):
            return True
        reached = self._calls.reached_from_region(key, region.function)
        return any(
            any(one.is_under(wait.callers) for wait in self._calls.waits_in(function))
            or any(one.is_under(call.callers) for call in self._calls.opaque_in(function))
            for function, one in reached.items()
        )

    def _only_from_regions(self) -> dict[str, str]:
        """The functions that are called from regions and from nowhere else, each with one of these."""
        called = self._observed.calls
        outside = {key for key in self._observed.functions if key not in called}
        within: dict[str, str] = {}
        waiting = deque(outside)
        while waiting:
            for callee, call, _ in self._calls.made_by(waiting.popleft()):
                if callee not in outside and not region_of(call.layers):
                    outside.add(callee)
                    waiting.append(callee)
        for callee, calls in called.items():
            for call in calls:
                if (region := region_of(call.layers)) and callee not in outside:
                    within.setdefault(callee, region)
        waiting.extend(within)
        while waiting:
            caller = waiting.popleft()
            for callee, _, _ in self._calls.made_by(caller):
                if callee not in outside and callee not in within:
                    within[callee] = within[caller]
                    waiting.append(callee)
        return within


def accepted_by_place(
    acceptance: Acceptance, waits: Iterable[Observation]
) -> Mapping[str, Mapping[tuple[Span, str], Region]]:
    """The regions that accept waits, by the resolved paths of their files, and by their spans and constructs there."""
    found: dict[str, dict[tuple[Span, str], Region]] = {}
    for wait in waits:
        region = acceptance.region_around(wait)
        if region is not None:
            found.setdefault(wait.path, {})[wait.span, wait.construct] = region
    return found


def in_words(region: Region, place: CallPlace) -> str:
    """What is said of an accepted wait."""
    reason = f' ("{region.reason}")' if region.reason else ""
    return f"accepted at {place!s}{reason}"
