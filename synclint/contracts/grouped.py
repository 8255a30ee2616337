"""What is known of a contract, in groups that people can read: by the calls and the reasons that many places share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from synclint.contracts.reached import Choice
from synclint.contracts.states import Break, Doubt


@dataclass(frozen=True)
class BreaksByChoice:
    """The waits that are reached only if a call means one function of several, nearest first."""

    choice: Choice
    breaks: tuple[Break, ...]

    @property
    def files(self) -> int:
        """How many files they stand in."""
        return len({one.path for one in self.breaks})


def whatever_is_meant(breaks: Iterable[Break]) -> tuple[Break, ...]:
    """The waits that are reached whichever function a call on the way means."""
    return tuple(one for one in breaks if one.choice is None)


def by_choice(breaks: Iterable[Break]) -> tuple[BreaksByChoice, ...]:
    """All others, by the first call on the way that may mean another function, in the order of what is nearest."""
    groups: dict[Choice, list[Break]] = {}
    for one in breaks:
        if one.choice is not None:
            groups.setdefault(one.choice, []).append(one)
    return tuple(BreaksByChoice(choice, tuple(group)) for choice, group in groups.items())


def by_reason(doubts: Iterable[Doubt]) -> tuple[Sequence[Doubt], ...]:
    """The doubts by what is said of them, in the order of what is nearest."""
    groups: dict[str, list[Doubt]] = {}
    for one in doubts:
        groups.setdefault(one.reason, []).append(one)
    return tuple(groups.values())
