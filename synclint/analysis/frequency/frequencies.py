"""How often something runs: the values that the search through the calls joins, and what changes them on the way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from synclint.analysis.results.facts import ACTION, BOTH, OBSERVATION, Evidence, Guard
from synclint.findings import CallPlace, Phase, Repetition

_MOST_REPETITIONS = 4
_NUMBER = re.compile(r"\d+")
_MOST_DIGITS = 9
# What counts when a line runs in several phases: the one that costs most.
_RANK = {
    phase: rank
    for rank, phase in enumerate(
        (
            Phase.UNREACHED,
            Phase.TEST,
            Phase.ONCE,
            Phase.BENCHMARK,
            Phase.DATA,
            Phase.EPOCH,
            Phase.EVAL,
            Phase.INTERVAL,
            Phase.STEP,
        )
    )
}
_SELDOM = frozenset({Phase.EPOCH, Phase.EVAL, Phase.INTERVAL})
ASIDE = frozenset({Phase.TEST, Phase.BENCHMARK, Phase.DATA, Phase.UNREACHED})
# What makes a step that is none of a training loop nor of one over batches: the work that a program is there for.
WORK = "work"
# The same of a loop each round of which runs a model on what the last one has made.
TURNS = "turns"
_TRAINING = frozenset({Evidence.OPTIMIZER.value, Evidence.BACKWARD.value})
_ENVIRONMENT = Evidence.ENVIRONMENT.value


class Strength(IntEnum):
    """What a frequency rests on: that nobody is known to call the function, a name, or a loop that calls it."""

    ASSUMED = 0
    NAMED = 1
    SHOWN = 2


class Frequency(NamedTuple):
    """How often a function or a place runs.

    ``is_entry`` tells that it runs once because the program begins there: a loop in it may be the program's main work.
    ``is_awaited`` tells that it is a generator that was made once, whose rounds run as often as they are asked for.
    ``trains`` tells that the step is one of a training loop, ``infers`` that it is one of inference: what a program
    samples or predicts. ``loop`` is what kind of loop makes it. ``may_train`` tells that names speak of a training
    step, where no loop shows one. ``option`` is what has to be asked for so that it runs at all. ``is_frame`` tells
    that it runs once for each frame of a window, ``only_plays`` that it stands around steps in an environment from
    which nothing is seen to learn, ``is_exchange`` that it finds an action in an environment, or brings an observation,
    ``makes_results`` that it stands around loops each of which makes one result, and that nothing trains there,
    ``is_alone`` that it belongs to a program beside which nothing trains, ``is_apart`` that it runs where the program
    is not asked to train. ``guesses`` counts the calls on the way that may mean methods of other classes,
    ``alternatives`` how many methods one of these calls means one of. ``has_model`` tells that one of the functions on
    the way is a model's, or has gradients off.
    """

    runs: Phase
    strength: Strength
    reason: str
    times: tuple[Repetition, ...] = ()
    path: tuple[CallPlace, ...] = ()
    is_entry: bool = False
    is_awaited: bool = False
    captured: str | None = None
    trains: bool = False
    infers: bool = False
    loop: str = ""
    may_train: bool = False
    option: str = ""
    is_frame: bool = False
    only_plays: bool = False
    is_exchange: bool = False
    makes_results: bool = False
    is_alone: bool = False
    is_apart: bool = False
    guesses: int = 0
    alternatives: int = 1
    has_model: bool = False

    @property
    def is_direct(self) -> bool:
        """Whether it is that of a place in the training loop, or one beside it, and not in what is called there."""
        return self.loop in _TRAINING or self.loop == _ENVIRONMENT

    @property
    def weight(self) -> tuple[int, ...]:
        """What decides first which of two counts, greatest first, whatever leads there."""
        # What goes on again and again where an option is set is done once without it, and its steps are the same.
        runs = Phase.ONCE if self.option and self.runs is Phase.EPOCH else self.runs
        # Where a program is seen to run something says more than that nobody knows who else does.
        is_seen = self.strength is Strength.SHOWN and bool(self.path) and runs in _SELDOM
        is_step = self.runs is Phase.STEP and self.strength is not Strength.ASSUMED
        # What a program is there to make, again and again, costs more than the previews of one that trains.
        makes = self.makes_results or (self.is_entry and self.runs is Phase.EPOCH)
        return (
            is_seen or is_step,
            2 * _RANK[Phase.INTERVAL] + 1 if makes and runs in _SELDOM else 2 * _RANK[runs],
            # What is known to be called in each step as well is captured for some shapes only, or warmed up.
            self.runs is Phase.STEP and self.captured is None and self.strength is not Strength.ASSUMED,
            self.captured is not None,
            self.strength,
            not self.option,
            self.is_entry,
            self.trains,
            self.may_train,
            not self.infers,
            not self.is_exchange,
            -self.guesses,
            len(self.times),
        )

    @property
    def nearness(self) -> tuple[object, ...]:
        """What decides next: how short the path is, and how near to the top of a project it begins."""
        begins = self.path[0].path if self.path else ""
        # In `train.py`, not `legacy/train.py`.
        return -len(self.path), -_depth(begins), tuple(place.function for place in self.path)


def outranks(first: Frequency, second: Frequency, order_keys: Callable[[], Mapping[CallPlace, str]]) -> bool:
    """Whether the first of two counts, and not the second; one of two that differ in what is shown always does.

    Of paths that lead equally far the ``order_keys`` of functions with the calls decide, before the names of files.
    """
    weight, other = first.weight, second.weight
    if weight != other:
        return weight > other
    if len(first.path) != len(second.path):  # what their nearness begins with
        return len(first.path) < len(second.path)
    if first.path != second.path:
        nearness, that = first.nearness, second.nearness
        if nearness != that:
            return nearness > that
        keys = order_keys()
        mine, yours = ([(keys.get(place, ""), place) for place in one.path] for one in (first, second))
        return mine > yours
    return (first.times, _numbered_alike(first.reason)) > (second.times, _numbered_alike(second.reason))


def ranked(
    given: Iterable[tuple[CallPlace, Frequency]], order_keys: Mapping[CallPlace, str]
) -> tuple[tuple[CallPlace, Frequency], ...]:
    """Frequencies that calls give in their order, the greatest first; of equal ones the first stays so."""

    def rank(item: tuple[CallPlace, Frequency]) -> tuple[object, ...]:
        found = item[1]
        path = [(order_keys.get(place, ""), place) for place in found.path]
        return found.weight, found.nearness, path, found.times, _numbered_alike(found.reason)

    return tuple(sorted(given, key=rank, reverse=True))


def _numbered_alike(reason: str) -> str:
    """A reason with as many digits in each number, so that the lines in it are ordered as numbers, not as text."""
    return _NUMBER.sub(lambda found: found[0].zfill(_MOST_DIGITS), reason)


@lru_cache(maxsize=4096)
def _depth(path: str) -> int:
    return len(PurePath(path).parts)


def repeated(found: Frequency, loop: Repetition) -> Frequency:
    """The frequency within a loop that multiplies it; more than a few loops say nothing new."""
    if loop in found.times or len(found.times) >= _MOST_REPETITIONS:
        return found
    return found._replace(times=(*found.times, loop))


def stepping(found: Frequency, reason: str, loop: str, infers: bool) -> Frequency:
    """The frequency in a loop that makes the steps: what stands around it multiplies nothing.

    ``infers`` says that the function with the loop is there for results, unless the loop trains. Steps in an
    environment that are taken beside a training loop are what that learns from.
    """
    is_for_learning = found.runs is Phase.EPOCH and not found.only_plays
    trains = loop in _TRAINING or (loop == _ENVIRONMENT and is_for_learning)
    return found._replace(
        runs=Phase.STEP,
        strength=Strength.SHOWN,
        reason=reason,
        is_entry=False,
        times=(),
        trains=trains,
        may_train=False,
        infers=infers and not trains,
        loop=loop,
        is_frame=loop == Evidence.FRAMES.value,
        only_plays=False,
        is_exchange=False,
    )


def guarded(found: Frequency, guard: Guard) -> Frequency:
    """The frequency behind a guard."""
    if guard.captured is not None:
        return found._replace(captured=guard.captured)
    if guard.exchange in (ACTION, OBSERVATION, BOTH):
        found = found._replace(is_exchange=True)
    if guard.option:
        found = found._replace(option=guard.option)
    if guard.runs is Phase.STEP or found.runs in ASIDE:
        return found
    if guard.runs is Phase.EVAL and found.infers and found.runs is Phase.STEP:
        return found  # what makes results trains nothing anyway
    if _RANK[guard.runs] >= _RANK[found.runs] and not (guard.runs is Phase.EVAL and found.runs is Phase.EPOCH):
        return found
    return found._replace(runs=guard.runs, strength=Strength.SHOWN, reason=guard.reason, is_entry=False, loop="")
