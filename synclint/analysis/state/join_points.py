"""Join points: the scope where several paths of the control flow meet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.values import UNKNOWN, Value

Scope = dict[str, Value]


def merge(first: Scope, second: Scope, changed: Iterable[str]) -> Scope:
    """The join of the scopes of two paths that differ in nothing but names and paths that have ``changed``.

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
class JoinPoint:
    """The scope at a point where many paths are joined one after the other: a thousand handlers, cases or ``elif``.

    ``open`` are the variables that one more path could change, though it leaves them alone. All others are joined only
    with the paths that change them: the work grows with the changes, not with the paths times the changes.
    """

    scope: Scope
    open: set[str]

    def follow(self, path: Scope, changed: set[str]) -> set[str]:
        """Join a path with those before it; what was looked at.

        It has ``changed`` since all of them parted, or since the one before it, whichever holds for all of the paths.
        """
        return self._join(self.scope, path, changed)

    def precede(self, path: Scope, changed: set[str]) -> set[str]:
        """Join a path with those after it; since they parted, it or what they had in common has ``changed``."""
        return self._join(path, self.scope, changed)

    def _join(self, first: Scope, second: Scope, changed: set[str]) -> set[str]:
        before, self.scope = self.scope, dict(self.scope)
        names = self.open | changed
        _merge_into(self.scope, first, second, names)
        # Once a path that leaves a name alone has made no difference to it, another such path makes none either.
        differing = {name for name in self.open if self.scope.get(name) != before.get(name)}
        self.open = changed | differing
        return names


def _perhaps(path: str, value: Value) -> Value | None:
    """What a path stands for where only some paths have given it a value: an item has another one before that."""
    return join(UNKNOWN, value) if path.endswith("]") else None


def root_of(path: str) -> str:
    """The name that a path starts with."""
    return path.partition(".")[0].partition("[")[0]
