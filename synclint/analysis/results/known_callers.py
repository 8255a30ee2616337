"""What tells of which functions all calls are known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from synclint.analysis.results.facts import HandedOn, Need, Slot


def as_method(name: str) -> str:
    """What is written to have a method of this name called, on whatever object."""
    return f".{name}"


def as_method_without_places(name: str) -> str:
    """The same of a method that takes nothing by its place: what is given something so is another one."""
    return f".{name}()"


class Handle(NamedTuple):
    """What has to be written to call a function (``name``), or to use it from outside of the project (``public``)."""

    name: str
    public: str


@dataclass(frozen=True)
class KnownCallers:
    """What tells of which functions all calls are known.

    ``handles`` are those of functions, by their keys, of which a call was seen that no test makes; ``called`` are all
    functions of which one was seen, also those that may be called without their names being written; ``unfollowed`` the
    functions of which a call could not be followed; ``taken`` names that stand for something else than the function
    of a call, or for an attribute of something unknown; ``exported`` what packages offer to others; ``tests`` the paths
    of the modules that are tests; ``done`` what the calls of functions give and leave out, ``handed_on`` what they do
    as the function does to which others give it. ``on_cpu`` are the parameters to which no call hands
    a tensor on the device, which is known once all calls are, ``hardly_elsewhere`` also those to which no call does
    that is seen.
    """

    handles: Mapping[str, Handle] = field(default_factory=dict)
    unfollowed: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()
    exported: frozenset[str] = frozenset()
    tests: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    done: frozenset[Need] = frozenset()
    handed_on: frozenset[HandedOn] = frozenset()
    on_cpu: frozenset[Slot] = frozenset()
    hardly_elsewhere: frozenset[Slot] = frozenset()

    def excludes(self, need: Need) -> bool:
        """Whether no call does what is needed, of all that there are: to see one is enough, it need not be followed."""
        return self.excludes_here(need) and not self._is_exported(need.function)

    def excludes_here(self, need: Need) -> bool:
        """Whether no call of the project does what is needed, of all that there are in it."""
        return need not in self.done and self._is_called_by_name(need.function)

    def is_unseen(self, need: Need) -> bool:
        """Whether calls were seen, none of which does what is needed; there may be others."""
        return need not in self.done and need.function in self.called

    def all_known(self, function: str | None) -> bool:
        """Whether the calls that were followed of a function are all that there are."""
        return function not in self.unfollowed and self._is_called_by_name(function) and not self._is_exported(function)

    def _is_called_by_name(self, function: str | None) -> bool:
        """Whether its name is written for nothing in the project but to call it."""
        handle = self.handles.get(function) if function is not None else None
        return handle is not None and handle.name not in self.taken

    def _is_exported(self, function: str | None) -> bool:
        handle = self.handles.get(function) if function is not None else None
        return handle is not None and handle.public in self.exported


def joined_callers(parts: Iterable[KnownCallers]) -> KnownCallers:
    """What several analyses tell together."""
    handles: dict[str, Handle] = {}
    unfollowed: set[str] = set()
    taken: set[str] = set()
    exported: set[str] = set()
    tests: set[str] = set()
    called: set[str] = set()
    done: set[Need] = set()
    handed_on: set[HandedOn] = set()
    for part in parts:
        handles.update(part.handles)
        unfollowed |= part.unfollowed
        taken |= part.taken
        exported |= part.exported
        tests |= part.tests
        called |= part.called
        done |= part.done
        handed_on |= part.handed_on
    return KnownCallers(
        handles,
        frozenset(unfollowed),
        frozenset(taken),
        frozenset(exported),
        frozenset(tests),
        frozenset(called),
        frozenset(done),
        frozenset(handed_on),
    )


def with_handed_on(known: KnownCallers, is_unreached: Callable[[str], bool]) -> KnownCallers:
    """The same, knowing what calls do because somebody does it to those who make them, or may.

    Nobody calls what ``is_unreached``.
    """
    reached: dict[Need, list[Need]] = defaultdict(list)
    for need, by in known.handed_on:
        reached[by].append(need)
    found: set[Need] = set()
    waiting = [
        by for by in reached if by in known.done or not (known.all_known(by.function) or is_unreached(by.function))
    ]
    while waiting:
        following = [need for need in reached[waiting.pop()] if need not in found]
        found.update(following)
        waiting += [need for need in following if need in reached]
    return replace(known, done=known.done | found)
