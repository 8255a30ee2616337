"""Tells whether matching a regular expression can take more than linear time, from its parse tree alone.

Python's matcher backtracks. It is superlinear where some text can be divided in several ways among the repetitions of
a pattern: a state that comes back to itself in two ways on one text (exponential), or two loops of which the first
leads to the second on a text that both of them repeat (polynomial). Searching is a loop of its own, in front of the
pattern. Source: Weideman et al., "Analyzing Matching Time Behavior of Backtracking Regular Expression Matchers by
Using Ambiguity of NFA", CIAA 2016.

Where it cannot know, the answer is "superlinear": lookarounds and word boundaries are taken to hold, and what a
backreference matches to be anything.
"""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple, TypeAlias

if sys.version_info >= (3, 11):
    from re import _parser as sre_parse
else:
    import sre_parse

# Of a repetition with an upper bound so many are looked at; the bound is a constant factor.
_COPIES = 2
_TEXT = (*map(chr, range(128)), "é", "É", "٣", "\x85", "\u2028")
_AT_LINE_START, _ASSERTION = "at line start", "assertion"
_SPACE, _DIGIT, _WORD, _LINE = re.compile(r"\s"), re.compile(r"\d"), re.compile(r"\w"), "\n"


_Tree: TypeAlias = Any  # what the parser of regular expressions makes, which has no published types


class _Step(NamedTuple):
    """A way on that reads nothing, and what must hold for it."""

    target: int
    guard: str = ""


@dataclass
class _Machine:
    """States with ways on that read nothing, or with one that reads one of some characters."""

    steps: list[list[_Step]] = field(default_factory=list)
    reads: dict[int, tuple[frozenset[str], int]] = field(default_factory=dict)
    accept: int = -1

    def state(self) -> int:
        self.steps.append([])
        return len(self.steps) - 1

    def step(self, source: int, target: int, guard: str = "") -> None:
        self.steps[source].append(_Step(target, guard))

    def read(self, source: int, characters: Iterable[str], target: int) -> None:
        self.reads[source] = frozenset(characters), target

    @cached_property
    def ways(self) -> dict[int, dict[int, list[frozenset[str]]]]:
        """From each state that reads, and from each that is read into: the reading states reached, by every way."""
        starts = {target for _, target in self.reads.values()} | {0}
        return {start: self._closed(start) for start in starts}

    def _closed(self, start: int) -> dict[int, list[frozenset[str]]]:
        found: dict[int, list[frozenset[str]]] = {}
        # No step is taken twice, but a state may be passed twice: `(a*)*` comes to its `a` again in two ways.
        pending: list[tuple[int, frozenset[tuple[int, int]], frozenset[str]]] = [(start, frozenset(), frozenset())]
        while pending:
            state, taken, guards = pending.pop()
            if state in self.reads or state == self.accept:
                found.setdefault(state, []).append(guards)
            for target, guard in self.steps[state]:
                if (state, target) not in taken:
                    pending.append((target, taken | {(state, target)}, guards | {guard} if guard else guards))
        return found


def _characters(tests: Sequence[_Tree], flags: int) -> frozenset[str]:
    """Those of our alphabet that a class of characters holds."""
    negated = bool(tests) and str(tests[0][0]) == "NEGATE"
    return frozenset(one for one in _TEXT if any(_holds(test, one, flags) for test in tests[negated:]) is not negated)


def _holds(test: tuple[_Tree, _Tree], one: str, flags: int) -> bool:
    kind, value = str(test[0]), test[1]
    forms = {one, one.lower(), one.upper()} if flags & re.IGNORECASE else {one}
    if kind == "LITERAL":
        return any(ord(form) == value for form in forms if len(form) == 1)
    if kind == "RANGE":
        return any(value[0] <= ord(form) <= value[1] for form in forms if len(form) == 1)
    if kind == "CATEGORY":
        name = str(value).removeprefix("CATEGORY_")
        pattern = {"SPACE": _SPACE, "DIGIT": _DIGIT, "WORD": _WORD}[name.removeprefix("NOT_")]
        return (pattern.match(one) is not None) is not name.startswith("NOT_")
    raise NotImplementedError(kind)


class _Builder:
    def __init__(self) -> None:
        self.machine = _Machine()

    def sequence(self, items: _Tree, start: int, flags: int) -> int:
        for kind, value in items:
            start = self._item(str(kind), value, start, flags)
        return start

    def _item(self, kind: str, value: _Tree, start: int, flags: int) -> int:
        machine = self.machine
        if kind in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            end = machine.state()
            machine.read(self._fresh(start), self._read_by(kind, value, flags), end)
            return end
        if kind == "BRANCH":
            end = machine.state()
            for branch in value[1]:
                inner = machine.state()
                machine.step(start, inner)
                machine.step(self.sequence(branch, inner, flags), end)
            return end
        if kind == "SUBPATTERN":
            _, added, removed, inside = value
            return self.sequence(inside, start, (flags | added) & ~removed)
        if kind == "ATOMIC_GROUP":
            return self.sequence(value, start, flags)
        if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            return self._repeat(value, start, flags)
        if kind == "AT":
            end = machine.state()
            at_start = str(value) in ("AT_BEGINNING", "AT_BEGINNING_STRING")
            machine.step(start, end, self._anchor(str(value), flags) if at_start else _ASSERTION)
            return end
        if kind in ("ASSERT", "ASSERT_NOT"):
            inside = machine.state()
            machine.step(start, inside, _ASSERTION)
            dead = self.sequence(value[1], inside, flags)
            end = machine.state()
            machine.step(start, end, _ASSERTION)
            assert dead != end
            return end
        if kind == "GROUPREF":
            return self._repeat((0, sre_parse.MAXREPEAT, [(sre_parse.ANY, None)]), start, flags | re.DOTALL)
        raise NotImplementedError(kind)

    @staticmethod
    def _anchor(at: str, flags: int) -> str:
        return _AT_LINE_START if at == "AT_BEGINNING" and flags & re.MULTILINE else "at the start"

    def _read_by(self, kind: str, value: _Tree, flags: int) -> frozenset[str]:
        if kind == "ANY":
            return frozenset(one for one in _TEXT if flags & re.DOTALL or one != _LINE)
        if kind == "IN":
            return _characters(value, flags)
        literal = _characters([(sre_parse.LITERAL, value)], flags)
        return literal if kind == "LITERAL" else frozenset(_TEXT) - literal

    def _fresh(self, start: int) -> int:
        """A state of its own to read from."""
        state = self.machine.state()
        self.machine.step(start, state)
        return state

    def _repeat(self, value: _Tree, start: int, flags: int) -> int:
        least, most, inside = value
        machine = self.machine
        for _ in range(min(least, _COPIES)):
            start = self.sequence(inside, start, flags)
        end = machine.state()
        if most is sre_parse.MAXREPEAT or most == sre_parse.MAXREPEAT:
            head = machine.state()
            machine.step(start, head)
            inner = machine.state()
            machine.step(head, inner)
            machine.step(self.sequence(inside, inner, flags), head)
            machine.step(head, end)
            return end
        machine.step(start, end)
        for _ in range(min(most - least, _COPIES)):
            start = self.sequence(inside, start, flags)
            machine.step(start, end)
        return end


@dataclass(frozen=True)
class _Automaton:
    """The states that read, and where each may be after reading a character.

    ``moves`` counts the ways, since two of them are an ambiguity; ``sure`` are the states after which the pattern may
    end, come what may.
    """

    reads: dict[int, frozenset[str]]
    moves: dict[int, dict[int, int]]
    sure: frozenset[int]
    search: int | None

    def letters(self, *states: int) -> frozenset[str]:
        return frozenset.intersection(*(self.reads[state] for state in states))


def _automaton(pattern: str, flags: int, searched: bool, whole: bool) -> _Automaton:
    parsed = sre_parse.parse(pattern, flags)
    builder = _Builder()
    machine = builder.machine
    begin = machine.state()
    machine.accept = -1
    end = builder.sequence(parsed, begin, parsed.state.flags)
    accept = machine.state()
    machine.step(end, accept, _ASSERTION if whole else "")
    machine.accept = accept
    moves: dict[int, dict[int, int]] = {}
    sure: set[int] = set()
    for state, (_, target) in machine.reads.items():
        reached = machine.ways[target]
        moves[state] = {other: len(ways) for other, ways in reached.items() if other != accept}
        if any(not guards for guards in reached.get(accept, ())):
            sure.add(state)
    reads = {state: characters for state, (characters, _) in machine.reads.items()}
    search = None
    if searched:
        # What comes before a match: any text; a pattern that is bound to the start of a line follows a line's end.
        search, line = -1, -2
        reads |= {search: frozenset(_TEXT), line: frozenset(_LINE)}
        first = {other: ways for other, ways in machine.ways[0].items() if other != accept}
        free = {other for other, ways in first.items() if any(not guards & _STARTS for guards in ways)}
        bound = {other for other, ways in first.items() if any(_AT_LINE_START in guards for guards in ways)}
        moves[search] = {search: 1, line: 1, **dict.fromkeys(free, 1)}
        moves[line] = {search: 1, line: 1, **dict.fromkeys(free | bound, 1)}
    return _Automaton(reads, moves, frozenset(sure), search)


_STARTS = frozenset({_AT_LINE_START, "at the start"})


def _components(automaton: _Automaton) -> dict[int, frozenset[int]]:
    """For each state, those that lead to it and to which it leads."""
    reached = {state: _reachable(state, automaton) for state in automaton.reads}
    return {state: frozenset(other for other in reached[state] if state in reached[other]) for state in automaton.reads}


def _reachable(start: int, automaton: _Automaton) -> frozenset[int]:
    found: set[int] = set()
    pending = [start]
    while pending:
        for other in automaton.moves[pending.pop()]:
            if other not in found and automaton.reads[other]:
                found.add(other)
                pending.append(other)
    return frozenset(found)


def growth(pattern: str, flags: int = 0, *, searched: bool = True, whole: bool = False) -> str:
    """``""`` for a pattern that is linear, else why it may not be.

    ``searched`` says that matches are looked for anywhere, and ``whole`` that the text must be matched to its end.
    """
    automaton = _automaton(pattern, flags, searched, whole)
    components = _components(automaton)
    looping = [state for state, component in components.items() if component and state >= 0]
    for state in looping:
        if _comes_back_in_two_ways(state, components[state], automaton):
            return f"exponential: {sorted(automaton.reads[state])[:5]} is repeated within a repetition"
    firsts = [*looping, *([automaton.search] if automaton.search is not None else [])]
    for first, second in product(firsts, looping):
        if first != second and _leads(first, second, components, automaton):
            kind = "tried from every place" if first < 0 else "preceded by a repetition of the same"
            return f"polynomial: a repetition of {''.join(sorted(automaton.reads[second]))[:20]!r} is {kind}"
    return ""


def _comes_back_in_two_ways(state: int, component: frozenset[int], automaton: _Automaton) -> bool:
    for one in component:
        if any(ways > 1 for other, ways in automaton.moves[one].items() if other in component):
            return True
    start = (state, state, False)
    seen = {start}
    pending = deque([start])
    while pending:
        one, other, parted = pending.popleft()
        for pair in _pairs(one, other, component, automaton):
            new = (*pair, parted or pair[0] != pair[1])
            if new == (state, state, True):
                return True
            if new not in seen:
                seen.add(new)
                pending.append(new)
    return False


def _pairs(one: int, other: int, within: frozenset[int], automaton: _Automaton) -> Iterator[tuple[int, int]]:
    if automaton.letters(one, other):
        for a, b in product(automaton.moves[one], automaton.moves[other]):
            if a in within and b in within:
                yield a, b


def _leads(first: int, second: int, components: dict[int, frozenset[int]], automaton: _Automaton) -> bool:
    """Whether on one text ``first`` comes back to itself, leads to ``second``, and that comes back to itself.

    It does not matter if the pattern may end on the way of the last: then there is a match, and no other is looked for.
    """
    if second in automaton.sure:
        return False
    start, goal = (first, first, second), (first, second, second)
    seen = {start}
    pending = deque([start])
    while pending:
        one, way, other = pending.popleft()
        if not automaton.letters(one, way, other):
            continue
        for new in product(automaton.moves[one], automaton.moves[way], automaton.moves[other]):
            is_on_way = new[0] in components[first] and new[2] in components[second] - automaton.sure
            if is_on_way and new not in seen:
                if new == goal:
                    return True
                seen.add(new)
                pending.append(new)
    return False
