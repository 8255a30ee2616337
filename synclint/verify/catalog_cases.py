"""The catalogue's entries as cases: each has a line that waits and lines like it that do not."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from synclint.catalog.entries import Entry
from synclint.verify.cases import BrokenCase, Case, CaseKind, Source


def load_catalog_cases(entries: Iterable[Entry]) -> list[Case | BrokenCase]:
    """The entries that say how to run them, in their order.

    An entry without a ``case`` and without ``free`` lines has nothing to run and is left out.
    """
    return [catalog_case(entry) for entry in entries if entry.case is not None or entry.free]


def catalog_case(entry: Entry) -> Case | BrokenCase:
    """The case of one entry: its waiting line against its near-misses."""
    waiting = () if entry.case is None else (entry.case,)
    try:
        setup = ast.parse(entry.setup)
        hazard = _source(entry, "case", waiting, marked=True)
        twin = _source(entry, "free", entry.free, marked=False)
    except SyntaxError as error:
        problem = f"catalogue entry {entry.id}: {error.text!r} is not valid Python: {error.msg}"
        return BrokenCase(entry.id, entry.id, CaseKind.CATALOGUE, problem)
    except ValueError as error:
        return BrokenCase(entry.id, entry.id, CaseKind.CATALOGUE, f"catalogue entry {entry.id}: {error}")
    libraries = {entry.library} if entry.library is not None else set()
    mentioned = {
        node.id
        for tree in (setup, ast.parse(hazard.text), ast.parse(twin.text))
        for node in ast.walk(tree)
        if isinstance(node, ast.Name)
    }
    if "np" in mentioned:
        libraries.add("numpy")
    return Case(
        id=entry.id,
        name=entry.id,
        kind=CaseKind.CATALOGUE,
        hazard=hazard,
        twin=twin,
        setup=entry.setup,
        requires=tuple(sorted(libraries - {"torch"})),
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
