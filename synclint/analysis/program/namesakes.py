"""How many classes begin to have a method of a name: a call on something unknown may mean the method of any of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from synclint.analysis.program.project_files import ProjectFile


class _Class(NamedTuple):
    methods: frozenset[str]
    bases: tuple[str, ...]


def namesakes_by_text(files: Iterable[ProjectFile]) -> dict[str, int]:
    """The names of methods with which several classes begin, and how many do: no class above them has one.

    Classes are known by their names alone, as texts name their bases.
    """
    classes: defaultdict[str, list[_Class]] = defaultdict(list)
    for file in files:
        methods: defaultdict[str, set[str]] = defaultdict(set)
        for one in file.says.definitions.values():
            if one.owner and not one.is_class:
                methods[one.owner].add(one.last)
        for one in file.says.definitions.values():
            if one.is_class:
                bases = tuple(base.rpartition(".")[2] for base in one.bases)
                classes[one.last].append(_Class(frozenset(methods[one.name]), bases))
    inherited: dict[str, frozenset[str]] = {}
    begun = Counter(
        name
        for several in classes.values()
        for one in several
        for name in one.methods.difference(*(_methods_of(base, classes, inherited) for base in one.bases))
    )
    return {name: count for name, count in begun.items() if count > 1}


def _methods_of(name: str, classes: Mapping[str, list[_Class]], known: dict[str, frozenset[str]]) -> frozenset[str]:
    """The names of the methods that classes of a name have, and those that they inherit."""
    if name not in known:
        known[name] = frozenset()  # a class that derives from itself
        for one in classes.get(name, ()):
            known[name] |= one.methods.union(*(_methods_of(base, classes, known) for base in one.bases))
    return known[name]
