"""Whether contracts hold: what breaks each of them, and what keeps it from being proved."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from synclint.analysis.results.observations import Observation
from synclint.contracts.declared import Contract
from synclint.contracts.reached import Calls, Chain, Choice, ReachedFunction, region_of
from synclint.files.real_paths import RealPaths
from synclint.findings import CallPlace, Confidence, Span


class Status(str, Enum):
    """What is known of a contract."""

    HOLDS = "holds"
    BROKEN = "broken"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Break:
    """A wait that breaks a contract: where, of which construct, and the calls that lead there, from the outside in.

    ``subject`` is the operand that decides, as written. ``choice`` is a call on the way that may mean another function.
    """

    path: str
    span: Span
    construct: str
    subject: str
    chain: Chain
    choice: Choice | None = None


@dataclass(frozen=True)
class Doubt:
    """Something that keeps a contract from being proved: a sentence, where that is, and the calls that lead there.

    ``call`` is the name of a call that cannot be followed, if that is what it is; ``choice`` is a call on the way that
    may mean another function.
    """

    reason: str
    place: CallPlace
    chain: Chain
    call: str = ""
    choice: Choice | None = None


@dataclass(frozen=True)
class ContractState:
    """What is known of a contract."""

    contract: Contract
    breaks: tuple[Break, ...]
    doubts: tuple[Doubt, ...]

    @property
    def status(self) -> Status:
        """Broken where anything breaks it; it holds only where nothing is in doubt."""
        if self.breaks:
            return Status.BROKEN
        return Status.UNKNOWN if self.doubts else Status.HOLDS

    def without(self, accepted: Collection[tuple[str, Span]]) -> ContractState:
        """The state if the waits at these places, by the paths of their files, are accepted."""
        return replace(self, breaks=tuple(one for one in self.breaks if (one.path, one.span) not in accepted))


def state_of(
    contract: Contract,
    calls: Calls,
    least: Confidence,
    cut_short: Mapping[str, str],
    in_between: Iterable[str],
) -> ContractState:
    """What is known of one contract.

    Waits that are less sure than ``least`` are doubts. ``cut_short`` tells why files were not checked to their ends, by
    their resolved paths; ``in_between`` are decorators of the function that run something of their own.
    """
    here = CallPlace(contract.function, str(contract.path), contract.line)
    doubts = [Doubt(f"the decorator `@{name}` cannot be followed", here, (), f"@{name}") for name in in_between]
    breaks: list[Break] = []
    for key, reached in calls.reached_from(contract.key).items():
        path = key.rsplit(":", 2)[0]
        if path in cut_short:
            reason = f"{path} was not analysed to its end: {cut_short[path]}"
            doubts.append(Doubt(reason, here, reached.chain, choice=reached.choice))
        for wait in calls.waits_in(key):
            if region_of(wait.layers) or not reached.is_under(wait.callers):
                continue
            if reached.is_certain and wait.confidence.at_least(least):
                breaks.append(Break(wait.path, wait.span, wait.construct, wait.subject, reached.chain, reached.choice))
            else:
                doubts.append(_possible_wait(wait, reached))
        doubts += _opaque(calls, key, reached)
    return ContractState(
        contract, tuple(sorted(set(breaks), key=lambda one: (_distance(one), one.path, one.span))), _in_order(doubts)
    )


def _possible_wait(wait: Observation, reached: ReachedFunction) -> Doubt:
    why = f"of {wait.confidence.value} confidence" if reached.is_certain else "in a function that is only handed on"
    place = CallPlace("", wait.path, wait.span.start.line)
    return Doubt(f"`{wait.subject}` may wait ({wait.construct}, {why})", place, reached.chain, choice=reached.choice)


def _opaque(calls: Calls, key: str, reached: ReachedFunction) -> Iterator[Doubt]:
    for call in calls.opaque_in(key):
        if not region_of(call.layers) and reached.is_under(call.callers):
            reason = f"the call of `{call.name}` cannot be followed"
            yield Doubt(reason, call.place, reached.chain, call.name, reached.choice)
    if reached.chain and calls.is_unfollowed(key):
        last = reached.chain[-1]
        reason = "the function called there is called in more ways than are followed"
        yield Doubt(reason, last, reached.chain, choice=reached.choice)


def _distance(one: Break | Doubt) -> tuple[bool, int]:
    """What is reached whichever function a call means comes first, then what is near."""
    return one.choice is not None, len(one.chain)


def _in_order(doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """Each doubt once, by the shortest way: a share that only imports a file has another path for it."""
    found: dict[tuple[str, str, int], Doubt] = {}
    paths = RealPaths()
    placed = ((one, paths.spelled(one.place.path)) for one in doubts)
    for doubt, path in sorted(placed, key=lambda one: (_distance(one[0]), one[1], one[0].place.line, one[0].reason)):
        found.setdefault((doubt.reason, path, doubt.place.line), doubt)
    return tuple(found.values())
