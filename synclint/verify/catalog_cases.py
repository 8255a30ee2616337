"""The catalogue's entries as cases: each has a line that waits and lines like it that do not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from synclint.catalog.entries import Entry
from synclint.verify.cases import BrokenCase, Case, CaseKind, Source
from synclint.verify.source_lines import packages_needed


def load_catalog_cases(entries: Iterable[Entry], installed: Callable[[str], str | None]) -> list[Case | BrokenCase]:
    """The entries that say how to run them, in their order.

    An entry without a ``case`` and without ``free`` lines has nothing to run and is left out. So are
    single near-misses that need a package that ``installed`` does not know.
    """
    return [catalog_case(entry, installed) for entry in entries if entry.case is not None or entry.free]


def catalog_case(entry: Entry, installed: Callable[[str], str | None]) -> Case | BrokenCase:
    """The case of one entry: its waiting line against its near-misses."""
    waiting = () if entry.case is None else (entry.case,)
    try:
        needed = packages_needed(ast.parse(entry.setup)) | packages_needed(ast.parse("\n".join(waiting)))
        hazard = _source(entry, "case", waiting, marked=True)
        runnable = tuple(line for line in entry.free if all(map(installed, packages_needed(ast.parse(line)) - needed)))
        twin = _source(entry, "free", runnable, marked=False)
    except SyntaxError as error:
        problem = f"catalogue entry {entry.id}: {error.text!r} is not valid Python: {error.msg}"
        return BrokenCase(entry.id, entry.id, CaseKind.CATALOGUE, problem)
    except ValueError as error:
        return BrokenCase(entry.id, entry.id, CaseKind.CATALOGUE, f"catalogue entry {entry.id}: {error}")
    if entry.library is not None:
        needed.add(entry.library)
    return Case(
        id=entry.id,
        name=entry.id,
        kind=CaseKind.CATALOGUE,
        hazard=hazard,
        twin=twin,
        setup=entry.setup,
        requires=tuple(sorted(needed - {"torch"})),
        since=entry.since,
        until=entry.until,
        released_with=entry.library or "torch",
    )


def _source(entry: Entry, name: str, lines: tuple[str, ...], *, marked: bool) -> Source:
    for line in lines:
        if len(ast.parse(line).body) != 1 or "\n" in line:
            raise ValueError(f"{line!r} is not a single statement on one line")
    numbers = range(1, len(lines) + 1)
    return Source(
        name=f"{entry.id} ({name})",
        filename=f"catalog/{entry.id}/{name}.py",
        text="\n".join(lines),
        functions=tuple(f"{name} {number}" for number in numbers),
        marked=dict.fromkeys(numbers, (entry.id,)) if marked else {},
    )
