"""What the interpreter knows while it runs over one function: names, paths, and where it stands."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.values import UNKNOWN, Origin, Tensor, Value
from synclint.analysis.program.modules import FunctionRecord, ModuleRecord
from synclint.analysis.results.facts import Guard
from synclint.findings import Confidence, Phase

if TYPE_CHECKING:
    from synclint.analysis.interpreter.engine import Engine

Scope = dict[str, Value]


@dataclass(slots=True)
class Leaving:
    """What holds where a loop is left by ``break``, or begun anew by ``continue``, on any of the ways so far."""

    met: Meeting | None = None
    at: int = -1

    def leave(self, frame: Frame) -> None:
        """Note that the way that is being followed ends here."""
        if self.met is None:
            self.met = Meeting(frame.scope, set())
        else:
            self.met.follow(frame.scope, frame.changed_since(self.at))
        self.at = frame.now


@dataclass(slots=True)
class Loop:
    """A loop being run: where it was left, and where it was begun anew."""

    node: ast.AST
    exits: Leaving = field(default_factory=Leaving)
    repeats: Leaving = field(default_factory=Leaving)


@dataclass
class Arguments:
    """The arguments of a call; ``complete`` is false where some came from ``*`` or ``**`` of unknown content."""

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    complete: bool = True
    nodes: dict[str | int, ast.AST] = field(default_factory=dict)

    def all_values(self) -> list[Value]:
        """Every argument, however it was passed."""
        return [*self.positional, *self.keywords.values()]


@dataclass(frozen=True)
class Place:
    """Where an expression stands, as far as it decides how often it runs: guards and loops, from the outside in."""

    guards: tuple[Guard, ...]
    loops: tuple[ast.AST, ...]


@dataclass
class Frame:
    """One run over the body of a function, class or module.

    ``scope`` maps names, and dotted paths such as ``self.mask``, to values; ``tests`` keeps the tests whose
    outcomes have been given names; ``iterated`` is the loop whose rounds are being
    looked for; ``doubts`` counts the calls in progress whose receiver may be one of several
    objects; ``alive`` is false once the path that is being followed has returned, raised, or left its loop. Names
    and paths are given their values by ``bind`` or ``know`` and lose them by ``forget`` or ``drop``, so that it is
    known which of them are below which name, and which have changed since two ways through the code parted.
    """

    engine: Engine
    module: ModuleRecord
    function: FunctionRecord | None
    scope: Scope
    enclosing: tuple[Scope, ...] = ()
    returned: list[Value] = field(default_factory=list)
    yielded: list[Value] = field(default_factory=list)
    yields: bool = False
    nested: list[tuple[FunctionRecord, Scope]] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    tests: dict[str, ast.expr] = field(default_factory=dict)
    guards: list[Guard] = field(default_factory=list)
    iterated: ast.AST | None = None
    alive: bool = True
    muted: int = 0
    doubts: int = 0
    _below: dict[str, set[str]] = field(init=False, default_factory=dict)
    _changes: list[str] = field(init=False, default_factory=list)

    @property
    def place(self) -> Place:
        """Where the interpreter stands now."""
        return Place(tuple(self.guards), tuple(loop.node for loop in self.loops))

    def guard(self, runs: Phase, reason: str, captured: str | None = None) -> None:
        """Note that what follows runs in another phase, or is captured, until the guard is taken away."""
        self.guards.append(Guard(runs, reason, len(self.loops), captured))

    def lookup(self, name: str) -> Value | None:
        """What a name is bound to, the builtins aside."""
        for scope in (self.scope, *self.enclosing, self.module.scope):
            if name in scope:
                return scope[name]
        return None

    def bind(self, name: str, value: Value) -> None:
        """Bind a name or a path, forgetting what was known of paths that start with it."""
        self.forget(name)
        self.tests.pop(name, None)
        self.know(name, value)

    def know(self, path: str, value: Value) -> None:
        """Note what a name or a path stands for; what is known below it stays so."""
        self.scope[path] = value
        self._changes.append(path)
        if "." in path or "[" in path:
            self._note_path(path)

    def _note_path(self, path: str) -> None:
        """Remember that ``self.a["b"]`` is below ``self.a`` and ``self``."""
        above, item, _ = path.partition("[")
        if not item:
            above = path.rpartition(".")[0]
        while above:
            below = self._below.setdefault(above, set())
            if path in below:
                return
            below.add(path)
            above = above.rpartition(".")[0]

    def forget(self, name: str) -> None:
        """Drop what was known of the attributes and items below a name or path."""
        below = self._below.get(name)
        if below:
            for path in self.scope.keys() & below:
                del self.scope[path]
                self._changes.append(path)

    def drop(self, name: str) -> None:
        """Take a name or path out of the scope, with all that is below it."""
        self.forget(name)
        if self.scope.pop(name, None) is not None:
            self._changes.append(name)

    @property
    def now(self) -> int:
        """A point in the run, for ``changed_since``."""
        return len(self._changes)

    def changed_since(self, point: int, until: int | None = None) -> set[str]:
        """The names and paths that were given values or lost them since a point, on any way, and what is below them."""
        changed = set(self._changes[point:until])
        for name in self._below.keys() & changed:
            changed |= self._below[name]
        return changed

    def come_back(self, since: int) -> None:
        """Note anew what has changed since a point at which ways parted, where one that left a loop is left behind.

        It is what makes the scope on the way that is followed now differ from that in which the loop was left.
        """
        if self.loops and max(self.loops[-1].exits.at, self.loops[-1].repeats.at) > since:
            self._changes += self.changed_since(since)

    def report(
        self,
        construct: str,
        node: ast.AST,
        tensor: Tensor,
        subject: ast.AST | None = None,
        confidence: Confidence | None = None,
        known: Value | None = None,
    ) -> None:
        """Note that ``node`` makes the host wait because of ``tensor``.

        ``subject`` is the expression that a message names, ``known`` what is known of it where it is not that tensor.
        """
        if self.doubts:
            confidence = Confidence.LOW
        if not self.muted and self.alive:
            subject = node if subject is None else subject
            self.engine.note(self, construct, node, tensor, subject, tensor if known is None else known, confidence)

    def origin(self, text: str, node: ast.AST, parent: Origin | None = None) -> Origin:
        """A link of evidence at a place in this module."""
        return Origin(text, self.module, node, parent)


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
        if known is None and value is not None and _root(name) != name and _root(name) in first:
            value = _perhaps(name, value)
        elif value is None and known is not None and _root(name) != name and _root(name) in second:
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


def _root(path: str) -> str:
    """The name that a path starts with."""
    return path.partition(".")[0].partition("[")[0]
