"""Python's method resolution order, by C3 linearization.

Source: the Python language reference, "Invoking descriptors", and ``Objects/typeobject.c``, ``pmerge``. Where Python
would refuse to make a class because the orders of its bases contradict each other, the first base that is left counts:
code that does not run is still read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T", bound=Hashable)

# Of a class with more ancestors these are looked at, the nearest ones. No class that people write has as many, and
# generated ones, each derived from the one before, shall not take the square of their number.
MOST_ANCESTORS = 256


class Classes(Protocol[T]):
    """The classes that are linearized."""

    def bases_of(self, one: T) -> Sequence[T]:
        """The direct bases of a class."""

    def known(self, one: T) -> tuple[T, ...] | None:
        """The linearization of a class that has been kept."""

    def keep(self, one: T, order: tuple[T, ...]) -> None:
        """Remember the linearization of a class."""


def linearized(top: T, classes: Classes[T]) -> tuple[T, ...]:
    """A class and its ancestors in method resolution order, at most MOST_ANCESTORS of them."""
    waiting = [top]
    while True:
        line = _single_line(waiting[-1], classes)
        last = line[-1]
        order: tuple[T, ...] | None = () if len(line) == MOST_ANCESTORS else classes.known(last)
        if order is None:
            missing = [base for base in classes.bases_of(last) if classes.known(base) is None]
            if missing:
                waiting += reversed(missing)
                continue
            order = (last, *_merged(last, classes))
            classes.keep(last, order)
        found = (*line[:-1], *(order or (last,)))[:MOST_ANCESTORS]
        classes.keep(waiting.pop(), found)
        if not waiting:
            return found


def _single_line(first: T, classes: Classes[T]) -> list[T]:
    """The classes from one upwards, up to the first that is known or has not just one base."""
    line = [first]
    while len(line) < MOST_ANCESTORS and classes.known(line[-1]) is None:
        bases = classes.bases_of(line[-1])
        if len(bases) != 1:
            break
        line.append(bases[0])
    return line


def _merged(one: T, classes: Classes[T]) -> list[T]:
    """The linearizations of the bases of a class, and their own order, merged into one that keeps each of them."""
    bases = classes.bases_of(one)
    orders = [*(list(classes.known(base) or (base,)) for base in bases), list(bases)]
    for order in orders:
        order.reverse()  # what comes next stands last, where it is taken off at once
    behind = Counter(one for order in orders for one in order[:-1])
    merged: list[T] = []
    while len(merged) < MOST_ANCESTORS - 1:
        heads = [order[-1] for order in orders if order]
        if not heads:
            break
        chosen = next((head for head in heads if not behind[head]), None)
        if chosen is None:
            chosen = heads[0]
            for order in orders:
                if chosen in order[:-1]:
                    order.remove(chosen)
            behind[chosen] = 0
        merged.append(chosen)
        for order in orders:
            if order and order[-1] == chosen:
                order.pop()
                if order:
                    behind[order[-1]] -= 1
    return merged
