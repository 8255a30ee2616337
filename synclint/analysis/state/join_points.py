"""The scopes of several ways through the code where they meet again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.values import UNKNOWN, Value

Scope = dict[str, Value]


def merge(first: Scope, second: Scope, changed: Iterable[str]) -> Scope:
    """The scope after two ways meet that differ in nothing but names and paths that have ``changed``.

    A function of thousands of lines has as many names, and branches that change one of them.
    """
    merged = dict(first)
    _merge_into(merged, first, second, changed)
    return merged


def _merge_into(merged: Scope, first: Scope, second: Scope, changed: Iterable[str]) -> None:
    for name in changed:
        known, value = first.get(name), second.get(name)
        if known is None and value is not None and root_of(name) != name and root_of(name) in first:
            value = _perhaps(name, value)
        elif value is None and known is not None and root_of(name) != name and root_of(name) in second:
            known = _perhaps(name, known)
        if known is not None and value is not None:
            merged[name] = join(known, value)
        elif known is not None or value is not None:
            merged[name] = known if known is not None else value  # type: ignore[assignment]
        else:
            merged.pop(name, None)


@dataclass(slots=True)
class Meeting:
    """Many ways that meet one after the other: a thousand handlers, cases or ``elif``.

    ``unsettled`` are the names and paths that one more way could change, though it leaves them alone. All others are
    joined only with the ways that change them: the work grows with the changes, not with the ways times the changes.
    """

    scope: Scope
    unsettled: set[str]

    def follow(self, way: Scope, changed: set[str]) -> set[str]:
        """Let a way meet those before it; what was looked at.

        It has ``changed`` since all of them parted, or since the one before it, whichever holds for all of the ways.
        """
        return self._meet(self.scope, way, changed)

    def precede(self, way: Scope, changed: set[str]) -> set[str]:
        """Let a way meet those after it; since they parted, it or what they had in common has ``changed``."""
        return self._meet(way, self.scope, changed)

    def _meet(self, first: Scope, second: Scope, changed: set[str]) -> set[str]:
        before, self.scope = self.scope, dict(self.scope)
        names = self.unsettled | changed
        _merge_into(self.scope, first, second, names)
        # Once a way that leaves a name alone has made no difference to it, another such way makes none either.
        differing = {name for name in self.unsettled if self.scope.get(name) != before.get(name)}
        self.unsettled = changed | differing
        return names


def _perhaps(path: str, value: Value) -> Value | None:
    """What a path stands for where only some ways have given it a value: an item has another one before that."""
    return join(UNKNOWN, value) if path.endswith("]") else None


def root_of(path: str) -> str:
    """The name that a path starts with."""
    return path.partition(".")[0].partition("[")[0]
