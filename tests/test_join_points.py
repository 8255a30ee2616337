"""Where paths through the code meet, only what they have changed is joined, and the result is that of joining all."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import reduce
from pathlib import Path

import pytest

from benchmarks.growth import CONSTRUCTS
from synclint.analysis.domain import values
from synclint.analysis.domain.values import FLOAT, INTEGER, NOTHING, Device, Instance, Sequence, Tensor, Value
from synclint.analysis.state import join_points
from synclint.analysis.state.join_points import JoinPoint, Scope, merge
from synclint.config import Options
from synclint.running.runner import check_text

VALUES = (INTEGER, FLOAT, NOTHING, Tensor(), Tensor(Device.CPU), Sequence("list", (INTEGER,)), Instance("C"))
NAMES = ("a", "b", "c", "a.x", "a.x['k']", "b[0]", "c.y")


def changed_scope(start: Scope, chance: random.Random) -> tuple[Scope, set[str]]:
    scope, changed = dict(start), set(chance.sample(NAMES[3:], 2) + chance.sample(NAMES[:3], chance.randrange(2)))
    for name in changed:
        if "." in name or "[" in name:
            value: Value | None = chance.choice((None, *VALUES))
            scope.pop(name, None) if value is None else scope.update({name: value})
        else:
            scope[name] = chance.choice(VALUES)
    return scope, changed


def everything_joined(first: Scope, second: Scope) -> Scope:
    return merge(first, second, {*first, *second})


def start_of(chance: random.Random) -> Scope:
    return {name: chance.choice(VALUES) for name in ("a", "b", "c", *chance.sample(NAMES[3:], 2))}


@pytest.mark.parametrize("seed", range(200))
def test_ways_that_meet_give_what_joining_everything_gives(seed: int) -> None:
    chance = random.Random(seed)
    start = start_of(chance)
    ways = [changed_scope(start, chance) for _ in range(5)]
    (first, changed), *others = ways
    met = JoinPoint(first, changed)
    for way, changed in others:
        met.follow(way, changed)
    assert met.scope == reduce(everything_joined, [way for way, _ in ways])
    (last, changed), *others = reversed(ways)
    met = JoinPoint(last, changed)
    for way, changed in others:
        met.precede(way, changed)
    assert met.scope == reduce(lambda after, way: everything_joined(way, after), [way for way, _ in reversed(ways)])


@pytest.mark.parametrize("seed", range(200))
def test_each_way_may_follow_from_the_one_before(seed: int) -> None:
    chance = random.Random(seed)
    ways = [(start_of(chance), set[str]())]
    for _ in range(5):
        ways.append(changed_scope(ways[-1][0], chance))
    met = JoinPoint(ways[0][0], set())
    for way, changed in ways[1:]:
        met.follow(way, changed)
    assert met.scope == reduce(everything_joined, [way for way, _ in ways])


BINDING = (
    "branches that bind", "branches of either kind", "elif that bind", "cases that bind", "handlers", "tries", "loops",
    "breaks", "continues",
)  # fmt: skip


@pytest.mark.parametrize("name", BINDING)
def test_a_branch_costs_what_it_changes_not_what_is_around_it(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    looked_at = 0
    merge_into = join_points._merge_into

    def counted(merged: Scope, first: Scope, second: Scope, changed: Iterable[str]) -> None:
        nonlocal looked_at
        names = list(changed)
        looked_at += len(names)
        merge_into(merged, first, second, names)

    def names_looked_at(count: int) -> int:
        nonlocal looked_at
        looked_at = 0
        check_text("import torch\n" + CONSTRUCTS[name].source(count), Path("generated.py"), (), Options())
        return looked_at

    monkeypatch.setattr(join_points, "_merge_into", counted)
    assert 0 < names_looked_at(160) < 2.2 * names_looked_at(80)


def test_a_list_that_is_handed_on_is_gone_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    around = values._around
    counted: list[int] = []

    def noted(held: Iterable[Value], levels: int) -> values.Extent:
        counted.append(levels)
        return around(held, levels)

    monkeypatch.setattr(values, "_around", noted)

    def times(calls: int) -> int:
        counted.clear()
        code = "def f(a): return [1]\ny = [[1, 2], [3, 4]]\n" + "f(y)\n" * calls
        check_text(f"import torch\n{code}", Path("generated.py"), (), Options())
        return len(counted)

    assert 0 < times(40) == times(20)


def test_a_way_that_leaves_a_loop_keeps_what_it_was_left_with() -> None:
    code = """import torch
def f(loader, a, b):
    v = torch.zeros(3, device="cpu")
    for c in loader:
        if a:
            v = torch.zeros(3, device="cuda")
            if b:
                break
        else:
            if b:
                break
        v = torch.zeros(3, device="cpu")
    return v
for batch in loader:
    f(loader, 1, 2).item()
"""
    assert [f.code for f in check_text(code, Path("generated.py"), (), Options()).findings] == ["SYN201"]
