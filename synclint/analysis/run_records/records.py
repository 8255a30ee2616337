"""What is stored of the analysis of a share: its runs and what they gave one another, without trees and records.

Values stand in one table, in which each is a row that refers to others by their numbers. Functions, classes and nodes
of the tree are known by their places in files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from synclint.analysis.state.memo import Pattern
from synclint.findings import CallPlace
from synclint.frozen import dataclass

# No value, no function: numbers of rows and of runs are never negative.
NONE = -1

Row = tuple[object, ...]


class DemandRecord(NamedTuple):
    """What some calls give a run: by whom they are made, the arguments, and where the calls stand."""

    caller: int
    scope: tuple[int, ...]
    places: tuple[CallPlace, ...]


class RunRecord(NamedTuple):
    """A run: of which function (by its place, that of a module being its path), what it was given and what it gave.

    ``names`` is the number of the row with the names in its scope, ``values`` are those of their values.
    """

    function: str
    by_text: bool
    is_root: bool
    on_trial: bool
    is_closure: bool
    depth: int
    is_assumed: bool
    names: int
    values: tuple[int, ...]
    result: int
    demands: tuple[DemandRecord, ...]


class ContextRecord(NamedTuple):
    """Calls of a function that are taken together: the runs that stand for them, by the keys of their arguments.

    The number of a run that nobody asks for any longer is not kept. ``counts`` are how many calls were told apart, of
    those that are known, and of those that are assumed.
    """

    given: Pattern
    receiver: str
    on_trial: bool
    runs: tuple[tuple[tuple[int, ...], int], ...]
    counts: tuple[int, int]


class WriteRecord(NamedTuple):
    """What a run has written to an attribute: the place of its function, whether its text says so, and the value."""

    function: str
    is_root: bool
    value: int


class ModuleEntry(NamedTuple):
    """A module by its dotted name; whether it was analysed as a file of the share, and has torch in reach."""

    name: str
    is_begun: bool
    has_torch_in_reach: bool


@dataclass(frozen=True)
class ShareRecords:
    """All of it: ``runs`` by their numbers, ``runs_of`` functions and their ``contexts`` by the functions' places,
    what was written to attributes by ``place:name``, ``subclasses`` by the places of classes, modules by their paths.
    """

    rows: tuple[Row, ...]
    runs: tuple[RunRecord, ...]
    runs_of: Mapping[str, tuple[int, ...]]
    contexts: Mapping[str, tuple[ContextRecord, ...]]
    fields: Mapping[str, tuple[WriteRecord, ...]]
    subclasses: Mapping[str, tuple[str, ...]]
    modules: Mapping[str, ModuleEntry]


def with_hashable_rows(share: ShareRecords) -> ShareRecords:
    """A share that was read back: what was a tuple within a row is one again."""
    return replace(share, rows=tuple(map(_as_row, share.rows)))


def _as_row(row: Row) -> Row:
    return tuple(_as_row(tuple(part)) if isinstance(part, (list, tuple)) else part for part in row)
